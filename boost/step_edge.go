package boost

import "math"

// edge returns sum w y h / (sum w  max |h|) of the outputs of a weak learner:
// between -1 and +1, and 0 for a weak learner that is no better than chance.
// scale is max |h|, taken over rows that have weight.
func (st *state) edge() (edge, scale float64) {
	for i, h := range st.Out {
		if st.Weights[i] > 0 {
			scale = max(scale, math.Abs(h))
		}
	}
	if scale == 0 {
		return 0, 0
	}
	sum, total := 0.0, 0.0
	for i, h := range st.Out {
		w := st.Weights[i]
		total += w
		sum += float64(w * st.Labels[i] * (h / scale))
	}
	return min(1, max(-1, sum/total)), scale
}

// shift returns sum w exp(-a y h) of the outputs: the Z of a step a.
func (st *state) shift(a float64) float64 {
	sum, total := 0.0, 0.0
	for i, h := range st.Out {
		if w := st.Weights[i]; w > 0 {
			sum += float64(w * exp(-float64(a*st.Labels[i])*h))
			total += w
		}
	}
	return sum / total
}

// coefficient returns ln((1+edge)/(1-edge))/2, the step that minimises the
// exponential loss for outputs -1 and +1. An edge of 1 is reduced slightly.
func coefficient(edge float64) float64 {
	edge = min(1-tiny, max(-1+tiny, edge))
	return log((1+edge)/(1-edge)) / 2
}
