package boost

import (
	"bufio"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// mixture is a two-class problem with overlap.
func mixture(rows int, seed uint64) *Data {
	r := rand.New(rand.NewPCG(seed, 11))
	d := blank(rows, 5)
	d.Labels = make([]int8, rows)
	for i := range rows {
		d.Labels[i] = int8(r.IntN(2))*2 - 1
		for j := range d.Columns {
			d.Columns[j][i] = r.NormFloat64() + 0.4*float64(d.Labels[i])*float64(j%3)
		}
	}
	return d
}

// blank is a table of zeros, without labels.
func blank(rows, columns int) *Data {
	d := &Data{Columns: make([][]float64, columns)}
	for j := range d.Columns {
		d.Columns[j] = make([]float64, rows)
	}
	return d
}

// begin starts a run.
func begin(d *Data, b Booster, l Learner, s *Settings) *Run {
	return must.Get(Start(&Problem{Data: d}, b, l, s))
}

// finish makes all rounds of a run.
func finish(r *Run) *Run {
	for r.Status() == Going {
		must.Get(r.Next(context.Background()))
	}
	return r
}

// values returns the outputs of a weak learner for all rows.
func values(w Weak, d *Data) []float64 {
	out := make([]float64, d.Rows())
	for i := range out {
		out[i] = w.Value(d.Row(nil, i))
	}
	return out
}

// weightsBy returns weights exp(f(y, i)), with sum 1.
func weightsBy(d *Data, f func(y float64, i int) float64) []float64 {
	w := make([]float64, d.Rows())
	for i, y := range d.Labels {
		w[i] = math.Exp(f(float64(y), i))
	}
	normalise(w)
	return w
}

// edgeOf returns sum w y h.
func edgeOf(d *Data, w, h []float64) (sum float64) {
	for i, y := range d.Labels {
		sum += w[i] * float64(y) * h[i]
	}
	return sum
}

// refuses: a fit is an error of a kind.
func refuses(t *testing.T, what any, kind error, d *Data, b Booster, l Learner, s *Settings) {
	t.Helper()
	if _, err := Fit(t.Context(), d, b, l, s); !errors.Is(err, kind) {
		t.Errorf("%+v: error %v, want %v", what, err, kind)
	}
}

func mustFit(t *testing.T, d *Data, b Booster, l Learner, s *Settings) *Result {
	t.Helper()
	return must.Get(Fit(context.Background(), d, b, l, s))
}

// near reports numbers that differ by more than a tolerance.
func near(t *testing.T, what string, got, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d numbers, want %d", what, len(got), len(want))
	}
	for i := range want {
		if !(math.Abs(got[i]-want[i]) <= tolerance*(1+math.Abs(want[i]))) {
			t.Fatalf("%s: number %d is %v, want %v", what, i, got[i], want[i])
		}
	}
}

// TestWordingsAgree: the two classical texts make the same classifier, with
// scores that differ by a factor of two.
func TestWordingsAgree(t *testing.T) {
	d := mixture(300, 1)
	a := mustFit(t, d, &Discrete{}, &Stumps{}, &Settings{Rounds: 60})
	b := mustFit(t, d, &Discrete{Friedman: true}, &Stumps{}, &Settings{Rounds: 60})
	want := must.Get(a.Model.Scores(d))
	for i := range want {
		want[i] *= 2
	}
	near(t, "scores", must.Get(b.Model.Scores(d)), want, 1e-9)
	if math.Abs(a.Bound-b.Bound) > 1e-12 {
		t.Errorf("bounds %v and %v", a.Bound, b.Bound)
	}
	x := d.Row(nil, 0)
	if p, q := a.Model.Probability(x), b.Model.Probability(x); math.Abs(p-q) > 1e-9 {
		t.Errorf("probabilities %v and %v", p, q)
	}
}

// TestDiscreteForSigns: for outputs -1 and +1 the generalisations equal Discrete,
// including coefficients; those of RealNumeric, which are searched for, have a formula
// there.
func TestDiscreteForSigns(t *testing.T) {
	d := mixture(300, 2)
	signs := Leaf{Kind: Majority}
	for _, l := range []Learner{&Stumps{}, &Monomials{Criterion: ZeroOne}, &Trees{Criterion: Gini, Leaves: 4}} {
		for _, b := range []Booster{&AdaBoostR{Leaf: signs}, &RealNumeric{Leaf: signs}} {
			for _, nu := range []float64{0, 0.3} {
				s := &Settings{Rounds: 50, Shrinkage: nu}
				want, got := mustFit(t, d, &Discrete{Criterion: Exponential}, l, s).Model, mustFit(t, d, b, l, s).Model
				near(t, b.Name()+"+"+l.Name(), must.Get(got.Scores(d)), must.Get(want.Scores(d)), 1e-7)
				if len(want.Terms) != len(got.Terms) {
					t.Errorf("%s+%s: %d and %d terms", b.Name(), l.Name(), len(want.Terms), len(got.Terms))
				}
			}
		}
	}
}

// TestNumericCoefficient compares the coefficient with bisection on the
// derivative in long steps, to a relative error of 1e-9.
func TestNumericCoefficient(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 1))
	for trial := range 300 {
		n := 2 + r.IntN(50)
		st := &state{Weights: make([]float64, n), Labels: make([]float64, n), Out: make([]float64, n)}
		size := math.Exp(20 * (r.Float64() - 0.5))
		for i := range n {
			st.Weights[i] = math.Exp(10 * (r.Float64() - 0.5))
			st.Labels[i] = float64(r.IntN(2)*2 - 1)
			st.Out[i] = size * (2*r.Float64() - 1)
			if r.IntN(8) == 0 {
				st.Out[i] = 0
			}
		}
		normalise(st.Weights)
		got, finite := st.minimise()
		slope := func(a float64) float64 {
			s := 0.0
			for i := range n {
				m := st.Labels[i] * st.Out[i]
				s -= st.Weights[i] * m * math.Exp(-a*m)
			}
			return s
		}
		lo, hi := -300/size, 300/size
		if !finite {
			if s := slope(got / math.Abs(got) * 300 / size); s*got > 0 {
				t.Fatalf("trial %d: slope %v far out, but the search says it falls forever", trial, s)
			}
			continue
		}
		if largest(st.Out) == 0 {
			continue // any coefficient is as good
		}
		for range 200 {
			mid := (lo + hi) / 2
			if slope(mid) > 0 {
				hi = mid
			} else {
				lo = mid
			}
		}
		if math.Abs(got-lo) > 1e-9*math.Abs(lo)+1e-13/size {
			t.Fatalf("trial %d: coefficient %v, want %v", trial, got, lo)
		}
	}
}

// TestTreesAgainstOneNodeAtATime: a tree of depth 2 is a stump with a stump on
// each side.
func TestTreesAgainstOneNodeAtATime(t *testing.T) {
	d := mixture(300, 9)
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []Criterion{Gini, Entropy, Exponential, LeastSquares} {
		q := randomQuery(r, &Data{Labels: d.Labels, Weights: slices.Repeat([]float64{1}, d.Rows())}, c, false)
		w, out := find(t, d, &Trees{Depth: 2, Criterion: c}, q, 1)
		if n := len(w.(*Tree).Nodes); n != 3 {
			t.Fatalf("%v: %d nodes, want 3", c, n)
		}
		root, _ := find(t, d, &Stumps{}, q, 1)
		for side := range 2 {
			sub := q
			for i := range d.Rows() {
				if root.(*Tree).leaf(d.Row(nil, i)) == side {
					sub.Rows = append(sub.Rows, int32(i))
				}
			}
			_, want := find(t, d, &Stumps{}, sub, 1)
			for _, i := range sub.Rows {
				if math.Abs(out[i]-want[i]) > 1e-12 {
					t.Fatalf("%v: row %d: the tree says %v, stump on stump %v", c, i, out[i], want[i])
				}
			}
		}
	}
}

// TestFirstRounds checks one round of each booster against numbers by hand, on
// a column of two values: 3 of 4 rows positive on the left, 1 of 4 on the right.
func TestFirstRounds(t *testing.T) {
	d := &Data{Columns: [][]float64{{0, 0, 0, 0, 1, 1, 1, 1}}, Labels: []int8{1, 1, 1, -1, 1, -1, -1, -1}}
	for _, c := range []struct {
		b           Booster
		left, right float64
	}{
		{&Gentle{}, 0.5, -0.5},
		{&LogitBoost{}, 0.5, -0.5}, // responses are 2y, halved
		{&Real{Smooth: 0x1p-53}, math.Log(3) / 2, -math.Log(3) / 2},
		{&Discrete{}, math.Log(3) / 2, -math.Log(3) / 2},
		{&AdaBoostR{Leaf: Leaf{Kind: Mean}}, math.Log(3) / 2, -math.Log(3) / 2},
		{&RealNumeric{}, math.Log(3) / 2, -math.Log(3) / 2},
	} {
		res := mustFit(t, d, c.b, &Stumps{}, &Settings{Rounds: 1})
		near(t, c.b.Name(), []float64{res.Model.Score([]float64{0}), res.Model.Score([]float64{1})}, []float64{c.left, c.right}, 1e-12)
	}
}

// TestTreesWithAndWithoutKeptBins: the larger half's bins are the parent's less
// the smaller half's, exactly, so there is no telling whether they were kept.
func TestTreesWithAndWithoutKeptBins(t *testing.T) {
	r := rand.New(rand.NewPCG(14, 14))
	for _, real := range []bool{false, true} {
		for _, c := range []Criterion{LeastSquares, GainRatio, Exponential} {
			d := randomData(r, 800, 9)
			q := randomQuery(r, d, c, real)
			q.Columns = []int32{0, 1, 3, 4, 6, 7, 8}
			var trees [2]*Tree
			for k := range trees {
				s := must.Get((&Trees{Leaves: 20, Depth: 6, Criterion: c}).prepare(&Problem{Data: d}, &Settings{Workers: 2}))
				if k == 1 {
					s.(*treeSearch).grower.starts = []int{maxKept} // as if there were too many columns
				}
				for range 2 { // the second time with bins that have been used
					w := must.Get(s.Find(context.Background(), &q))
					trees[k] = w.(*Tree)
				}
			}
			if !slices.Equal(trees[0].Nodes, trees[1].Nodes) || !slices.Equal(trees[0].Leaves, trees[1].Leaves) {
				t.Errorf("real=%v, %v: kept bins make another tree", real, c)
			}
			if len(trees[0].Leaves) != 20 {
				t.Errorf("real=%v, %v: %d leaves, want 20", real, c, len(trees[0].Leaves))
			}
		}
	}
}

// TestAdaBoostRFormulas recomputes weights and coefficients from the outputs
// alone: the weight rule has neither exponential nor coefficient, and the
// coefficients follow from the edges at the end.
func TestAdaBoostRFormulas(t *testing.T) {
	d := mixture(250, 33)
	for _, b := range []*AdaBoostR{{}, {Leaf: Leaf{Kind: Logit}}, {Leaf: Leaf{Kind: Logit, Smooth: 0.01}}} {
		run := begin(d, b, &Trees{Leaves: 5}, &Settings{Rounds: 30})
		weights := weightsBy(d, func(float64, int) float64 { return 0 })
		var mus []float64
		for run.Status() == Going {
			near(t, "weights", run.st.Weights, weights, 1e-9)
			r := must.Get(run.Next(context.Background()))
			if r.Weak == nil {
				break
			}
			h := values(r.Weak, d)
			if top := largest(h); top != 1 {
				t.Fatalf("outputs up to %v: want them divided by the largest", top)
			}
			mu := edgeOf(d, weights, h)
			for i := range h {
				weights[i] *= (1 - mu*float64(d.Labels[i])*h[i]) / (1 - mu*mu)
			}
			mus = append(mus, mu)
		}
		for k, term := range run.Result().Model.Terms {
			if want := math.Log((1+mus[k])/(1-mus[k])) / 2; math.Abs(term.Coef-want) > 1e-9 {
				t.Errorf("%+v: coefficient %d is %v, want %v", b.Leaf, k, term.Coef, want)
			}
		}
		if len(mus) < 10 {
			t.Errorf("%+v: %d rounds only", b.Leaf, len(mus))
		}
	}
}

// readCrosscheck reads the file that testdata/crosscheck.py made: a table, and
// what scikit-learn says about it.
func readCrosscheck(t *testing.T) (*Data, map[string][]float64) {
	t.Helper()
	f := must.Get(os.Open("testdata/crosscheck.txt"))
	defer f.Close()
	d := &Data{}
	said := map[string][]float64{}
	section := ""
	for s := bufio.NewScanner(f); s.Scan(); {
		words := strings.Fields(s.Text())
		switch {
		case words[0] == "#":
		case words[0] == "data" || len(words) == 2 && (words[0] == "staged" || words[0] == "tree"):
			section = strings.Join(words, " ")
		default:
			var v []float64
			for _, w := range words {
				x := must.Get(strconv.ParseFloat(w, 64))
				v = append(v, x)
			}
			if section != "data" {
				said[section] = append(said[section], v...)
				continue
			}
			d.Labels = append(d.Labels, int8(v[0]))
			d.Weights = append(d.Weights, v[1])
			for j, x := range v[2:] {
				if len(d.Columns) == j {
					d.Columns = append(d.Columns, nil)
				}
				d.Columns[j] = append(d.Columns[j], x)
			}
		}
	}
	if d.Rows() != 200 || len(said) != 9 {
		t.Fatalf("%d rows and %d sections, want 200 and 9", d.Rows(), len(said))
	}
	return d, said
}

// TestAgainstScikitLearn compares staged training errors with AdaBoostClassifier
// (SAMME and SAMME.R), round by round, and the class probabilities of single trees.
//
// Where a leaf is pure, the output of scikit-learn's real AdaBoost is
// ln(2^52)/2, and that of Real the same except for the logarithm of the leaf's
// own weight. With stumps that happens in round 7 and shows in the errors from
// round 31 on.
func TestAgainstScikitLearn(t *testing.T) {
	d, said := readCrosscheck(t)
	plain := *d
	plain.Weights = nil
	for _, c := range []struct {
		name string
		d    *Data
		b    Booster
		l    Learner
	}{
		{"staged stumps", &plain, &Discrete{Friedman: true, Criterion: Gini}, SortedStumps{}},
		{"staged stumps", &plain, &Discrete{Friedman: true, Criterion: Gini}, &Stumps{}},
		{"staged weighted-stumps", d, &Discrete{Criterion: Gini}, &Stumps{}},
		{"staged entropy-stumps", d, &Discrete{Criterion: Entropy}, &Stumps{}},
		{"staged depth-2", d, &Discrete{}, &Trees{Depth: 2}},
		{"staged leaves-5", d, &Discrete{}, &Trees{Leaves: 5}},
		{"staged real-stumps", d, &Real{Criterion: Gini, Smooth: 0x1p-53}, &Stumps{}},
		{"staged real-depth-2", d, &Real{Criterion: Gini, Smooth: 0x1p-53}, &Trees{Depth: 2}},
	} {
		want := said[c.name]
		if c.name == "staged real-stumps" {
			want = want[:30]
		}
		got := stagedErrors(mustFit(t, c.d, c.b, c.l, &Settings{Rounds: len(want)}).Model, c.d)[1:]
		for k := range want {
			if math.Abs(got[k]-want[k]) > 1e-9 {
				t.Errorf("%s with %s: error %v after round %d, scikit-learn has %v", c.name, c.l.Name(), got[k], k+1, want[k])
				break
			}
		}
	}
	for name, l := range map[string]*Trees{
		"tree depth-3":  {Depth: 3, Criterion: Gini},
		"tree leaves-7": {Leaves: 7, Criterion: Entropy},
	} {
		q := query{Criterion: Gini, Leaf: Leaf{Kind: Mean}, Weights: append([]float64(nil), d.Weights...)}
		normalise(q.Weights)
		for _, y := range d.Labels {
			q.Targets = append(q.Targets, float64(y))
		}
		_, out := find(t, d, l, q, 1)
		for i, p := range said[name] {
			if math.Abs((1+out[i])/2-p) > 1e-9 {
				t.Errorf("%s: row %d has probability %v, scikit-learn has %v", name, i, (1+out[i])/2, p)
				break
			}
		}
	}
}
