package boost

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/must"
)

// thin is a table with few values that are not zero, dense and sparse.
func thin(rows, columns int, seed uint64) (*Data, *Sparse) {
	r := rand.New(rand.NewPCG(seed, 61))
	d, s := &Data{Columns: make([][]float64, columns)}, &Sparse{Starts: []int{0}, Columns: columns}
	for j := range d.Columns {
		d.Columns[j] = make([]float64, rows)
	}
	for i := range rows {
		score := 0.0
		for j := range columns {
			if r.IntN(8) != 0 {
				continue
			}
			v := math.Round(10*r.NormFloat64()) / 4
			if r.IntN(20) == 0 {
				v = math.NaN()
			}
			d.Columns[j][i] = v
			s.Index, s.Value = append(s.Index, int32(j)), append(s.Value, v) // a zero may be there too
			if j < 6 && v == v {
				score += v
			}
		}
		s.Starts = append(s.Starts, len(s.Index))
		y := int8(1)
		if score+r.NormFloat64() < 0 {
			y = -1
		}
		d.Labels = append(d.Labels, y)
	}
	return d, s
}

// TestSparseIsDense: a sparse table makes the same model as the same numbers in
// full, and is scored the same.
func TestSparseIsDense(t *testing.T) {
	d, s := thin(500, 30, 1)
	for _, bins := range []int{0, 7} {
		columns, err := s.Quantize(bins)
		if err != nil {
			t.Fatal(err)
		}
		q, err := Quantize(d, bins, EqualFrequency)
		if err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 500)
		for j := range 30 {
			if !slices.Equal(columns.Cuts(j), q.Cuts(j)) || !slices.Equal(columns.Codes(j, buf), q.Codes(j, nil)) {
				t.Fatalf("column %d: other codes", j)
			}
		}
		for _, b := range []Booster{&Newton{}, &Gentle{}, &Discrete{}, &Newton{L1: 0.5}} {
			settings := &Settings{Rounds: 10}
			if n, ok := b.(*Newton); ok && n.L1 > 0 {
				settings = &Settings{Rounds: 10, RowShare: 0.7, ColumnShare: 0.3, Seed: 5}
			}
			run, err := Start(&Problem{Data: &Data{Labels: d.Labels}, Columns: columns}, b, &Trees{}, settings)
			if err != nil {
				t.Fatal(err)
			}
			for run.Status() == Going {
				if _, err := run.Next(context.Background()); err != nil {
					t.Fatal(err)
				}
			}
			dense := mustFit(t, d, b, &Trees{Bins: bins}, settings).Model
			want := must.Get(dense.Scores(d))
			got, err := run.Result().Model.Predictor().ScoresOf(s)
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s, %d bins: other scores (%v)", b.Name(), bins, err)
			}
		}
	}
	for name, bad := range map[string]*Sparse{
		"no starts":       {Columns: 2},
		"a column beyond": {Starts: []int{0, 1}, Index: []int32{2}, Value: []float64{1}, Columns: 2},
		"out of order":    {Starts: []int{0, 2}, Index: []int32{1, 0}, Value: []float64{1, 1}, Columns: 2},
		"infinite":        {Starts: []int{0, 1}, Index: []int32{1}, Value: []float64{math.Inf(1)}, Columns: 2},
		"ends early":      {Starts: []int{0, 2, 1, 2}, Index: []int32{0, 1}, Value: []float64{1, 1}, Columns: 2},
	} {
		if _, err := bad.Quantize(0); !errors.Is(err, ErrData) {
			t.Errorf("%s: error %v, want ErrData", name, err)
		}
	}
	if _, err := mustFit(t, d, &Gentle{}, &Stumps{}, nil).Model.Predictor().ScoresOf(&Sparse{Starts: []int{0}, Columns: 3}); !errors.Is(err, ErrSchema) {
		t.Errorf("other columns: error %v, want ErrSchema", err)
	}
}
