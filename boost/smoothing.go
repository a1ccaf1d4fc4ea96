package boost

import "fmt"

// Smoothing: weights are added to those of both classes of a block before the
// logarithm of their ratio is taken, so that pure blocks have finite outputs.
// Schapire and Singer, Improved boosting algorithms using confidence-rated
// predictions, Machine Learning 37 (1999), section 4.2.

// defaultSmooth bounds outputs by 4.6. It is a fraction of the weight and not
// of a row, so that a row of weight two equals two rows.
const defaultSmooth = 1e-4

func checkSmooth(s float64) error {
	if !(s >= 0 && s <= 1) {
		return fmt.Errorf("%w: Smooth %v, want 0 to 1", ErrSettings, s)
	}
	return nil
}
