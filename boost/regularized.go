package boost

import (
	"context"
	"fmt"
	"math"
)

// WeightBoost is AdaBoost with an input-dependent regulariser: a term counts
// exp(-Beta |s|) times, where s is the score of the terms before it, so that
// later terms only speak where the earlier ones are unsure. Weights are
// exp(-y s - Beta |s|).
//
// Jin, Liu, Si, Carbonell and Hauptmann, A new boosting algorithm using
// input-dependent regularizer, ICML 2003.
type WeightBoost struct {
	// Beta is the strength of the regulariser. 0 means 0.5.
	Beta float64
}

// Name returns "weightboost".
func (*WeightBoost) Name() string { return "weightboost" }

// Init implements [Booster].
func (b *WeightBoost) Init(st *State) error {
	if !(b.Beta >= 0) || math.IsInf(b.Beta, 0) {
		return fmt.Errorf("%w: Beta %v, want a finite number, 0 or more", ErrSettings, b.Beta)
	}
	st.Model.Damping = b.Beta
	if b.Beta == 0 {
		st.Model.Damping = 0.5
	}
	b.reweigh(st)
	return nil
}

// reweigh sets the weights that the scores ask for.
func (b *WeightBoost) reweigh(st *State) {
	st.exponents(func(i int) float64 {
		return -float64(st.Labels[i]*st.Scores[i]) - float64(st.Model.Damping*math.Abs(st.Scores[i]))
	})
}

// Round implements [Booster].
func (b *WeightBoost) Round(ctx context.Context, st *State) (Status, error) {
	status, err := st.signStep(ctx, b.Name(), coefficient)
	if err == nil {
		b.reweigh(st)
	}
	return status, err
}

// signStep appends a weak learner that says -1 or +1, with a coefficient that
// is a function of its edge.
func (st *State) signStep(ctx context.Context, name string, coef func(edge float64) float64) (Status, error) {
	w, err := st.Find(ctx, Query{Criterion: ZeroOne, Leaf: Leaf{Kind: Majority}})
	if err != nil || w == nil {
		return NoEdge, err
	}
	if err := st.mustBeSigns(name); err != nil {
		return Stopped, err
	}
	st.Edge, _ = st.edge()
	if math.Abs(st.Edge) < tiny {
		return NoEdge, nil
	}
	st.Append(w, coef(st.Edge))
	if st.Edge > 1-tiny && st.perfect() {
		return Separated, nil
	}
	return Going, nil
}

// exponents sets the weights to Base exp(f(i)), normalised.
func (st *State) exponents(f func(i int) float64) {
	top := math.Inf(-1)
	for i, b := range st.Base {
		if b > 0 {
			st.Weights[i] = log(b) + f(i)
			top = max(top, st.Weights[i])
		}
	}
	for i, b := range st.Base {
		if b > 0 {
			st.Weights[i] = exp(st.Weights[i] - top)
		} else {
			st.Weights[i] = 0
		}
	}
	normalise(st.Weights)
}

// Epsilon is epsilon-boosting: every coefficient is the same small number, so
// that the model creeps along the path of the L1-regularised exponential loss.
//
// Friedman, Greedy function approximation, Annals of Statistics 29 (2001);
// Rosset, Zhu and Hastie, Boosting as a regularized path, JMLR 5 (2004).
type Epsilon struct {
	// Step is the coefficient. 0 means 0.1.
	Step float64
}

// Name returns "epsilon".
func (*Epsilon) Name() string { return "epsilon" }

// Init implements [Booster].
func (b *Epsilon) Init(st *State) error {
	if !(b.Step >= 0) || math.IsInf(b.Step, 0) {
		return fmt.Errorf("%w: Step %v, want a finite number, 0 or more", ErrSettings, b.Step)
	}
	st.Model.Link = DoubleLogisticLink
	return nil
}

// Round implements [Booster].
func (b *Epsilon) Round(ctx context.Context, st *State) (Status, error) {
	step := b.Step
	if step == 0 {
		step = 0.1
	}
	terms := len(st.Model.Terms)
	// A step must not go beyond the minimum along the weak learner.
	status, err := st.signStep(ctx, b.Name(), func(edge float64) float64 {
		return math.Copysign(min(step, math.Abs(coefficient(edge))), edge)
	})
	if err == nil && len(st.Model.Terms) > terms {
		st.Z = st.shift(st.Model.Terms[terms].Coef)
		st.reweigh()
	}
	return status, err
}

// Decay is AdaBoost with weight decay: a row that has had large weights for
// long is trusted less. Weights are
//
//	exp(-y s - C A z),  z = (sum_t a_t d_t / A)^2,  A = sum_t |a_t|,
//
// where d_t is the row's weight in round t over its weight at the start.
//
// Rätsch, Onoda and Müller, Soft margins for AdaBoost, Machine Learning 42
// (2001), with the power 2.
type Decay struct {
	// C is the strength of the decay. 0 means 0.01.
	C float64
}

// Name returns "decay".
func (*Decay) Name() string { return "decay" }

// Init implements [Booster].
func (b *Decay) Init(st *State) error {
	if !(b.C >= 0) || math.IsInf(b.C, 0) {
		return fmt.Errorf("%w: C %v, want a finite number, 0 or more", ErrSettings, b.C)
	}
	st.Memory = make([]float64, len(st.Labels)+1) // sum a d of each row, and A
	return nil
}

// Round implements [Booster].
func (b *Decay) Round(ctx context.Context, st *State) (Status, error) {
	c := b.C
	if c == 0 {
		c = 0.01
	}
	terms := len(st.Model.Terms)
	status, err := st.signStep(ctx, b.Name(), coefficient)
	if err != nil || len(st.Model.Terms) == terms {
		return status, err
	}
	a := math.Abs(st.Model.Terms[terms].Coef)
	influence, total := st.Memory[:len(st.Labels)], &st.Memory[len(st.Labels)]
	*total += a
	for i, w := range st.Weights {
		if st.Base[i] > 0 {
			influence[i] += float64(a * min(w/st.Base[i], 1e9))
		}
	}
	st.exponents(func(i int) float64 {
		z := influence[i] / *total
		return -float64(st.Labels[i]*st.Scores[i]) - float64(c**total*z*z)
	})
	return status, nil
}
