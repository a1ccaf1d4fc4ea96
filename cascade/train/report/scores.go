package report

import (
	"cmp"
	"image"
	"math"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/engine"
)

// mostScored bounds the windows of a set that are scored; a larger set is sampled
// evenly.
const mostScored = 20000

// A scored is a window and how far it passes.
type scored struct {
	window *image.Gray
	exits  int     // number that it passes
	margin float64 // at the exit that rejects it, or at the last

	trace []float32 // the score at each exit, whether or not an earlier one rejects it
}

// score runs the cascade on windows. Windows without contrast pass no exit.
func score(c *cascade.Cascade, windows []*image.Gray, traces bool) ([]scored, error) {
	a, err := engine.NewOutputs(c)
	if err != nil {
		return nil, err
	}
	n := min(len(windows), mostScored)
	all := make([]scored, n)
	var outputs []float32
	for i := range all {
		s := &all[i]
		s.window = windows[i*len(windows)/n]
		var ok bool
		if outputs, ok = a.Append(outputs[:0], s.window, 0); !ok {
			s.margin = math.Inf(-1)
			continue
		}
		sum, from, out := 0.0, 0, false
		for _, e := range c.Exits {
			for _, a := range outputs[from:e.After] {
				sum += float64(a)
			}
			from = e.After
			if traces {
				s.trace = append(s.trace, float32(sum))
			}
			if !out {
				s.margin = sum - float64(e.Threshold)
				if out = s.margin < 0; !out {
					s.exits++
				} else if !traces {
					break
				}
			}
			if e.Restart {
				sum = 0
			}
		}
	}
	return all, nil
}

// byReach orders windows from those rejected first to those that pass furthest.
func byReach(a, b scored) int {
	return cmp.Or(cmp.Compare(a.exits, b.exits), cmp.Compare(a.margin, b.margin))
}

// final returns the margins at the last exit: minus infinity for windows that an
// earlier one rejects.
func final(c *cascade.Cascade, all []scored) []float64 {
	margins := make([]float64, len(all))
	for i, s := range all {
		margins[i] = math.Inf(-1)
		if s.exits >= len(c.Exits)-1 {
			margins[i] = s.margin
		}
	}
	slices.Sort(margins)
	return margins
}

// atLeast returns the fraction of sorted margins that are x or more.
func atLeast(sorted []float64, x float64) float64 {
	i, _ := slices.BinarySearch(sorted, x)
	return float64(len(sorted)-i) / float64(len(sorted))
}

// cumulative returns the fraction of sorted margins that are at most x, as a
// line from the first finite one, thinned if it has many points.
func cumulative(sorted []float64) []point {
	const most = 200
	n := len(sorted)
	first, _ := slices.BinarySearch(sorted, -math.MaxFloat64)
	if first == n {
		return nil
	}
	var line []point
	for k := range min(most, n-first) {
		i := first + k*(n-1-first)/max(1, min(most, n-first)-1)
		line = append(line, point{sorted[i], float64(i+1) / float64(n)})
	}
	return line
}

// curve returns the hit rate against the false positive rate for all values of
// the last threshold, with few false positives first. hits and negatives are
// sorted margins at the last exit; base is the false positive rate of all begin
// negatives of the step.
func curve(hits, negatives []float64, base float64, begin int) []point {
	const most = 300
	var line []point
	first, _ := slices.BinarySearch(negatives, -math.MaxFloat64)
	n := len(negatives) - first
	for k := range min(most, n) {
		// More points at few false positives, since the axis is logarithmic.
		i := k
		if n > most {
			i = int(float64(k) * float64(k) / float64((most-1)*(most-1)) * float64(n-1))
		}
		at := negatives[len(negatives)-1-i]
		line = append(line, point{base * float64(i+1) / float64(begin), atLeast(hits, at)})
	}
	return slices.CompactFunc(line, func(a, b point) bool { return a == b })
}

// quantiles returns the q quantile of the scores at each exit.
func quantiles(all []scored, exits int, q float64) []float64 {
	var line []float64
	column := make([]float32, 0, len(all))
	for e := range exits {
		column = column[:0]
		for _, s := range all {
			if s.trace != nil {
				column = append(column, s.trace[e])
			}
		}
		if len(column) == 0 {
			return nil
		}
		slices.Sort(column)
		line = append(line, float64(column[int(q*float64(len(column)-1))]))
	}
	return line
}
