package pico

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"sync"
)

// ErrOptions is wrapped by errors about invalid [Options].
var ErrOptions = errors.New("pico: invalid options")

// Options are the settings of a search. The zero value and nil mean every field's
// default, which are the values in pigo's documentation.
type Options struct {
	// MinSize and MaxSize are the sides of the smallest and of the largest window,
	// in pixels. 0 means 20, and the picture.
	MinSize, MaxSize int

	// Shift is the distance of two windows in sizes of the window, a pixel at
	// least. 0 means 0.1.
	Shift float64

	// Scale is the factor between two sizes of windows, which differ by two pixels
	// at least. 0 means 1.1.
	Scale float64

	// Angle is how far objects are rotated, in whole turns from 0 to 1. It is
	// rounded down to a thirty-second.
	Angle float64
}

func (o *Options) withDefaults(g *image.Gray) (Options, error) {
	v := *cmp.Or(o, &Options{})
	v.MinSize = cmp.Or(v.MinSize, 20)
	v.MaxSize = cmp.Or(v.MaxSize, min(g.Rect.Dx(), g.Rect.Dy()))
	v.Shift = cmp.Or(v.Shift, 0.1)
	v.Scale = cmp.Or(v.Scale, 1.1)
	switch {
	case v.MinSize < 1 || v.MaxSize < 0:
		return v, fmt.Errorf("%w: windows of %d to %d pixels, want 1 at least", ErrOptions, v.MinSize, v.MaxSize)
	case int64(g.Rect.Dy())*int64(g.Stride) > math.MaxInt32:
		return v, fmt.Errorf("%w: a picture of %d rows of %d bytes, want less than 2 GiB", ErrOptions, g.Rect.Dy(), g.Stride)
	case !(v.Shift > 0 && v.Shift <= 100):
		return v, fmt.Errorf("%w: a shift of %v, want more than 0 and at most 100", ErrOptions, v.Shift)
	case !(v.Scale >= 1 && v.Scale <= 100):
		return v, fmt.Errorf("%w: a scale factor of %v, want 1 to 100", ErrOptions, v.Scale)
	case !(v.Angle >= 0 && v.Angle <= 1):
		return v, fmt.Errorf("%w: an angle of %v turns, want 0 to 1", ErrOptions, v.Angle)
	}
	return v, nil
}

// A Detection is a window in which the object was found, or a cluster of them.
type Detection struct {
	Row, Col int     // of its middle
	Scale    int     // its side
	Q        float32 // how far the score is above the last threshold; the sum in a cluster
	N        int     // windows: 1, or those of a cluster
}

// Box returns the square as pigo draws it.
func (d Detection) Box() image.Rectangle {
	x, y := d.Col-d.Scale/2, d.Row-d.Scale/2
	return image.Rect(x, y, x+d.Scale, y+d.Scale)
}

// pair is where a test finds its pixels: offsets from the middle of the window, or
// rows and columns from there if the window is rotated.
type pair struct{ a, b int32 }

// scratch is the memory of one search.
type scratch struct {
	at   []pair // of each test
	cols []pair // if rotated
}

var pool = sync.Pool{New: func() any { return new(scratch) }}

// maxFound is the largest number of windows that may pass. In photographs of people it is a few hundred.
const maxFound = 1 << 16

// Search appends all windows that pass to dst, smallest first, then by row and
// column, and returns the result. Positions are in the picture's own coordinates.
// More than 65,536 windows are an [ErrLimit].
func (m *Model) Search(ctx context.Context, dst []Detection, g *image.Gray, o *Options) ([]Detection, error) {
	v, err := o.withDefaults(g)
	if err != nil {
		return dst, err
	}
	s := pool.Get().(*scratch)
	defer pool.Put(s)
	rows, cols := g.Rect.Dy(), g.Rect.Dx()
	limit := len(dst) + maxFound
	scale := v.MinSize
	for scale <= v.MaxSize {
		offset := scale/2 + 1
		if offset > rows-offset || offset > cols-offset {
			break // larger windows fit even less
		}
		step := int(math.Max(float64(v.Shift*float64(scale)), 1))
		turned := v.Angle > 0
		if turned {
			m.rotate(s, scale, int(32*v.Angle))
		} else {
			m.place(s, scale, g.Stride)
		}
		for row := offset; row <= rows-offset; row += step {
			if err := ctx.Err(); err != nil {
				return dst, err
			}
			for col := offset; col <= cols-offset; col += step {
				var q float32
				if turned {
					q = m.scoreTurned(s, g, row, col)
				} else {
					q = m.score(s, g.Pix, row*g.Stride+col)
				}
				if q > 0 {
					if len(dst) == limit {
						return dst, fmt.Errorf("%w: more than %d windows pass in a picture of %dx%d; larger windows (MinSize) or a larger Shift are fewer", ErrLimit, maxFound, cols, rows)
					}
					dst = append(dst, Detection{row + g.Rect.Min.Y, col + g.Rect.Min.X, scale, q, 1})
				}
			}
		}
		scale = int(float64(scale) + math.Max(2, float64(float64(scale)*v.Scale)-float64(scale)))
	}
	return dst, ctx.Err()
}

// place finds the tests' pixels in windows of a size. Positions are in 1/256 of it
// from the middle, which is a whole pixel, and rounded down.
func (m *Model) place(s *scratch, scale, stride int) {
	s.at = s.at[:0]
	for _, t := range m.tests {
		at := func(row, col int8) int32 {
			return int32((int(row)*scale>>8)*stride + int(col)*scale>>8)
		}
		s.at = append(s.at, pair{at(t[0], t[1]), at(t[2], t[3])})
	}
}

// score returns how far a window's score is above the last threshold; -1 if it is
// rejected before.
func (m *Model) score(s *scratch, pix []byte, at int) float32 {
	var out float32
	n := 1 << m.depth
	for t, threshold := range m.thresholds {
		tests := s.at[t*n : t*n+n]
		i := 1
		for range m.depth {
			p := tests[i]
			i *= 2
			if pix[at+int(p.a)] <= pix[at+int(p.b)] {
				i++
			}
		}
		out += m.leaves[t*n+i-n]
		if out <= threshold {
			return -1
		}
	}
	return out - m.thresholds[len(m.thresholds)-1]
}

// sines are 256 times the sines of the 32 parts of a turn; a quarter on are the
// cosines.
var sines = [...]int64{
	0, 49, 97, 142, 181, 212, 236, 251, 256, 251, 236, 212, 181, 142, 97, 49,
	0, -49, -97, -142, -181, -212, -236, -251, -256, -251, -236, -212, -181, -142, -97, -49,
}

// rotate finds the rows and columns of the tests' pixels, from the middle.
func (m *Model) rotate(s *scratch, scale, part int) {
	s.at, s.cols = s.at[:0], s.cols[:0]
	sin := int64(scale) * sines[part%32]
	cos := int64(scale) * sines[(part+8)%32]
	for _, t := range m.tests {
		turn := func(row, col int8) (r, c int32) {
			return int32((cos*int64(row) - sin*int64(col)) >> 16), int32((sin*int64(row) + cos*int64(col)) >> 16)
		}
		r1, c1 := turn(t[0], t[1])
		r2, c2 := turn(t[2], t[3])
		s.at = append(s.at, pair{r1, r2})
		s.cols = append(s.cols, pair{c1, c2})
	}
}

// scoreTurned is score of a rotated window. Pixels outside the picture are those at
// its edge.
func (m *Model) scoreTurned(s *scratch, g *image.Gray, row, col int) float32 {
	bottom, right := g.Rect.Dy()-1, g.Rect.Dx()-1
	pixel := func(r, c int32) byte {
		return g.Pix[min(bottom, max(0, row+int(r)))*g.Stride+min(right, max(0, col+int(c)))]
	}
	var out float32
	n := 1 << m.depth
	for t, threshold := range m.thresholds {
		i := 1
		for range m.depth {
			r, c := s.at[t*n+i], s.cols[t*n+i]
			i *= 2
			if pixel(r.a, c.a) <= pixel(r.b, c.b) {
				i++
			}
		}
		out += m.leaves[t*n+i-n]
		if out <= threshold {
			return -1
		}
	}
	return out - m.thresholds[len(m.thresholds)-1]
}
