package auto

import (
	"cmp"
	"math"
	"strconv"
	"time"
)

// A Plan is what is chosen for a training. Its zero values are chosen by [NewPlan],
// so that a caller may have chosen some already.
type Plan struct {
	Width, Height int // of the detection window

	Variants int    // windows of each object
	Jitter   string // their effects
	Mirror   string // yes or no

	Features int // that the soft cascade's rounds choose from
	Rounds   int
	Stages   int    // of the cascade for OpenCV
	Trees    int    // of each verifier
	BoxTrees int    // an edge
	Second   string // yes or no: a second verifier after the first, with context

	Network    string // yes or no: a network in place of the verifiers
	Iterations int    // of each of its two steps

	// Rest is yes where photographs outside their boxes are learned as background,
	// and no where they show objects without a box.
	Rest string

	// Mosaics says yes where photographs show one object and little else, so that
	// they have to be put on backgrounds, and no where they serve as they are.
	Mosaics string
}

// NewPlan fills the gaps of a plan in, for a training of about the given time.
func NewPlan(p Plan, f *Facts, total time.Duration) Plan {
	if p.Width == 0 || p.Height == 0 {
		w, h := window(f)
		switch {
		case p.Width != 0:
			p.Height = bounded(float64(p.Width)/aspect(f), 8, 128)
		case p.Height != 0:
			p.Width = bounded(float64(p.Height)*aspect(f), 8, 128)
		default:
			p.Width, p.Height = w, h
		}
	}
	p.Mosaics = cmp.Or(p.Mosaics, word(f.Share >= 0.15))
	p.Rest = cmp.Or(p.Rest, word(p.Mosaics == "no"))
	p.Mirror = cmp.Or(p.Mirror, word(f.Mirrored >= 0.9))
	part := func(lo, short, long int) int { // of what a run of five minutes takes, or of the longest
		if total >= 20*time.Minute {
			return long
		}
		return min(max(int(float64(short)*total.Seconds()/shortest.Seconds()), lo), short)
	}
	windows := part(1500, 9000, 20000)
	if p.Variants == 0 {
		each := 1
		if p.Mirror == "yes" {
			each = 2
		}
		p.Variants = min(max(windows/max(f.Objects*each, 1), 2), 24)
	}
	p.Jitter = cmp.Or(p.Jitter, jitter(f))
	p.Features = cmp.Or(p.Features, part(2000, 8000, 16000))
	p.Rounds = cmp.Or(p.Rounds, part(100, 300, 500))
	p.Stages = cmp.Or(p.Stages, part(12, 12, 15))
	p.Trees = cmp.Or(p.Trees, part(60, 250, 400))
	p.BoxTrees = cmp.Or(p.BoxTrees, part(20, 80, 120))
	p.Iterations = cmp.Or(p.Iterations, part(200, 1500, 6000))
	p.Second = cmp.Or(p.Second, word(total >= shortest/2))
	p.Network = cmp.Or(p.Network, "no")
	return p
}

// shortest is the time below which there are fewer windows, features and trees.
const shortest = 5 * time.Minute

// jitter is for photographs: no print, and nothing that wipes out what a small window
// shows. Such variants get most of a training's weight, and teach it nothing. Blur is
// in widths, so that long windows get less.
func jitter(f *Facts) string {
	stretch := min(0.05+math.Log(max(f.AspectHigh/max(f.AspectLow, 0.01), 1))/12, 0.15)
	blur := 0.03 / math.Sqrt(max(aspect(f), 1))
	number := func(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64) }
	return "default,shift=0.025,scale=0.05,stretch=" + number(math.Round(stretch*100)/100) + ",blur=" + number(blur) +
		",legible=0.7,noise=4,grain=0,halftone=0,lines=0,posterise=0,faint=0"
}

func word(yes bool) string {
	if yes {
		return "yes"
	}
	return "no"
}

// window is about as large as 24x24, larger for long objects, whose details stand
// side by side, and no larger than nine objects in ten.
func window(f *Facts) (w, h int) {
	a := aspect(f)
	size := 24 * math.Pow(max(a, 1/a), 0.25)
	if f.SizeLow > 0 {
		size = min(size, max(f.SizeLow, 14))
	}
	return bounded(size*math.Sqrt(a), 8, 128), bounded(size/math.Sqrt(a), 8, 128)
}

func aspect(f *Facts) float64 {
	if f.Aspect <= 0 {
		return 1
	}
	return min(max(f.Aspect, 0.125), 8)
}

func bounded(v float64, lo, hi int) int { return min(max(int(math.Round(v)), lo), hi) }

// Enough returns about how long a run with the settings of [NewPlan] takes where the data
// were read in so long a time: none is shorter than five minutes, with fewer than these.
func Enough(read time.Duration) time.Duration {
	return max(shortest, (readings * read).Round(time.Minute))
}

// readings is how often the data could be read in the time of a run: a guess, not a
// measured limit.
const readings = 20

// MinWeak is how many weak classifiers the soft cascade has, even if this takes longer.
const MinWeak = 40

// Times divides the time of a training among its steps.
type Times struct {
	Cascade, OpenCV time.Duration // which end in time
	Verify          time.Duration // for searching, which takes fewer pictures instead
	Measure         time.Duration // of calibrating and measuring, the same
}

// NewTimes divides a time. What is left over is for making windows and trees.
func NewTimes(total time.Duration) Times {
	return Times{Cascade: total * 40 / 100, OpenCV: total * 12 / 100, Verify: total * 15 / 100, Measure: total * 5 / 100}
}

// Affordable returns how many of n pictures can be searched in a time: a search of
// known pictures took the measured seconds a megapixel, and these have megapixels
// together. It is at least 20, as far as there are so many.
func Affordable(n int, megapixels, secondsPerMegapixel float64, within time.Duration) int {
	cost := megapixels * secondsPerMegapixel
	if cost <= within.Seconds() || within <= 0 {
		return n
	}
	return min(max(int(float64(n)*within.Seconds()/cost), 20), n)
}

// Thin takes n of all, evenly.
func Thin(all []string, n int) []string {
	if n >= len(all) {
		return all
	}
	out := make([]string, n)
	for i := range out {
		out[i] = all[i*len(all)/n]
	}
	return out
}
