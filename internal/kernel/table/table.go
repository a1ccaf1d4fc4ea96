// Package table builds the rows of the scan's 16-bit pixel tables.
//
// A table holds running sums modulo 1<<16. Sums over a rectangle are
// differences of its corners, so they are exact wherever the true value is
// known to fit: that halves the bytes that the scan moves.
package table

// Sum writes the next row of a sum table: with above the row before it,
//
//	dst[0] = 0
//	dst[x+1] = above[x+1] + pix[0] + ... + pix[x]
//
// dst and above have len(pix)+1 elements.
func Sum(dst, above []uint16, pix []byte) { sum(dst, above, pix) }

func sumGo(dst, above []uint16, pix []byte) {
	dst = dst[:len(pix)+1]
	above = above[:len(pix)+1]
	dst[0] = 0
	d, a := dst[1:], above[1:]
	d, a = d[:len(pix)], a[:len(pix)]
	s := uint16(0)
	for x, p := range pix {
		s += uint16(p)
		d[x] = a[x] + s
	}
}

// Tilt writes row Y of a tilted table from the rows Y-1 and Y-2 and the pixel
// rows Y-1 and Y-2 (pix2 is nil for Y = 1):
//
//	T(X,Y) = T(X-1,Y-1) + T(X+1,Y-1) - T(X,Y-2) + pix1[X-1] + pix2[X-1]
//
// with what lies left and right of the image worked out from the neighbours.
// T(X,Y) is the sum of the pixels of the 45-degree triangle above (X,Y).
// dst, t1 and t2 have len(pix1)+1 elements.
func Tilt(dst, t1, t2 []uint16, pix1, pix2 []byte) { tilt(dst, t1, t2, pix1, pix2) }

func tiltGo(dst, t1, t2 []uint16, pix1, pix2 []byte) {
	w := len(pix1)
	dst, t1, t2 = dst[:w+1], t1[:w+1], t2[:w+1]
	if pix2 == nil {
		dst[0] = 0
		for x, p := range pix1 {
			dst[x+1] = uint16(p)
		}
		return
	}
	pix2 = pix2[:w]
	dst[0] = t1[1]
	for x := 1; x < w; x++ {
		dst[x] = t1[x-1] + t1[x+1] - t2[x] + uint16(pix1[x-1]) + uint16(pix2[x-1])
	}
	dst[w] = t1[w-1] + uint16(pix1[w-1]) + uint16(pix2[w-1])
}

// Split deals the elements of a row out to step planes, so that windows that
// stand step pixels apart find their corners side by side:
//
//	dst[(x%step)*plane + x/step] = row[x]
func Split(dst, row []uint16, step, plane int) { split(dst, row, step, plane) }

func splitGo(dst, row []uint16, step, plane int) {
	for phase := range min(step, len(row)) {
		d := dst[phase*plane:]
		i := 0
		for x := phase; x < len(row); x += step {
			d[i] = row[x]
			i++
		}
	}
}
