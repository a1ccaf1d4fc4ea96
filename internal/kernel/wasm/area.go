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
	c.zero(dSum)
	c.copy(dRow, dRows)
	c.copy(dWeight, dWeights)
	c.loop()
	c.field(0, dSrc, dRow)
	c.op(i32Add)
	c.get(dAt)
	c.op(i32Add)
	c.vector(v128Load8x8U, 0)
	c.get(dWeight)
	c.vector(v128Load16Splat, 0)
	c.simd(i16x8Mul)
	c.let(dSum, i16x8Add, dSum)
	c.advance(dWeight, 2)
	c.advance(dRow, 8)
	c.again(dRow, dRowsEnd)
	c.get(dDst, dAt)
	c.addScaled(1)
	c.get(dSum)
	c.vector(v128Store, 0)
	c.more(dAt, dN, 8)
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

	aEnd = aSum + 4
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
	c.load(0, aTo)
	c.simd(v128Or)
	c.vector(v128Store, 0)
	c.more(aAt, aN, 4)
	c.end()
}
