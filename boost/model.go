package boost

import (
	"fmt"
	"haarlem/internal/quote"
	"math"
	"slices"
)

// A Term is a weak learner with its coefficient.
type Term struct {
	Coef float64
	Weak Weak
}

// A Model is the result of boosting: a weighted sum of weak learners is the
// score, and its sign the class.
type Model struct {
	Schema         // of the data that it was fitted on
	Booster string // name of the booster
	Columns int    // number of columns that a row must have
	Bias    float64
	Terms   []Term
	Link    Link

	// Damping is zero except for models of [WeightBoost]: a term is multiplied
	// by exp(-Damping*|s|), where s is the score of the terms before it.
	Damping float64

	// LinkScale divides scores before Link. 0 means 1.
	LinkScale float64

	// Calibration, if not nil, replaces Link.
	Calibration *Calibration

	// Threshold is the probability from which a row is of class +1. 0 means that of
	// a score of 0.
	Threshold float64

	// Inverse, if not nil, replaces Link, which is [NoLink]: an inverse link
	// without a form in files, where it becomes a table of probabilities. A model with
	// another one cannot be saved.
	Inverse func(score float64) float64
}

// add returns the score after a term, given the score before it and the value
// of its weak learner.
func (m *Model) add(score, coef, value float64) float64 {
	return damped(m.Damping, score, coef, value)
}

// Score returns the score of row x. It panics unless x has Columns values;
// [Model.Scores] checks a table.
func (m *Model) Score(x []float64) float64 {
	if len(x) != m.Columns {
		panic(fmt.Sprintf("boost: a row of %d values for a model of %d columns", len(x), m.Columns))
	}
	s := m.Bias
	for i := range m.Terms {
		s = m.add(s, m.Terms[i].Coef, m.Terms[i].Weak.Value(x))
	}
	return s
}

// Class returns the class of row x, -1 or +1, by Threshold. It panics as Score does.
func (m *Model) Class(x []float64) int8 { return classOf(m.beyond(m.Score(x))) }

// beyond returns how far a score is in class +1: a score of zero is, and the
// probability that is the threshold.
func (m *Model) beyond(score float64) float64 {
	if m.Threshold == 0 {
		return score
	}
	return m.probability(score) - m.Threshold
}

// Probability returns the probability that row x is of class +1, or NaN if the
// booster's loss defines none. It panics as Score does.
func (m *Model) Probability(x []float64) float64 { return m.probability(m.Score(x)) }

// Mean returns the mean of the target for row x: the prediction of a
// regression, or the probability of class +1. It panics as Score does.
func (m *Model) Mean(x []float64) float64 { return m.mean(m.Score(x)) }

func (m *Model) probability(score float64) float64 {
	if m.Calibration == nil && (m.Link == IdentityLink || m.Link == LogLink) {
		return math.NaN()
	}
	return m.mean(score)
}

// mean returns the mean for a score.
func (m *Model) mean(score float64) float64 {
	if m.Calibration != nil {
		return m.Calibration.probability(score)
	}
	if m.Inverse != nil {
		return m.Inverse(score)
	}
	if m.LinkScale != 0 {
		score /= m.LinkScale
	}
	return m.Link.mean(score)
}

// Truncate returns a model with the first n terms of m. They share the weak learners.
func (m *Model) Truncate(n int) *Model {
	c := *m
	c.Terms = slices.Clone(m.Terms[:n])
	return &c
}

// Check reports how d differs from the data that the model was fitted on, or
// nil: columns that are missing, extra or in another order, another kind of
// column, levels that are unknown or have another number. An error wraps
// [ErrSchema]. Names that the model or d lacks are not compared.
func (m *Model) Check(d *Data) error {
	if err := d.Schema.check(len(d.Columns)); err != nil {
		return err
	}
	if err := m.Schema.differs(m.Columns, &d.Schema, len(d.Columns)); err != nil {
		return err
	}
	return d.checkColumns(&m.Schema, false)
}

// checkLabelled is Check for comparing scores with labels.
func (m *Model) checkLabelled(d *Data) error {
	if m.Classes != nil && d.Classes != nil && !slices.Equal(m.Classes, d.Classes) {
		return fmt.Errorf("%w: the classes -1 and +1 are %s, want %s", ErrSchema, quote.Some(d.Classes), quote.Some(m.Classes))
	}
	return m.Check(d)
}

// Means returns the means for scores: probabilities of class +1, or numbers;
// NaN without a link.
func (m *Model) Means(scores []float64) []float64 {
	means := make([]float64, len(scores))
	for i, s := range scores {
		means[i] = m.mean(s)
	}
	return means
}
