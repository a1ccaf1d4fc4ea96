package training

import (
	"math"

	"haarlem/internal/app/watch"
	"haarlem/internal/train"
)

// stepState is a step as the state has it.
func stepState(s train.Step) watch.Step {
	one := watch.Step{Weak: s.Weak, HitRate: s.HitRate, FalsePositiveRate: s.FalsePositiveRate, Pictures: s.Pictures, Found: s.Mined, Negatives: s.Negatives}
	if !math.IsNaN(s.Validation) {
		one.Validation = &s.Validation
	}
	return one
}
