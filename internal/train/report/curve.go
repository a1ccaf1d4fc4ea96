package report

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// maxPoints bounds a curve.
const maxPoints = 64

// objectsPerWindow is how rare objects are for the average precision.
const objectsPerWindow = 1e-6

// Measure returns the curve after the last step; nil if there is nothing to measure,
// since there is no cascade or nothing that reaches its last threshold.
//
// How often negatives occur is estimated from how many of the windows that mining
// searched passed the cascade before the step.
func (r *Run) Measure(ctx context.Context) (*Curve, error) {
	if r.Cascade == nil || len(r.Steps) == 0 {
		return nil, nil
	}
	s, err := r.scored(ctx)
	if err != nil {
		return nil, err
	}
	c := &Curve{Step: len(r.Steps), Validation: len(s.validation) > 0, HeldOut: len(s.heldOut) > 0}
	hits := s.positives
	if c.Validation {
		hits = s.validation
	}
	alarms, base := r.alarms(s)
	if len(hits) == 0 || base == 0 {
		return nil, nil
	}
	c.Points, c.AveragePrecision = curve(final(r.Cascade, hits), alarms, base)
	if len(c.Points) == 0 {
		return nil, nil
	}
	return c, nil
}

// alarms returns the sorted margins of the negatives to measure with, and the fraction
// of all background windows that each stands for; 0 if there are none.
func (r *Run) alarms(s *sets) (margins []float64, each float64) {
	if n := len(s.heldOut); n > 0 {
		return final(r.Cascade, s.heldOut), r.HeldOutRate / float64(n)
	}
	last := r.Steps[len(r.Steps)-1]
	// The negatives that passed all exits before the step were mined among its
	// visited windows.
	before := r.exitsBefore()
	begin := 0
	for _, n := range s.negatives {
		if n.exits >= before {
			begin++
		}
	}
	if begin == 0 || last.Visited == 0 {
		return nil, 0
	}
	return final(r.Cascade, s.negatives), float64(last.Passed) / float64(last.Visited) / float64(begin)
}

// exitsBefore is the number of exits before the last step.
func (r *Run) exitsBefore() (n int) {
	if len(r.Steps) > 1 {
		for n < len(r.Cascade.Exits)-1 && r.Cascade.Exits[n].After <= r.Steps[len(r.Steps)-2].Weak {
			n++
		}
	}
	return n
}

// curve returns hit rates with few false positives first, and the average precision.
// Both margins are sorted; each negative stands for a fraction of the background.
//
// Fewer false positives than one window's cannot be told from none: there the average
// precision counts one.
func curve(hits, negatives []float64, each float64) (line []point, precision float64) {
	first, _ := slices.BinarySearch(negatives, -math.MaxFloat64)
	n := len(negatives) - first
	before := 0.0
	for k := range n {
		at := negatives[len(negatives)-1-k]
		if k+1 < n && negatives[len(negatives)-2-k] == at {
			continue // a threshold lets equal ones pass together
		}
		passed, hit := each*float64(k+1), atLeast(hits, at)
		if hit > before {
			right := hit * objectsPerWindow
			precision += (hit - before) * right / (right + passed)
			before = hit
		}
		line = append(line, point{passed, hit})
	}
	return thinned(line), precision
}

// thinned leaves some points of a line: more at few false positives, since their axis
// is logarithmic, and always the first and the last.
func thinned(line []point) []point {
	n := len(line)
	if n <= maxPoints {
		return slices.CompactFunc(line, func(a, b point) bool { return a == b })
	}
	var some []point
	last := -1
	for k := range maxPoints {
		i := int(math.Round(math.Pow(float64(n), float64(k)/(maxPoints-1)))) - 1
		if i = max(i, last+1); i >= n {
			break
		}
		last = i
		some = append(some, line[i])
	}
	if last != n-1 {
		some = append(some, line[n-1])
	}
	return some
}

// curves returns the curves of steps that there are, in order, the last step's too.
func (r *Run) curves(now *Curve) []Curve {
	var all []Curve
	for _, c := range r.Curves {
		if c.Step < 1 || c.Step > len(r.Steps) {
			continue
		}
		if now != nil && c.Step == now.Step {
			if !c.HeldOut || now.HeldOut {
				continue
			}
			now = nil // it was measured on better data, which are gone
		}
		all = append(all, c)
	}
	if now != nil {
		all = append(all, *now)
	}
	slices.SortStableFunc(all, func(a, b Curve) int { return cmp.Compare(a.Step, b.Step) })
	return all
}

// some returns at most n of all curves: the last, and others evenly before it.
func some(all []Curve, n int) []Curve {
	if len(all) <= n {
		return all
	}
	var few []Curve
	for k := range n {
		few = append(few, all[k*(len(all)-1)/(n-1)])
	}
	return few
}
