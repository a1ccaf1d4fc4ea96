package boost

import "math"

// Scores returns the scores of all rows of d. Data that [Model.Check] refuses
// is an error, as in the methods below.
func (m *Model) Scores(d *Data) ([]float64, error) {
	if p := m.Predictor(); p.trees() {
		return p.Scores(d, 0)
	}
	if err := m.Check(d); err != nil {
		return nil, err
	}
	scores := make([]float64, d.Rows())
	m.follow(d, scores, 0, true)
	return scores, nil
}

// Error returns the weighted fraction of the rows of d that m gets wrong, by
// Threshold.
func (m *Model) Error(d *Data) (float64, error) {
	p, err := m.Predict(d)
	if err != nil {
		return 0, err
	}
	for i, s := range p.Scores {
		p.Scores[i] = m.beyond(s)
	}
	return ErrorRate.Value(p), nil
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

// follow adds the terms from number on to the scores of all rows of d, or computes
// these again.
func (m *Model) follow(d *Data, scores []float64, number int, again bool) {
	if again {
		number = 0
		for i := range scores {
			scores[i] = m.Bias
		}
	}
	out := make([]float64, len(scores))
	for _, t := range m.Terms[number:] {
		outputs(t.Weak, d, out)
		for i, h := range out {
			scores[i] = m.add(scores[i], t.Coef, h)
		}
	}
}
