package boost

// ExponentialLoss is AdaBoost's loss, exp(-y f). It is no Legendre conjugate of a
// permissible function, but its link is twice that of the logistic loss.
var ExponentialLoss MarginLoss = exponentialLoss{}

type exponentialLoss struct{}

func (exponentialLoss) Name() string                      { return "exponential" }
func (exponentialLoss) MarginValue(m float64) float64     { return exp(-m) }
func (exponentialLoss) Weight(m float64) float64          { return exp(-m) }
func (exponentialLoss) MarginCurvature(m float64) float64 { return exp(-m) }
func (exponentialLoss) Value(y, f float64) float64        { return exp(-float64(y * f)) }
func (exponentialLoss) Gradient(y, f float64) float64     { return -float64(y * exp(-float64(y*f))) }
func (exponentialLoss) Curvature(y, f float64) float64    { return exp(-float64(y * f)) }
func (exponentialLoss) Inverse(f float64) float64         { return DoubleLogisticLink.probability(f) }
func (exponentialLoss) Link(p float64) float64            { return log(p/(1-p)) / 2 }
func (exponentialLoss) link() Link                        { return DoubleLogisticLink }
func (exponentialLoss) allows(y float64) bool             { return isClass(y) }
func (exponentialLoss) wants() string                     { return wantClasses }
