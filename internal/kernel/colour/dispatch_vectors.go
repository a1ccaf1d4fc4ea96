//go:build (amd64 || arm64) && !purego

package colour

import (
	"encoding/binary"

	"haarlem/internal/cpu"
)

const block = 32 // pixels that assembly takes together

func grey(dst, pixels []byte, premultiplied bool) {
	if cpu.Current() == cpu.PureGo || !premultiplied && !opaque(pixels) {
		greyGo(dst, pixels, premultiplied)
		return
	}
	plane(dst, pixels, 4, &level)
}

func yCbCr(y, cb, cr, pixels []byte, premultiplied bool) {
	if cpu.Current() == cpu.PureGo || !premultiplied && !opaque(pixels) {
		yCbCrGo(y, cb, cr, pixels, premultiplied)
		return
	}
	plane(y, pixels, 4, &brightness)
	plane(cb, pixels, 4, &blue)
	plane(cr, pixels, 4, &red)
}

// opaque reports whether alpha is 255 everywhere.
func opaque(pixels []byte) bool {
	all := ^uint32(0)
	for ; len(pixels) >= 8; pixels = pixels[8:] {
		two := binary.LittleEndian.Uint64(pixels)
		all &= uint32(two) & uint32(two>>32)
	}
	if len(pixels) > 0 {
		all &= binary.LittleEndian.Uint32(pixels)
	}
	return all>>24 == 255
}

func plane(dst, pixels []byte, size int, f *form) {
	if cpu.Current() == cpu.PureGo {
		planeGo(dst, pixels, size, f)
		return
	}
	// Assembly may read four bytes behind pixels of three.
	n := max(len(pixels)-(16-4*size), 0) / (block * size) * block
	if n > 0 {
		blocks(dst, pixels, n, size, f)
	}
	for n < len(dst) { // through memory that is large enough
		var in [4*block + 4]byte
		var out [block]byte
		copy(in[:block*size], pixels[n*size:])
		blocks(out[:], in[:], block, size, f)
		n += copy(dst[n:], out[:])
	}
}

func blocks(dst, pixels []byte, n, size int, f *form) {
	if size == 3 {
		plane3(&dst[0], &pixels[0], n, &f.first[0])
	} else {
		plane4(&dst[0], &pixels[0], n, &f.first[0])
	}
}
