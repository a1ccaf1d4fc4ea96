package boost

import (
	"context"
	"fmt"
	"math/rand/v2"
	"testing"

	"haarlem/internal/must"
)

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
					run = must.Get(Start(&Problem{Data: d}, c.booster, c.learner, &Settings{Rounds: pool, Workers: 1}))
					b.StartTimer()
				}
				must.Get(run.Next(context.Background()))
			}
		})
	}
}
