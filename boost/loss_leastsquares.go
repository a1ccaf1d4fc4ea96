package boost

// LeastSquaresLoss is (y - f)^2/2, for regressions: its score is the mean.
var LeastSquaresLoss Loss = leastSquaresLoss{}

type leastSquaresLoss struct{}

func (leastSquaresLoss) Name() string                   { return "leastsquares" }
func (leastSquaresLoss) Value(y, f float64) float64     { return (y - f) * (y - f) / 2 }
func (leastSquaresLoss) Gradient(y, f float64) float64  { return f - y }
func (leastSquaresLoss) Curvature(y, f float64) float64 { return 1 }
func (leastSquaresLoss) Inverse(f float64) float64      { return f }
func (leastSquaresLoss) Link(mean float64) float64      { return mean }
func (leastSquaresLoss) link() Link                     { return IdentityLink }
