package boost

// GammaLoss is that of positive numbers whose deviation grows with their mean:
// y exp(-f) + f, whose score is the logarithm of the mean.
var GammaLoss Loss = gammaLoss{}

type gammaLoss struct{ poissonLoss }

func (gammaLoss) Name() string                   { return "gamma" }
func (gammaLoss) Value(y, f float64) float64     { return float64(y*exp(-f)) + f }
func (gammaLoss) Gradient(y, f float64) float64  { return 1 - float64(y*exp(-f)) }
func (gammaLoss) Curvature(y, f float64) float64 { return y * exp(-f) }
func (gammaLoss) allows(y float64) bool          { return y > 0 }
func (gammaLoss) wants() string                  { return "a number above 0" }

// TweedieLoss is that of sums of a Poisson number of gamma-distributed amounts,
// such as claims, many of which are 0. Its variance is a power of the mean, more
// than 1 and less than 2; any other means 1.5. Its score is the logarithm of the
// mean.
func TweedieLoss(power float64) Loss {
	if !(power > 1 && power < 2) {
		power = 1.5
	}
	return tweedieLoss{power: power}
}

type tweedieLoss struct {
	poissonLoss
	power float64
}

func (tweedieLoss) Name() string { return "tweedie" }

// parts returns y exp((1-power) f) and exp((2-power) f).
func (l tweedieLoss) parts(y, f float64) (float64, float64) {
	return float64(y * exp(float64((1-l.power)*f))), exp(float64((2 - l.power) * f))
}

func (l tweedieLoss) Value(y, f float64) float64 {
	a, b := l.parts(y, f)
	return a/(l.power-1) + b/(2-l.power)
}

func (l tweedieLoss) Gradient(y, f float64) float64 {
	a, b := l.parts(y, f)
	return b - a
}

func (l tweedieLoss) Curvature(y, f float64) float64 {
	a, b := l.parts(y, f)
	return float64((l.power-1)*a) + float64((2-l.power)*b)
}

func (tweedieLoss) wants() string { return "a number, 0 or more" }
