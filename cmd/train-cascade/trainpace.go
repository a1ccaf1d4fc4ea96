package main

import (
	"fmt"
	"math"
	"time"
)

// A pace estimates how much longer a training takes.
//
// Later steps take longer, since what they search for is rarer. So there are two
// estimates: as if steps went on like the last one, and as if they went on growing as
// the last ones did.
type pace struct {
	soft    bool
	goal    int           // stages, or weak classifiers if soft
	limit   time.Duration // of all runs; 0: none
	earlier time.Duration // of earlier runs

	start time.Time // of this run
	first int       // made before it, of what the goal counts
	ends  []stepEnd // of this run's steps
}

type stepEnd struct {
	at   time.Time
	made int
}

// growth of a step over the one before it is believed from 1 to this.
const mostGrowth = 1.25

// next returns the number of weak classifiers, or stages, of the step after so many, as
// package train chooses it.
func (p *pace) next(made int) int {
	if !p.soft {
		return 1
	}
	return max(1, min(p.goal-made, max(2, min(made/4, 64))))
}

// left returns how much longer it takes, from and to; ok is false if nothing is known.
// made may be within a step: then it counts from the step's end at the earliest.
func (p *pace) left(now time.Time, made int) (low, high time.Duration, ok bool) {
	each, growth, from, since := p.each(now, made)
	if each > 0 {
		ok = true
		low, high = p.sum(from, each, 1), p.sum(from, each, growth)
		spent := now.Sub(since)
		low, high = max(0, low-spent), max(0, high-spent)
	}
	if p.limit > 0 {
		most := max(0, p.limit-p.earlier-now.Sub(p.start))
		if !ok {
			return most, most, true
		}
		low, high = min(low, most), min(high, most)
	}
	return low, high, ok
}

// each returns the time of one weak classifier or stage, its growth from step to step,
// and the point from which to count.
func (p *pace) each(now time.Time, made int) (each, growth float64, from int, since time.Time) {
	growth = 1
	n := len(p.ends)
	if n == 0 {
		if p.soft && made > p.first {
			return now.Sub(p.start).Seconds() / float64(made-p.first), growth, made, now
		}
		return 0, growth, made, now
	}
	took := make([]float64, n) // of one, by step
	last := stepEnd{p.start, p.first}
	for i, e := range p.ends {
		took[i] = e.at.Sub(last.at).Seconds() / float64(max(1, e.made-last.made))
		last = e
	}
	// The mean of the last steps, since one alone varies.
	if back := min(3, n-1); back > 0 && took[n-1-back] > 0 {
		growth = math.Pow(took[n-1]/took[n-1-back], 1/float64(back))
	}
	return took[n-1], min(max(growth, 1), mostGrowth), last.made, last.at
}

// sum adds the steps that are to come after so many.
func (p *pace) sum(made int, each, growth float64) time.Duration {
	total := 0.0
	for made < p.goal {
		each *= growth
		n := p.next(made)
		total += float64(n) * each
		made += n
	}
	return time.Duration(min(total, math.MaxInt32) * float64(time.Second))
}

// leftText writes an estimate; empty if nothing is known.
func leftText(low, high time.Duration, ok bool) string {
	if !ok {
		return ""
	}
	from, to := about(low), about(high)
	if from == to || float64(high) < 1.25*float64(low) {
		return to
	}
	return from + " to " + to
}

// about writes a time with as many digits as an estimate has.
func about(d time.Duration) string {
	switch {
	case d < 20*time.Second:
		return fmt.Sprintf("%ds", int(d.Round(time.Second).Seconds()))
	case d < 2*time.Minute:
		return fmt.Sprintf("%ds", int(d.Round(5*time.Second).Seconds()))
	case d < 2*time.Hour:
		return fmt.Sprintf("%dm", int(d.Round(time.Minute).Minutes()))
	}
	d = d.Round(5 * time.Minute)
	return fmt.Sprintf("%dh%02dm", int(d.Hours()), int(d.Minutes())%60)
}
