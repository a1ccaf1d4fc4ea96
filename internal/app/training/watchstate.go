package training

import (
	"math"

	"haarlem/internal/app/watch"
	"haarlem/internal/train"
	"haarlem/internal/train/report"
)

// stepState is a step as the state has it.
func stepState(s train.Step) watch.Step {
	one := watch.Step{Weak: s.Weak, HitRate: s.HitRate, FalsePositiveRate: s.FalsePositiveRate, Pictures: s.Pictures, Found: s.Mined, Negatives: s.Negatives}
	if !math.IsNaN(s.Validation) {
		one.Validation = &s.Validation
	}
	return one
}

func curveState(c *report.Curve) *watch.Curve {
	if c == nil {
		return nil
	}
	w := &watch.Curve{Validation: c.Validation, HeldOut: c.HeldOut, AveragePrecision: c.AveragePrecision}
	for _, p := range c.Points {
		w.Points = append(w.Points, [2]float64{p.FalsePositives, p.HitRate})
	}
	return w
}
