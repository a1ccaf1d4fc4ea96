package boost

// PoissonLoss is that of counts: exp(f) - y f, whose score is the logarithm of
// the mean.
type PoissonLoss struct{}

// Name returns "poisson".
func (PoissonLoss) Name() string { return "poisson" }

// Value implements [Loss].
func (PoissonLoss) Value(y, f float64) float64 { return exp(f) - float64(y*f) }

// Gradient implements [Loss].
func (PoissonLoss) Gradient(y, f float64) float64 { return exp(f) - y }

// Curvature implements [Loss].
func (PoissonLoss) Curvature(y, f float64) float64 { return exp(f) }

// Inverse returns exp(f).
func (PoissonLoss) Inverse(f float64) float64 { return exp(f) }

// Link returns the logarithm of the mean.
func (PoissonLoss) Link(mean float64) float64 { return log(mean) }

func (PoissonLoss) link() Link            { return LogLink }
func (PoissonLoss) allows(y float64) bool { return y >= 0 }
func (PoissonLoss) wants() string         { return "a count, 0 or more" }
