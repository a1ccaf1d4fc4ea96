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
	c.number(3)
	c.op(i32Shl, i32Add)
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
	c.number(1)
	c.op(i32Shl, i32Add)
	c.get(dSum)
	c.vector(v128Store, 0)
	c.advance(dAt, 8)
	c.get(dAt, dN)
	c.op(i32LtU)
	c.when() // eight more, or those that end with the last
	c.get(dN)
	c.number(-8)
	c.op(i32Add)
	c.get(dAt, dAt)
	c.number(8)
	c.op(i32Add)
	c.get(dN)
	c.op(i32GtU, opSelect)
	c.set(dAt)
	c.branch(1)
	c.end()
	c.end()
}
