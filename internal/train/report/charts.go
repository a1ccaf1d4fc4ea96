package report

import (
	"fmt"
	"math"

	"haarlem/internal/train"
)

// stepCharts draw the steps.
func stepCharts(r *Run, curves []Curve) []*chart {
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
	charts := []*chart{
		{
			Title: "Hit rate", Note: "Recall: positives that pass all of the cascade so far. Training far above validation: too few positives, or too many weak classifiers.",
			x: "step", steps: true, y: "positives that pass", percent: true,
			lines: named(line{Name: "training", Colour: 1, points: hits}, line{Name: "validation", Colour: 2, points: validation}),
		},
		{
			Title: "False positive rate of each step", Note: "Fraction of the step's negatives that pass it.",
			x: "step", steps: true, y: "negatives that pass", percent: true, fromZero: true,
			lines: named(line{Name: "the step's negatives", Colour: 3, points: falsePositives}),
		},
		{
			Title: "Average precision", Note: "Area under the precision-recall curve where one background window in a million would be an object, about one in a photograph. " + measuredOn(curves),
			x: "step", steps: true, y: "average precision", percent: true, fromZero: true,
			lines: named(line{Name: "after each step", Colour: 2, points: precision}),
		},
		rocChart(curves),
		{
			Title: "Background windows that pass", Note: "Measured at the beginning of each step, over detection windows of all sizes and positions in the backgrounds. Each grid line is ten times fewer.",
			x: "step", steps: true, y: "fraction of the windows", logY: true,
			lines: named(line{Name: "passed the cascade before the step", Colour: 4, points: passed}),
		},
		{
			Title: "Hard negatives found", Note: "In each picture that mining searched. Far below one: more backgrounds, or -turn-bg, would help.",
			x: "step", steps: true, y: "hard negatives a picture", logY: true,
			lines: named(line{Name: "a picture", Colour: 4, points: found}),
		},
		{
			Title: "Gain on held-out data", Note: "Change of the area under the ROC by each step, on validation windows against windows of validation backgrounds that passed the cascade before it. At zero the step only overfits. Four steps without a gain end a training, unless -val-report is given.",
			x: "step", steps: true, y: "gain", fromZero: true,
			lines: named(line{Name: "gain", Colour: 2, points: gains}),
		},
		{
			Title: "Time", x: "step", steps: true, y: "seconds", fromZero: true,
			lines: named(line{Name: "of each step", Colour: 5, bars: true, points: growing}, line{Name: "of it mining", Colour: 4, bars: true, points: mining}),
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
func scoreCharts(r *Run, s *sets) []*chart {
	var charts []*chart
	c := r.Cascade
	charts = append(charts, &chart{
		Title: "Margins", Note: "Score at the last exit minus its threshold. Windows left of zero are rejected. A line begins at the fraction that earlier exits reject.",
		x: "margin at the last exit", y: "windows with at most this margin", percent: true, fromZero: true,
		lines: named(
			line{Name: "training", Colour: 1, points: cumulative(final(c, s.positives))},
			line{Name: "validation", Colour: 2, points: cumulative(final(c, s.validation))},
			line{Name: "negatives of the last step", Colour: 3, points: cumulative(final(c, s.negatives))},
		),
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
	return append(charts, &chart{
		Title: "Scores along the cascade", Note: "A window is rejected where its score falls below the threshold. Lines are medians; the dashed one is the lowest 2% of the positives.",
		x: "weak classifiers", y: "score",
		lines: named(
			line{Name: "positives, median", Colour: 1, points: middle}, line{Name: "positives, lowest 2%", Colour: 1, Dashed: true, points: low},
			line{Name: "negatives of the last step, median", Colour: 3, points: high}, line{Name: "threshold", Colour: 6, points: threshold},
		),
	})
}

// rocChart draws hit rate against false positive rate, after some of the steps.
func rocChart(curves []Curve) *chart {
	roc := &chart{
		Title: "ROC: hit rate against false positives", Note: "For all values of the last threshold, after some of the steps. How often false positives occur is estimated from how many windows mining searched, and how many of them pass. " + measuredOn(curves),
		x: "false positives per background window", y: "objects that pass", logX: true, percent: true,
	}
	shown := some(curves, 5)
	for i, c := range shown {
		l := line{Name: fmt.Sprintf("step %d", c.Step), Colour: 2, Faint: len(shown) - 1 - i}
		for _, p := range c.Points {
			l.points = append(l.points, point{p.FalsePositives, p.HitRate})
		}
		roc.lines = append(roc.lines, l)
	}
	return roc
}
