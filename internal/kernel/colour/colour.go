// Package colour has the loops that turn pixels of red, green, blue and alpha, a byte
// each, into planes.
package colour

import "fmt"

// Grey fills dst with the grey levels of pixels, those of [image/color.GrayModel]. They
// are on black: premultiplied by alpha, or that is done here.
func Grey(dst, pixels []byte, premultiplied bool) {
	check(len(dst), len(dst), len(dst), len(pixels))
	grey(dst, pixels, premultiplied)
}

// YCbCr fills y, cb and cr with those of pixels, by [image/color.RGBToYCbCr].
func YCbCr(y, cb, cr, pixels []byte, premultiplied bool) {
	check(len(y), len(cb), len(cr), len(pixels))
	yCbCr(y, cb, cr, pixels, premultiplied)
}

func check(y, cb, cr, pixels int) {
	if cb != y || cr != y || pixels != 4*y {
		panic(fmt.Sprintf("colour: %d, %d and %d elements of %d bytes", y, cb, cr, pixels))
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
