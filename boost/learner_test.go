package boost

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// TestCategoriesAgainstTryingEverything: each of the partitions of few categories.
func TestCategoriesAgainstTryingEverything(t *testing.T) {
	const categories = 7 // and the missing
	var names []int
	tryEverything(t, 20, []Learner{Categories{}}, func(r *rand.Rand) *Data {
		d := randomData(r, 2+r.IntN(100), 1+r.IntN(9))
		names = r.Perm(255)[:categories]
		for _, c := range d.Columns {
			for i, v := range c {
				if v == v {
					c[i] = float64(names[r.IntN(categories)])
				}
			}
		}
		return d
	}, func(_ []float64, try func(left func(v float64) bool)) {
		for set := range 1 << (categories + 1) {
			try(func(v float64) bool {
				k := categories
				if v == v {
					k = slices.Index(names, int(v))
				}
				return set>>k&1 == 1
			})
		}
	})
}

// TestCategoriesOfColumns: columns that are made elsewhere have 256 categories
// and no missing values, and a partition holds for codes that were never seen.
func TestCategoriesOfColumns(t *testing.T) {
	q := &byteColumns{rows: 6, codes: [][]byte{{9, 200, 9, 255, 255, 200}}}
	q.cuts = [][]float64{levelCuts}
	d := &Data{Labels: []int8{-1, 1, -1, -1, -1, 1}}
	run := must.Get(Start(&Problem{Data: d, Columns: q}, &Discrete{}, Categories{}, nil))
	round := must.Get(run.Next(t.Context()))
	if round.TrainError != 0 || run.Status() != Separated {
		t.Errorf("error %v, status %v, want none and separated", round.TrainError, run.Status())
	}
	for c := range 256 {
		want := -1.0 // the heavier block
		if c == 200 {
			want = 1
		}
		if got := round.Weak.Value([]float64{float64(c)}); got != want {
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

// TestSortedStumpsAgainstEveryRow compares the search by bounds with one that
// goes through all rows of all columns, on columns of more values than bins.
func TestSortedStumpsAgainstEveryRow(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	looked, bins := 0, 0
	for c := ZeroOne; c <= lastCriterion; c++ {
		for kind := range 6 {
			real := kind >= 4
			if real && c != LeastSquares {
				continue
			}
			d := randomData(r, 2500, 7)
			if kind%2 == 1 { // a signal, or else noise alone
				for i, v := range d.Columns[1] {
					if v > 0.7 {
						d.Labels[i] = 1
					}
				}
			}
			for i, v := range d.Columns[5] { // heavy ties among many values
				if v > 0 {
					d.Columns[5][i] = float64(int(v))
				}
			}
			q := randomQuery(r, d, c, real)
			if kind >= 2 {
				for i := range d.Labels {
					if r.IntN(10) < 2*kind {
						q.Rows = append(q.Rows, int32(i))
					}
				}
			}
			s := must.Get(SortedStumps{}.prepare(&Problem{Data: d}, &Settings{Workers: 1 + r.IntN(3)}))
			w := must.Get(s.Find(context.Background(), &q))
			f := s.(*sortedSearch)
			smallest, best := math.Inf(1), Node{}
			for j := range d.Columns {
				if loss, p := f.columnSplit(c, j); loss < smallest {
					smallest, best = loss, p
				}
				for _, mixed := range f.sorted[j].mixed {
					if mixed {
						bins++
					}
				}
				if f.bound[j] <= smallest {
					looked++
				}
			}
			if n := w.(*Tree).Nodes[0]; n != best {
				t.Errorf("%v, kind %d: %+v, want %+v", c, kind, n, best)
			}
		}
	}
	if bins == 0 || looked == 0 {
		t.Errorf("%d bins with more than one value, %d columns looked into: nothing was tested", bins, looked)
	}
}

// free is a learner whose search takes no time: it returns weak learners whose
// outputs were sampled before. The rest of a round is the booster's own work,
// which [BenchmarkBoosterAlone] measures.
type free struct{ answers [][]float64 }

func (f *free) Name() string { return "free" }

func (f *free) prepare(*Problem, *Settings) (searcher, error) {
	return &freeSearch{answers: f.answers}, nil
}

type freeSearch struct {
	answers [][]float64
	next    int
}

// freeWeak is one of the drawn weak learners, known by its number.
type freeWeak int

func (freeWeak) Value([]float64) float64 { return 0 }
func (freeWeak) Columns() []int          { return nil }

func (s *freeSearch) Find(context.Context, *query) (Weak, error) {
	s.next++
	return freeWeak((s.next - 1) % len(s.answers)), nil
}

func (s *freeSearch) Outputs(w Weak, out []float64) error {
	copy(out, s.answers[w.(freeWeak)])
	return nil
}

// BenchmarkBoosterAlone measures a round of each AdaBoost without its search:
// the coefficient and the new weights of 10,000 rows.
func BenchmarkBoosterAlone(b *testing.B) {
	const rows, pool = 10_000, 64
	r := rand.New(rand.NewPCG(1, 2))
	d := &Data{Columns: [][]float64{make([]float64, rows)}, Labels: make([]int8, rows)}
	for i := range d.Labels {
		d.Labels[i] = int8(2*r.IntN(2) - 1)
	}
	real := &free{answers: make([][]float64, pool)}
	signs := &free{answers: make([][]float64, pool)}
	for k := range pool {
		real.answers[k], signs.answers[k] = make([]float64, rows), make([]float64, rows)
		for i, y := range d.Labels {
			// Right with probability 0.65, and any confidence.
			h := float64(y) * r.Float64()
			if r.Float64() > 0.65 {
				h = -h
			}
			real.answers[k][i] = h
			signs.answers[k][i] = 1
			if h < 0 {
				signs.answers[k][i] = -1
			}
		}
	}
	for _, c := range []struct {
		booster Booster
		learner Learner
	}{
		{&Discrete{}, signs}, {&AdaBoostR{}, real}, {&RealNumeric{}, real},
	} {
		b.Run(fmt.Sprintf("%s/%d", c.booster.Name(), rows), func(b *testing.B) {
			var run *Run
			for i := range b.N {
				if i%pool == 0 {
					b.StopTimer()
					run = begin(d, c.booster, c.learner, &Settings{Rounds: pool, Workers: 1})
					b.StartTimer()
				}
				must.Get(run.Next(context.Background()))
			}
		})
	}
}

// TestJointsOfLevels: a column of more levels than bins is learned, unless its cells are
// too many.
func TestJointsOfLevels(t *testing.T) {
	d := colours(300, 2)
	for i := range d.Columns[1] {
		d.Columns[1][i] = float64(i * 7 % 40)
		d.Labels[i] = int8(1 - 2*(i*7%40%2))
	}
	d.Levels[1] = strings.Split("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMN", "")
	m := mustFit(t, d, &Real{}, &Joints{}, nil).Model
	if e := must.Get(m.Error(d)); e > 0 {
		t.Errorf("error %v of a level's class", e)
	}
	for range 3 {
		d.Columns, d.Levels = append(d.Columns, d.Columns[1]), append(d.Levels, d.Levels[1])
	}
	d.Names = nil
	refuses(t, "too many cells", ErrSettings, d, &Real{}, &Joints{Group: 4}, nil)
}
