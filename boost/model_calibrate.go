package boost

import "fmt"

// Calibrated returns a copy of the model with a calibration learned from d,
// which the model should not have been fitted on: [Platt] or [Isotonic].
func (m *Model) Calibrated(d *Data, fit func(*Predictions) (*Calibration, error)) (*Model, error) {
	p, err := m.Predict(d)
	if err != nil {
		return nil, err
	}
	if p.Targets == nil {
		return nil, fmt.Errorf("%w: no Labels to calibrate on", ErrData)
	}
	c := *m
	if c.Calibration, err = fit(p); err != nil {
		return nil, err
	}
	return &c, nil
}
