package boost

import (
	"cmp"
	"context"
)

// AdaBoostMH is real AdaBoost.MH: AdaBoost on all pairs of a row and a class,
// with weak learners that partition the rows once for all classes. Their
// outputs are half the logarithm of the ratio of the weights for and against
// each class. It bounds the Hamming loss. Learners are [Trees] and [Stumps].
//
// Schapire and Singer, Improved boosting algorithms using confidence-rated
// predictions, Machine Learning 37 (1999), section 7.
type AdaBoostMH struct {
	// Smooth is added to both weights of a class in a block; all pairs together
	// weigh 1. 0 means 1e-4 divided by the number of classes.
	Smooth float64
}

// Name returns "adaboost-mh".
func (*AdaBoostMH) Name() string { return "adaboost-mh" }

func (b *AdaBoostMH) begin(p *multiProblem) (multiRun, error) {
	if err := checkSmooth(b.Smooth); err != nil {
		return nil, err
	}
	base, err := p.vectorRun(b.Name(), 2*p.k)
	if err != nil {
		return nil, err
	}
	r := &mhRun{vectorRun: base, smooth: cmp.Or(b.Smooth, defaultSmooth/float64(p.k))}
	for k := range p.k {
		r.m.Models[k].Link = DoubleLogisticLink
		r.weights = append(r.weights, make([]float64, len(p.classes)))
	}
	r.trees.loss = exponentialOf
	r.trees.add = func(sums []float64, i int32) {
		c := p.classes[i]
		for k := range r.weights {
			if k == c {
				sums[2*k] += r.weights[k][i]
			} else {
				sums[2*k+1] += r.weights[k][i]
			}
		}
	}
	return r, nil
}

type mhRun struct {
	*vectorRun
	smooth  float64
	weights [][]float64
}

func (r *mhRun) round(ctx context.Context) (Status, error) {
	total := 0.0
	for k, scores := range r.sums {
		for i, s := range scores {
			y := -1.0
			if r.p.classes[i] == k {
				y = 1
			}
			r.weights[k][i] = float64(r.p.weights[i] * exp(-float64(y*s)))
			total += r.weights[k][i]
		}
	}
	if total < tiny {
		return GoalMet, nil
	}
	for _, w := range r.weights {
		for i := range w {
			w[i] /= total
		}
	}
	rows, columns := r.draw.sample()
	nodes, leaves, err := r.trees.find(ctx, rows, columns)
	if err != nil {
		return Stopped, err
	}
	if len(nodes) == 0 && len(r.m.Models[0].Terms) > 0 {
		return r.draw.dull(), nil
	}
	out := make([]float64, len(r.p.classes))
	for k := range r.sums {
		t := &Tree{Nodes: nodes, Leaves: make([]float64, len(leaves))}
		for j, sums := range leaves {
			t.Leaves[j] = log((sums[2*k]+r.smooth)/(sums[2*k+1]+r.smooth)) / 2
		}
		codedTree(t, r.p.columns, out)
		c := r.p.settings.Shrinkage
		r.m.Models[k].Terms = append(r.m.Models[k].Terms, Term{c, t})
		for i, h := range out {
			r.sums[k][i] += float64(c * h)
		}
	}
	return Going, nil
}

// newDraw returns a state only for sampling rows and columns.
func newDraw(p *multiProblem) *state {
	return &state{Labels: make([]float64, len(p.classes)), Model: &Model{Columns: len(p.data.Columns)}, settings: p.settings}
}

// sample samples the rows and columns of the next round; nil means all.
func (st *state) sample() (rows, columns []int32) {
	if st.settings.RowShare < 1 {
		rows = st.drawRows(nil)
	}
	if st.settings.ColumnShare < 1 {
		columns = st.drawColumns()
	}
	st.Rounds++
	return rows, columns
}

// dull is the status of a round without a split: other rows or columns may have
// one.
func (st *state) dull() Status {
	if st.settings.RowShare < 1 || st.settings.ColumnShare < 1 {
		return Going
	}
	return NoEdge
}
