package report

import (
	"math"

	"haarlem/cascade"
	"haarlem/cascade/train"
)

// stepCharts draw what is known of each step.
func stepCharts(r *Run) []*chart {
	var hits, validation, alarms, passed, gains, times []point
	for i, s := range r.Steps {
		x := float64(i + 1)
		hits = append(hits, point{x, s.HitRate})
		if !math.IsNaN(s.Validation) {
			validation = append(validation, point{x, s.Validation})
		}
		alarms = append(alarms, point{x, s.FalsePositiveRate})
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
			Title: "Hit rate", Note: "Positives that pass all of the cascade so far. Training far above validation: too few positives, or too many weak learners.",
			x: "step", y: "positives that pass", percent: true,
			lines: named(line{Name: "training", Colour: 1, points: hits}, line{Name: "validation", Colour: 2, points: validation}),
		},
		{
			Title: "False alarms of each step", Note: "Of the negatives that a step learned from, those that pass it.",
			x: "step", y: "negatives that pass", percent: true, fromZero: true,
			lines: named(line{Name: "the step's negatives", Colour: 3, points: alarms}),
		},
		{
			Title: "Background windows that pass", Note: "Measured at the beginning of each step, on windows of the backgrounds at all sizes and places: one step down is ten times fewer.",
			x: "step", y: "share of the windows", logY: true,
			lines: named(line{Name: "passed the cascade before the step", Colour: 4, points: passed}),
		},
		{
			Title: "Gain on what was not seen", Note: "By how much each step has made the area under the ROC larger, on validation windows and windows of validation backgrounds that passed the cascade before it. Zero: it has learned only what it has seen. Four steps that gain nothing together end a training.",
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

// gained reports whether it is known what a step has gained.
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

// scoreCharts draw how windows fare in the cascade.
func scoreCharts(r *Run, positives, validation, negatives []scored) []*chart {
	var charts []*chart
	c := r.Cascade
	training, held, alarms := final(c, positives), final(c, validation), final(c, negatives)
	if roc := rocChart(c, r.Steps, training, held, alarms, negatives); roc != nil {
		charts = append(charts, roc)
	}
	charts = append(charts, &chart{
		Title: "Margins", Note: "How far scores at the last exit are above its threshold; left of zero is rejected. A line begins at the share that earlier exits have rejected.",
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
		Title: "Scores along the cascade", Note: "A window is rejected where its score falls below the threshold. Half of the windows are below the lines in the middle, 2% of the positives below the dashed one.",
		x: "weak learners", y: "score",
		lines: named(
			line{Name: "positives, middle", Colour: 1, points: middle}, line{Name: "positives, lowest 2%", Colour: 1, Dashed: true, points: low},
			line{Name: "negatives of the last step, middle", Colour: 3, points: high}, line{Name: "threshold", Colour: 6, points: threshold},
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

// rocChart draws hit rate against false alarms, nil without negatives that reach
// the last exit or without positives.
func rocChart(c *cascade.Cascade, steps []train.Step, training, held, alarms []float64, negatives []scored) *chart {
	// The negatives that passed all exits before the last step were found among
	// so many windows.
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
	base, x, note := 1.0, "share of the negatives that pass", "As the last threshold goes up and down."
	if n := len(steps); n > 0 && steps[n-1].Visited > 0 {
		s := steps[n-1]
		base = float64(s.Passed) / float64(s.Visited)
		x = "false alarms a background window"
		note = "As the last threshold goes up and down, estimated from the negatives that the last step found: how often they occur, and how many of them pass. They were trained with, so new pictures have more false alarms."
	}
	roc := &chart{
		Title: "Hit rate against false alarms", Note: note,
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
	// Without false alarms the point would be off the axis.
	if pass := atLeast(alarms, 0) * float64(len(alarms)); pass > 0 {
		roc.lines = append(roc.lines, line{Name: "the cascade as it is", Colour: 6, dots: true, points: []point{{base * pass / float64(begin), atLeast(margins, 0)}}})
	}
	return roc
}
