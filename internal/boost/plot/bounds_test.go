package plot

import (
	"errors"
	"path/filepath"
	"testing"

	"haarlem/internal/must"
)

// TestBounds: lines are drawn where they are bounds, and only there.
func TestBounds(t *testing.T) {
	dir := t.TempDir()
	png, svg := filepath.Join(dir, "b.png"), filepath.Join(dir, "b.svg")
	useless := Line{Name: "useless", X: []float64{10, 100}, Y: []float64{3, 2}}
	lines := []Line{{Name: "one", X: []float64{10, 1000, 1e5}, Y: []float64{2, 0.9, 0.1}}, {Name: "two", X: []float64{10, 1e5}, Y: []float64{0.8, 0.2}}, useless}
	must.Do(Bounds("a title", lines, png, svg))
	checkPNG(t, png, palette[0], palette[1])
	checkSVG(t, svg, "a title", "rows", "one", "two", "10^3")
	if err := Bounds("nothing", []Line{useless}, png); !errors.Is(err, errNothing) {
		t.Errorf("error %v", err)
	}
}
