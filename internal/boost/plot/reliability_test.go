package plot

import (
	"errors"
	"path/filepath"
	"testing"

	"haarlem/internal/must"
)

func TestReliability(t *testing.T) {
	dir := t.TempDir()
	p, s := filepath.Join(dir, "r.png"), filepath.Join(dir, "r.svg")
	points := []Predicted{{0.1, 0.2, 0.05, 0.4}, {0.5, 0.45, 0.3, 0.6}, {0.95, 1, 0.9, 1}}
	must.Do(Reliability("a title", points, p, s))
	checkPNG(t, p, palette[0])
	checkSVG(t, s, "a title", "said to be right, per cent", "right, per cent", "80")
	if err := Reliability("nothing", nil, p); !errors.Is(err, errNothing) {
		t.Errorf("error %v", err)
	}
}
