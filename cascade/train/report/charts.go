package report

import (
	"math"

	"haarlem/cascade"
	"haarlem/cascade/train"
)

// stepCharts draw the steps.
func stepCharts(r *Run) []*chart {
	var hits, validation, falsePositives, passed, gains, times []point
	for i, s := range r.Steps {
		x := float64(i + 1)
		hits = append(hits, point{x, s.HitRate})
		if !math.IsNaN(s.Validation) {
			validation = append(validation, point{x, s.Validation})
		}
		falsePositives = append(falsePositives, point{x, s.FalsePositiveRate})
		if s.Visited > 0 {
			passed = append(passed, point{x, float64(s.Passed) / float64(s.Visited)})
		}
		if gained(s) {
			gains = append(gains, point{x, s.Gain})
		}
		if i < len(r.Times) && r.Times[i] > 0 {
			times = append(times, point{x, r.Times[i].Seconds()})
		}
	}
	charts := []*chart{
		{
			Title: "Hit rate", Note: "Recall: positives that pass all of the cascade so far. Training far above validation: too few positives, or too many weak classifiers.",
			x: "step", y: "positives that pass", percent: true,
			lines: named(line{Name: "training", Colour: 1, points: hits}, line{Name: "validation", Colour: 2, points: validation}),
		},
		{
			Title: "False positive rate of each step", Note: "Fraction of the step's negatives that pass it.",
			x: "step", y: "negatives that pass", percent: true, fromZero: true,
			lines: named(line{Name: "the step's negatives", Colour: 3, points: falsePositives}),
		},
		{
			Title: "Background windows that pass", Note: "Measured at the beginning of each step, over detection windows of all sizes and positions in the backgrounds. Each grid line is ten times fewer.",
			x: "step", y: "fraction of the windows", logY: true,
			lines: named(line{Name: "passed the cascade before the step", Colour: 4, points: passed}),
		},
		{
			Title: "Gain on held-out data", Note: "Change of the area under the ROC by each step, on validation windows against windows of validation backgrounds that passed the cascade before it. At zero the step only overfits. Four steps without a gain end a training.",
			x: "step", y: "gain", fromZero: true,
			lines: named(line{Name: "gain", Colour: 2, points: gains}),
		},
		{
			Title: "Time", x: "step", y: "seconds", fromZero: true,
			lines: named(line{Name: "of each step, mining included", Colour: 5, bars: true, points: times}),
		},
	}
	return charts
}

// gained reports whether a step's gain was measured.
func gained(s train.Step) bool { return s.HeldOut > 0 && !math.IsNaN(s.Gain) }

// named leaves out lines without points.
func named(all ...line) []line {
	var some []line
	for _, l := range all {
		if len(l.points) > 0 {
			some = append(some, l)
		}
	}
	return some
}

// scoreCharts draw the scores of windows.
func scoreCharts(r *Run, positives, validation, negatives []scored) []*chart {
	var charts []*chart
	c := r.Cascade
	training, held, alarms := final(c, positives), final(c, validation), final(c, negatives)
	if roc := rocChart(c, r.Steps, training, held, alarms, negatives); roc != nil {
		charts = append(charts, roc)
	}
	charts = append(charts, &chart{
		Title: "Margins", Note: "Score at the last exit minus its threshold. Windows left of zero are rejected. A line begins at the fraction that earlier exits reject.",
		x: "margin at the last exit", y: "windows with at most this margin", percent: true, fromZero: true,
		lines: named(
			line{Name: "training", Colour: 1, points: cumulative(training)},
			line{Name: "validation", Colour: 2, points: cumulative(held)},
			line{Name: "negatives of the last step", Colour: 3, points: cumulative(alarms)},
		),
	})
	if restarts(c) {
		return charts
	}
	var low, middle, high, threshold []point
	first, second, third := quantiles(positives, len(c.Exits), 0.02), quantiles(positives, len(c.Exits), 0.5), quantiles(negatives, len(c.Exits), 0.5)
	for i, e := range c.Exits {
		x := float64(e.After)
		threshold = append(threshold, point{x, float64(e.Threshold)})
		if first != nil {
			low, middle = append(low, point{x, first[i]}), append(middle, point{x, second[i]})
		}
		if third != nil {
			high = append(high, point{x, third[i]})
		}
	}
	return append(charts, &chart{
		Title: "Scores along the cascade", Note: "A window is rejected where its score falls below the threshold. Lines are medians; the dashed one is the lowest 2% of the positives.",
		x: "weak classifiers", y: "score",
		lines: named(
			line{Name: "positives, median", Colour: 1, points: middle}, line{Name: "positives, lowest 2%", Colour: 1, Dashed: true, points: low},
			line{Name: "negatives of the last step, median", Colour: 3, points: high}, line{Name: "threshold", Colour: 6, points: threshold},
		),
	})
}

func restarts(c *cascade.Cascade) bool {
	for _, e := range c.Exits[:len(c.Exits)-1] {
		if e.Restart {
			return true
		}
	}
	return false
}

// rocChart draws hit rate against false positive rate; nil without negatives that
// reach the last exit or without positives.
func rocChart(c *cascade.Cascade, steps []train.Step, training, held, alarms []float64, negatives []scored) *chart {
	// The negatives that passed all exits before the last step were mined among
	// its visited windows.
	before := 0
	if len(steps) > 1 {
		for before < len(c.Exits)-1 && c.Exits[before].After <= steps[len(steps)-2].Weak {
			before++
		}
	}
	begin := 0
	for _, s := range negatives {
		if s.exits >= before {
			begin++
		}
	}
	if begin == 0 {
		return nil
	}
	base, x, note := 1.0, "fraction of the negatives that pass", "Over the last threshold."
	if n := len(steps); n > 0 && steps[n-1].Visited > 0 {
		s := steps[n-1]
		base = float64(s.Passed) / float64(s.Visited)
		x = "false positives per background window"
		note = "Over the last threshold, estimated from the negatives of the last step: how often they occur, and how many of them pass. They are training data, so new pictures have more false positives."
	}
	roc := &chart{
		Title: "ROC: hit rate against false positives", Note: note,
		x: x, y: "positives that pass", logX: true, percent: true,
	}
	for _, set := range []struct {
		name    string
		colour  int
		margins []float64
	}{{"validation", 2, held}, {"training", 1, training}} {
		if len(set.margins) > 0 {
			roc.lines = append(roc.lines, named(line{Name: set.name, Colour: set.colour, points: curve(set.margins, alarms, base, begin)})...)
		}
	}
	if len(roc.lines) == 0 {
		return nil
	}
	margins := held
	if len(held) == 0 {
		margins = training
	}
	// Without false positives the point would be off the axis.
	if pass := atLeast(alarms, 0) * float64(len(alarms)); pass > 0 {
		roc.lines = append(roc.lines, line{Name: "the cascade as it is", Colour: 6, dots: true, points: []point{{base * pass / float64(begin), atLeast(margins, 0)}}})
	}
	return roc
}
