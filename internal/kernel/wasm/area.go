package wasm

// Parameters and variables of down.
const (
	dDst local = iota
	dSrc
	dRows  // of eight bytes each
	dCount // of rows
	dWeights
	dN

	dAt // the first of eight elements
	dRow
	dRowsEnd
	dWeight

	dSum
	dEnd
)

// down is area.downGo for n elements, at least eight. The last eight may overlap those
// before.
func (c *code) down() {
	c.get(dRows, dCount)
	c.addScaled(3)
	c.set(dRowsEnd)
	c.loop()
	c.constant([16]byte{})
	c.set(dSum)
	c.get(dRows)
	c.set(dRow)
	c.get(dWeights)
	c.set(dWeight)
	c.loop()
	c.get(dSrc, dRow)
	c.access(i32Load, 0)
	c.op(i32Add)
	c.get(dAt)
	c.op(i32Add)
	c.vector(v128Load8x8U, 0)
	c.get(dWeight)
	c.vector(v128Load16Splat, 0)
	c.simd(i16x8Mul)
	c.get(dSum)
	c.simd(i16x8Add)
	c.set(dSum)
	c.advance(dWeight, 2)
	c.advance(dRow, 8)
	c.get(dRow, dRowsEnd)
	c.op(i32LtU)
	c.branchIf(0)
	c.end()
	c.get(dDst, dAt)
	c.addScaled(1)
	c.get(dSum)
	c.vector(v128Store, 0)
	c.more(dAt, dN, 8)
	c.end()
}

// more ends a loop over n elements, at least this many, which takes so many from at on:
// with the next ones, or those that end with the last.
func (c *code) more(at, n local, each int32) {
	c.advance(at, each)
	c.get(at, n)
	c.op(i32LtU)
	c.when()
	c.get(n)
	c.number(-each)
	c.op(i32Add)
	c.get(at, at)
	c.number(each)
	c.op(i32Add)
	c.get(n)
	c.op(i32GtU, opSelect)
	c.set(at)
	c.branch(1)
	c.end()
}

// Parameters and variables of across.
const (
	aDst local = iota
	aSrc
	aFirst
	aWeights
	aN
	aBits // by which the byte of a plane is shifted

	aAt // the first of four pixels
	aTo

	aSum // of each of them, in four parts
	_
	_
	_
	aEnd
)

// across is area.acrossGo for n pixels, at least four. The last four may overlap those
// before.
func (c *code) across() {
	c.loop()
	for k := range uint32(4) {
		c.get(aSrc, aFirst, aAt)
		c.addScaled(2)
		c.access(i32Load, 4*k)
		c.addScaled(1)
		c.vector(v128Load, 0)
		c.get(aWeights, aAt)
		c.addScaled(4)
		c.vector(v128Load, 16*k)
		c.simd(i32x4Dot)
		c.set(aSum + local(k))
	}
	c.get(aDst, aAt)
	c.addScaled(2)
	c.tee(aTo)
	c.pairs(aSum)
	c.set(aSum)
	c.pairs(aSum + 2)
	c.set(aSum + 1)
	c.pairs(aSum)
	c.number(8192) // which rounds
	c.simd(i32x4Splat, i32x4Add)
	c.number(15)
	c.simd(i32x4ShrU)
	c.get(aBits)
	c.simd(i32x4Shl)
	c.get(aTo)
	c.vector(v128Load, 0)
	c.simd(v128Or)
	c.vector(v128Store, 0)
	c.more(aAt, aN, 4)
	c.end()
}
