package boost

// PoissonLoss is that of counts: exp(f) - y f, whose score is the logarithm of
// the mean.
var PoissonLoss Loss = poissonLoss{}

type poissonLoss struct{}

func (poissonLoss) Name() string                   { return "poisson" }
func (poissonLoss) Value(y, f float64) float64     { return exp(f) - float64(y*f) }
func (poissonLoss) Gradient(y, f float64) float64  { return exp(f) - y }
func (poissonLoss) Curvature(y, f float64) float64 { return exp(f) }
func (poissonLoss) Inverse(f float64) float64      { return exp(f) }
func (poissonLoss) Link(mean float64) float64      { return log(mean) }
func (poissonLoss) link() Link                     { return LogLink }
func (poissonLoss) allows(y float64) bool          { return y >= 0 }
func (poissonLoss) wants() string                  { return "a count, 0 or more" }
