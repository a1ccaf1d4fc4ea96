package boost

import (
	"cmp"
	"context"
)

// KL is KLBoost: the weak learner is the histogram of the column with the
// largest Kullback-Leibler divergence between the two classes, and its output
// is half the logarithm of the ratio of the two densities. Both classes have
// the same weight in the search, whatever their priors.
//
// The paper optimises linear projections, and the coefficients of all terms
// for the recognition error. Here projections are columns; [ObliqueTrees] learn
// directions, with which the mean error of five measured sets is smaller than with
// learned projections. The
// coefficient of each new term minimises the exponential loss, which goes with the
// weights.
//
// Liu and Shum, Kullback-Leibler boosting, CVPR 2003.
type KL struct {
	// Smooth is added to the weight of each class in a bin, of which the output is
	// made; each class has 1/2. 0 means 1e-3.
	Smooth float64
}

// Name returns "kl".
func (*KL) Name() string { return "kl" }

func (b *KL) begin(st *state) error {
	st.Model.Link = DoubleLogisticLink
	return checkSmooth(b.Smooth)
}

func (b *KL) advance(ctx context.Context, st *state) (Status, error) {
	class := [2]float64{}
	for i, y := range st.Labels {
		class[int(y+1)/2] += st.Weights[i]
	}
	q := query{Criterion: Divergence, Leaf: Leaf{Kind: Logit, Smooth: cmp.Or(b.Smooth, smoothing)}, Weights: st.Weights}
	if class[0] > 0 && class[1] > 0 {
		q.Weights = make([]float64, len(st.Weights))
		for i, y := range st.Labels {
			q.Weights[i] = st.Weights[i] / (2 * class[int(y+1)/2])
		}
	}
	w, err := st.Find(ctx, q)
	if err != nil || w == nil {
		return NoEdge, err
	}
	a, finite := st.minimise()
	if !finite {
		_, top := st.edge()
		a = coefficient(1) / top
		if !st.perfect() {
			a = min(a, 1)
		}
	}
	return st.exponentialStep(w, a)
}
