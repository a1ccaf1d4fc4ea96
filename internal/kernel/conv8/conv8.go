// Package conv8 has the loops of convolutional networks in integers: sums of
// activations from 0 to 127 times weights from -127 to 127, and their maxima. They serve
// convolutions, where many places of an image have the same weights, and dense layers,
// where many images do.
//
// With seven bits of activations, two products fit 16 bits with a sign. That is what
// AVX2's VPMADDUBSW adds without saturation.
package conv8

import (
	"fmt"
	"math"
	"slices"
)

const (
	// Group is the number of bytes whose products are summed at once.
	Group = 4

	// Step is what the number of outputs of a layer is rounded up to.
	Step = 8

	block = 2 * Step // outputs side by side, but in the last block, which may have Step
	unit  = 4        // places that assembly takes together, or of which Maxima makes one pixel
)

// A Place is where a layer reads the first input of an output pixel, and where it
// writes the pixel's first output.
type Place struct{ In, Out int32 }

// Places are the output pixels of a layer.
type Places struct {
	all     []Place // with the last one repeated up to a multiple of unit
	n       int
	in, out int  // the last of each
	fours   bool // each four write the same outputs
}

// MakePlaces returns the places of a list, in any order.
func MakePlaces(list []Place) Places {
	p := Places{all: slices.Clone(list), n: len(list), fours: len(list)%unit == 0}
	for i, at := range list {
		if at.In < 0 || at.Out < 0 {
			panic(fmt.Sprintf("conv8: place %+v", at))
		}
		p.in, p.out = max(p.in, int(at.In)), max(p.out, int(at.Out))
		p.fours = p.fours && at.Out == list[i/unit*unit].Out
	}
	for len(p.all)%unit != 0 {
		p.all = append(p.all, p.all[len(p.all)-1])
	}
	return p
}

// First returns the first n of the places. Up to three more may be computed too.
func (p *Places) First(n int) Places {
	return Places{p.all[:(n+unit-1)/unit*unit], n, p.in, p.out, p.fours && n%unit == 0}
}

// Weights are those of a layer, in the order in which the loops read them.
type Weights struct {
	rows, groups, outputs int

	// For each block of outputs, row, group and output the weights of a group.
	weights []int8

	// paired says for each block that the products of two groups may be added in 16 bits.
	paired []bool

	bias  []int32 // with the half that rounds
	shift []int32
}

// Pack packs the weights of a layer. Each output sees this number of rows of this number
// of inputs, a multiple of [Group]. Weights are those of the first output, row by row,
// and so on; bias and shift have one element per output. Without shift the layer can
// only make Sums. 127 times the absolute weights of an output and its absolute bias must
// be below 1<<24 together, and shifts at most 24.
func Pack(rows, inputs int, weights []int8, bias []int32, shift []uint8) *Weights {
	outputs := len(bias)
	if rows < 1 || inputs < 1 || inputs%Group != 0 || outputs < 1 || len(weights) != rows*inputs*outputs || shift != nil && len(shift) != outputs {
		panic(fmt.Sprintf("conv8: %d weights and %d shifts of %d rows of %d inputs and %d outputs", len(weights), len(shift), rows, inputs, outputs))
	}
	all := (outputs + Step - 1) / Step * Step
	w := &Weights{
		rows: rows, groups: inputs / Group, outputs: all,
		weights: make([]int8, 0, rows*inputs*all),
		bias:    make([]int32, all),
		shift:   make([]int32, all),
	}
	copy(w.bias, bias)
	for o, s := range shift {
		w.shift[o] = int32(s)
		w.bias[o] += 1 << s >> 1
	}
	for first := 0; first < all; first += block {
		paired := w.groups > 1
		for i := range rows * w.groups {
			for o := first; o < min(first+block, all); o++ {
				var group [Group]int8
				if o < outputs {
					from := weights[o*rows*inputs+i*Group:]
					copy(group[:], from)
					if i%w.groups%2 == 0 && i%w.groups < w.groups-1 {
						paired = paired && fits(from[0], from[1], from[4], from[5]) && fits(from[2], from[3], from[6], from[7])
					}
				}
				w.weights = append(w.weights, group[:]...)
			}
		}
		w.paired = append(w.paired, paired)
	}
	return w
}

// fits reports whether the sum of these weights times activations fits 16 bits.
func fits(weights ...int8) bool {
	var above, below int
	for _, w := range weights {
		above, below = above+max(int(w), 0), below+min(int(w), 0)
	}
	return 127*above <= math.MaxInt16 && 127*below >= math.MinInt16
}

// Outputs returns the number of outputs, which is a multiple of [Step].
func (w *Weights) Outputs() int { return w.outputs }

// Apply computes all outputs at all places: for output o at place p, with x the bytes of
// src from p.In + r*stride on for each row r,
//
//	dst[p.Out+o] = min(max((sum of weights*x + bias + 1<<shift/2) >> shift, 0), 127)
//
// Values of src are at most 127. dst and src must not overlap.
func (w *Weights) Apply(dst, src []byte, p *Places, stride int) {
	if w.check(len(dst), len(src), p, stride) {
		apply(dst, src, p, w, stride, 1)
	}
}

// Maxima computes the maximum of what Apply computes at four places, the first four, the
// next four and so on. The places of four have the same Out, and others another one.
func (w *Weights) Maxima(dst, src []byte, p *Places, stride int) {
	if !p.fours {
		panic(fmt.Sprintf("conv8: maxima of %d places, want fours", p.n))
	}
	if w.check(len(dst), len(src), p, stride) {
		apply(dst, src, p, w, stride, unit)
	}
}

// Sums is Apply without shifts and bounds:
//
//	dst[p.Out+o] = sum of weights*x + bias
//
// Outputs that are only there to make a multiple of [Step] become 0.
func (w *Weights) Sums(dst []int32, src []byte, p *Places, stride int) {
	if w.check(len(dst), len(src), p, stride) {
		sums(dst, src, p, w, stride)
	}
}

// check panics if a loop would leave its slices, and reports whether there is work.
func (w *Weights) check(dst, src int, p *Places, stride int) bool {
	if stride < 0 || p.n > 0 && (p.in+(w.rows-1)*stride+w.groups*Group > src || p.out+w.outputs > dst) {
		panic(fmt.Sprintf("conv8: %d rows of %d bytes, %d apart, from %d on of %d, to %d from %d on of %d",
			w.rows, w.groups*Group, stride, p.in, src, w.outputs, p.out, dst))
	}
	return p.n > 0
}

// applyGo computes maxima of so many places.
func applyGo(dst, src []byte, p *Places, w *Weights, stride, places int) {
	var sums, others [block]int32
	for at := range slices.Chunk(p.all[:p.n], places) {
		for first := 0; first < w.outputs; first += block {
			n := w.sum(&sums, src[at[0].In:], first, stride)
			for _, other := range at[1:] {
				w.sum(&others, src[other.In:], first, stride)
				for o, sum := range others[:n] {
					sums[o] = max(sums[o], sum)
				}
			}
			to := dst[int(at[0].Out)+first:][:n]
			for o, shift := range w.shift[first:][:n] {
				to[o] = byte(min(max(sums[o]>>shift, 0), 127))
			}
		}
	}
}

func sumsGo(dst []int32, src []byte, p *Places, w *Weights, stride int) {
	var sums [block]int32
	for _, at := range p.all[:p.n] {
		for first := 0; first < w.outputs; first += block {
			n := w.sum(&sums, src[at.In:], first, stride)
			copy(dst[int(at.Out)+first:], sums[:n])
		}
	}
}

// sum computes the block of outputs that begins with first, and returns their number.
func (w *Weights) sum(sums *[block]int32, src []byte, first, stride int) int {
	n := min(block, w.outputs-first)
	copy(sums[:], w.bias[first:][:n])
	weights := w.weights[first*w.rows*w.groups*Group:]
	for r := range w.rows {
		row := src[r*stride:][:w.groups*Group]
		for len(row) >= Group {
			x0, x1, x2, x3 := int32(row[0]), int32(row[1]), int32(row[2]), int32(row[3])
			row = row[Group:]
			these := weights[:n*Group]
			weights = weights[n*Group:]
			if x0|x1|x2|x3 == 0 {
				continue // often, behind the maximum with 0
			}
			for o := range sums[:n] {
				g := these[o*Group:][:Group]
				sums[o] += x0*int32(g[0]) + x1*int32(g[1]) + x2*int32(g[2]) + x3*int32(g[3])
			}
		}
	}
	return n
}
