package boost

import "math"

// Thresholds returns where a weak learner's value may change with column j, which
// has that many levels, 0 if it is numeric. It reports false for a weak learner that
// is not constant between thresholds.
func Thresholds(w Weak, j, levels int) ([]float64, bool) {
	var cuts []float64
	switch k := w.(type) {
	case *Tree:
		for _, n := range k.Nodes {
			switch {
			case n.Column != j:
			case n.In != nil && levels == 0: // of numbers that stand for categories
				cuts = append(cuts, levelCuts...)
			case n.In != nil:
				cuts = append(cuts, levelCuts[:max(1, min(maxBins, levels)-1)]...)
			case !math.IsInf(n.Threshold, 0):
				cuts = append(cuts, n.Threshold)
			}
		}
	case *Histogram:
		cuts = append(cuts, k.Cuts...)
	case *joint:
		for c, o := range k.Over {
			if o == j {
				cuts = append(cuts, k.Cuts[c]...)
			}
		}
	case *Scaled:
		return Thresholds(k.Of, j, levels)
	case *vote:
		for _, t := range k.Terms {
			c, ok := Thresholds(t.Weak, j, levels)
			if !ok {
				return nil, false
			}
			cuts = append(cuts, c...)
		}
	default:
		return nil, false
	}
	return cuts, true
}
