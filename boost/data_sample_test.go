package boost

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/must"
)

// TestBinsOfASample: of a large table, bins hold about the same number of rows; a
// column of few values has a bin for each, even if the sample lacks one; missing
// values have room, even if the sample has none; and rows without weight, however
// many, change nothing.
func TestBinsOfASample(t *testing.T) {
	const rows = sampledRows + 50_000
	r := rand.New(rand.NewPCG(3, 3))
	d := &Data{Columns: make([][]float64, 3), Labels: make([]int8, rows)}
	for i := range rows {
		d.Labels[i] = 1
		d.Columns[0] = append(d.Columns[0], r.ExpFloat64())
		d.Columns[1] = append(d.Columns[1], float64(r.IntN(40)))
		d.Columns[2] = append(d.Columns[2], r.NormFloat64())
	}
	sample := d.sample()
	if len(sample) != sampledRows || !slices.IsSorted(sample) || len(slices.Compact(slices.Clone(sample))) != sampledRows {
		t.Fatalf("%d rows in the sample, want %d, each once", len(sample), sampledRows)
	}
	outside := 0
	for _, i := range sample {
		if int(i) != outside {
			break
		}
		outside++
	}
	d.Columns[1][outside], d.Columns[2][outside] = 17.5, math.NaN()
	q := must.Get(quantize(d, 0, EqualFrequency))
	var count [maxBins]int
	for _, c := range q.codes[0] {
		count[c]++
	}
	for b, n := range count {
		if share := float64(n) / rows * maxBins; share < 0.7 || share > 1.4 {
			t.Errorf("bin %d has %v of its share", b, share)
		}
	}
	if len(q.cuts[1]) != 40 {
		t.Errorf("%d cuts of 41 values", len(q.cuts[1]))
	}
	if c := q.codes[2][outside]; len(q.cuts[2]) != maxBins-2 || c != maxBins-1 {
		t.Errorf("%d cuts beside a missing value, whose code is %d", len(q.cuts[2]), c)
	}

	weighed := *d
	weighed.Weights = make([]float64, rows)
	some := r.Perm(rows)[:3000]
	slices.Sort(some)
	for _, i := range some {
		weighed.Weights[i] = 2
	}
	got := must.Get(quantize(&weighed, 0, EqualFrequency))
	want := must.Get(quantize(d.Subset(some), 0, EqualFrequency))
	for _, j := range []int{0, 1} {
		if !slices.Equal(got.cuts[j], want.cuts[j]) {
			t.Errorf("column %d: rows without weight change bins", j)
		}
	}
}
