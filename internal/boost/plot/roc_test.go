package plot

import (
	"errors"
	"fmt"
	"path/filepath"
	"testing"

	"haarlem/internal/must"
)

func TestDetection(t *testing.T) {
	dir := t.TempDir()
	p, s := filepath.Join(dir, "r.png"), filepath.Join(dir, "r.svg")
	detectors := []Detector{
		{Name: "one", FalsePositives: []int{0, 0, 3, 40}, Rates: []float64{0.5, 0.6, 0.8, 0.9}},
		{Name: "two & more", FalsePositives: []int{2, 700}, Rates: []float64{0.7, 0.99}},
		{Name: "none"},
	}
	must.Do(Detection("a title", detectors, 500, p, s))
	checkPNG(t, p, palette[0], palette[1])
	checkSVG(t, s, "a title", "false positives", "objects found, per cent", "one", "two & more", "200")
	if err := Detection("nothing", detectors[2:], 500, p); !errors.Is(err, errNothing) {
		t.Errorf("error %v", err)
	}
}

func TestStairs(t *testing.T) {
	d := Detector{FalsePositives: []int{0, 0, 3, 40}, Rates: []float64{0.5, 0.6, 0.8, 0.9}}
	x := func(n int) string { return fmt.Sprintf("%.3f", logAxis(n)) }
	want := fmt.Sprintf("%s:60 %s:60 %s:80 %s:80 ", x(0), x(3), x(3), x(9))
	got := ""
	for _, p := range stairs(d, 9) {
		got += fmt.Sprintf("%.3f:%.0f ", p.X, p.Y)
	}
	if got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
