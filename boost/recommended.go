package boost

import "math"

// Recommended returns what suits most tables of the size of d, for classes and
// regression: [Newton] steps on trees, with more leaves and larger steps for more
// rows, and samples of rows where there are few and of columns where there are many.
// The more classes, the less weight a leaf needs, so that probabilities can come near 1.
// The settings have Patience, so that [Fit] finds the number of rounds on rows held
// out, by the loss that is trained, and then fits all rows. For several classes take
// [Softmax] of the same Newton, and [FitMulti].
//
// The zero values elsewhere are the papers'; on a small or noisy table they overfit,
// and their probabilities are overconfident.
func Recommended(d *Data) (*Newton, *Trees, *Settings) {
	n := float64(max(1, d.Rows()))
	b, l := &Newton{}, &Trees{Leaves: int(min(64, max(4, math.Sqrt(n)/4)))}
	s := &Settings{Rounds: 300, Patience: 20, Shrinkage: min(0.2, max(0.05, 0.02*exp(0.22*log(n)))), ColumnShare: 1}
	if columns := float64(len(d.Columns)); columns > 0 {
		share := 0.5 + 3/columns
		if len(d.Classes) > 2 { // each class draws its own
			share *= 0.6
		}
		s.ColumnShare = min(1, share)
	}
	if d.Labels != nil || d.Classes != nil {
		k := float64(len(d.Classes))
		b.MinWeight = 0.3 * min(1, 36/(k*k)) // the curvatures of one of k classes begin with a sum of n/k²
	}
	if n < 2_000 && len(d.Classes) <= 2 {
		s.RowShare = 0.5
	}
	if n < 20_000 {
		l.Bins = 64
	}
	if n >= 10_000 {
		s.Rounds = 200
	}
	if n > keptRows && len(d.Classes) <= 2 && d.Upper == nil && (d.Groups == nil || d.Targets == nil) { // a round costs half, since trees are kept
		s.Shrinkage, s.Rounds, s.Patience = 0.15, 270, 25
	}
	if n < 10 {
		s.Patience = 0 // too few to hold any out
	}
	return b, l, s
}
