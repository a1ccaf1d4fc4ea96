package boost

import "math"

// Thresholds returns where a weak learner's value may change with column j, which
// has that many levels, 0 if it is numeric. It reports false for a weak learner that
// is not constant between thresholds.
func Thresholds(w Weak, j, levels int) ([]float64, bool) {
	var cuts []float64
	nodes := func(nodes []Node) {
		for _, n := range nodes {
			if n.Column != j {
				continue
			}
			if n.In != nil {
				for c := 1; c < max(2, min(256, levels)); c++ {
					cuts = append(cuts, float64(c)-0.5)
				}
			} else if !math.IsInf(n.Threshold, 0) {
				cuts = append(cuts, n.Threshold)
			}
		}
	}
	switch k := w.(type) {
	case *Tree:
		nodes(k.Nodes)
	case *linearTree:
		nodes(k.Nodes)
	case *Histogram:
		cuts = append(cuts, k.Cuts...)
	case *joint:
		for c, o := range k.Over {
			if o == j {
				cuts = append(cuts, k.Cuts[c]...)
			}
		}
	case *monomial:
		for _, l := range k.Literals {
			if l.Column == j && !math.IsInf(l.Threshold, 0) {
				cuts = append(cuts, l.Threshold)
			}
		}
	case *Subset:
		for c := 1; c < 256; c++ {
			cuts = append(cuts, float64(c)-0.5)
		}
	case *Scaled:
		return Thresholds(k.Of, j, levels)
	case *majority3:
		for _, o := range k.Of {
			c, ok := Thresholds(o, j, levels)
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
