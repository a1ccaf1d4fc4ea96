package verify

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"haarlem/boost"
	"haarlem/cascade"
	"haarlem/internal/channels"
)

const (
	bins   = 64
	cutOff = 1 << 13 // rows, at most, that say where bins lie

	// grid is what leaves are multiples of, so that sums of them are exact.
	grid = 4096
)

// A table holds the columns of all places: of the right ones, of the wrong
// ones, and perhaps of the mirror images of the right ones, which are coded only.
type table struct {
	labels []int8
	raw    [][]int16 // by row, but for the mirror images
	cuts   [channels.Count][]float64
	codes  []byte // by column
}

func newTable(right, wrong int, mirror bool) *table {
	k := &table{raw: make([][]int16, right+wrong)}
	all := make([]int16, len(k.raw)*channels.Count)
	for i := range k.raw {
		k.raw[i] = all[i*channels.Count:][:channels.Count]
	}
	k.labels = slices.Concat(slices.Repeat([]int8{1}, right), slices.Repeat([]int8{-1}, wrong))
	if mirror {
		k.labels = append(k.labels, slices.Repeat([]int8{1}, right)...)
	}
	return k
}

// Rows, Len, Cuts and Codes implement boost.Columns.
func (k *table) Rows() int                    { return len(k.labels) }
func (k *table) Len() int                     { return channels.Count }
func (k *table) Cuts(j int) []float64         { return k.cuts[j] }
func (k *table) Codes(j int, _ []byte) []byte { return k.codes[j*k.Rows():][:k.Rows()] }

// set fills a row.
func (k *table) set(row int, columns []int32) {
	for j, v := range columns {
		k.raw[row][j] = int16(min(max(v, math.MinInt16), math.MaxInt16))
	}
}

// value returns what stands in a row, which may be a mirror image, and column.
func (k *table) value(row, j int) int16 {
	if row < len(k.raw) {
		return k.raw[row][j]
	}
	return k.raw[row-len(k.raw)][channels.Mirror(j)]
}

// code lays the bins of every column so that about as many rows fall into each,
// and gives up the numbers for codes.
func (k *table) code(ctx context.Context, workers int) error {
	k.codes = make([]byte, channels.Count*k.Rows())
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			var some []int16
			var between []byte // codes of the values from the first cut to the last
			for ctx.Err() == nil {
				j := int(next.Add(1)) - 1
				if j >= channels.Count {
					return
				}
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
	}
	wg.Wait()
	k.raw = nil
	return ctx.Err()
}

// cutsOf returns values that part the sorted ones into parts of about one size.
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

// tree makes a verifier's tree of a booster's.
func tree(w boost.Weak, coef float64) (cascade.Weak, error) {
	switch w := w.(type) {
	case *boost.Scaled:
		return tree(w.Of, float64(coef*w.Factor))
	case *boost.Tree:
		var out cascade.Weak
		for _, n := range w.Nodes {
			out.Nodes = append(out.Nodes, cascade.Node{Feature: int32(n.Column), Threshold: float32(min(n.Threshold, math.MaxInt16+1)), Left: n.Left, Right: n.Right})
		}
		if len(w.Nodes) == 0 { // a constant, as a stump that answers twice the same
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
