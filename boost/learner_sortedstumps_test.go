package boost

import (
	"context"
	"math/rand/v2"
	"testing"

	"haarlem/internal/must"
)

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
			best := noSplit
			for j := range d.Columns {
				if p := f.columnSplit(c, j); p.before(best) {
					best = p
				}
				for _, mixed := range f.sorted[j].mixed {
					if mixed {
						bins++
					}
				}
				if f.bound[j] <= best.loss {
					looked++
				}
			}
			n := w.(*Tree).Nodes[0]
			if n.Column != best.column || n.Threshold != best.value || n.MissingLeft != best.missingLeft {
				t.Errorf("%v, kind %d: %+v, want column %d, %v, missing left %v", c, kind, n, best.column, best.value, best.missingLeft)
			}
		}
	}
	if bins == 0 || looked == 0 {
		t.Errorf("%d bins with more than one value, %d columns looked into: nothing was tested", bins, looked)
	}
}
