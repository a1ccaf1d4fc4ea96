package verify

import (
	"bytes"
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

// value returns the value in a row, which may be a mirror image, and a column.
func (k *table) value(row, j int) int16 {
	if row < len(k.raw) {
		return k.raw[row][j]
	}
	return k.raw[row-len(k.raw)][columns.Mirror(j%columns.Count)+j/columns.Count*columns.Count]
}

// code spreads the bins of every column so that they contain about equally many
// rows, and replaces the values by codes.
func (k *table) code(ctx context.Context, workers int) error {
	k.codes = make([]byte, k.Len()*k.Rows())
	err := par.Chunks(ctx, k.Len(), 16, workers, func(lo, hi int) {
		var some []int16
		var between []byte // codes of the values from the first cut to the last
		for j := lo; j < hi; j++ {
			some = some[:0]
			for row := 0; row < k.Rows(); row += 1 + k.Rows()/cutOff {
				some = append(some, k.value(row, j))
			}
			slices.Sort(some)
			k.cuts[j] = cutsOf(some)
			cuts := k.cuts[j]
			if len(cuts) == 0 {
				continue // all codes are zero
			}
			between = between[:0]
			for b, c := range cuts[1:] {
				between = append(between, bytes.Repeat([]byte{byte(b + 1)}, int(c-cuts[b]))...)
			}
			codes := k.Codes(j, nil)
			for row := range codes {
				switch v := float64(k.value(row, j)); {
				case v < cuts[0]:
				case v < cuts[len(cuts)-1]:
					codes[row] = between[int(v-cuts[0])]
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
	var cuts []float64
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
