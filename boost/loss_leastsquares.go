package boost

// LeastSquaresLoss is (y - f)^2/2, for regressions: its score is the mean.
type LeastSquaresLoss struct{}

// Name returns "leastsquares".
func (LeastSquaresLoss) Name() string { return "leastsquares" }

// Value implements [Loss].
func (LeastSquaresLoss) Value(y, f float64) float64 { return (y - f) * (y - f) / 2 }

// Gradient implements [Loss].
func (LeastSquaresLoss) Gradient(y, f float64) float64 { return f - y }

// Curvature implements [Loss].
func (LeastSquaresLoss) Curvature(y, f float64) float64 { return 1 }

// Inverse returns f.
func (LeastSquaresLoss) Inverse(f float64) float64 { return f }

// Link returns the mean.
func (LeastSquaresLoss) Link(mean float64) float64 { return mean }

func (LeastSquaresLoss) link() Link { return IdentityLink }
