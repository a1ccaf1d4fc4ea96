package report

import (
	"fmt"
	"math"

	"haarlem/internal/train"
)

// stepCharts draw the steps.
func stepCharts(r *Run, curves []Curve) []Chart {
	var hits, validation, falsePositives, passed, gains, growing, mining, precision, found []point
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
		if s.Pictures > 0 {
			found = append(found, point{x, float64(s.Mined) / float64(s.Pictures)})
		}
		if i < len(r.Times) && r.Times[i] > 0 {
			growing = append(growing, point{x, r.Times[i].Seconds()})
		}
		if i < len(r.Mining) && r.Mining[i] > 0 {
			mining = append(mining, point{x, r.Mining[i].Seconds()})
		}
	}
	for _, c := range curves {
		precision = append(precision, point{float64(c.Step), c.AveragePrecision})
	}
	charts := []Chart{
		{
			Title: "Hit rate", Note: "Recall: positives that pass all of the cascade so far. Training far above validation: too few positives, or too many weak classifiers.",
			X: "step", Steps: true, Y: "positives that pass", Percent: true,
			Lines: []Line{{Name: "training", Colour: 1, Points: hits}, {Name: "validation", Colour: 2, Points: validation}},
		},
		{
			Title: "False positive rate of each step", Note: "Fraction of the step's negatives that pass it.",
			X: "step", Steps: true, Y: "negatives that pass", Percent: true, FromZero: true,
			Lines: []Line{{Name: "the step's negatives", Colour: 3, Points: falsePositives}},
		},
		{
			Title: "Average precision", Note: "Area under the precision-recall curve where one background window in a million would be an object, about one in a photograph. " + measuredOn(curves),
			X: "step", Steps: true, Y: "average precision", Percent: true, FromZero: true,
			Lines: []Line{{Name: "after each step", Colour: 2, Points: precision}},
		},
		rocChart(curves),
		{
			Title: "Background windows that pass", Note: "Measured at the beginning of each step, over detection windows of all sizes and positions in the backgrounds. Each grid line is ten times fewer.",
			X: "step", Steps: true, Y: "fraction of the windows", LogY: true,
			Lines: []Line{{Name: "passed the cascade before the step", Colour: 4, Points: passed}},
		},
		{
			Title: "Hard negatives found", Note: "In each picture that mining searched. Far below one: more backgrounds, or -turn-bg, would help.",
			X: "step", Steps: true, Y: "hard negatives a picture", LogY: true,
			Lines: []Line{{Name: "a picture", Colour: 4, Points: found}},
		},
		{
			Title: "Gain on held-out data", Note: "Change of the area under the ROC by each step, on validation windows against windows of validation backgrounds that passed the cascade before it. At zero the step only overfits. Four steps without a gain end a training, unless -val-report is given.",
			X: "step", Steps: true, Y: "gain", FromZero: true,
			Lines: []Line{{Name: "gain", Colour: 2, Points: gains}},
		},
		{
			Title: "Time", X: "step", Steps: true, Y: "seconds", FromZero: true,
			Lines: []Line{{Name: "of each step", Colour: 5, Bars: true, Points: growing}, {Name: "of it mining", Colour: 4, Bars: true, Points: mining}},
		},
	}
	return charts
}

// gained reports whether a step's gain was measured.
func gained(s train.Step) bool { return s.HeldOut > 0 && !math.IsNaN(s.Gain) }

// measuredOn says on which windows curves were measured.
func measuredOn(curves []Curve) string {
	if len(curves) == 0 {
		return ""
	}
	objects, others := "training windows", "the step's negatives. These were learned from, so new pictures have more false positives."
	last := curves[len(curves)-1]
	if last.Validation {
		objects = "validation windows"
	}
	if last.HeldOut {
		others = "windows of validation backgrounds, which nothing was learned from."
	}
	return "Measured on " + objects + " and " + others
}

// scoreCharts draw the scores of windows.
func scoreCharts(r *Run, s *sets) []Chart {
	var charts []Chart
	c := r.Cascade
	charts = append(charts, Chart{
		Title: "Margins", Note: "Score at the last exit minus its threshold. Windows left of zero are rejected. A line begins at the fraction that earlier exits reject.",
		X: "margin at the last exit", Y: "windows with at most this margin", Percent: true, FromZero: true,
		Lines: []Line{
			{Name: "training", Colour: 1, Points: cumulative(final(c, s.positives))},
			{Name: "validation", Colour: 2, Points: cumulative(final(c, s.validation))},
			{Name: "negatives of the last step", Colour: 3, Points: cumulative(final(c, s.negatives))},
		},
	})
	if restarts(c) {
		return charts
	}
	var low, middle, high, threshold []point
	first, second, third := quantiles(s.positives, len(c.Exits), 0.02), quantiles(s.positives, len(c.Exits), 0.5), quantiles(s.negatives, len(c.Exits), 0.5)
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
	return append(charts, Chart{
		Title: "Scores along the cascade", Note: "A window is rejected where its score falls below the threshold. Lines are medians; the dashed one is the lowest 2% of the positives.",
		X: "weak classifiers", Y: "score",
		Lines: []Line{
			{Name: "positives, median", Colour: 1, Points: middle}, {Name: "positives, lowest 2%", Colour: 1, Dashed: true, Points: low},
			{Name: "negatives of the last step, median", Colour: 3, Points: high}, {Name: "threshold", Colour: 6, Points: threshold},
		},
	})
}

// rocChart draws hit rate against false positive rate, after some of the steps.
func rocChart(curves []Curve) Chart {
	roc := Chart{
		Title: "ROC: hit rate against false positives", Note: "For all values of the last threshold, after some of the steps. How often false positives occur is estimated from how many windows mining searched, and how many of them pass. " + measuredOn(curves),
		X: "false positives per background window", Y: "objects that pass", LogX: true, Percent: true,
	}
	shown := some(curves, 5)
	for i, c := range shown {
		roc.Lines = append(roc.Lines, Line{Name: fmt.Sprintf("step %d", c.Step), Colour: 2, Faint: len(shown) - 1 - i, Points: c.Points})
	}
	return roc
}
