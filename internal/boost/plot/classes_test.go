package plot

import (
	"errors"
	"path/filepath"
	"testing"

	"haarlem/internal/must"
)

func TestROC(t *testing.T) {
	dir := t.TempDir()
	p, s := filepath.Join(dir, "r.png"), filepath.Join(dir, "r.svg")
	lines := []Line{{Name: "one", X: []float64{0, 0, 0.5, 1}, Y: []float64{0, 0.6, 0.9, 1}}, {Name: "none"}}
	must.Do(ROC("a title", lines, p, s))
	checkPNG(t, p, palette[0])
	checkSVG(t, s, "a title", "false positive rate", "true positive rate", "one")
	if err := ROC("nothing", lines[1:], p); !errors.Is(err, errNothing) {
		t.Errorf("error %v", err)
	}
}

func TestShape(t *testing.T) {
	dir := t.TempDir()
	p, s := filepath.Join(dir, "s.png"), filepath.Join(dir, "s.svg")
	must.Do(Shape("a title", "age", Line{X: []float64{20, 40}, Y: []float64{-1, 0, 2}}, p, s))
	checkPNG(t, p, palette[0])
	checkSVG(t, s, "a title", "age", "what it adds to the score")
	if err := Shape("nothing", "age", Line{X: []float64{20}, Y: []float64{1}}, p); !errors.Is(err, errNothing) {
		t.Errorf("error %v", err)
	}
}

func TestMarginBounds(t *testing.T) {
	dir := t.TempDir()
	p, s := filepath.Join(dir, "m.png"), filepath.Join(dir, "m.svg")
	margins := []Margins{{Rounds: 10, Train: []float64{-0.5, 0.2, 0.4}}}
	bounds := []func(float64) float64{func(x float64) float64 { return (1 + x) / (1 - x) / 2 }}
	must.Do(MarginBounds("a title", margins, bounds, p, s))
	checkPNG(t, p, palette[0])
	checkSVG(t, s, "a title", "margin")
	if err := MarginBounds("nothing", nil, []func(float64) float64{func(float64) float64 { return 2 }}, p); !errors.Is(err, errNothing) {
		t.Errorf("error %v", err)
	}
}
