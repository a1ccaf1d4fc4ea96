package boost

// ExponentialLoss is AdaBoost's loss, exp(-y f). It is no Legendre conjugate of a
// permissible function, but its link is twice that of the logistic loss.
type ExponentialLoss struct{}

// Name returns "exponential".
func (ExponentialLoss) Name() string { return "exponential" }

// MarginValue returns exp(-m).
func (ExponentialLoss) MarginValue(m float64) float64 { return exp(-m) }

// Weight returns exp(-m).
func (ExponentialLoss) Weight(m float64) float64 { return exp(-m) }

// MarginCurvature returns exp(-m).
func (ExponentialLoss) MarginCurvature(m float64) float64 { return exp(-m) }

// Value implements [Loss].
func (ExponentialLoss) Value(y, f float64) float64 { return exp(-float64(y * f)) }

// Gradient implements [Loss].
func (ExponentialLoss) Gradient(y, f float64) float64 { return -float64(y * exp(-float64(y*f))) }

// Curvature implements [Loss].
func (ExponentialLoss) Curvature(y, f float64) float64 { return exp(-float64(y * f)) }

// Inverse returns 1/(1+exp(-2f)).
func (ExponentialLoss) Inverse(f float64) float64 { return DoubleLogisticLink.Probability(f) }

// Link returns ln(p/(1-p))/2.
func (ExponentialLoss) Link(p float64) float64 { return log(p/(1-p)) / 2 }

func (ExponentialLoss) link() Link            { return DoubleLogisticLink }
func (ExponentialLoss) allows(y float64) bool { return isClass(y) }
func (ExponentialLoss) wants() string         { return wantClasses }
