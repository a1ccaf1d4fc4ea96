package boost

// QuantileLoss is the pinball loss, whose best score is a quantile of the
// target; for the median it is half the absolute error.
type QuantileLoss struct {
	// Share is the fraction of the targets below the score, between 0 and 1. 0
	// means 0.5, the median.
	Share float64
}

func (l QuantileLoss) share() float64 {
	if l.Share == 0 {
		return 0.5
	}
	return l.Share
}

// Name returns "quantile".
func (QuantileLoss) Name() string { return "quantile" }

// Value implements [Loss].
func (l QuantileLoss) Value(y, f float64) float64 {
	if y > f {
		return float64(l.share() * (y - f))
	}
	return float64((1 - l.share()) * (f - y))
}

// Gradient implements [Loss].
func (l QuantileLoss) Gradient(y, f float64) float64 {
	if y > f {
		return -l.share()
	}
	return 1 - l.share()
}

// Curvature returns 1; see [Loss].
func (QuantileLoss) Curvature(y, f float64) float64 { return 1 }

// Inverse returns f, which is no mean but the quantile.
func (QuantileLoss) Inverse(f float64) float64 { return f }

// Link returns the quantile.
func (QuantileLoss) Link(quantile float64) float64 { return quantile }

func (QuantileLoss) straight()  {}
func (QuantileLoss) link() Link { return IdentityLink }
