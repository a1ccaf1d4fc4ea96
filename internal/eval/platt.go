package eval

import (
	"errors"
	"fmt"
	"math"
	"strconv"

	"haarlem/cascade"
	"haarlem/internal/numeric"
)

// ErrCalibration is wrapped by errors about scores that cannot be calibrated.
var ErrCalibration = errors.New("eval: no calibration")

// Fit turns scores into probabilities: it returns the logistic curve with the least
// mean squared error (Brier, Verification of Forecasts Expressed in Terms of Probability,
// 1950). The likelihood of Platt scaling depends most on verdicts that the curve is sure of,
// and detections of small faces, or of unlabelled ones, are thousands of these: the curve
// would be wrong in the middle, where a program decides. Of n right scores
// each counts as (n+1)/(n+2) right, and of n wrong ones each as 1/(n+2) right, as
// Platt has it (Probabilistic Outputs for Support Vector Machines, 1999, eq. 2):
// few scores that do not overlap promise less than many. It is rounded to six
// digits, so that it is the same on every processor.
//
// It is an error if there are not both right and wrong scores, or if lower
// scores are right more often than higher ones.
func Fit(scores []float64, right []bool) (cascade.Calibration, error) {
	var none cascade.Calibration
	if len(scores) != len(right) {
		panic(fmt.Sprintf("eval: %d scores and %d verdicts", len(scores), len(right)))
	}
	n, yes, mean := float64(len(scores)), 0.0, 0.0
	for i, s := range scores {
		if math.IsNaN(s) || math.IsInf(s, 0) {
			return none, fmt.Errorf("%w: score %v", ErrCalibration, s)
		}
		if right[i] {
			yes++
		}
		mean += s
	}
	no := n - yes
	if yes == 0 || no == 0 {
		return none, fmt.Errorf("%w: %.0f detections are right and %.0f wrong, want some of both: take more photographs, or a lower last threshold", ErrCalibration, yes, no)
	}
	// Scores of mean 0 and deviation 1, for well-conditioned Newton steps.
	mean /= n
	spread := 0.0
	for _, s := range scores {
		spread += float64((s - mean) * (s - mean))
	}
	spread = math.Sqrt(spread / n)
	if !(spread > 0) {
		return none, fmt.Errorf("%w: all %.0f scores are %v", ErrCalibration, n, mean)
	}
	x := make([]float64, len(scores))
	for i, s := range scores {
		x[i] = (s - mean) / spread
	}
	// First by likelihood, a convex problem; then from this curve and steeper ones, since
	// squared errors can have several local optima.
	target := make([]float64, len(right))
	for i := range right {
		target[i] = 1 / (no + 2)
		if right[i] {
			target[i] = (yes + 1) / (yes + 2)
		}
	}
	fit := func(of numeric.Penalty, a, b float64) numeric.Curve {
		return numeric.FitCurve(x, target, nil, of, 1e-4, numeric.Curve{A: a, B: b})
	}
	start := fit(numeric.Likelihood, 0, math.Log(yes/no))
	best := fit(numeric.Squared, start.A, start.B)
	for _, steep := range []float64{3, 10, 30} {
		// It crosses one half where the first one does.
		if v := fit(numeric.Squared, steep*start.A, steep*start.B); v.Loss < best.Loss-1e-6 {
			best = v
		}
	}
	a, b := best.A, best.B
	c := cascade.Calibration{Slope: sixDigits(a / spread), Offset: sixDigits(b - a*mean/spread)}
	if !(c.Slope > 0) {
		return none, fmt.Errorf("%w: higher scores are not right more often than lower ones (slope %g, from %.0f right and %.0f wrong): take more photographs", ErrCalibration, c.Slope, yes, no)
	}
	return c, nil
}

func logistic(z float64) float64 { return 1 / (1 + math.Exp(-z)) }

func sixDigits(v float64) float64 {
	v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 6, 64), 64)
	return v
}

// A Bin of a reliability diagram: the detections with about the same predicted
// probability.
type Bin struct {
	From, To   float64 // probability; To is excluded except for 1
	Detections int
	Right      int
	Predicted  float64 `json:"Said"` // mean of the probabilities; 0 without a detection

	// The fraction that was right, and its 95 per cent Wilson interval.
	// 0, 0 and 1 without a detection.
	Share, Low, High float64
}

// Reliability returns the reliability diagram of predicted probabilities: of the
// detections with 0.7, seven in ten should be right. edges are the inner bounds of
// the bins, ascending; nil means 0.1, 0.2, to 0.9.
func Reliability(probabilities []float64, right []bool, edges []float64) []Bin {
	if len(probabilities) != len(right) {
		panic(fmt.Sprintf("eval: %d probabilities and %d verdicts", len(probabilities), len(right)))
	}
	if edges == nil {
		edges = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9}
	}
	bins := make([]Bin, len(edges)+1)
	for i := range bins {
		if i > 0 {
			bins[i].From = edges[i-1]
		}
		bins[i].To = 1
		if i < len(edges) {
			bins[i].To = edges[i]
		}
	}
	for i, p := range probabilities {
		k := 0
		for k < len(edges) && p >= edges[k] {
			k++
		}
		bins[k].Detections++
		bins[k].Predicted += p
		if right[i] {
			bins[k].Right++
		}
	}
	for i := range bins {
		b := &bins[i]
		b.High = 1
		if b.Detections == 0 {
			continue
		}
		n := float64(b.Detections)
		b.Predicted /= n
		b.Share = float64(b.Right) / n
		b.Low, b.High = wilson(b.Right, b.Detections)
	}
	return bins
}

// wilson returns the 95 per cent score interval of Wilson for the share of those that are
// right, of n.
func wilson(right, n int) (low, high float64) {
	const z = 1.96
	of := float64(n)
	share := float64(right) / of
	middle := (share + z*z/(2*of)) / (1 + z*z/of)
	half := float64(z / (1 + z*z/of) * math.Sqrt(float64(share*(1-share))/of+z*z/(4*of*of)))
	// The share lies inside, despite rounding at 0 and 1.
	return max(min(middle-half, share), 0), min(max(middle+half, share), 1)
}
