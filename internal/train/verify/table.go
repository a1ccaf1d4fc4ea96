package verify

import (
	"context"
	"fmt"
	"math"
	"slices"

	"haarlem/boost"
	"haarlem/cascade"
	"haarlem/internal/channels/columns"
	"haarlem/internal/par"
)

const (
	bins   = 64
	cutOff = 1 << 13 // most rows that bins are fitted to

	// grid is the resolution of leaves, so that sums of them are exact.
	grid = 4096
)

// A table holds the columns of all candidates: true positives, false positives,
// and perhaps mirror images of the former, which have codes only.
type table struct {
	labels []int8
	raw    [][]int16   // by row, without the mirror images
	cuts   [][]float64 // by column
	codes  []byte      // by column
}

// newTable returns a table for one square per candidate, or for two.
func newTable(right, wrong int, mirror, two bool) *table {
	n := columns.Count
	if two {
		n *= 2
	}
	k := &table{raw: make([][]int16, right+wrong), cuts: make([][]float64, n)}
	all := make([]int16, len(k.raw)*n)
	for i := range k.raw {
		k.raw[i] = all[i*n:][:n]
	}
	k.labels = slices.Concat(slices.Repeat([]int8{1}, right), slices.Repeat([]int8{-1}, wrong))
	if mirror {
		k.labels = append(k.labels, slices.Repeat([]int8{1}, right)...)
	}
	return k
}

// Rows, Len, Cuts and Codes implement boost.Columns.
func (k *table) Rows() int                    { return len(k.labels) }
func (k *table) Len() int                     { return len(k.cuts) }
func (k *table) Cuts(j int) []float64         { return k.cuts[j] }
func (k *table) Codes(j int, _ []byte) []byte { return k.codes[j*k.Rows():][:k.Rows()] }

// set fills a row from the given column on.
func (k *table) set(row, from int, columns []int32) {
	for j, v := range columns {
		k.raw[row][from+j] = int16(min(max(v, math.MinInt16), math.MaxInt16))
	}
}

// some returns the values of columns lo to hi, one column after the other. Rows are
// read one by one, since the columns of a row lie together in memory.
func (k *table) some(lo, hi int) []int16 {
	rows := k.Rows()
	values, mirrored := make([]int16, (hi-lo)*rows), make([]int, hi-lo)
	for j := range mirrored {
		mirrored[j] = columns.Mirror((lo+j)%columns.Count) + (lo+j)/columns.Count*columns.Count
	}
	for row, raw := range k.raw {
		for j, v := range raw[lo:hi] {
			values[j*rows+row] = v
		}
	}
	for row := len(k.raw); row < rows; row++ {
		raw := k.raw[row-len(k.raw)]
		for j, m := range mirrored {
			values[j*rows+row] = raw[m]
		}
	}
	return values
}

// code spreads the bins of every column so that they contain about equally many
// rows, and replaces the values by codes.
func (k *table) code(ctx context.Context, workers int) error {
	k.codes = make([]byte, k.Len()*k.Rows())
	err := par.Chunks(ctx, k.Len(), 16, workers, func(lo, hi int) {
		all := k.some(lo, hi)
		var sorted []int16
		var counts [1 << 16]int32
		var between []byte // codes of the values from the first cut to the last
		for j := lo; j < hi; j++ {
			values := all[(j-lo)*k.Rows():][:k.Rows()]
			lowest, highest := int(slices.Min(values)), int(slices.Max(values))
			few := counts[:highest-lowest+1]
			clear(few)
			for row := 0; row < len(values); row += 1 + len(values)/cutOff {
				few[int(values[row])-lowest]++
			}
			sorted = sorted[:0]
			for v, n := range few {
				for range n {
					sorted = append(sorted, int16(lowest+v))
				}
			}
			k.cuts[j] = cutsOf(sorted)
			cuts := k.cuts[j]
			if len(cuts) == 0 {
				continue // all codes are zero
			}
			codes, first, last := k.Codes(j, nil), int(cuts[0]), int(cuts[len(cuts)-1])
			between = slices.Grow(between[:0], last-first)[:last-first]
			for b, c := range cuts[1:] {
				for i := int(cuts[b]); i < int(c); i++ {
					between[i-first] = byte(b + 1)
				}
			}
			for row, v := range values {
				switch v := int(v); {
				case v < first:
				case v < last:
					codes[row] = between[v-first]
				default:
					codes[row] = byte(len(cuts))
				}
			}
		}
	})
	k.raw = nil
	return err
}

// cutsOf returns cuts between quantiles of sorted values.
func cutsOf(sorted []int16) []float64 {
	cuts := make([]float64, 0, bins-1)
	for b := 1; b < bins; b++ {
		v := sorted[b*len(sorted)/bins]
		if v > sorted[0] && (len(cuts) == 0 || cuts[len(cuts)-1] < float64(v)) {
			cuts = append(cuts, float64(v))
		}
	}
	return cuts
}

// tree converts a booster's tree to a verifier's.
func tree(w boost.Weak, coef float64) (cascade.Weak, error) {
	switch w := w.(type) {
	case *boost.Scaled:
		return tree(w.Of, float64(coef*w.Factor))
	case *boost.Tree:
		var out cascade.Weak
		for _, n := range w.Nodes {
			out.Nodes = append(out.Nodes, cascade.Node{Feature: int32(n.Column), Threshold: float32(min(n.Threshold, math.MaxInt16+1)), Left: n.Left, Right: n.Right})
		}
		if len(w.Nodes) == 0 { // a constant: a stump with two equal leaves
			out.Nodes = []cascade.Node{{Left: 0, Right: -1}}
			w = &boost.Tree{Leaves: []float64{w.Leaves[0], w.Leaves[0]}}
		}
		for _, v := range w.Leaves {
			out.Leaves = append(out.Leaves, float32(math.Round(float64(v*coef)*grid)/grid))
		}
		return out, nil
	}
	return cascade.Weak{}, fmt.Errorf("verify: a %T is no tree", w)
}
