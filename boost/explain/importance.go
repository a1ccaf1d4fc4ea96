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
	p, err := predicted(m.Truncate(0), d)
	if err != nil {
		return nil, err
	}
	gains := make([]float64, m.Columns)
	var x []float64
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
		for i, s := range slopes(p, l) {
			x = d.Row(x, i)
			leaf := path(t, x, func(node int32) { at[node].add(s) })
			at[len(t.Nodes)+leaf].add(s)
			p.Scores[i] += float64(term.Coef * t.Leaves[leaf])
		}
		for n := range t.Nodes {
			gain := at[place(t.Nodes[n].Left)].gain(0)/2 + at[place(t.Nodes[n].Right)].gain(0)/2 - at[n].gain(0)/2
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

// predicted returns predictions and targets.
func predicted(m *boost.Model, d *boost.Data) (*boost.Predictions, error) {
	p, err := m.Predict(d)
	if err == nil && p.Targets == nil {
		err = fmt.Errorf("%w: data without Labels or Targets", boost.ErrData)
	}
	return p, err
}

// sums are those of gradients and curvatures of rows, by weight.
type sums struct{ g, h float64 }

// slopes returns those of each row.
func slopes(p *boost.Predictions, l boost.Loss) []sums {
	all := make([]sums, len(p.Scores))
	for i, s := range p.Scores {
		w := weight(p.Weights, i)
		all[i] = sums{w * l.Gradient(p.Targets[i], s), w * l.Curvature(p.Targets[i], s)}
	}
	return all
}

func (s *sums) add(t sums) {
	s.g += t.g
	s.h += t.h
}

// gain is twice what a leaf of these rows lowers the loss by.
func (s sums) gain(penalty float64) float64 {
	if s.h <= 0 {
		return 0
	}
	return s.g * s.g / (s.h + penalty)
}

// weight is that of a row, nil meaning equal weights.
func weight(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// Permutation returns, for each column, how much worse a metric of m on d is
// when the values of the column are shuffled among the rows: the mean over the
// given number of shuffles, and the interval that contains 95 of 100, each on a
// bootstrap sample of the rows, or of their groups. It measures the use of a column
// on these rows, which should not be those that the model was fitted on.
//
// Breiman, Random forests, Machine Learning 45 (2001).
func Permutation(m *boost.Model, d *boost.Data, metric boost.Metric, repeats int, seed uint64) (worse []float64, intervals [][2]float64, err error) {
	if repeats < 1 {
		return nil, nil, fmt.Errorf("%w: %d repeats, want at least one", boost.ErrSettings, repeats)
	}
	base, err := predicted(m, d)
	if err != nil {
		return nil, nil, err
	}
	less := func(p, q *boost.Predictions) float64 {
		if metric.Higher {
			p, q = q, p
		}
		return metric.Value(p) - metric.Value(q)
	}
	worse, intervals = make([]float64, m.Columns), make([][2]float64, m.Columns)
	for j := range worse {
		shuffled := *d
		shuffled.Columns = slices.Clone(d.Columns)
		shuffled.Columns[j] = slices.Clone(d.Columns[j])
		r, draw := rand.New(rand.NewPCG(seed, uint64(j))), base.Sampler(rand.New(rand.NewPCG(seed, uint64(j)+1<<32)))
		var drawn []float64
		for range repeats {
			c := shuffled.Columns[j]
			r.Shuffle(len(c), func(a, b int) { c[a], c[b] = c[b], c[a] })
			p, err := m.Predict(&shuffled)
			if err != nil {
				return nil, nil, err
			}
			worse[j] += less(p, base) / float64(repeats)
			rows, groups := draw()
			drawn = append(drawn, less(p.Subset(rows, groups), base.Subset(rows, groups)))
		}
		slices.Sort(drawn)
		cut := len(drawn) / 40
		intervals[j] = [2]float64{drawn[cut], drawn[len(drawn)-1-cut]}
	}
	return worse, intervals, nil
}
