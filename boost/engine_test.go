package boost

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/internal/must"
)

// randomData has columns of few and of many values, some missing, and weights.
func randomData(r *rand.Rand, rows, columns int) *Data {
	d := &Data{Columns: make([][]float64, columns), Labels: make([]int8, rows), Weights: make([]float64, rows)}
	for j := range d.Columns {
		d.Columns[j] = make([]float64, rows)
		for i := range rows {
			switch {
			case j%3 == 0 && r.IntN(6) == 0:
				d.Columns[j][i] = math.NaN()
			case j%2 == 0:
				d.Columns[j][i] = float64(r.IntN(5))
			default:
				d.Columns[j][i] = r.NormFloat64()
			}
		}
	}
	for i := range rows {
		d.Labels[i] = int8(r.IntN(2))*2 - 1
		d.Weights[i] = r.ExpFloat64()
	}
	return d
}

func find(t *testing.T, d *Data, l Learner, q query, workers int) (Weak, []float64) {
	t.Helper()
	s := must.Get(l.prepare(&Problem{Data: d}, &Settings{Workers: workers}))
	w := must.Get(s.Find(context.Background(), &q))
	out := make([]float64, d.Rows())
	must.Do(s.Outputs(w, out))
	return w, out
}

func randomQuery(r *rand.Rand, d *Data, c Criterion, real bool) query {
	q := query{Criterion: c, Leaf: Leaf{Kind: Mean}, Real: real}
	q.Weights = append([]float64(nil), d.Weights...)
	normalise(q.Weights)
	for _, y := range d.Labels {
		z := float64(y)
		if real {
			z = r.NormFloat64() * 3
		}
		q.Targets = append(q.Targets, z)
	}
	return q
}

// lossOf is the criterion of the partition of the rows that have equal outputs,
// in floating point.
func lossOf(c Criterion, q *query, side []int) float64 {
	var s0, s1 [2]float64
	use := func(i int) {
		s0[side[i]] += q.Weights[i]
		s1[side[i]] += q.Weights[i] * q.Targets[i]
	}
	if q.Rows == nil {
		for i := range side {
			use(i)
		}
	}
	for _, r := range q.Rows {
		use(int(r))
	}
	if s0[0] == 0 || s0[1] == 0 {
		return math.Inf(1)
	}
	return c.split(s0[0], s1[0], s0[1], s1[1])
}

// someRows lists about two thirds of the rows of a query, or all as nil.
func someRows(r *rand.Rand, q *query) {
	for i := range q.Targets {
		if r.IntN(3) > 0 {
			q.Rows = append(q.Rows, int32(i))
		}
	}
	if r.IntN(2) == 0 || len(q.Rows) < 3 {
		q.Rows = nil
	}
}

// tryEverything compares searches with one that tries every partition of the rows into
// two blocks by one column: sides calls try for each. data makes the columns.
func tryEverything(t *testing.T, times int, learners []Learner, data func(r *rand.Rand) *Data, sides func(column []float64, try func(left func(v float64) bool))) {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	for n := range 7 * times {
		c := []Criterion{ZeroOne, Exponential, LeastSquares, Gini, Entropy, Divergence, LeastSquares}[n%7]
		d, real := data(r), n%7 == 6
		q := randomQuery(r, d, c, real)
		someRows(r, &q)
		active := orAll(q.Rows, d.Rows())
		pure := !slices.ContainsFunc(active, func(i int32) bool { return q.Targets[i] != q.Targets[active[0]] })
		best := math.Inf(1)
		side := make([]int, d.Rows())
		lossBy := func(left func(i int) bool) float64 {
			for i := range side {
				if side[i] = 1; left(i) {
					side[i] = 0
				}
			}
			return lossOf(c, &q, side)
		}
		for _, column := range d.Columns {
			sides(column, func(left func(v float64) bool) {
				best = min(best, lossBy(func(i int) bool { return left(column[i]) }))
			})
		}
		for _, l := range learners {
			w, out := find(t, d, l, q, 1+r.IntN(3))
			for i, h := range values(w, d) {
				if h != out[i] {
					t.Fatalf("%s: row %d: output %v, value %v", l.Name(), i, out[i], h)
				}
			}
			got := math.Inf(1)
			if tree, ok := w.(*Tree); ok && len(tree.Nodes) == 1 {
				got = lossBy(func(i int) bool { return tree.leaf(d.Row(nil, i)) == 0 })
			}
			if math.Abs(got-best) > 1e-9 && got != best && !(pure && math.IsInf(got, 1)) { // a constant is as good
				t.Fatalf("%s %v real=%v: loss %v, the best is %v", l.Name(), c, real, got, best)
			}
		}
	}
}

// TestStumpsAgainstTryingEverything: each value of each column as a threshold, and both
// ways for missing values.
func TestStumpsAgainstTryingEverything(t *testing.T) {
	tryEverything(t, 8, []Learner{&Stumps{}, SortedStumps{}}, func(r *rand.Rand) *Data {
		return randomData(r, 3+r.IntN(120), 1+r.IntN(9))
	}, func(column []float64, try func(left func(v float64) bool)) {
		for _, threshold := range append([]float64{math.Inf(1)}, column...) {
			try(func(v float64) bool { return v < threshold })
			try(func(v float64) bool { return v < threshold || v != v })
		}
	})
}

// TestHistogramsAgainstSums checks the choice of the column and the leaf values.
func TestHistogramsAgainstSums(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 5))
	for _, c := range []Criterion{ZeroOne, Exponential, LeastSquares, Gini, Entropy} {
		d := randomData(r, 200, 7)
		q := randomQuery(r, d, c, false)
		w, out := find(t, d, &Histograms{Bins: 8}, q, 2)
		quantized := must.Get(quantize(d, 8, EqualFrequency))
		best, loss := -1, math.Inf(1)
		for j := range d.Columns {
			var s0, s1 [10]float64
			for i, b := range quantized.Codes(j, nil) {
				s0[b] += q.Weights[i]
				s1[b] += q.Weights[i] * q.Targets[i]
			}
			if l := c.partition(s0[:], s1[:]); l < loss-1e-12 {
				best, loss = j, l
			}
		}
		h := w.(*Histogram)
		if h.Column != best {
			t.Errorf("%v: column %d, want %d", c, h.Column, best)
		}
		for i := range out {
			if v := h.Value(d.Row(nil, i)); v != out[i] {
				t.Fatalf("%v: row %d: output %v, value %v", c, i, out[i], v)
			}
		}
	}
}

// TestHistogramExample is the example with 13 points in three blocks of
// (5, 0), (1, 2) and (1, 4) rows: Z = 2 (sqrt 2 + sqrt 4) / 13.
func TestHistogramExample(t *testing.T) {
	d := &Data{Columns: [][]float64{nil}}
	for block, n := range [][2]int{{5, 0}, {1, 2}, {1, 4}} {
		for class, k := range n {
			for range k {
				d.Columns[0] = append(d.Columns[0], float64(block))
				d.Labels = append(d.Labels, int8(1-2*class))
			}
		}
	}
	run := begin(d, &Real{Smooth: 0x1p-53}, &Histograms{}, nil)
	round := must.Get(run.Next(context.Background()))
	if math.Abs(round.z-0.525) > 0.0005 {
		t.Errorf("Z = %.4f, want 0.525", round.z)
	}
	h := round.Weak.(*Histogram)
	for b, want := range []float64{math.Log(math.Pow(2, 53)*5/13+1) / 2, math.Log(0.5) / 2, math.Log(0.25) / 2} {
		if math.Abs(h.Leaves[b]-want) > 1e-12*math.Abs(want) {
			t.Errorf("block %d answers %v, want %v", b, h.Leaves[b], want)
		}
	}
}

// TestSumsAgainstTheirDocumentation compares the unrolled loops with the plain ones.
func TestSumsAgainstTheirDocumentation(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for n := range 70 {
		c := make([][]byte, 4)
		w := make([]uint64, n)
		two := make([][2]int64, n)
		var rows []int32
		for i := range w {
			w[i] = labelled(r.Float64()/float64(n), r.IntN(2) == 0)
			two[i] = [2]int64{r.Int64N(1 << 50), r.Int64N(1<<50) - 1<<49}
			if r.IntN(2) == 0 {
				rows = append(rows, int32(i))
			}
		}
		var want, of [4][512]uint64
		var wantPair, pairOf [4][256][2]int64
		for k := range c {
			c[k] = make([]byte, n)
			for i := range c[k] {
				c[k][i] = byte(r.IntN(256))
				want[k][w[i]>>55|uint64(c[k][i])] += w[i]
				for s := range 2 {
					wantPair[k][c[k][i]][s] += two[i][s]
				}
			}
			for _, i := range rows {
				of[k][w[i]>>55|uint64(c[k][i])] += w[i]
				for s := range 2 {
					pairOf[k][c[k][i]][s] += two[i][s]
				}
			}
		}
		var got, gotOf, each, eachOf [4][512]uint64
		var pair, pairs, eachPairOf, fourPairsOf [4][256][2]int64
		some := make([][2]int64, len(rows)) // the pairs of some rows come side by side
		for i, r := range rows {
			some[i] = two[r]
		}
		pairBinsOf4(&fourPairsOf, c[0], c[1], c[2], c[3], some, rows)
		labelBins4(&got, c[0], c[1], c[2], c[3], w)
		labelBinsOf4(&gotOf, c[0], c[1], c[2], c[3], w, rows)
		pairBins4(&pair, c[0], c[1], c[2], c[3], two)
		for k := range c {
			labelBins(&each[k], c[k], w)
			labelBinsOf(&eachOf[k], c[k], w, rows)
			pairBins(&pairs[k], c[k], two)
			pairBinsOf(&eachPairOf[k], c[k], some, rows)
		}
		if got != want || each != want || gotOf != of || eachOf != of {
			t.Fatalf("%d rows: labelled sums differ", n)
		}
		if pair != wantPair || pairs != wantPair || eachPairOf != pairOf || fourPairsOf != pairOf {
			t.Fatalf("%d rows: pairs of sums differ", n)
		}
	}
}

// TestFixedKeepsWeights checks that integer sums are as good as floating point.
func TestFixedKeepsWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, real := range []bool{false, true} {
		n := 5000
		w, z := make([]float64, n), make([]float64, n)
		for i := range w {
			w[i] = math.Exp(30 * r.Float64())
			z[i] = float64(r.IntN(2)*2 - 1)
			if real {
				z[i] = 4 * r.NormFloat64()
			}
		}
		normalise(w)
		var f fixed
		f.set(w, z)
		var a, b int64
		want := 0.0
		for i := range w {
			x, y := f.at(i)
			a, b = a+x, b+y
			want += w[i] * z[i]
		}
		s0, s1 := f.floats(a, b)
		if math.Abs(s0-1) > 1e-12 || math.Abs(s1-want) > 1e-11 {
			t.Errorf("real=%v: sums %v and %v, want 1 and %v", real, s0, s1, want)
		}
	}
}

// TestLabelledWeights: both classes are rounded alike, and no weight, however
// much too large, spoils the number of its bin.
func TestLabelledWeights(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 2))
	for k := range 2000 {
		w := r.Float64() * math.Exp(-30*r.Float64())
		switch k {
		case 0:
			w = 0
		case 1:
			w = 1
		case 2:
			w = 1 + 0x1p-52
		case 3:
			w = 5
		case 4:
			w = 1e300
		}
		a, b := labelled(w, false), labelled(w, true)
		if b != a|positive || a>>labelShift != 0 || b>>labelShift != maxBins {
			t.Fatalf("weight %v: %x and %x", w, a, b)
		}
	}
}

func TestExpAndLog(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	check := func(what string, got, want float64) {
		t.Helper()
		if got != want && !(math.Abs(got-want) <= 4e-16*math.Abs(want)+5e-324) && !(got != got && want != want) {
			t.Errorf("%s = %v, want %v", what, got, want)
		}
	}
	for range 20000 {
		x := r.NormFloat64() * math.Exp(10*r.Float64()-5)
		check(fmt.Sprintf("exp(%v)", x), exp(x), math.Exp(x))
		y := math.Exp(700 * (2*r.Float64() - 1))
		check(fmt.Sprintf("log(%v)", y), log(y), math.Log(y))
		z := math.Exp(-40*r.Float64()) * (2*r.Float64() - 1)
		if got, want := log1p(z), math.Log1p(z); math.Abs(got-want) > 1e-15*math.Abs(want) {
			t.Errorf("log1p(%v) = %v, want %v", z, got, want)
		}
	}
	for range 20000 {
		x := 3 * r.NormFloat64()
		if got, want := erf(x), math.Erf(x); math.Abs(got-want) > 2e-15*math.Abs(want) {
			t.Errorf("erf(%v) = %v, want %v", x, got, want)
		}
	}
	for _, p := range []float64{1e-9, 0.1, 0.5, 0.9, 0.999999} {
		if got, want := rootOfErf(p), math.Erfinv(p); math.Abs(got-want) > 1e-9*want {
			t.Errorf("rootOfErf(%v) = %v, want %v", p, got, want)
		}
	}
	for range 2000 {
		x := r.NormFloat64() * math.Exp(8*r.NormFloat64())
		check(fmt.Sprintf("hypot1(%v)", x), hypot1(x), math.Hypot(1, x))
		if got, want := tanh(x), math.Tanh(x); math.Abs(got-want) > 3e-16 {
			t.Errorf("tanh(%v) = %v, want %v", x, got, want)
		}
	}
	inf := math.Inf(1)
	for _, x := range []float64{0, 1, -1, inf, -inf, math.NaN(), 709.7, 710, -745, -746, 1e300, -1e300} {
		check(fmt.Sprintf("exp(%v)", x), exp(x), math.Exp(x))
		check(fmt.Sprintf("log(%v)", x), log(x), math.Log(x))
	}
	// The library's assembly is wrong here: the number is 2^-1074.
	check("log(5e-324)", log(5e-324), -1074*math.Ln2)
}

// TestQuantize checks that cuts and codes agree with their description.
func TestQuantize(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, bins := range []int{2, 3, 8, 16, 255, 256} {
		for _, rule := range []Binning{EqualFrequency, EqualWidth} {
			d := randomData(r, 700, 6)
			q := must.Get(quantize(d, bins, rule))
			for j, col := range d.Columns {
				cuts := q.Cuts(j)
				if len(cuts) > bins-1 {
					t.Errorf("%d bins: column %d has %d cuts", bins, j, len(cuts))
				}
				for i, b := range q.Codes(j, nil) {
					want := 0
					for _, c := range cuts {
						if c <= col[i] {
							want++
						}
					}
					if col[i] != col[i] {
						want = len(cuts) + 1
					}
					if int(b) != want {
						t.Fatalf("%d bins: column %d: code of %v is %d, want %d", bins, j, col[i], b, want)
					}
				}
			}
		}
	}
	// Equal frequency means that no bin is much heavier than its share.
	d := randomData(r, 5000, 2)
	d.Weights = nil
	q := must.Get(quantize(d, 10, EqualFrequency))
	var counts [10]int
	for _, b := range q.Codes(1, nil) {
		counts[b]++
	}
	for b, n := range counts {
		if n < 490 || n > 510 {
			t.Errorf("bin %d of 10 has %d of 5000 rows", b, n)
		}
	}
}

// TestDivide: rows go left by their codes and stay in order on both sides, in one
// part or in several, of all rows or of some, with sides of any size.
func TestDivide(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 38))
	const rows = 3*partRows + 77
	codes := make([]byte, rows)
	var some []int32
	for i := range codes {
		codes[i] = byte(r.IntN(256))
		if r.IntN(3) > 0 {
			some = append(some, int32(i))
		}
	}
	for _, below := range []int{0, 1, 100, 255, 256} {
		var left [maxBins]uint8
		for c := range below {
			left[c] = 1
		}
		for _, of := range [][]int32{nil, some, some[:partRows], some[:0]} {
			var want, right []int32
			size := rows
			if of != nil {
				size = len(of)
			}
			for i := range size {
				k := column(of, i)
				if int(codes[k]) < below {
					want = append(want, int32(k))
				} else {
					right = append(right, int32(k))
				}
			}
			n := len(want)
			want = append(want, right...)
			for _, workers := range []int{1, 2, 5} {
				g := &grower{engine: &engine{workers: workers}}
				l := &growing{rows: slices.Clone(of), size: size}
				if got := g.divide(l, codes, &left); got != n || !slices.Equal(l.rows, want) {
					t.Errorf("%d workers, codes below %d, %d rows: %d go left, want %d, or others", workers, below, size, got, n)
				}
			}
		}
	}
}

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
		run := finish(must.Get(Start(&Problem{Data: d, Columns: c}, &Newton{MinWeight: 1e-9}, l, &s)))
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
