// Package sumtable builds the rows of the search's 16-bit integral images.
//
// Sums are modulo 1<<16. The sum over a rectangle is a difference of its
// corners, so it is exact wherever the true value is known to fit. That halves
// the bytes that the search moves.
package sumtable

import "haarlem/internal/cpu"

// Slack is the number of elements that every slice must have beyond those asked
// for: kernels read and write whole registers.
const Slack = 64

// Sum writes the next row of an integral image. With above the row before it,
// for all x below n,
//
//	dst[0] = 0
//	dst[x+1] = above[x+1] + pix[0] + ... + pix[x]
func Sum(dst, above []uint16, pix []byte, n int) {
	_, _, _ = dst[:n+1+Slack], above[:n+1+Slack], pix[:n+Slack]
	dst[0] = 0
	if n == 0 || cpu.Current() == cpu.PureGo {
		sumGo(dst, above, pix, n)
		return
	}
	sum(dst, above, pix, n)
}

func sumGo(dst, above []uint16, pix []byte, n int) {
	pix = pix[:n]
	d, a := dst[1:][:n], above[1:][:n]
	s := uint16(0)
	for x, p := range pix {
		s += uint16(p)
		d[x] = a[x] + s
	}
}

// Tilt writes row Y of a tilted integral image, n+1 elements, from rows Y-1 and
// Y-2 and pixel rows Y-1 and Y-2 (t2 and pix2 are nil for Y = 1):
//
//	T(X,Y) = T(X-1,Y-1) + T(X+1,Y-1) - T(X,Y-2) + pix1[X-1] + pix2[X-1]
//
// T(X,Y) is the sum of the pixels of the 45-degree triangle above (X,Y). What
// lies left and right of the image is derived from the neighbours.
func Tilt(dst, t1, t2 []uint16, pix1, pix2 []byte, n int) {
	_, _, _ = dst[:n+1+Slack], t1[:n+1+Slack], pix1[:n+Slack]
	if pix2 == nil {
		dst[0] = 0
		for x, p := range pix1[:n] {
			dst[x+1] = uint16(p)
		}
		return
	}
	_, _ = t2[:n+1+Slack], pix2[:n+Slack]
	if n == 0 || cpu.Current() == cpu.PureGo {
		tiltGo(dst, t1, t2, pix1, pix2, n)
	} else {
		tilt(dst, t1, t2, pix1, pix2, n)
	}
	// The kernel has filled the borders as if there were pixels outside.
	dst[0] = t1[1]
	dst[n] = t1[n-1] + uint16(pix1[n-1]) + uint16(pix2[n-1])
}

func tiltGo(dst, t1, t2 []uint16, pix1, pix2 []byte, n int) {
	dst, t2 = dst[1:][:n], t2[1:][:n]
	left, right := t1[:n], t1[2:][:n]
	pix1, pix2 = pix1[:n], pix2[:n]
	for x := range dst {
		dst[x] = left[x] + right[x] - t2[x] + uint16(pix1[x]) + uint16(pix2[x])
	}
}

// Split distributes the first n elements of a row over step planes, so that
// windows that are step pixels apart find their corners side by side:
//
//	dst[(x%step)*plane + x/step] = row[x]
//
// Elements behind the last of a plane may be overwritten, up to Slack/2 but not
// beyond the plane.
func Split(dst, row []uint16, n, step, plane int) {
	_, _ = dst[:step*plane], row[:n+Slack]
	if step == 2 && n > 0 && n/2+Slack/2 <= plane && cpu.Current() != cpu.PureGo {
		split(dst, row, n, plane)
		return
	}
	splitGo(dst, row, n, step, plane)
}

func splitGo(dst, row []uint16, n, step, plane int) {
	row = row[:n]
	for phase := range min(step, n) {
		d := dst[phase*plane:]
		i := 0
		for x := phase; x < n; x += step {
			d[i] = row[x]
			i++
		}
	}
}

const (
	// Columns is the number of columns of a Block.
	Columns = 8
	// Windows is the number of windows that Together copies side by side.
	Windows = 16
)

// A Block is the same Columns adjacent columns of each of Windows windows.
// Those of window w begin at element At[w] of a table and go to element To of
// another. The assembly knows the offsets of its fields.
type Block struct {
	At [Windows]int32
	To int32
}

// Together copies rows of blocks so that the same element of all windows is
// side by side: for each block,
//
//	dst[To + y*pitch + x*across + w] = tab[At[w] + y*stride + x]
func Together(dst, tab []uint16, blocks []Block, rows, stride, pitch, across int) {
	if rows <= 0 || len(blocks) == 0 {
		return
	}
	// Kernels have no bounds checks.
	for i := range blocks {
		b := &blocks[i]
		_ = dst[b.To:][(rows-1)*pitch+(Columns-1)*across+Windows-1]
		for _, a := range b.At {
			_ = tab[a:][(rows-1)*stride+Columns-1]
		}
	}
	if cpu.Current() == cpu.PureGo {
		togetherGo(dst, tab, blocks, rows, stride, pitch, across)
		return
	}
	together(dst, tab, blocks, rows, stride, pitch, across)
}

// FastTogether reports whether Together is worth calling: plain Go takes fifteen times
// as long.
func FastTogether() bool { return cpu.Current() != cpu.PureGo }

func togetherGo(dst, tab []uint16, blocks []Block, rows, stride, pitch, across int) {
	for i := range blocks {
		b := &blocks[i]
		for y := range rows {
			for x := range Columns {
				d := dst[int(b.To)+y*pitch+x*across:][:Windows]
				for w, a := range b.At {
					d[w] = tab[int(a)+y*stride+x]
				}
			}
		}
	}
}
