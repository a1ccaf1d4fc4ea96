package explain

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"haarlem/boost"
)

// ErrUnsupported is wrapped by errors about models that cannot be explained
// this way.
var ErrUnsupported = errors.New("explain: not for this model")

// Gain returns, for each column, the decrease of the sum of a loss on d by its
// splits, to second order and without penalty: for the rows of a node, with the
// loss's gradients and curvatures at the scores before the tree, the gain of
// splitting them. Models must consist of trees.
func Gain(m *boost.Model, d *boost.Data, l boost.Loss) ([]float64, error) {
	scores := make([]float64, d.Rows())
	if err := m.Check(d); err != nil {
		return nil, err
	}
	if d.Labels == nil && d.Targets == nil {
		return nil, fmt.Errorf("%w: data without Labels or Targets", boost.ErrData)
	}
	for i := range scores {
		scores[i] = m.Bias
	}
	gains := make([]float64, m.Columns)
	var x []float64
	type sums struct{ g, h float64 }
	for k, term := range m.Terms {
		t, ok := term.Weak.(*boost.Tree)
		if !ok {
			return nil, fmt.Errorf("%w: term %d is a %T, want trees", ErrUnsupported, k, term.Weak)
		}
		at := make([]sums, 2*len(t.Nodes)+1) // nodes, then leaves
		place := func(c int32) int {
			if c > 0 || c == 0 && len(t.Nodes) == 0 {
				return int(c)
			}
			return len(t.Nodes) + int(-c)
		}
		for i := range scores {
			x = d.Row(x, i)
			y, w := target(d, i), weight(d, i)
			s := sums{w * l.Gradient(y, scores[i]), w * l.Curvature(y, scores[i])}
			leaf := path(t, x, func(node int32) {
				at[node].g += s.g
				at[node].h += s.h
			})
			at[len(t.Nodes)+leaf].g += s.g
			at[len(t.Nodes)+leaf].h += s.h
			scores[i] += float64(term.Coef * t.Leaves[leaf])
		}
		score := func(s sums) float64 {
			if s.h <= 0 {
				return 0
			}
			return s.g * s.g / s.h / 2
		}
		for n := range t.Nodes {
			gain := score(at[place(t.Nodes[n].Left)]) + score(at[place(t.Nodes[n].Right)]) - score(at[n])
			gains[t.Nodes[n].Column] += gain
		}
	}
	return gains, nil
}

// path calls visit for the nodes on the path of row x, and returns its leaf.
func path(t *boost.Tree, x []float64, visit func(node int32)) int {
	if len(t.Nodes) == 0 {
		return 0
	}
	for c := int32(0); ; {
		visit(c)
		if c = t.Nodes[c].Next(x); c <= 0 {
			return int(-c)
		}
	}
}

func target(d *boost.Data, i int) float64 {
	if d.Labels != nil {
		return float64(d.Labels[i])
	}
	return d.Targets[i]
}

func weight(d *boost.Data, i int) float64 {
	if d.Weights == nil {
		return 1
	}
	return d.Weights[i]
}

// Permutation returns, for each column, how much worse a metric of m on d is
// when the values of the column are shuffled among the rows: the mean over the
// given number of shuffles. It measures the use of a column on these rows,
// which should not be those that the model was fitted on.
//
// Breiman, Random forests, Machine Learning 45 (2001).
func Permutation(m *boost.Model, d *boost.Data, metric boost.Metric, repeats int, seed uint64) ([]float64, error) {
	if repeats < 1 {
		return nil, fmt.Errorf("%w: %d repeats, want at least one", boost.ErrSettings, repeats)
	}
	value := func(d *boost.Data) (float64, error) {
		p, err := m.Predict(d)
		if err != nil {
			return 0, err
		}
		if p.Targets == nil {
			return 0, fmt.Errorf("%w: data without Labels or Targets", boost.ErrData)
		}
		return metric.Value(p), nil
	}
	base, err := value(d)
	if err != nil {
		return nil, err
	}
	worse := make([]float64, m.Columns)
	for j := range worse {
		shuffled := *d
		shuffled.Columns = slices.Clone(d.Columns)
		shuffled.Columns[j] = slices.Clone(d.Columns[j])
		r := rand.New(rand.NewPCG(seed, uint64(j)))
		for range repeats {
			c := shuffled.Columns[j]
			r.Shuffle(len(c), func(a, b int) { c[a], c[b] = c[b], c[a] })
			v, err := value(&shuffled)
			if err != nil {
				return nil, err
			}
			if v -= base; metric.Higher {
				v = -v
			}
			worse[j] += v / float64(repeats)
		}
	}
	return worse, nil
}
