package training

import (
	"fmt"
	"math"
	"time"
)

func Seconds(s float64) time.Duration {
	return time.Duration(s * float64(time.Second)).Round(100 * time.Millisecond)
}

// A pace estimates how much longer a training takes, from and to. The low estimate is as
// if each step took as long as the last one. The high one is as if steps went on growing
// as the last ones did, since what they search for becomes rarer, and in a soft cascade at
// least as their numbers of weak classifiers do.
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

// The growth from step to step is believed up to these: a soft cascade has more steps.
const maxGrowth, maxSoftGrowth = 1.25, 1.1

// next returns the number of weak classifiers, or stages, of the step after so many, as
// package train chooses it.
func (p *pace) next(made int) int {
	if !p.soft {
		return 1
	}
	return max(1, min(p.goal-made, max(2, min(made/4, 64))))
}

// left returns how much longer it takes; ok is false if nothing is known, as before the
// end of the first step.
func (p *pace) left(now time.Time) (low, high time.Duration, ok bool) {
	if n := len(p.ends); n > 0 {
		ok = true
		spent := now.Sub(p.ends[n-1].at).Seconds() // of the step that is made
		from, to := p.steps()
		low, high = duration(from-spent), duration(to-spent)
	}
	if p.limit > 0 {
		largest := max(0, p.limit-p.earlier-now.Sub(p.start))
		if !ok {
			return largest, largest, true
		}
		low, high = min(low, largest), min(high, largest)
	}
	return low, high, ok
}

// steps returns the estimates of the time that all steps to come take, in seconds.
func (p *pace) steps() (low, high float64) {
	n := len(p.ends)
	took := make([]float64, n)
	before := stepEnd{p.start, p.first}
	size := 1.0 // of the last step
	for i, e := range p.ends {
		took[i], size = e.at.Sub(before.at).Seconds(), float64(max(1, e.made-before.made))
		before = e
	}
	// One step alone varies, so growth is the mean of the last ones.
	growth, largest := 1.0, maxGrowth
	if p.soft {
		largest = maxSoftGrowth
	}
	if back := min(3, n-1); back > 0 && took[n-1-back] > 0 {
		growth = min(max(math.Pow(took[n-1]/took[n-1-back], 1/float64(back)), 1), largest)
	}
	grown := 1.0
	for made := before.made; made < p.goal; {
		next := p.next(made)
		grown *= growth
		low += took[n-1]
		high += took[n-1] * max(grown, float64(next)/size)
		made += next
	}
	return low, high
}

func duration(seconds float64) time.Duration {
	return time.Duration(min(max(seconds, 0), math.MaxInt32) * float64(time.Second))
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
