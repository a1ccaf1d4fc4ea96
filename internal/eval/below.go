package eval

import (
	"context"
	"slices"

	"haarlem/cascade"
)

// below returns the scores of at least enough false positives of c with lower
// thresholds: all are lowered by the same, twice as much each time, until there are so
// many. A window that c rejects counts as one that passes with a margin of 0, so its
// score is no lower than what it deserves. There may be fewer, if photographs show
// nothing else, and duplicates are not among them.
func below(ctx context.Context, c *cascade.Cascade, photos []Photo, o *CalibrateOptions, enough int) ([]float64, error) {
	var scores []float64
	for by := 0.25; by <= 64 && len(scores) < enough; by *= 2 {
		low := *c
		low.Exits = slices.Clone(c.Exits)
		for e := range low.Exits {
			low.Exits[e].Threshold -= float32(by)
		}
		k, err := newCalibration(ctx, &low, photos, o)
		if err != nil {
			return nil, err
		}
		for _, ws := range k.windows {
			for i := range ws {
				ws[i].Margin = max(ws[i].Margin-by, 0)
			}
		}
		scores = scores[:0]
		for _, j := range k.judged(0) {
			if j.Verdict == FalsePositive {
				scores = append(scores, j.Rank)
			}
		}
	}
	return scores, nil
}
