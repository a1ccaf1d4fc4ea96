package boost

import "math"

// edge returns sum w y h / (sum w  max |h|) of the outputs of a weak learner:
// between -1 and +1, and 0 for a weak learner that is no better than chance.
// scale is max |h|, taken over rows that have weight.
func (st *State) edge() (edge, scale float64) {
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

// reweigh sets the weights to Base exp(-y score), normalised: the weights of
// every booster that descends on the exponential loss. It returns the mean
// loss, sum Base exp(-y score).
func (st *State) reweigh() float64 {
	steepest := math.Inf(-1)
	for i, s := range st.Scores {
		if st.Base[i] > 0 {
			steepest = max(steepest, -st.Labels[i]*s)
		}
	}
	sum := 0.0
	for i, s := range st.Scores {
		w := float64(st.Base[i] * exp(-st.Labels[i]*s-steepest))
		st.Weights[i] = w
		sum += w
	}
	if sum < 1e-250 {
		// The rows that matter have a weight so small that the others' scores
		// hide it: do it again in logarithms.
		steepest = math.Inf(-1)
		for i, s := range st.Scores {
			if st.Base[i] > 0 {
				steepest = max(steepest, log(st.Base[i])-float64(st.Labels[i]*s))
			}
		}
		for i, s := range st.Scores {
			st.Weights[i] = exp(log(st.Base[i]) - float64(st.Labels[i]*s) - steepest)
		}
		sum = 0
		for _, w := range st.Weights {
			sum += w
		}
	}
	normalise(st.Weights)
	return exp(log(sum) + steepest)
}

// shift returns sum w exp(-a y h) of the outputs: the Z of a step a.
func (st *State) shift(a float64) float64 {
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
// exponential loss for outputs -1 and +1. An edge of 1 counts as a little less.
func coefficient(edge float64) float64 {
	edge = min(1-tiny, max(-1+tiny, edge))
	return log((1+edge)/(1-edge)) / 2
}
