package augment

// A canvas is a window under construction, larger than the window will be.
type canvas struct {
	width, height int
	pix           []int32 // grey levels in 1/256; may leave 0 to 255 temporarily
	p, q          []int32 // position of each pixel on the object, in 1/unit of the window's width from its middle
	unit          int64   // pixels of the canvas in a window's width, in 1/256
}

// Positions on an object are integers, so that they are the same on every machine.
const (
	unitBits = 22
	unit     = 1 << unitBits
)

// white is the lightest grey level of a canvas.
const white = 255 << 8

func (c *canvas) resize(width, height int) {
	c.width, c.height = width, height
	c.pix, c.p, c.q = room(c.pix, width*height), room(c.p, width*height), room(c.q, width*height)
}

// room returns n elements, those of s if it has as many.
func room[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// fixed rounds x to 1/2^bits.
func fixed(x float64, bits uint) int64 {
	x *= float64(int64(1) << bits) // exact
	if x < 0 {
		return -int64(0.5 - x)
	}
	return int64(0.5 + x)
}

// clamp bounds v by 0 and a largest value.
func clamp(v, largest int32) int32 { return max(0, min(v, largest)) }

// bytes rounds the canvas to grey levels.
func (c *canvas) bytes(buf []byte) []byte {
	buf = room(buf, len(c.pix))
	for i, v := range c.pix {
		buf[i] = byte(clamp((v+128)>>8, 255))
	}
	return buf
}

// mean returns the mean grey level in 1/256.
func (c *canvas) mean() int32 {
	var sum int64
	for _, v := range c.pix {
		sum += int64(v)
	}
	return int32(sum / int64(len(c.pix)))
}
