package boost

import (
	"bytes"
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"haarlem/internal/cputime"
	"haarlem/internal/must"
)

// randomColumns are quantised columns of random codes; some repeat, so that
// many columns fit into memory.
func randomColumns(rows, columns, bins int) *byteColumns {
	r := rand.New(rand.NewPCG(1, 1))
	q := &byteColumns{rows: rows}
	cuts := make([]float64, bins-1)
	for b := range cuts {
		cuts[b] = float64(b) + 0.5 // so that codes are categories
	}
	for range columns {
		c := make([]byte, rows)
		for i := range c {
			c[i] = byte(r.IntN(bins))
		}
		q.codes = append(q.codes, c)
		q.cuts = append(q.cuts, cuts)
	}
	return q
}

func benchmarkSearch(b *testing.B, l Learner, rows, columns, bins int, share float64, real bool, c Criterion) {
	table := randomColumns(rows, columns, bins)
	d := &Data{Labels: make([]int8, rows)}
	q := query{Criterion: c, Leaf: Leaf{Kind: Mean}, Real: real, Weights: make([]float64, rows), Targets: make([]float64, rows)}
	r := rand.New(rand.NewPCG(2, 2))
	for i := range rows {
		d.Labels[i] = int8(r.IntN(2))*2 - 1
		q.Weights[i] = r.ExpFloat64()
		q.Targets[i] = float64(d.Labels[i])
		if real {
			q.Targets[i] = r.NormFloat64()
		}
		if share < 1 && r.Float64() < share {
			q.Rows = append(q.Rows, int32(i))
		}
	}
	normalise(q.Weights)
	var s Settings
	s, _ = s.withDefaults()
	f := must.Get(l.prepare(&Problem{Data: d, Columns: table}, &s))
	cpu := cputime.Used()
	for b.Loop() {
		must.Get(f.Find(context.Background(), &q))
	}
	gpairs := float64(rows) * share * float64(columns) * float64(b.N) / 1e9
	b.ReportMetric(gpairs/b.Elapsed().Seconds(), "Gpairs/s")
	if cpu := (cputime.Used() - cpu).Seconds(); cpu > 0 {
		b.ReportMetric(gpairs/cpu, "Gpairs/cpu-s")
	}
}

// BenchmarkStumpsTrainer is the trainer's inner loop at its full size, 160,000
// columns of 10,000 rows, which takes 2 GB. bytes/pair is what the heap holds
// for the search, by the pair: codes, the cuts of each column, weights, scratch.
func BenchmarkStumpsTrainer(b *testing.B) {
	const rows, columns = 10_000, 160_000
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapAlloc)
	}
	pattern := randomColumns(rows, 64, 256)
	d := &Data{Labels: make([]int8, rows)}
	q := query{Criterion: ZeroOne, Leaf: Leaf{Kind: Majority}, Weights: make([]float64, rows), Targets: make([]float64, rows)}
	r := rand.New(rand.NewPCG(2, 2))
	for i := range rows {
		d.Labels[i] = int8(r.IntN(2))*2 - 1
		q.Weights[i] = r.ExpFloat64()
		q.Targets[i] = float64(d.Labels[i])
	}
	normalise(q.Weights)
	s := must.Get((*Settings)(nil).withDefaults())
	before := heap()
	table := &byteColumns{rows: rows, codes: make([][]byte, columns), cuts: make([][]float64, columns)}
	for j := range columns {
		table.codes[j] = bytes.Clone(pattern.codes[j%64])
		table.cuts[j] = slices.Clone(pattern.cuts[j%64])
	}
	f := must.Get((&Stumps{}).prepare(&Problem{Data: d, Columns: table}, &s))
	find := func() {
		must.Get(f.Find(context.Background(), &q))
	}
	find() // takes the memory that a search keeps
	held := heap() - before
	cpu := cputime.Used()
	for b.Loop() {
		find()
	}
	pairs := float64(rows) * columns
	b.ReportMetric(pairs*float64(b.N)/1e9/b.Elapsed().Seconds(), "Gpairs/s")
	if cpu := (cputime.Used() - cpu).Seconds(); cpu > 0 {
		b.ReportMetric(pairs*float64(b.N)/1e9/cpu, "Gpairs/cpu-s")
	}
	b.ReportMetric(held/pairs, "bytes/pair")
	runtime.KeepAlive(table)
}

// BenchmarkSearch is some of the columns, and other criteria: 10,000 rows, columns enough to
// leave the caches, one byte a pair. One core of an AMD EPYC (Zen 4) makes 1.8 Gpairs a
// second on 256 bins, 2.3 on 64, and 1.4 where targets are not labels.
func BenchmarkSearch(b *testing.B) {
	for _, c := range []struct {
		name  string
		l     Learner
		bins  int
		share float64
		real  bool
		c     Criterion
	}{
		{"stumps256", &Stumps{}, 256, 1, false, ZeroOne}, {"stumps64", &Stumps{}, 64, 1, false, ZeroOne},
		{"gentle", &Stumps{}, 256, 1, false, LeastSquares}, {"exponential", &Stumps{}, 256, 1, false, Exponential},
		{"real", &Stumps{}, 256, 1, true, LeastSquares}, {"trimmed", &Stumps{}, 256, 0.3, false, ZeroOne},
		{"histograms16", &Histograms{}, 16, 1, false, Exponential}, {"categories", Categories{}, 256, 1, false, LeastSquares},
	} {
		b.Run(c.name, func(b *testing.B) { benchmarkSearch(b, c.l, 10_000, 16_000, c.bins, c.share, c.real, c.c) })
	}
}

// BenchmarkTable and BenchmarkTableSorted are the table that testdata/speed.py
// gives to scikit-learn: 100,000 rows by 100 columns, 200 rounds of stumps, with
// at most 255 thresholds a column and with all.
func BenchmarkTable(b *testing.B)       { benchmarkTable(b, &Stumps{}) }
func BenchmarkTableSorted(b *testing.B) { benchmarkTable(b, SortedStumps{}) }

func benchmarkTable(b *testing.B, l Learner) {
	r := rand.New(rand.NewPCG(3, 3))
	const rows, columns = 100_000, 100
	d := blank(rows, columns)
	d.Labels = make([]int8, rows)
	for _, c := range d.Columns {
		for i := range c {
			c[i] = r.NormFloat64()
		}
	}
	for i := range rows {
		d.Labels[i] = 1
		if d.Columns[0][i]+d.Columns[1][i]+r.NormFloat64() < 0 {
			d.Labels[i] = -1
		}
	}
	cpu := cputime.Used()
	for b.Loop() {
		must.Get(Fit(context.Background(), d, &Discrete{}, l, &Settings{Rounds: 200}))
	}
	b.ReportMetric((cputime.Used()-cpu).Seconds()/float64(b.N), "cpu-s/op")
}

// BenchmarkTrees grows trees of 8 leaves on 100,000 rows by 100 columns.
func BenchmarkTrees(b *testing.B) {
	benchmarkSearch(b, &Trees{}, 100_000, 100, 256, 1, false, Gini)
}
