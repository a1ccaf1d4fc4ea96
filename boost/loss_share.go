package boost

import "fmt"

// phiOf returns the function whose negative is a loss's smallest mean in a block,
// by the block's share of class +1: for a permissible loss its phi.
func phiOf(l MarginLoss) func(share float64) float64 {
	switch k := l.(type) {
	case permissible:
		return k.Phi
	case *phiLoss:
		return k.Function
	}
	return func(p float64) float64 {
		if !(p > 0 && p < 1) {
			return 0 // the score that would do is infinite
		}
		f := l.Link(p)
		return -float64(p*l.MarginValue(f)) - float64((1-p)*l.MarginValue(-f))
	}
}

// checkShared refuses a loss whose smallest mean is no function of shares.
func checkShared(l MarginLoss) error {
	if l == nil {
		return nil
	}
	if f := l.Link(0.25); f != f {
		return fmt.Errorf("%w: the loss %s has no link, so that it cannot grow trees", ErrSettings, l.Name())
	}
	return nil
}

// shareLoss returns the loss of a block of sums s0 and s1 whose leaf minimises it, for
// phi, a permissible function of the fraction of class +1.
func shareLoss(phi func(float64) float64) func(s0, s1 float64) float64 {
	return func(s0, s1 float64) float64 {
		if !(s0 > 0) {
			return 0
		}
		return -float64(s0 * phi(min(1, max(0, (1+s1/s0)/2))))
	}
}
