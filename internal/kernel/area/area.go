// Package area has the loops that resample a picture by the means of areas: Down
// combines rows, and Across combines the elements of what that makes. Near does both for
// small parts of a picture. It is the inner loop of the crops of package network.
package area

import "fmt"

const (
	// Taps is the largest number of source pixels per pixel, each way.
	Taps = 8

	// MaxRow is the largest number of pixels of a row.
	MaxRow = 64

	// One is what the weights of a pixel are in all, each way.
	One = 1 << half

	half  = 7
	shift = 2*half + 1 // what is from 0 to 255 becomes 0 to 127
	round = 1 << (2*half - 1)
)

// Down fills dst with weighted sums of rows: element i is the sum of
// weights[k]*p[rows[k]+i]. Weights are from 0 to One, and at most that in all. There are
// 1 to Taps rows.
func Down(dst []int16, p []byte, rows []int, weights *[Taps]int16) {
	if len(rows) < 1 || len(rows) > Taps {
		panic(fmt.Sprintf("area: %d rows, want 1 to %d", len(rows), Taps))
	}
	for _, row := range rows {
		_ = p[row:][:len(dst)]
	}
	down(dst, p, rows, weights)
}

func downGo(dst []int16, p []byte, rows []int, weights *[Taps]int16) {
	for k, row := range rows {
		weight, from := weights[k], p[row:][:len(dst)]
		if k == 0 {
			for i, v := range from {
				dst[i] = weight * int16(v)
			}
			continue
		}
		for i, v := range from {
			dst[i] += weight * int16(v)
		}
	}
}

// Rows say of what each row of pixels is made: of the first Count rows of Taps, ascending,
// times their weights, which are from 0 to One, and at most that in all.
type Rows struct {
	Taps    [MaxRow][Taps]int32
	Weights [MaxRow][Taps]int16
	Count   [MaxRow]int
}

// A Filter says of what each pixel of a row is made.
type Filter struct {
	first   [MaxRow]int32
	weights [MaxRow][Taps]int16
	n, end  int

	near closeness
}

// A closeness says of what each pixel is made where few elements are between the pixels of a
// group: two elements and two weights after the other. Elements count from the first one of
// the group, and are less than MaxRow.
type closeness struct {
	known, far  bool // far says that not all pixels are so
	group, taps int  // pixels of a group, elements of each
	at          [Taps / 2][MaxRow][2]uint16
	weights     [Taps / 2][MaxRow][2]int16
}

// Reset makes f a filter of no pixels.
func (f *Filter) Reset() { f.n, f.end, f.near.known = 0, 0, false }

// Add adds a pixel. It is the sum of the elements from first on times these weights,
// which are from 0 to One, and at most that in all.
func (f *Filter) Add(first int, weights *[Taps]int16) {
	if first < 0 || first > 1<<30 {
		panic(fmt.Sprintf("area: a pixel of element %d", first))
	}
	f.first[f.n], f.weights[f.n] = int32(first), *weights
	f.near.known = false
	f.n++
	f.end = max(f.end, first+Taps)
}

// Across sets byte plane, from 0 to 3, of every pixel of dst, four bytes each, where it
// is 0 before. It becomes, rounded, half of the filter's sum of src, in One*One. src has
// [Taps] elements from each first one on, from 0 to 255*One.
func (f *Filter) Across(dst []byte, src []int16, plane int) {
	if len(dst) != 4*f.n || uint(plane) > 3 {
		panic(fmt.Sprintf("area: plane %d of %d bytes, want 0 to 3 of %d", plane, len(dst), 4*f.n))
	}
	across(dst, src[:f.end], f, plane)
}

// Near does what Down and then Across do for as many rows as f has pixels, or reports that
// it cannot, as without AVX-512. n elements of row k of the source begin at p[from+k*stride].
func (f *Filter) Near(dst, p []byte, from, stride, n int, rows *Rows, plane int) bool {
	if f.n == 0 || n <= f.end-Taps {
		return false
	}
	if len(dst) != 4*f.n*f.n || uint(plane) > 3 {
		panic(fmt.Sprintf("area: plane %d of %d bytes, want 0 to 3 of %d", plane, len(dst), 4*f.n*f.n))
	}
	last := rows.Count[f.n-1]
	_ = p[from+int(rows.Taps[0][0])*stride:][:n]
	_ = p[from+int(rows.Taps[f.n-1][last-1])*stride:][:n]
	return near(dst, p, from, stride, n, rows, f, plane)
}

// isNear reports whether all pixels are near, and sets f.near.
func (f *Filter) isNear() bool {
	if c := &f.near; !c.known {
		c.known = true
		c.far = !f.setNear(f.n, 4) && !f.setNear(16, 4) && !f.setNear(8, Taps)
	}
	return !f.near.far
}

// setNear sets f.near for groups of pixels of so many taps, Taps or half of them, or
// reports that it cannot.
func (f *Filter) setNear(group, taps int) bool {
	c := &f.near
	c.group, c.taps = group, taps
	for i, first := range f.first[:f.n] {
		from := int(first - f.first[i-i%group])
		weights := &f.weights[i]
		if from < 0 || from+taps > MaxRow || taps < Taps && [Taps / 2]int16(weights[Taps/2:]) != [Taps / 2]int16{} {
			return false
		}
		for k := range taps / 2 {
			at := uint16(from + 2*k)
			c.at[k][i], c.weights[k][i] = [2]uint16{at, at + 1}, [2]int16(weights[2*k:])
		}
	}
	return true
}

func acrossGo(dst []byte, src []int16, f *Filter, plane int) {
	for i, at := range f.first[:f.n] {
		p, w := (*[Taps]int16)(src[at:]), &f.weights[i]
		sum := int32(round)
		for k, v := range p {
			sum += int32(v) * int32(w[k])
		}
		dst[4*i+plane] = byte(sum >> shift)
	}
}
