package boost

import (
	"cmp"
	"context"
	"math"
)

// ULS is Nock and Nielsen's universal linear separator: it minimises any of a
// class of convex losses, one coordinate per round. The weights are the
// Legendre dual of the scores, p ⋄ q in the paper, and the coefficient makes
// the edge of the new weak learner zero. With Corrective, all coefficients are updated so that no
// weak learner has an edge.
//
// Nock and Nielsen, On the efficient minimization of classification calibrated
// surrogates, NIPS 2008.
type ULS struct {
	// Loss is the loss to minimise, such as [SquaredLoss], [ExponentialLoss] or a
	// [Phi]. nil means [LogisticLoss].
	Loss MarginLoss
	// Corrective makes every round set all coefficients. Shrinkage then has no effect.
	Corrective bool
	// ClosedForm takes a coefficient by formula in place of a line search: that
	// of AdaBoost_R under the weights of the loss, over the largest ratio of
	// the loss's curvature to its weight, which is 1 for the exponential and the
	// logistic loss; for a loss without such a bound, the Newton step for the
	// largest curvature. AdaBoost so changed minimises every loss, since each
	// round lowers it by a known amount. (Collins, Schapire and Singer,
	// Logistic regression, AdaBoost and Bregman distances, Machine Learning 48,
	// 2002, for these two losses.)
	ClosedForm bool
}

// Name returns "uls".
func (*ULS) Name() string { return "uls" }

func (b *ULS) begin(st *state) error {
	if b.Corrective {
		st.settings.Shrinkage = 1
	}
	st.Model.setLink(b.loss())
	if b.ClosedForm {
		ratio, curvature := steepness(b.loss())
		st.Memory = []float64{ratio, curvature}
	}
	b.reweigh(st)
	return nil
}

// loss returns the loss to minimise.
func (b *ULS) loss() MarginLoss { return cmp.Or[MarginLoss](b.Loss, LogisticLoss) }

// reweigh sets weights to the magnitude of the dual variables, normalised, and
// returns their sum. The sign, which only the squared loss can turn, goes into
// the targets.
func (b *ULS) reweigh(st *state) float64 {
	st.targets = grow(st.targets, len(st.Labels))
	sum := 0.0
	for i, y := range st.Labels {
		w := float64(st.Base[i] * b.loss().Weight(y*st.Scores[i]))
		st.targets[i] = y
		if w < 0 {
			st.targets[i] = -y
		}
		st.Weights[i] = math.Abs(w)
		sum += st.Weights[i]
	}
	if sum > 0 {
		normalise(st.Weights)
	} else {
		copy(st.Weights, st.Base)
	}
	return sum
}

func (b *ULS) advance(ctx context.Context, st *state) (Status, error) {
	if sum := b.reweigh(st); sum < tiny {
		return GoalMet, nil
	}
	w, err := st.Find(ctx, query{Criterion: ZeroOne, Leaf: Leaf{Kind: Majority}, Targets: st.targets})
	if err != nil || w == nil {
		return NoEdge, err
	}
	if w, err = st.bounded(w); err != nil {
		return Stopped, err
	}
	scale, edge := 0.0, 0.0
	for i, h := range st.Out {
		if st.Weights[i] > 0 {
			scale = max(scale, math.Abs(h))
			edge += float64(st.Weights[i] * st.targets[i] * h)
		}
	}
	if scale == 0 || math.Abs(edge)/scale < 1e-9 {
		if len(st.Model.Terms) > 0 {
			return GoalMet, nil // the loss is at its minimum
		}
		return NoEdge, nil
	}
	st.Edge = edge / scale
	perfect := b.loss().Weight(reach) >= 0 && st.perfect()
	var a float64
	if b.ClosedForm {
		a = b.closedForm(st, scale)
	} else {
		a = b.along(st, scale)
	}
	if perfect && (b.ClosedForm || !(math.Abs(a) < reach/scale)) {
		st.Append(w, math.Copysign(reach/scale, a))
		b.reweigh(st)
		return st.separated(), nil
	}
	st.Append(w, a)
	if b.Corrective {
		if err := b.correct(st); err != nil {
			return Stopped, err
		}
	}
	b.reweigh(st)
	return Going, nil
}

// reach bounds line searches along a weak learner of magnitude 1: a loss that
// always falls has no minimum.
const reach = 30

// along returns the step along the outputs that minimises the loss.
func (b *ULS) along(st *state, scale float64) float64 {
	var y, score, out, base []float64 // of rows with weight
	for i, w := range st.Base {
		if w != 0 {
			y, score, out, base = append(y, st.Labels[i]), append(score, st.Scores[i]), append(out, st.Out[i]), append(base, w)
		}
	}
	w, c := make([]float64, len(y)), make([]float64, len(y))
	slopes := func(a float64) (first, second float64) {
		for i, h := range out {
			w[i] = y[i] * (score[i] + float64(a*h))
		}
		dual(b.loss(), w, c)
		for i, h := range out {
			first -= float64(base[i] * w[i] * y[i] * h)
			second += float64(base[i] * c[i] * h * h)
		}
		return first, second
	}
	lo, hi := -reach/scale, reach/scale
	if f, _ := slopes(lo); f >= 0 {
		return lo
	}
	if f, _ := slopes(hi); f <= 0 {
		return hi
	}
	return bracketed(lo, hi, 0, slopes)
}

// closedForm returns the coefficient by formula.
func (b *ULS) closedForm(st *state, scale float64) float64 {
	ratio, curvature := st.Memory[0], st.Memory[1]
	if ratio > 0 {
		return coefficient(st.Edge) / (ratio * scale)
	}
	slope, size := 0.0, 0.0
	for i, h := range st.Out {
		slope += float64(st.Base[i] * b.loss().Weight(st.Labels[i]*st.Scores[i]) * st.Labels[i] * h)
		size += float64(st.Base[i] * h * h)
	}
	return slope / (curvature * size)
}

// steepness returns the largest ratio c of a loss's curvature to its weight, or 0
// if there is none, and the largest curvature, by trying margins. Weights fall no
// faster than exp(-c d), so that
//
//	F(m+d) <= F(m) + w(m) (exp(-c d) - 1)/c.
func steepness(l MarginLoss) (ratio, curvature float64) {
	if _, ok := l.(exponentialLoss); ok {
		return 1, 0
	}
	bounded := true
	for k := -6000; k <= 6000; k++ {
		m := float64(k) / 200
		w, c := l.Weight(m), l.MarginCurvature(m)
		curvature = max(curvature, c)
		if c > 50*w {
			bounded = false
		} else if c > 0 {
			ratio = max(ratio, c/w)
		}
	}
	if !bounded {
		ratio = 0
	}
	return ratio, curvature
}

// correct minimises the loss over all coefficients, by Newton's method with
// steps halved until the loss falls. A small ridge holds coefficients that the
// data leave open.
func (b *ULS) correct(st *state) error {
	n := len(st.Model.Terms)
	outs := make([]float64, n*len(st.Scores)) // by row
	coefs := make([]float64, n)
	for k, t := range st.Model.Terms {
		coefs[k] = t.Coef
		if err := st.Outputs(t.Weak, st.Out); err != nil {
			return err
		}
		for i, h := range st.Out {
			outs[i*n+k] = h
		}
	}
	scores := make([]float64, len(st.Scores))
	loss := func(c []float64) float64 {
		sum := 0.0
		for i := range scores {
			s := st.start(i)
			for k, h := range outs[i*n:][:n] {
				s += float64(c[k] * h)
			}
			scores[i] = s
			sum += float64(st.Base[i] * b.loss().MarginValue(st.Labels[i]*s))
		}
		for _, v := range c {
			sum += float64(ridge / 2 * v * v)
		}
		return sum
	}
	weights, curvatures := make([]float64, len(scores)), make([]float64, len(scores))
	now := loss(coefs)
	for range 50 {
		gradient := make([]float64, n)
		hessian := make([][]float64, n)
		for k := range n {
			hessian[k] = make([]float64, n)
			gradient[k] = ridge * coefs[k]
			hessian[k][k] = ridge
		}
		for i, s := range scores {
			weights[i] = st.Labels[i] * s
		}
		dual(b.loss(), weights, curvatures)
		for i := range scores {
			g := float64(st.Base[i] * weights[i] * st.Labels[i])
			h := float64(st.Base[i] * curvatures[i])
			row := outs[i*n:][:n]
			for k, o := range row {
				gradient[k] -= float64(g * o)
				ho := float64(h * o)
				for j, o := range row[:k+1] {
					hessian[k][j] += float64(ho * o)
				}
			}
		}
		if largest(gradient) < 1e-13 {
			break
		}
		step := solveSymmetric(hessian, gradient)
		next := make([]float64, n)
		fell := false
		for scale := 1.0; scale > 1e-9; scale /= 2 {
			for k := range next {
				next[k] = coefs[k] - float64(scale*step[k])
			}
			if l := loss(next); l < now {
				now, fell = l, true
				copy(coefs, next)
				break
			}
		}
		if !fell {
			break
		}
	}
	for k := range coefs {
		st.Model.Terms[k].Coef = coefs[k]
	}
	return st.Rescore()
}

// ridge is the weight of half the sum of squared coefficients in a totally
// corrective loss.
const ridge = 1e-12

// solveSymmetric solves a x = b for a symmetric, positive definite matrix of
// which the lower triangle is given, by Cholesky's method; the matrix is
// overwritten. A pivot that rounding has made too small is lifted.
func solveSymmetric(a [][]float64, b []float64) []float64 {
	n := len(b)
	x := make([]float64, n)
	for i := range n {
		for j := range i + 1 {
			s := a[i][j]
			for k := range j {
				s -= float64(a[i][k] * a[j][k])
			}
			if i == j {
				a[i][i] = math.Sqrt(max(s, ridge))
			} else {
				a[i][j] = s / a[j][j]
			}
		}
	}
	for i := range n {
		s := b[i]
		for k := range i {
			s -= float64(a[i][k] * x[k])
		}
		x[i] = s / a[i][i]
	}
	for i := n - 1; i >= 0; i-- {
		s := x[i]
		for k := i + 1; k < n; k++ {
			s -= float64(a[k][i] * x[k])
		}
		x[i] = s / a[i][i]
	}
	return x
}
