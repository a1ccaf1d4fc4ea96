package boost

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/must"
)

// TestPackedCodes: trees of Newton steps by packed codes are those of columns one
// by one, whatever the number of workers, the shape of trees, the rows and the
// columns drawn, missing values and tiny leaves.
func TestPackedCodes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 38))
	const rows, columns = partRows + 900, 19 // more than a part; leaves that workers share
	d := &Data{Columns: make([][]float64, columns), Labels: make([]int8, rows), Weights: make([]float64, rows)}
	for i := range rows {
		sum := 0.0
		for j := range columns {
			v := r.NormFloat64()
			if j%5 == 2 {
				v = math.Round(v)
			}
			sum += v
			if j%7 == 3 && r.IntN(9) == 0 {
				v = math.NaN()
			}
			d.Columns[j] = append(d.Columns[j], v)
		}
		d.Labels[i] = 1
		if sum*sum < 15 {
			d.Labels[i] = -1
		}
		d.Weights[i] = math.Exp(-10 * r.Float64())
	}
	q := must.Get(quantize(d, 0, EqualFrequency))
	fit := func(c Columns, l Learner, s Settings) *Result {
		run := must.Get(Start(&Problem{Data: d, Columns: c}, &Newton{MinWeight: 1e-9}, l, &s))
		for run.Status() == Going {
			must.Get(run.Next(context.Background()))
		}
		// The scores that leaves gave are those of the model.
		res := run.Result()
		for i := 0; i < rows; i += 97 {
			if got, want := run.st.Scores[i], res.Model.Score(d.Row(nil, i)); got != want {
				t.Fatalf("row %d has score %v, and %v by the model", i, got, want)
			}
		}
		return res
	}
	for name, l := range map[string]Learner{"stumps": &Stumps{}, "depth": &Trees{Depth: 4}, "leaves": &Trees{Leaves: 14}} {
		for _, share := range []float64{1, 0.6} {
			want := ""
			for _, workers := range []int{1, 3} {
				s := Settings{Rounds: 4, Workers: workers, RowShare: share, ColumnShare: share}
				for _, c := range []Columns{q, &computed{of: q}} {
					got := saved(t, fit(c, l, s).Model)
					if want == "" {
						want = got
					}
					if got != want {
						t.Errorf("%s, share %v, %d workers, %T: another model", name, share, workers, c)
					}
				}
			}
		}
	}
}
