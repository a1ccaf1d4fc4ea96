// Package colour has the loops that turn rows of pixels, a byte a channel, into planes.
package colour

import "fmt"

// Grey fills dst with the grey levels of pixels of red, green, blue and alpha, those of
// [image/color.GrayModel]. They are on black: premultiplied by alpha, or that is done here.
func Grey(dst, pixels []byte, premultiplied bool) {
	check(len(dst), len(dst), len(dst), len(pixels), 4)
	grey(dst, pixels, premultiplied)
}

// YCbCr fills y, cb and cr with those of such pixels, by [image/color.RGBToYCbCr].
func YCbCr(y, cb, cr, pixels []byte, premultiplied bool) {
	check(len(y), len(cb), len(cr), len(pixels), 4)
	yCbCr(y, cb, cr, pixels, premultiplied)
}

// Chroma fills cb and cr with those of pixels of 3 or 4 bytes, by
// [image/color.RGBToYCbCr]. The first byte is red, or blue if blueFirst; the fourth one
// does not matter.
func Chroma(cb, cr, pixels []byte, size int, blueFirst bool) {
	check(len(cb), len(cb), len(cr), len(pixels), size)
	plane(cb, pixels, size, blue.of(blueFirst))
	plane(cr, pixels, size, red.of(blueFirst))
}

// OpenCV fills dst with the grey levels of such pixels, as OpenCV's cvtColor does.
func OpenCV(dst, pixels []byte, size int, blueFirst bool) {
	check(len(dst), len(dst), len(dst), len(pixels), size)
	plane(dst, pixels, size, openCV.of(blueFirst))
}

func check(y, cb, cr, pixels, size int) {
	if cb != y || cr != y || size < 3 || size > 4 || pixels != size*y {
		panic(fmt.Sprintf("colour: %d, %d and %d elements of %d bytes, %d a pixel", y, cb, cr, pixels, size))
	}
}

// A form is how a byte is computed of a pixel's bytes: the sum of their products with
// weights, times factor, plus bias, shifted to the right, and at most 255.
type form struct {
	first  [2]int16 // weights of the first byte and of the second, which has two
	third  [2]int16 // of the third byte, and of the second
	factor uint32
	bias   uint32
	shift  uint32
}

// Weights of red, green and blue.
var (
	brightness = form{[2]int16{19595, 19235}, [2]int16{7471, 19235}, 1, 1 << 15, 16}
	level      = form{brightness.first, brightness.third, 0x101, 1 << 15, 24} // of 16 bits, not of 8
	blue       = form{[2]int16{-691, -1357}, [2]int16{2048, 0}, 1, 257 << 11, 12}
	red        = form{[2]int16{2048, -1715}, [2]int16{-333, 0}, 1, 257 << 11, 12}
	openCV     = form{[2]int16{9798, 19235}, [2]int16{3735, 0}, 1, 1 << 14, 15} // color_rgb.simd.hpp of OpenCV 4
)

// of returns f for pixels of this order.
func (f form) of(blueFirst bool) *form {
	if blueFirst {
		f.first[0], f.third[0] = f.third[0], f.first[0]
	}
	return &f
}

func planeGo(dst, pixels []byte, size int, f *form) {
	a, b, c := uint32(int32(f.first[0])), uint32(int32(f.first[1])+int32(f.third[1])), uint32(int32(f.third[0]))
	for i := range dst {
		p := pixels[size*i:][:3:3]
		dst[i] = byte(min(((a*uint32(p[0])+b*uint32(p[1])+c*uint32(p[2]))*f.factor+f.bias)>>f.shift, 255))
	}
}

func greyGo(dst, pixels []byte, premultiplied bool) {
	for i := range dst {
		r, g, b := rgb((*[4]byte)(pixels[4*i:]), premultiplied)
		dst[i] = byte((19595*r + 38470*g + 7471*b + 1<<15) >> 24)
	}
}

func yCbCrGo(y, cb, cr, pixels []byte, premultiplied bool) {
	cb, cr = cb[:len(y)], cr[:len(y)]
	for i := range y {
		red, green, blue := rgb((*[4]byte)(pixels[4*i:]), premultiplied)
		r, g, b := int32(red>>8), int32(green>>8), int32(blue>>8)
		const largest = 1<<24 - 1
		y[i] = byte((19595*r + 38470*g + 7471*b + 1<<15) >> 16)
		cb[i] = byte(min(32768*b-11056*r-21712*g+257<<15, largest) >> 16)
		cr[i] = byte(min(32768*r-27440*g-5328*b+257<<15, largest) >> 16)
	}
}

// rgb returns a pixel's levels of 16 bits.
func rgb(p *[4]byte, premultiplied bool) (r, g, b uint32) {
	r, g, b = uint32(p[0])*0x101, uint32(p[1])*0x101, uint32(p[2])*0x101
	if a := uint32(p[3]); a != 0xff && !premultiplied {
		r, g, b = r*a/0xff, g*a/0xff, b*a/0xff
	}
	return r, g, b
}
