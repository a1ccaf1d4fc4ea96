package boost

import (
	"context"
	"fmt"
)

// powerPhi is the permissible function -(w(1-w))^power, for a power above 0 and at
// most 1: with 1 it is [SquaredLoss], with weights within [0, 1], and with 1/2
// [MatsushitaLoss]. The smaller the power, the slower probabilities approach 0
// and 1 as scores grow.
func powerPhi(power float64) *Phi {
	return &Phi{
		Word: fmt.Sprintf("power-%v", power),
		Function: func(w float64) float64 {
			return -exp(power * log(max(0, float64(w*(1-w)))))
		},
		Slope: func(w float64) float64 {
			v := float64(w * (1 - w))
			return power * (2*w - 1) * exp((power-1)*log(v))
		},
		Bend: func(w float64) float64 {
			v := float64(w * (1 - w))
			d := 2*w - 1
			return power * exp((power-2)*log(v)) * (2*v + float64((1-power)*d*d))
		},
	}
}

// LearnPhi learns a loss from data: of [powerPhi] with each of the given powers
// it returns the one that has the best cross-validated metric, with the values
// of all. booster makes a booster for a loss, such as
//
//	func(l boost.MarginLoss) boost.Booster { return &boost.ULS{Loss: l} }
//
// The metric must compare losses: [LogLoss], [Brier] or [ErrorRate].
//
// Nock and Nielsen, On the efficient minimization of classification calibrated
// surrogates, NIPS 2008, tune a loss to the data so.
func LearnPhi(ctx context.Context, d *Data, powers []float64, booster func(MarginLoss) Booster, l Learner, s *Settings, c *CrossValidation, m Metric) (MarginLoss, []float64, error) {
	if len(powers) == 0 {
		return nil, nil, fmt.Errorf("%w: no powers", ErrSettings)
	}
	var best MarginLoss
	bestValue := 0.0
	values := make([]float64, len(powers))
	for k, power := range powers {
		if !(power > 0 && power <= 1) {
			return nil, nil, fmt.Errorf("%w: power %v, want more than 0 and at most 1", ErrSettings, power)
		}
		loss, err := powerPhi(power).Loss()
		if err != nil {
			return nil, nil, err
		}
		cv, err := CrossValidate(ctx, d, booster(loss), l, s, c)
		if err != nil {
			return nil, nil, err
		}
		values[k] = m.Value(cv.Predictions)
		if best == nil || m.better(values[k], bestValue) {
			best, bestValue = loss, values[k]
		}
	}
	return best, values, nil
}
