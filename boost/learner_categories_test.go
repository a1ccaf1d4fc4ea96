package boost

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// TestCategoriesAgainstTryingEverything compares the search with one that
// tries each of the partitions of few categories into two blocks.
func TestCategoriesAgainstTryingEverything(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for _, c := range []Criterion{ZeroOne, Exponential, LeastSquares, Gini, Entropy, Divergence} {
		for _, real := range []bool{false, true} {
			if real && c != LeastSquares {
				continue
			}
			for range 20 {
				d := randomData(r, 2+r.IntN(100), 1+r.IntN(9))
				const categories = 7 // and the missing
				names := r.Perm(255)[:categories]
				for _, col := range d.Columns {
					for i, v := range col {
						if v == v {
							col[i] = float64(names[r.IntN(categories)])
						}
					}
				}
				q := randomQuery(r, d, c, real)
				if r.IntN(2) == 0 {
					for i := range d.Labels {
						if r.IntN(3) > 0 {
							q.Rows = append(q.Rows, int32(i))
						}
					}
					if len(q.Rows) < 3 {
						q.Rows = nil
					}
				}
				if q.Rows == nil {
					for i := range d.Labels {
						q.Rows = append(q.Rows, int32(i))
					}
				}
				first := q.Targets[q.Rows[0]]
				if !slices.ContainsFunc(q.Rows, func(i int32) bool { return q.Targets[i] != first }) {
					continue // nothing to tell apart
				}
				if len(q.Rows) == len(d.Labels) {
					q.Rows = nil
				}
				best := math.Inf(1)
				side := make([]int, d.Rows())
				for _, col := range d.Columns {
					for set := range 1 << (categories + 1) {
						for i, x := range col {
							side[i] = set >> categories & 1
							for k, n := range names {
								if x == float64(n) {
									side[i] = set >> k & 1
								}
							}
						}
						best = min(best, lossOf(c, &q, side))
					}
				}
				w, out := find(t, d, Categories{}, q, 1+r.IntN(3))
				got := math.Inf(1)
				if s, ok := w.(*Subset); ok {
					s := *s
					s.Left, s.Right = 0, 1
					for i := range side {
						side[i] = int(s.Value(d.Row(nil, i)))
					}
					got = lossOf(c, &q, side)
				}
				if math.Abs(got-best) > 1e-9 && got != best {
					t.Fatalf("%v real=%v: loss %v, the best is %v", c, real, got, best)
				}
				for i := range out {
					if v := w.Value(d.Row(nil, i)); v != out[i] {
						t.Fatalf("row %d: output %v, value %v", i, out[i], v)
					}
				}
			}
		}
	}
}

// TestCategoriesOfColumns: columns that are made elsewhere have 256 categories
// and no missing values, and a partition holds for codes that were never seen.
func TestCategoriesOfColumns(t *testing.T) {
	q := &byteColumns{rows: 6, codes: [][]byte{{9, 200, 9, 255, 255, 200}}}
	cuts := make([]float64, 255)
	for k := range cuts {
		cuts[k] = float64(k) + 0.5
	}
	q.cuts = [][]float64{cuts}
	d := &Data{Labels: []int8{-1, 1, -1, -1, -1, 1}}
	run := must.Get(Start(&Problem{Data: d, Columns: q}, &Discrete{}, Categories{}, nil))
	round := must.Get(run.Next(t.Context()))
	s := round.Weak.(*Subset)
	if round.TrainError != 0 || run.Status() != Separated {
		t.Errorf("error %v, status %v, want none and separated", round.TrainError, run.Status())
	}
	for c := range 256 {
		want := -1.0 // the heavier block
		if c == 200 {
			want = 1
		}
		if got := s.Value([]float64{float64(c)}); got != want {
			t.Errorf("category %d: %v, want %v", c, got, want)
		}
	}
	q.cuts[0] = []float64{0.5, 1}
	if _, err := Start(&Problem{Data: d, Columns: q}, &Discrete{}, Categories{}, nil); !errors.Is(err, ErrSettings) || !strings.Contains(err.Error(), "cut 1 of column 0") {
		t.Errorf("error %v with cuts that are no categories", err)
	}
}

// TestCategoriesRefuseNumbers: what is not a category is named.
func TestCategoriesRefuseNumbers(t *testing.T) {
	for _, v := range []float64{-1, 0.5, 256, 1e300} {
		d := &Data{Columns: [][]float64{{0, 1}, {255, v}}, Labels: []int8{-1, 1}}
		if _, err := Start(&Problem{Data: d}, &Discrete{}, Categories{}, nil); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "column 1, row 1") {
			t.Errorf("%v: error %v, want ErrData and the place", v, err)
		}
	}
	d := &Data{Columns: [][]float64{{255, math.NaN()}}, Labels: []int8{-1, 1}}
	if _, err := Start(&Problem{Data: d}, &Discrete{}, Categories{}, nil); !errors.Is(err, ErrData) || !strings.Contains(err.Error(), "from 0 to 254") {
		t.Errorf("error %v for 256 categories and a missing value", err)
	}
}
