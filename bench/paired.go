package main

import (
	"slices"
	"time"
)

// A spread is the quartiles of a sample.
type spread struct{ low, median, high float64 }

// quartiles sorts a copy of v. Between two values it interpolates.
func quartiles(v []float64) spread {
	s := slices.Sorted(slices.Values(v))
	at := func(q float64) float64 {
		p := q * float64(len(s)-1)
		i := int(p)
		if i == len(s)-1 {
			return s[i]
		}
		return s[i] + (p-float64(i))*(s[i+1]-s[i])
	}
	return spread{at(0.25), at(0.5), at(0.75)}
}

// A paired is what two contenders needed in alternating runs.
type paired struct {
	a, b  []float64 // milliseconds
	ratio []float64 // of neighbouring runs, a/b
}

// pair runs a and b in turn, rounds times each, and who starts changes with
// every round: a machine that grows warm or busy slows both. The first round
// is not counted.
func pair(rounds int, a, b func()) paired {
	var p paired
	for i := range rounds + 1 {
		var ta, tb float64
		if i%2 == 0 {
			ta, tb = milliseconds(a), milliseconds(b)
		} else {
			tb, ta = milliseconds(b), milliseconds(a)
		}
		if i == 0 {
			continue
		}
		p.a = append(p.a, ta)
		p.b = append(p.b, tb)
		p.ratio = append(p.ratio, ta/tb)
	}
	return p
}

// clock tells the time that runs are measured with.
var clock = wallClock

var start = time.Now()

// wallClock is what a person waits.
func wallClock() time.Duration { return time.Since(start) }

func milliseconds(f func()) float64 {
	from := clock()
	f()
	return float64(clock()-from) / float64(time.Millisecond)
}
