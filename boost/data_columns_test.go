package boost

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"haarlem/internal/must"
)

// computed hands out columns that it computes when asked, and counts how often.
type computed struct {
	of    Columns
	asked atomic.Int64
}

func (c *computed) Rows() int            { return c.of.Rows() }
func (c *computed) Len() int             { return c.of.Len() }
func (c *computed) Cuts(j int) []float64 { return c.of.Cuts(j) }
func (c *computed) Codes(j int, buf []byte) []byte {
	c.asked.Add(1)
	copy(buf, c.of.Codes(j, nil))
	return buf[:c.of.Rows()]
}

// TestComputedColumns: a trainer that brings labels and columns of its own
// gets the model that the table itself would give.
func TestComputedColumns(t *testing.T) {
	d := mixture(700, 12)
	for _, l := range []Learner{&Stumps{}, &Histograms{Bins: 256}, &Trees{}, &Monomials{}, &LinearTrees{}, &Joints{Group: 2}} {
		bins := 256
		if l.Name() == "joints" {
			bins = 5
		}
		q := must.Get(Quantize(d, bins, EqualFrequency))
		c := &computed{of: q}
		s := &Settings{Rounds: 10, Trim: 0.05, Workers: 3}
		run := must.Get(Start(&Problem{Data: &Data{Labels: d.Labels}, Columns: c}, &Real{}, l, s))
		for run.Status() == Going {
			must.Get(run.Next(context.Background()))
		}
		want := mustFit(t, d, &Real{}, l, s)
		if saved(t, run.Result().Model) != saved(t, want.Model) {
			t.Errorf("%s: columns that are computed make another model", l.Name())
		}
		if c.asked.Load() == 0 {
			t.Errorf("%s: nobody asked for a column", l.Name())
		}
	}
	for _, l := range []Learner{SortedStumps{}, Coordinates{}, Functions{func([]float64) float64 { return 1 }}} {
		q := must.Get(Quantize(d, 16, EqualFrequency))
		if _, err := Start(&Problem{Data: &Data{Labels: d.Labels}, Columns: q}, &Real{}, l, nil); err == nil {
			t.Errorf("%s works without Data.Columns", l.Name())
		}
	}
}

// TestCounted: the distinct values of a column and how often they come are what
// sorting them says, whatever the numbers are.
func TestCounted(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for n := range 300 {
		c := make([]float64, n)
		for i := range c {
			switch r.IntN(6) {
			case 0:
				c[i] = math.NaN()
			case 1:
				c[i] = float64(r.IntN(5)) - 2
			case 2:
				c[i] = math.Copysign(0, -1)
			case 3:
				c[i] = float64(float32(r.NormFloat64()))
			default:
				c[i] = r.NormFloat64() * math.Exp(60*r.NormFloat64())
			}
		}
		var want []weighted
		sorted := slices.DeleteFunc(slices.Clone(c), math.IsNaN)
		slices.Sort(sorted)
		for _, v := range sorted {
			if k := len(want); k > 0 && want[k-1].value == v {
				want[k-1].weight++
			} else {
				want = append(want, weighted{v, 1})
			}
		}
		if got := new(sorter).counted(c); !slices.Equal(got, want) {
			t.Fatalf("%d values: %v, want %v", n, got, want)
		}
	}
}
