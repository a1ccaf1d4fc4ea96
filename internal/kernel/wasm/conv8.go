package wasm

// The layout of conv8.Place, which package conv8 checks.
const (
	placeSize = 8
	placeIn   = 0
	placeOut  = 4
)

// Parameters and variables of conv: the inputs of a row, the bytes between rows, and the
// bytes from the weights of one group of inputs to those of the next one.
const (
	cDst local = iota
	cSrc
	cPlaces
	cLeft // how many places
	cWeights
	cBias
	cShift // 0 if sums are wanted
	cRows
	cRow
	cGap
	cStep
	cKeep // -1 if what is larger stays, else 0

	cIn // of two places
)

const (
	cWeight local = cIn + 2 + iota
	cRowsLeft
	cRowEnd
	cSum // of four pairs of outputs, for one place and then for another

	cX     = cSum + 8 // inputs, of two places
	cW     = cX + 2
	cScale = cW + 1 // of two fours of outputs
	cEnd   = cScale + 2
)

// conv computes eight outputs at so many places, two places at once. There must be an
// even number of them, and not none. A product of four inputs of a place and
// the weights of two outputs is a vector of four sums, two for each output; they are
// added to one another behind the last group.
func (c *code) conv() {
	// A vector has no shift for each element. Sums are below 1<<25, so that their
	// products with 1<<(24-shift), shifted by 24, are the same.
	c.get(cShift)
	c.when()
	for h := range local(2) {
		c.number(127 + 24) // exponents of floats, which become numbers
		c.simd(i32x4Splat)
		c.load(uint32(16*h), cShift)
		c.simd(i32x4Sub)
		c.number(23)
		c.simd(i32x4Shl, i32x4TruncSatS)
		c.set(cScale + h)
	}
	c.end()
	c.loop()
	for p := range local(2) {
		c.field(uint32(placeSize*p+placeIn), cSrc, cPlaces)
		c.op(i32Add)
		c.set(cIn + p)
	}
	c.copy(cWeight, cWeights)
	c.copy(cRowsLeft, cRows)
	for k := range local(8) {
		c.zero(cSum + k)
	}
	c.loop() // over rows
	c.get(cIn, cRow)
	c.op(i32Add)
	c.set(cRowEnd)
	c.loop() // over groups
	for p := range local(2) {
		c.get(cIn + p)
		c.vector(v128Load32Splat, 0)
		c.simd(i16x8ExtendLowU)
		c.set(cX + p)
	}
	for k := range local(4) {
		c.get(cWeight)
		c.vector(v128Load8x8S, uint32(8*k))
		c.set(cW)
		for p := range local(2) {
			c.get(cSum+4*p+k, cW, cX+p)
			c.simd(i32x4Dot, i32x4Add)
			c.set(cSum + 4*p + k)
		}
	}
	c.get(cWeight, cStep)
	c.op(i32Add)
	c.set(cWeight)
	c.advance(cIn+1, 4)
	c.advance(cIn, 4)
	c.again(cIn, cRowEnd)
	for p := range local(2) {
		c.get(cIn+p, cGap)
		c.op(i32Add)
		c.set(cIn + p)
	}
	c.advance(cRowsLeft, -1)
	c.againIf(cRowsLeft)
	for p := range local(2) {
		for h := range local(2) {
			a := cSum + 4*p + 2*h
			c.pairs(a)
			c.load(uint32(16*h), cBias)
			c.simd(i32x4Add)
			c.set(cSum + 4*p + h)
		}
	}
	c.get(cShift)
	c.when()
	for p := range local(2) {
		c.output(p, 0)
		for h := range local(2) {
			for _, multiply := range []uint32{i64x2ExtMulLowS, i64x2ExtMulHiS} {
				c.get(cSum+4*p+h, cScale+h)
				c.simd(multiply)
				c.number(24)
				c.simd(i64x2ShrU)
			}
			c.shuffle(words(0, 2, 4, 6))
		}
		c.simd(i16x8NarrowS)
		c.constant([16]byte{})
		c.simd(i8x16NarrowS)
		c.constant([16]byte{})
		c.simd(i8x16MaxS)
		c.output(p, 0)
		c.vector(v128Load64Zero, 0)
		c.get(cKeep)
		c.simd(i32x4Splat, v128And, i8x16MaxU)
		c.vector(v128Store64Lane, 0)
		c.op(0) // the lane
	}
	c.op(opElse)
	for p := range local(2) {
		for h := range local(2) {
			c.output(p, 2)
			c.get(cSum + 4*p + h)
			c.vector(v128Store, uint32(16*h))
		}
	}
	c.end()
	c.advance(cPlaces, 2*placeSize)
	c.advance(cLeft, -2)
	c.againIf(cLeft)
}

// output pushes the address of the outputs of place p, of 1<<size bytes each.
func (c *code) output(p local, size int32) {
	c.field(uint32(placeSize*p+placeOut), cDst, cPlaces)
	c.addScaled(size)
}

// pairs pushes the sums of neighbours in the vectors a and a+1.
func (c *code) pairs(a local) {
	c.get(a, a+1)
	c.shuffle(words(0, 2, 4, 6))
	c.get(a, a+1)
	c.shuffle(words(1, 3, 5, 7))
	c.simd(i32x4Add)
}

// words returns the bytes of a shuffle that takes these four of eight numbers.
func words(from ...byte) (b [16]byte) {
	for i := range b {
		b[i] = 4*from[i/4] + byte(i%4)
	}
	return b
}
