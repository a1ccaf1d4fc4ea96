package boost

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"haarlem/internal/must"
)

// grades is a table of groups of eight rows with grades from 0 to 3; groups are
// interleaved.
func grades(groups int, seed uint64) *Data {
	r := rand.New(rand.NewPCG(seed, 7))
	d := &Data{Columns: make([][]float64, 3)}
	shift := make([]float64, groups)
	for g := range shift {
		shift[g] = 5 * r.NormFloat64()
	}
	for range 8 {
		for g := range groups {
			x, y := r.NormFloat64(), r.NormFloat64()
			d.Columns[0], d.Columns[1], d.Columns[2] = append(d.Columns[0], x), append(d.Columns[1], y), append(d.Columns[2], shift[g])
			s := x + y*y - 1 + 0.3*r.NormFloat64()
			d.Targets = append(d.Targets, math.Floor(min(3, max(0, s+1))))
			d.Groups = append(d.Groups, g)
		}
	}
	return d
}

// TestNDCG: by hand, and 1 of a group without gain.
func TestNDCG(t *testing.T) {
	p := &Predictions{
		Targets: []float64{3, 0, 1, 0, 0}, Scores: []float64{1, 5, 3, 0, 1}, Groups: []int{7, 7, 7, 2, 2},
	}
	first := (1/math.Log2(3) + 7/math.Log2(4)) / (7 + 1/math.Log2(3))
	if v := NDCG(10).Value(p); math.Abs(v-(first+1)/2) > 1e-12 {
		t.Errorf("NDCG %v, want %v", v, (first+1)/2)
	}
	if v, want := NDCG(2).Value(p), (1/math.Log2(3)/(7+1/math.Log2(3))+1)/2; math.Abs(v-want) > 1e-12 {
		t.Errorf("NDCG of two rows %v, want %v", v, want)
	}
	p.Targets[0] = 0.5
	if v := NDCG(10).Value(p); v == v {
		t.Errorf("NDCG of half a grade is %v", v)
	}
}

// TestLambdaMARTGradients: the gradients of a group are those of the formula of
// LightGBM, pair by pair.
func TestLambdaMARTGradients(t *testing.T) {
	st := &state{Labels: []float64{0, 2, 1, 0}, Scores: []float64{0.5, -0.3, 0.1, -2}}
	slope, curve := make([]float64, 4), make([]float64, 4)
	(&LambdaMART{Truncation: 2}).pairs(st, []int{0, 1, 2, 3}, slope, curve)
	rank := []float64{0, 2, 1, 3}
	best := 3 + 1/math.Log2(3)
	want, bend, sum := make([]float64, 4), make([]float64, 4), 0.0
	for _, pair := range [][2]int{{1, 0}, {2, 0}, {1, 2}, {2, 3}} { // of one row of rank 0 or 1
		i, j := pair[0], pair[1]
		apart := st.Scores[i] - st.Scores[j]
		change := (math.Exp2(st.Labels[i]) - math.Exp2(st.Labels[j])) * math.Abs(1/math.Log2(2+rank[i])-1/math.Log2(2+rank[j])) / best / (0.01 + math.Abs(apart))
		p := 1 / (1 + math.Exp(apart))
		want[i] -= p * change
		want[j] += p * change
		bend[i] += p * (1 - p) * change
		bend[j] += p * (1 - p) * change
		sum += 2 * p * change
	}
	for i := range want {
		want[i] *= math.Log2(1+sum) / sum
		bend[i] *= math.Log2(1+sum) / sum
	}
	near(t, "gradients", slope, want, 1e-12)
	near(t, "curvatures", curve, bend, 1e-12)
}

// TestLambdaMART: new groups are ranked, groups are never divided, and the number of goroutines changes nothing.
func TestLambdaMART(t *testing.T) {
	train, test := grades(80, 1), grades(150, 2)
	of := func(b Booster, workers int) float64 {
		m := mustFit(t, train, b, &Trees{Leaves: 4}, &Settings{Rounds: 40, Shrinkage: 0.2, Workers: workers}).Model
		return NDCG(10).Value(must.Get(m.Predict(test)))
	}
	ranked := of(&LambdaMART{}, 1)
	if ranked < 0.93 || ranked != of(&LambdaMART{}, 3) {
		t.Errorf("NDCG %v, with three goroutines %v", ranked, of(&LambdaMART{}, 3))
	}
	fold := map[int]int{}
	for i, f := range deal(train, nil, 4, 1) {
		if g, ok := fold[train.Groups[i]]; ok && g != f {
			t.Fatalf("group %d is in two folds", train.Groups[i])
		}
		fold[train.Groups[i]] = f
	}
	first, second, err := SplitData(train, 0.25, 1)
	if err != nil || first.Rows() != 480 || second.Rows() != 160 {
		t.Errorf("parts of %d and %d rows, %v", first.Rows(), second.Rows(), err)
	}
	for _, d := range []*Data{curve(40, 1, 0), {Columns: train.Columns, Targets: train.Columns[0], Groups: train.Groups}} {
		if _, err := Fit(t.Context(), d, &LambdaMART{}, &Trees{}, nil); !errors.Is(err, ErrData) {
			t.Errorf("error %v, want one of the data", err)
		}
	}
}
