package boost

import (
	"math"
	"slices"
)

// Scores returns the scores of all rows of d. Data that [Model.Check] refuses
// is an error, as in the methods below.
func (m *Model) Scores(d *Data) ([]float64, error) {
	if p := m.Predictor(); p.trees() {
		return p.Scores(d, 0)
	}
	var last []float64
	err := m.Stages(d, func(_ int, scores []float64) bool {
		last = scores
		return true
	})
	return last, err
}

// StagedErrors returns the weighted fraction of wrong rows of d after no terms,
// after the first term, and so on: len(m.Terms)+1 numbers.
func (m *Model) StagedErrors(d *Data) ([]float64, error) {
	if err := m.checkLabelled(d); err != nil {
		return nil, err
	}
	errs := make([]float64, 0, len(m.Terms)+1)
	err := m.Stages(d, func(_ int, scores []float64) bool {
		errs = append(errs, weightedError(scores, d.Labels, d.Weights))
		return true
	})
	return errs, err
}

// Error returns the weighted fraction of the rows of d that m gets wrong.
func (m *Model) Error(d *Data) (float64, error) {
	if err := m.checkLabelled(d); err != nil {
		return 0, err
	}
	scores, err := m.Scores(d)
	if err != nil {
		return 0, err
	}
	return weightedError(scores, d.Labels, d.Weights), nil
}

// Margins returns y s / sum |coef| for every row of d: between -1 and +1 if the
// weak learners' values are, and positive where the class is right. Margin
// bounds are about these.
func (m *Model) Margins(d *Data) ([]float64, error) {
	if err := m.checkLabelled(d); err != nil {
		return nil, err
	}
	total := math.Abs(m.Bias)
	for _, t := range m.Terms {
		total += math.Abs(t.Coef)
	}
	margins, err := m.Scores(d)
	if err != nil {
		return nil, err
	}
	for i, y := range d.Labels {
		margins[i] *= float64(y)
		if total > 0 {
			margins[i] /= total
		}
	}
	return margins, nil
}

// CumulativeMargins returns, for each threshold, the fraction of the margins
// that are at most as large: the margin distribution of the papers.
func CumulativeMargins(margins, thresholds []float64) []float64 {
	sorted := slices.Clone(margins)
	slices.Sort(sorted)
	out := make([]float64, len(thresholds))
	for k, t := range thresholds {
		n, _ := slices.BinarySearchFunc(sorted, t, func(m, t float64) int {
			if m <= t {
				return -1
			}
			return 1
		})
		if len(sorted) > 0 {
			out[k] = float64(n) / float64(len(sorted))
		}
	}
	return out
}
