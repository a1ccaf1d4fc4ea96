package boost

// Predict returns the scores and means of all rows of d with its labels or
// targets, which may be missing.
func (m *Model) Predict(d *Data) (*Predictions, error) {
	if err := m.checkLabelled(d); err != nil {
		return nil, err
	}
	scores, err := m.Scores(d)
	if err != nil {
		return nil, err
	}
	return m.predictions(d, scores), nil
}

func (m *Model) predictions(d *Data, scores []float64) *Predictions {
	p := &Predictions{Scores: scores, Means: m.Means(scores), Upper: d.Upper, Weights: d.Weights, Groups: d.Groups}
	if d.Labels == nil && d.Targets == nil {
		return p
	}
	p.Targets = make([]float64, len(scores))
	for i := range scores {
		p.Targets[i] = d.target(i)
	}
	return p
}
