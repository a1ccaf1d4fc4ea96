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
