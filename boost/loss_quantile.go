package boost

import "cmp"

// QuantileLoss is the pinball loss, whose best score is the quantile of the target
// with this share of the targets below it, between 0 and 1. For the median, 0.5,
// which 0 means too, it is half the absolute error.
func QuantileLoss(share float64) Loss { return quantileLoss{share: cmp.Or(share, 0.5)} }

type quantileLoss struct {
	leastSquaresLoss
	share float64
}

func (quantileLoss) Name() string { return "quantile" }

func (l quantileLoss) Value(y, f float64) float64 {
	if y > f {
		return float64(l.share * (y - f))
	}
	return float64((1 - l.share) * (f - y))
}

func (l quantileLoss) Gradient(y, f float64) float64 {
	if y > f {
		return -l.share
	}
	return 1 - l.share
}

func (quantileLoss) straight() {}
