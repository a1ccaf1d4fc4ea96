package wasm

// The layout of lanes.Segment, Record, Piece and state on machines with 64
// bits. Package lanes checks it.
const (
	segmentSize   = 32
	segmentFirst  = 0
	segmentN      = 4
	segmentOp     = 8
	segmentLimit  = 12
	segmentReset  = 16
	segmentHold   = 20
	recordSize    = 64
	recordMul     = 36
	recordLow     = 40 // Threshold
	recordLeft    = 44
	recordRight   = 48
	recordSelf    = 52
	recordYes     = 53
	recordNo      = 54
	recordCount   = 55
	recordAux     = 56
	pieceSize     = 16
	pieceTop      = 0
	pieceBottom   = 4
	pieceMul      = 8
	stateSegment  = 0
	stateAlive    = 8
	stateInv      = 16
	stateScore    = 24
	stateReach    = 88
	reachSize     = 64
	tableSizeLog  = 6
	subsetSizeLog = 5
)

// The shapes and actions of package lanes, in its order.
const (
	edge = iota
	line
	pair
	check
	wide
	grid
	shapes
)

const (
	stump = iota
	node
	rootYes
	rootNo
	last
	bins
	soft
	actions
)

// Parameters and variables of run.
const (
	pSegments local = iota
	pRecords
	pTables
	pSubsets
	pPieces
	pState
	pTab
	pEnd

	vS // the next segment
	vSeg
	vRec
	vRecEnd
	vAlive
	vAddress // eight of them
)

const (
	vPiece local = vAddress + 8 + iota
	vPieceEnd
	vSlot
	vOther
	vScore // four of each, up to vX

	vInv   = vScore + 4
	vX     = vInv + 4  // values, then masks
	vHalf  = vX + 4    // two: what of the table was added up
	vLast  = vHalf + 2 // two
	vMul   = vLast + 2
	vLeft  = vMul + 1
	vRight = vLeft + 1
	vIn    = vRight + 1
	vT     = vIn + 1 // sixteen for patterns and tables
	vEnd   = vT + 16
)

// run is a loop over segments. The sixteen windows are four vectors of scores, inverse
// contrasts and masks, and two of table elements. Each shape and action has its own loop
// over records, so that nothing is decided per record.
func (c *code) run() {
	c.field(stateSegment, pState)
	c.set(vS)
	c.field(stateAlive, pState)
	c.number(0xffff)
	c.op(i32And)
	c.set(vAlive)
	for k := range local(4) {
		c.load(uint32(stateScore+16*k), pState)
		c.set(vScore + k)
		c.field(stateInv, pState)
		c.vector(v128Load, uint32(16*k))
		c.set(vInv + k)
		// Slot 0 holds all lanes.
		c.get(pState)
		c.constant([16]byte{255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255})
		c.vector(v128Store, uint32(stateReach+16*k))
	}
	c.block()
	c.loop()
	c.get(vS, pEnd)
	c.op(i32GeU)
	c.branchIf(1)
	c.segment()
	// Segments with Hold continue without a test.
	c.field(segmentHold, vSeg)
	c.branchIf(0)
	for k := range local(4) {
		c.get(vScore + k)
		c.get(vSeg)
		c.vector(v128Load32Splat, segmentLimit)
		c.simd(i32x4LtS, i32x4Bitmask)
		if k > 0 {
			c.number(int32(4 * k))
			c.op(i32Shl, i32Or)
		}
	}
	c.number(-1)
	c.op(i32Xor)
	c.get(vAlive)
	c.op(i32And)
	c.tee(vAlive)
	c.branchIf(0)
	c.end()
	c.end()
	c.get(pState, vAlive)
	c.access(i32Store16, stateAlive)
	for k := range local(4) {
		c.store(uint32(stateScore+16*k), pState, vScore+k)
	}
}

// segment evaluates the records of segment vS and increments it.
func (c *code) segment() {
	c.get(pSegments, vS)
	c.addScaled(5)
	c.set(vSeg)
	c.advance(vS, 1)
	c.field(segmentReset, vSeg)
	c.when()
	for k := range local(4) {
		c.zero(vScore + k)
	}
	c.end()
	c.field(segmentFirst, pRecords, vSeg)
	c.addScaled(6)
	c.tee(vRec)
	c.field(segmentN, vSeg)
	c.addScaled(6)
	c.set(vRecEnd)

	c.block() // which every case leaves
	c.get(vRec, vRecEnd)
	c.op(i32GeU)
	c.branchIf(0)
	const cases = shapes * 8 // an operation is shape<<3 | action
	for range cases {
		c.block()
	}
	c.field(segmentOp, vSeg)
	c.b = unsigned(append(c.b, opBrTable), cases)
	for i := range cases + 1 {
		if i < cases && i&7 == soft {
			i += bins - soft // Soft gains nothing here
		}
		c.b = unsigned(c.b, uint32(i))
	}
	for i := range cases {
		c.end()
		shape, action := i>>3, i&7
		if action < soft && (shape != grid || action != bins) { // patterns have no value
			c.loop()
			c.value(shape)
			if action != bins && shape != grid {
				c.question()
			}
			c.act(action)
			c.next(vRec, recordSize, vRecEnd)
		}
		c.branch(cases - 1 - i)
	}
	c.end()
}

// next ends a loop over elements of so many bytes.
func (c *code) next(v local, size int32, end local) {
	c.get(v)
	c.number(size)
	c.op(i32Add)
	c.tee(v)
	c.get(end)
	c.op(i32LtU)
	c.branchIf(0)
	c.end()
}

// place puts the address of the table's element at the sum of n of the record's
// offsets into a variable. from is the start: the table or another such
// address.
func (c *code) place(to, from local, offsets ...int) {
	c.get(from)
	for _, o := range offsets {
		c.field(uint32(4*o), vRec)
		c.addScaled(1)
	}
	c.set(to)
}

// at appends a load of half of the elements at an address.
func (c *code) at(place local, half int) {
	c.load(uint32(16*half), place)
}

// sum adds up half of the elements at the addresses; those to subtract are
// ^place.
func (c *code) sum(half int, plus []local, minus []local) {
	for i, p := range plus {
		c.at(p, half)
		if i > 0 {
			c.simd(i16x8Add)
		}
	}
	for _, p := range minus {
		c.at(p, half)
		c.simd(i16x8Sub)
	}
}

func (c *code) double() {
	c.number(1)
	c.simd(i16x8Shl)
}

// value computes the feature of the record vRec: as floats in vX, or for
// patterns as masks.
func (c *code) value(shape int) {
	a := vAddress
	p := func(i int) local { return a + local(i) }
	switch shape {
	case edge: // t, t+o1, t+o2, b, b+o1, b+o2
		c.place(p(0), pTab, 0)
		c.place(p(1), p(0), 1)
		c.place(p(2), p(0), 2)
		c.place(p(3), p(0), 3)
		c.place(p(4), p(3), 1)
		c.place(p(5), p(3), 2)
		for h := range 2 {
			c.sum(h, []local{p(0), p(2)}, []local{p(3), p(5)})
			c.sum(h, []local{p(1)}, []local{p(4)})
			c.double()
			c.simd(i16x8Sub)
			c.set(vHalf + local(h))
		}
	case line: // t, t+o1, t+o2, t+o3, b, ...
		c.place(p(0), pTab, 0)
		c.place(p(4), p(0), 4)
		for i := 1; i <= 3; i++ {
			c.place(p(i), p(0), i)
			c.place(p(4+i), p(4), i)
		}
		c.multiplied([]local{p(1), p(6)}, []local{p(2), p(5)}, []local{p(0), p(7)}, []local{p(3), p(4)})
	case pair:
		for i := range 8 {
			c.place(p(i), pTab, i)
		}
		c.multiplied([]local{p(4), p(7)}, []local{p(5), p(6)}, []local{p(0), p(3)}, []local{p(1), p(2)})
	case check: // rows r, s, t; columns 0, o1, o2
		for h := range 2 {
			c.place(p(0), pTab, 0)
			c.place(p(1), p(0), 1)
			c.place(p(2), p(0), 2)
			c.place(p(3), pTab, 0, 4)
			c.place(p(4), p(3), 1)
			c.place(p(5), p(3), 2)
			c.sum(h, []local{p(0), p(2), p(3), p(5)}, nil)
			c.place(p(0), pTab, 0, 3)
			c.place(p(2), p(0), 1)
			c.place(p(3), p(0), 2)
			c.sum(h, []local{p(1), p(0), p(3), p(4)}, nil)
			c.at(p(2), h)
			c.double()
			c.simd(i16x8Sub)
			c.double()
			c.simd(i16x8Sub)
			c.set(vHalf + local(h))
		}
	case wide:
		c.strip()
		c.contrast()
		return
	case grid:
		c.pattern()
		return
	}
	for h := range local(2) {
		c.get(vHalf + h)
		c.simd(i32x4ExtendLowS, f32x4ConvertS)
		c.set(vX + 2*h)
		c.get(vHalf + h)
		c.simd(i32x4ExtendHiS, f32x4ConvertS)
		c.set(vX + 2*h + 1)
	}
	c.contrast()
}

// multiplied computes the sum of plus, less minus, times the record's factor, and
// subtracts from it the sum of less, less that of more.
func (c *code) multiplied(plus, minus, less, more []local) {
	c.field(recordMul, vRec)
	c.simd(i16x8Splat)
	c.set(vMul)
	for h := range 2 {
		c.sum(h, plus, minus)
		c.get(vMul)
		c.simd(i16x8Mul)
		c.sum(h, less, more)
		c.simd(i16x8Sub)
		c.set(vHalf + local(h))
	}
}

// contrast multiplies values by the windows' inv.
func (c *code) contrast() {
	for k := range local(4) {
		c.let(vX+k, f32x4Mul, vX+k, vInv+k)
	}
}

// strip computes a Wide feature: a sum over pieces in 32 bits.
func (c *code) strip() {
	c.field(recordAux, pPieces, vRec)
	c.addScaled(4)
	c.tee(vPiece)
	c.get(vRec)
	c.access(i32Load8U, recordCount)
	c.addScaled(4)
	c.set(vPieceEnd)
	for k := range local(4) {
		c.zero(vX + k)
	}
	for h := range local(2) {
		c.zero(vLast + h)
	}
	c.loop()
	for i, field := range []uint32{pieceTop, pieceBottom} {
		c.field(field, pTab, vPiece)
		c.addScaled(1)
		c.set(vAddress + local(i))
	}
	c.get(vPiece)
	c.vector(v128Load32Splat, pieceMul)
	c.set(vMul)
	for h := range local(2) {
		c.at(vAddress, int(h))
		c.at(vAddress+1, int(h))
		c.simd(i16x8Sub)
		c.set(vHalf + h)
		c.let(vIn, i16x8Sub, vLast+h, vHalf+h)
		for i, extend := range []uint32{i32x4ExtendLowU, i32x4ExtendHiU} {
			k := 2*h + local(i)
			c.get(vIn)
			c.simd(extend)
			c.get(vMul)
			c.simd(i32x4Mul)
			c.let(vX+k, i32x4Add, vX+k)
		}
		c.copy(vLast+h, vHalf+h)
	}
	c.next(vPiece, pieceSize, vPieceEnd)
	for k := range local(4) {
		c.let(vX+k, f32x4ConvertS, vX+k)
	}
}

// pattern evaluates a Grid: the bit of the record's subset for each window's
// local binary pattern, as masks.
func (c *code) pattern() {
	cell := func(row, column int) local { return vT + local(4*row+column) }
	for h := range 2 {
		// Differences along each row of corners replace the corners.
		for row := range 4 {
			for column := range 4 {
				c.place(vAddress+local(column), pTab, row, 4+column)
			}
			for column := range 3 {
				c.at(vAddress+local(column), h)
				c.at(vAddress+local(column)+1, h)
				c.simd(i16x8Sub)
				c.set(cell(row, column))
			}
		}
		// Then the cells.
		for row := range 3 {
			for column := range 3 {
				c.let(cell(row, column), i16x8Sub, cell(row, column), cell(row+1, column))
			}
		}
		for i, at := range [][2]int{{0, 0}, {0, 1}, {0, 2}, {1, 2}, {2, 2}, {2, 1}, {2, 0}, {1, 0}} {
			c.get(cell(at[0], at[1]), cell(1, 1))
			c.simd(i16x8GeU)
			c.number(128 >> i)
			c.simd(i16x8Splat, v128And)
			if i > 0 {
				c.simd(v128Or)
			}
		}
		c.set(vHalf + local(h))
	}
	c.get(vHalf, vHalf+1)
	c.simd(i8x16NarrowU)
	c.set(vIn) // the sixteen codes

	// Byte code>>3 of the subset's 32: a swizzle gives 0 for indices beyond its
	// 16.
	c.field(recordAux, pSubsets, vRec)
	c.addScaled(subsetSizeLog)
	c.set(vAddress)
	c.get(vIn)
	c.number(3)
	c.simd(i8x16ShrU)
	c.set(vT)
	c.at(vAddress, 0)
	c.get(vT)
	c.simd(i8x16Swizzle)
	c.at(vAddress, 1)
	c.get(vT)
	c.number(16)
	c.simd(i8x16Splat, i8x16Sub, i8x16Swizzle, v128Or)
	// Bit code&7 of it.
	c.constant([16]byte{1, 2, 4, 8, 16, 32, 64, 128})
	c.get(vIn)
	c.number(7)
	c.simd(i8x16Splat, v128And, i8x16Swizzle, v128And)
	c.constant([16]byte{})
	c.simd(i8x16Ne)
	c.set(vIn)
	for h, extend := range []uint32{i16x8ExtendLowS, i16x8ExtendHiS} {
		c.let(vHalf, extend, vIn)
		c.let(vX+local(2*h), i32x4ExtendLowS, vHalf)
		c.let(vX+local(2*h)+1, i32x4ExtendHiS, vHalf)
	}
}

// question compares values with the record's threshold and leaves masks.
func (c *code) question() {
	c.get(vRec)
	c.vector(v128Load32Splat, recordLow)
	c.set(vMul)
	for k := range local(4) {
		c.let(vX+k, f32x4Lt, vX+k, vMul)
	}
}

// splat loads one of the record's numbers into all lanes.
func (c *code) splat(to local, field uint32) {
	c.get(vRec)
	c.vector(v128Load32Splat, field)
	c.set(to)
}

// slot puts the address of one of the record's sets of lanes into a variable.
func (c *code) slot(to local, field uint32) {
	c.get(pState, vRec)
	c.access(i32Load8U, field)
	c.addScaled(6)
	c.set(to)
}

// add adds the value on the stack to the scores k.
func (c *code) add(k local) {
	c.let(vScore+k, i32x4Add, vScore+k)
}

// act applies the action to the masks, or for Bins to the values.
func (c *code) act(action int) {
	switch action {
	case node:
		c.splat(vLeft, recordLeft)
		c.splat(vRight, recordRight)
		c.slot(vAddress, recordSelf)
		c.slot(vSlot, recordYes)
		c.slot(vOther, recordNo)
		for k := range local(4) {
			reach := uint32(stateReach + 16*k)
			c.load(reach, vAddress)
			c.set(vIn)
			c.let(vT, v128And, vIn, vX+k)
			c.let(vT+1, v128AndNot, vIn, vX+k)
			c.get(vT, vLeft)
			c.simd(v128And)
			c.get(vT+1, vRight)
			c.simd(v128And, v128Or)
			c.add(k)
			c.store(reach, vSlot, vT)
			c.store(reach, vOther, vT+1)
		}
	case bins:
		c.histogram()
	default:
		root := action == rootYes || action == rootNo
		c.splat(vLeft, recordLeft)
		if root {
			c.slot(vSlot, recordYes)
		} else if action == last {
			c.slot(vAddress, recordSelf)
		}
		for k := range local(4) {
			reach := uint32(stateReach + 16*k)
			if action == rootNo {
				c.let(vX+k, v128Not, vX+k)
			}
			c.get(vX+k, vLeft)
			c.simd(v128And)
			if action == last {
				c.load(reach, vAddress)
				c.simd(v128And)
			}
			c.add(k)
			if root {
				c.store(reach, vSlot, vX+k)
			}
		}
	}
}

// histogram adds each window's entry of the record's table. It looks entries up
// byte by byte: the table is split into its first, second, third and fourth
// bytes, and the results of the swizzles are interleaved.
func (c *code) histogram() {
	c.splat(vLeft, recordLow)
	c.splat(vRight, recordRight) // the bits of the scale
	fifteens := [16]byte{2: 0x70, 3: 0x41, 6: 0x70, 7: 0x41, 10: 0x70, 11: 0x41, 14: 0x70, 15: 0x41}
	c.constant(fifteens)
	c.set(vMul)
	for k := range local(4) {
		// pmin and pmax treat NaN as lanes.bin does.
		c.get(vMul)
		c.constant([16]byte{})
		c.get(vX+k, vLeft)
		c.simd(f32x4Sub)
		c.get(vRight)
		c.simd(f32x4Mul, f32x4PMax, f32x4PMin, i32x4TruncSatS)
	}
	// On the stack: four vectors of bins, which become one.
	c.simd(i16x8NarrowS)
	c.set(vIn)
	c.simd(i16x8NarrowS)
	c.get(vIn)
	c.simd(i8x16NarrowS)
	c.number(15)
	c.simd(i8x16Splat, v128And)
	c.set(vIn)

	c.field(recordLeft, pTables, vRec)
	c.addScaled(tableSizeLog)
	c.set(vAddress)
	for i := range local(4) {
		c.at(vAddress, int(i))
		c.set(vT + i)
	}
	// vT+4: bytes 0 and 1 of entries 0 to 7; +5: of 8 to 15; +6, +7: 2 and 3.
	for i := range local(4) {
		first := byte(2 * (i / 2))
		var from [16]byte
		for n := range byte(8) {
			from[n], from[8+n] = 4*n+first, 4*n+first+1
		}
		c.get(vT+2*(i%2), vT+2*(i%2)+1)
		c.shuffle(from)
		c.set(vT + 4 + i)
	}
	for i := range local(4) {
		var from [16]byte
		for n := range byte(8) {
			from[n], from[8+n] = n+8*byte(i%2), 16+n+8*byte(i%2)
		}
		c.get(vT+4+i/2*2, vT+5+i/2*2)
		c.shuffle(from)
		c.let(vT+8+i, i8x16Swizzle, vIn)
	}
	// Pairs of bytes, of the first eight windows and of the others.
	for h := range local(2) {
		var from [16]byte
		for n := range byte(8) {
			from[2*n], from[2*n+1] = 8*byte(h)+n, 16+8*byte(h)+n
		}
		for i := range local(2) {
			c.get(vT+8+2*i, vT+9+2*i)
			c.shuffle(from)
			c.set(vT + i)
		}
		for q := range local(2) {
			var from [16]byte
			for n := range byte(4) {
				for b := range byte(2) {
					from[4*n+b], from[4*n+2+b] = 8*byte(q)+2*n+b, 16+8*byte(q)+2*n+b
				}
			}
			c.get(vT, vT+1)
			c.shuffle(from)
			c.add(2*h + q)
		}
	}
}
