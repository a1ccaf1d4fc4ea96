package eval

import (
	"context"
	"testing"

	"haarlem/internal/must"
)

// Where no detection is wrong, what nearly passes calibrates a model: true positives
// keep high scores, and what passes with nothing to spare gets a low one.
func TestCalibrateBelow(t *testing.T) {
	c, photos := hundred(t)
	strict := must.Get(Calibrate(context.Background(), c, photos, &CalibrateOptions{FalsePositivesPerMegapixel: 1e-9}))
	if strict.After.FalsePositives != 0 || strict.Right == 0 || strict.Wrong != 0 {
		t.Fatalf("%+v: want none but true positives", strict)
	}
	if strict.Below < strict.Right {
		t.Errorf("%d false positives with lower thresholds, want as many as the %d true positives", strict.Below, strict.Right)
	}
	fit := strict.Cascade.Calibration
	if smallest := logistic(fit.Offset); smallest > 0.5 {
		t.Errorf("a margin of 0 has a score of %v, want at most 0.5", smallest)
	}
	if last := strict.Bins[len(strict.Bins)-1]; last.Right == 0 {
		t.Errorf("no right detection has a score of 0.9: %+v", strict.Bins)
	}
	// The same thresholds, calibrated again, give the same curve.
	again, err := Calibrate(context.Background(), strict.Cascade, photos, nil)
	if err != nil || *again.Cascade.Calibration != *fit || again.Below != strict.Below {
		t.Errorf("again %+v of %d, want %+v of %d (%v)", again.Cascade.Calibration, again.Below, fit, strict.Below, err)
	}
}
