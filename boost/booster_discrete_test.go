package boost

import (
	"context"
	"math"
	"testing"

	"haarlem/internal/must"
)

// tutorial is the example of Freund and Schapire's tutorials: ten points in
// the plane, five of each class, placed as in the figure: two + far left, three
// + on top, three - below them, and two - far right, one of them on top.
func tutorial() *Data {
	return &Data{
		Schema: Schema{Names: []string{"x", "y"}},
		Columns: [][]float64{
			{1, 2, 4, 6, 8, 3, 5, 7, 9, 9.5},
			{3, 2, 8, 9, 7, 5, 4, 1, 9.5, 3.5},
		},
		Labels: []int8{1, 1, 1, 1, 1, -1, -1, -1, -1, -1},
	}
}

func TestTutorialExample(t *testing.T) {
	d := tutorial()
	for _, friedman := range []bool{false, true} {
		var errors, coefs []float64
		res, err := Fit(context.Background(), d, &Discrete{Friedman: friedman}, &Stumps{}, &Settings{
			Rounds: 3,
			Recorder: func(r *Round) error {
				errors = append(errors, (1-r.Edge)/2)
				coefs = append(coefs, r.Coef)
				return nil
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []float64{0.30, 0.21, 0.14} {
			if math.Abs(errors[i]-want) > 0.005 {
				t.Errorf("%v round %d: error %.4f, want %.2f", friedman, i+1, errors[i], want)
			}
		}
		for i, want := range []float64{0.42, 0.65, 0.92} {
			if friedman {
				coefs[i] /= 2
			}
			if math.Abs(coefs[i]-want) > 0.006 {
				t.Errorf("%v round %d: coefficient %.4f, want %.2f", friedman, i+1, coefs[i], want)
			}
		}
		if e := must.Get(res.Model.Error(d)); e != 0 {
			t.Errorf("%v: training error %v after three rounds, want 0", friedman, e)
		}
	}
}
