package wasm

// Parameters and variables of grey and yCbCr, which have one plane and three.
const (
	rPixels local = iota
	rN
	rPlanes
)

const (
	rAt local = rPlanes + 3 // the first of sixteen pixels

	rAll   = rAt + 1  // pixels, combined by their bits
	rRed   = rAll + 1 // red and blue of four times four pixels
	rGreen = rRed + 4 // green and alpha
	rSum   = rGreen + 4
	rEnd   = rSum + 1
)

// A mix is a plane: the sum of colours times weights, plus half, shifted.
type mix struct {
	red, blue, green int16
	twice            bool  // green
	more             int32 // if not 0, the sum is multiplied by 1 + 1<<more
	half, shift      int32
}

// grey is colour.greyGo, yCbCr is colour.yCbCrGo, for n opaque pixels, at least sixteen.
// The last ones may overlap those before. Both return 0 if there are others.
func (c *code) grey() { c.mixed(mix{19595, 7471, 19235, true, 8, 1 << 15, 24}) }

func (c *code) yCbCr() {
	c.mixed(mix{19595, 7471, 19235, true, 0, 1 << 15, 16},
		mix{-5528, 16384, -10856, false, 0, 257 << 14, 15},
		mix{16384, -2664, -13720, false, 0, 257 << 14, 15})
}

func (c *code) mixed(planes ...mix) {
	pair := func(even, odd int16) (b [16]byte) {
		for i := 0; i < len(b); i += 4 {
			b[i], b[i+1], b[i+2], b[i+3] = byte(even), byte(even>>8), byte(odd), byte(odd>>8)
		}
		return b
	}
	c.constant(pair(-1, -1))
	c.set(rAll)
	c.loop()
	for q := range local(4) {
		c.get(rPixels, rAt)
		c.addScaled(2)
		c.vector(v128Load, uint32(16*q))
		c.tee(rRed + q)
		c.let(rAll, v128And, rAll)
		c.get(rRed + q)
		c.number(8)
		c.simd(i16x8ShrU)
		c.set(rGreen + q)
		c.get(rRed + q)
		c.constant(pair(0xff, 0xff))
		c.simd(v128And)
		c.set(rRed + q)
	}
	for k, m := range planes {
		c.get(rPlanes+local(k), rAt)
		c.op(i32Add)
		for q := range local(4) {
			c.get(rRed + q)
			c.constant(pair(m.red, m.blue))
			c.simd(i32x4Dot)
			c.get(rGreen + q)
			c.constant(pair(m.green, 0))
			c.simd(i32x4Dot)
			if m.twice {
				c.number(1)
				c.simd(i32x4Shl)
			}
			c.simd(i32x4Add)
			if m.more != 0 {
				c.set(rSum)
				c.get(rSum, rSum)
				c.number(m.more)
				c.simd(i32x4Shl, i32x4Add)
			}
			c.number(m.half)
			c.simd(i32x4Splat, i32x4Add)
			c.number(m.shift)
			c.simd(i32x4ShrU)
			if q%2 == 1 {
				c.simd(i16x8NarrowS)
			}
		}
		c.simd(i8x16NarrowU) // 256 becomes 255
		c.vector(v128Store, 0)
	}
	c.more(rAt, rN, 16)
	c.end()
	c.constant(pair(0, -0x100))
	c.get(rAll)
	c.simd(v128AndNot, v128AnyTrue)
	c.op(i32Eqz)
}
