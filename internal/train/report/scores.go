package report

import (
	"cmp"
	"context"
	"image"
	"math"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/engine"
	"haarlem/internal/par"
)

// maxScored is the default of Run.Most.
const maxScored = 20000

// A scored is a window and how far it passes.
type scored struct {
	number int     // in its set
	exits  int     // number that it passes
	margin float64 // at the exit that rejects it, or at the last

	trace []float32 // of some: the score at each exit, whether or not an earlier one rejects it
}

// maxTraces is about how many windows of a set have a trace, which may be long.
const maxTraces = 1000

// score runs the cascade on at most so many of the windows. Windows without contrast
// pass no exit.
func score(ctx context.Context, c *cascade.Cascade, windows []*image.Gray, largest, workers int, traces bool) ([]scored, error) {
	a, err := engine.NewOutputs(c)
	if err != nil {
		return nil, err
	}
	largest = cmp.Or(largest, maxScored)
	n := min(len(windows), largest)
	all := make([]scored, n)
	return all, par.Chunks(ctx, n, 64, workers, func(lo, hi int) {
		outputs := make([]float32, 0, len(c.Weak))
		for i := lo; i < hi; i++ {
			s := &all[i]
			s.number = i * len(windows) / n
			var ok bool
			if outputs, ok = a.Append(outputs[:0], windows[s.number], 0); ok {
				s.run(c, outputs, traces && i%(1+n/maxTraces) == 0)
			} else {
				s.margin = math.Inf(-1)
			}
		}
	})
}

// run follows the outputs of all weak classifiers through the exits.
func (s *scored) run(c *cascade.Cascade, outputs []float32, traces bool) {
	if traces {
		s.trace = make([]float32, 0, len(c.Exits))
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
				return
			}
		}
		if e.Restart {
			sum = 0
		}
	}
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
	const largest = 200
	n := len(sorted)
	first, _ := slices.BinarySearch(sorted, -math.MaxFloat64)
	if first == n {
		return nil
	}
	var line []point
	for k := range min(largest, n-first) {
		i := first + k*(n-1-first)/max(1, min(largest, n-first)-1)
		line = append(line, point{sorted[i], float64(i+1) / float64(n)})
	}
	return line
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
