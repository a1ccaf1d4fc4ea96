package boost

import (
	"context"
	"slices"
)

// SAMME is AdaBoost with weak learners for K classes that need only be better
// than chance among K: the coefficient is ln((1-e)/e) + ln(K-1). Trees split
// rows by the Gini index; the output of a leaf is the class of the largest
// weight.
//
// Zhu, Zou, Rosset and Hastie, Multi-class AdaBoost, Statistics and Its Interface
// 2 (2009).
type SAMME struct{}

// Name returns "samme".
func (SAMME) Name() string { return "samme" }

func (b SAMME) begin(p *multiProblem) (multiRun, error) {
	base, err := p.vectorRun(b.Name(), p.k)
	if err != nil {
		return nil, err
	}
	r := &sammeRun{base, slices.Clone(p.weights)}
	r.m.Softmax = true
	r.trees.loss = giniOf
	r.trees.add = func(sums []float64, i int32) { sums[p.classes[i]] += r.weights[i] }
	return r, nil
}

type sammeRun struct {
	*vectorRun
	weights []float64
}

func (r *sammeRun) round(ctx context.Context) (Status, error) {
	rows, columns := r.draw.sample()
	nodes, leaves, err := r.trees.find(ctx, rows, columns)
	if err != nil {
		return Stopped, err
	}
	says := &Tree{Nodes: nodes, Leaves: make([]float64, len(leaves))}
	for j, sums := range leaves {
		says.Leaves[j] = float64(top(sums))
	}
	out := make([]float64, len(r.p.classes))
	codedTree(says, r.p.columns, out)
	wrong := 0.0
	for i, c := range out {
		if int(c) != r.p.classes[i] {
			wrong += r.weights[i]
		}
	}
	if wrong > 1-1/float64(r.p.k)-tiny {
		return r.draw.dull(), nil
	}
	e := max(tiny/2, wrong)
	a := (log((1-e)/e) + log(float64(r.p.k-1))) * r.p.settings.Shrinkage
	for k, m := range r.m.Models {
		t := &Tree{Nodes: nodes, Leaves: make([]float64, len(leaves))}
		for j, c := range says.Leaves {
			if int(c) == k {
				t.Leaves[j] = 1
			}
		}
		m.Terms = append(m.Terms, Term{a, t})
	}
	grow := exp(a)
	for i, c := range out {
		r.sums[int(c)][i] += a
		if int(c) != r.p.classes[i] {
			r.weights[i] *= grow
		}
	}
	normalise(r.weights)
	if wrong < tiny && r.draw.separated() == Separated {
		return Separated, nil
	}
	return Going, nil
}
