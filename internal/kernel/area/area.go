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

	// Pixels of at most four of the first MaxRow elements are here too, two elements and
	// two weights after the other. If not all are, it is far.
	near struct {
		at      [2][MaxRow][2]uint16
		weights [2][MaxRow][2]int16
	}
	far bool
}

// Reset makes f a filter of no pixels.
func (f *Filter) Reset() { f.n, f.end, f.far = 0, 0, false }

// Add adds a pixel. It is the sum of the elements from first on times these weights,
// which are from 0 to One, and at most that in all.
func (f *Filter) Add(first int, weights *[Taps]int16) {
	if first < 0 || first > 1<<30 {
		panic(fmt.Sprintf("area: a pixel of element %d", first))
	}
	f.first[f.n], f.weights[f.n] = int32(first), *weights
	if first+4 > MaxRow || [4]int16(weights[4:]) != [4]int16{} {
		f.far = true
	} else {
		for k := range f.near.at {
			i := uint16(first + 2*k)
			f.near.at[k][f.n], f.near.weights[k][f.n] = [2]uint16{i, i + 1}, [2]int16(weights[2*k:])
		}
	}
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
// it cannot. n elements of the row k of the source begin at p[from+k*stride].
func (f *Filter) Near(dst, p []byte, from, stride, n int, rows *Rows, plane int) bool {
	if f.far || f.n == 0 || n < 1 || n > MaxRow {
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
