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
// given number of shuffles, and the interval that contains 95 of 100, each on a
// bootstrap sample of the rows, or of their groups. It measures the use of a column
// on these rows, which should not be those that the model was fitted on.
//
// Breiman, Random forests, Machine Learning 45 (2001).
func Permutation(m *boost.Model, d *boost.Data, metric boost.Metric, repeats int, seed uint64) (worse []float64, intervals [][2]float64, err error) {
	if repeats < 1 {
		return nil, nil, fmt.Errorf("%w: %d repeats, want at least one", boost.ErrSettings, repeats)
	}
	base, err := m.Predict(d)
	if err != nil {
		return nil, nil, err
	}
	if base.Targets == nil {
		return nil, nil, fmt.Errorf("%w: data without Labels or Targets", boost.ErrData)
	}
	units := units(d)
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
		r, draws := rand.New(rand.NewPCG(seed, uint64(j))), rand.New(rand.NewPCG(seed, uint64(j)+1<<32))
		var drawn []float64
		for range repeats {
			c := shuffled.Columns[j]
			r.Shuffle(len(c), func(a, b int) { c[a], c[b] = c[b], c[a] })
			p, err := m.Predict(&shuffled)
			if err != nil {
				return nil, nil, err
			}
			worse[j] += less(p, base) / float64(repeats)
			one, other := &boost.Predictions{}, &boost.Predictions{}
			for g := range units {
				for _, i := range units[draws.IntN(len(units))] {
					add(one, p, i, g)
					add(other, base, i, g)
				}
			}
			drawn = append(drawn, less(one, other))
		}
		slices.Sort(drawn)
		cut := len(drawn) / 40
		intervals[j] = [2]float64{drawn[cut], drawn[len(drawn)-1-cut]}
	}
	return worse, intervals, nil
}

// units returns what a bootstrap draws: the rows of each group, or single rows.
func units(d *boost.Data) [][]int {
	var units [][]int
	at := map[int]int{}
	for i := range d.Rows() {
		k, ok := len(units), false
		if d.Groups != nil {
			if k, ok = at[d.Groups[i]]; !ok {
				k = len(units)
				at[d.Groups[i]] = k
			}
		}
		if !ok {
			units = append(units, nil)
		}
		units[k] = append(units[k], i)
	}
	return units
}

// add adds a row of other predictions, as one of a group.
func add(p, from *boost.Predictions, row, group int) {
	p.Targets, p.Scores, p.Means = append(p.Targets, from.Targets[row]), append(p.Scores, from.Scores[row]), append(p.Means, from.Means[row])
	p.Groups = append(p.Groups, group)
	if from.Upper != nil {
		p.Upper = append(p.Upper, from.Upper[row])
	}
	if from.Weights != nil {
		p.Weights = append(p.Weights, from.Weights[row])
	}
}
