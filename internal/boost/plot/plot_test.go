package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/must"
)

var curves = []Curve{
	{Name: "alpha & <beta>", Train: []float64{0.3, 0.2, 0.1, 0}, Test: []float64{0.35, 0.3, 0.2, 0.2}},
	{Name: "gamma", Test: []float64{0.4, 0.3, 0.35, 0.3}},
}

// checkPNG demands a picture with lines of some colours.
func checkPNG(t *testing.T, path string, colours ...color.NRGBA) {
	t.Helper()
	f := must.Get(os.Open(path))
	defer f.Close()
	img := must.Get(png.Decode(f))
	count := map[color.NRGBA]int{}
	for y := img.Bounds().Min.Y; y < img.Bounds().Max.Y; y++ {
		for x := img.Bounds().Min.X; x < img.Bounds().Max.X; x++ {
			count[color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)]++
		}
	}
	for _, c := range colours {
		if count[c] < 20 {
			t.Errorf("%s: %d pixels of %v, want a line", path, count[c], c)
		}
	}
	if got, want := img.Bounds().Dx(), 7*dpi; got != want {
		t.Errorf("%s is %d pixels wide, want %d", path, got, want)
	}
}

// checkSVG demands well-formed XML that holds some texts.
func checkSVG(t *testing.T, path string, texts ...string) {
	t.Helper()
	data := must.Get(os.ReadFile(path))
	var found strings.Builder
	for d := xml.NewDecoder(bytes.NewReader(data)); ; {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok {
			found.Write(text)
		}
	}
	for _, want := range texts {
		if !strings.Contains(found.String(), want) {
			t.Errorf("%s does not say %q", path, want)
		}
	}
}

// TestPlots: each plot has its lines and texts, as a bitmap and as a drawing, and none is
// saved of nothing.
func TestPlots(t *testing.T) {
	margins := []Margins{
		{Rounds: 10, Train: []float64{0.5, -0.2, 0.7}, Test: []float64{0.1, -0.4}},
		{Rounds: 200, Train: []float64{0.6, 0.2, 0.7}, Test: []float64{0.3, -0.1}},
	}
	bounds := []func(float64) float64{func(float64) float64 { return 2 }, func(x float64) float64 { return (1 + x) / (1 - x) / 2 }}
	useless := Line{Name: "useless", X: []float64{10, 100}, Y: []float64{3, 2}} // above every bound
	bounded := []Line{useless, {Name: "one", X: []float64{10, 1000, 1e5}, Y: []float64{2, 0.9, 0.1}}, {Name: "two", X: []float64{10, 1e5}, Y: []float64{0.8, 0.2}, Near: []float64{0.9, 0.3}}}
	lines := []Line{{Name: "none"}, {Name: "one", X: []float64{0, 0, 0.5, 1}, Y: []float64{0, 0.6, 0.9, 1}}}
	points := []Predicted{{0.1, 0.2, 0.05, 0.4}, {0.5, 0.45, 0.3, 0.6}, {0.95, 1, 0.9, 1}}
	detectors := []Detector{
		{Name: "none"},
		{Name: "one", FalsePositives: []int{0, 0, 3, 40}, Rates: []float64{0.5, 0.6, 0.8, 0.9}},
		{Name: "two & more", FalsePositives: []int{2, 700}, Rates: []float64{0.7, 0.99}},
	}
	shapes := []Line{{X: []float64{20}, Y: []float64{1}}, {X: []float64{20, 40}, Y: []float64{-1, 0, 2}}}
	for name, c := range map[string]struct {
		draw    func(nothing bool, files ...string) error
		colours []color.NRGBA
		texts   []string
	}{
		"errors": {
			func(nothing bool, files ...string) error {
				return Errors("a title", some(nothing, 1, append([]Curve{{Name: "empty"}}, curves...)), files...)
			},
			palette[1:3], []string{"rounds", "alpha & <beta>", "gamma", "training"},
		},
		"margins": {
			func(nothing bool, files ...string) error {
				return MarginDistribution("a title", some(nothing, 0, margins), nil, files...)
			},
			palette[:2], []string{"margin", "T = 10", "T = 200", "training"},
		},
		"bounds of margins": {
			func(nothing bool, files ...string) error {
				return MarginDistribution("a title", some(nothing, 0, margins[:1]), some(nothing, 1, bounds), files...)
			},
			palette[:1], []string{"margin"},
		},
		"bounds": {
			func(nothing bool, files ...string) error {
				return Bounds("a title", some(nothing, 1, bounded), files...)
			},
			palette[1:3], []string{"rows", "one", "two", "10^3", "approximately"},
		},
		"roc": {
			func(nothing bool, files ...string) error { return ROC("a title", some(nothing, 1, lines), files...) },
			palette[1:2], []string{"false positive rate", "true positive rate", "one"},
		},
		"shape": {
			func(nothing bool, files ...string) error {
				s := some(nothing, 1, shapes)
				return Shape("a title", "age", s[len(s)-1], files...)
			},
			palette[:1], []string{"age", "what it adds to the score"},
		},
		"reliability": {
			func(nothing bool, files ...string) error {
				return Reliability("a title", some(nothing, 0, points), files...)
			},
			palette[:1], []string{"said to be right, per cent", "right, per cent", "80"},
		},
		"detection": {
			func(nothing bool, files ...string) error {
				return Detection("a title", some(nothing, 1, detectors), 500, files...)
			},
			palette[1:3], []string{"false positives", "objects found, per cent", "one", "two & more", "200"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			png, svg, none := filepath.Join(dir, "x.png"), filepath.Join(dir, "x.svg"), filepath.Join(dir, "none.png")
			must.Do(c.draw(false, png, svg))
			checkPNG(t, png, c.colours...)
			checkSVG(t, svg, append(c.texts, "a title")...)
			if err := c.draw(true, none); !errors.Is(err, errNothing) {
				t.Errorf("nothing: error %v", err)
			}
			if _, err := os.Stat(none); err == nil {
				t.Error("an empty plot was saved")
			}
		})
	}
}

// some returns a list, or its beginning of which there is nothing to draw.
func some[T any](nothing bool, n int, list []T) []T {
	if nothing {
		return list[:n]
	}
	return list
}

func TestPlotsThatCannotBe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.png")
	if err := Errors("jpeg", curves, "x.jpg"); err == nil || !strings.Contains(err.Error(), `".jpg"`) {
		t.Errorf("error %v", err)
	}
	if err := Errors("no folder", curves, filepath.Join(path, "y.png")); err == nil {
		t.Error("a plot was saved in a folder that is not there")
	}
	// A run without any error is a flat line, and no reason to fail.
	if err := Errors("perfect", []Curve{{Name: "p", Test: []float64{0, 0}}}, path); err != nil {
		t.Error(err)
	}
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 200, "0 50 100 150 200"},
		{-1, 1, "-1.0 -0.5 0.0 0.5 1.0"},
		{0, 1, "0.0 0.2 0.4 0.6 0.8 1.0"},
		{0, 65, "0 10 20 30 40 50 60"},
		{0, 0.013, "0.000 0.002 0.004 0.006 0.008 0.010 0.012"},
		{3, 3, ""},
	} {
		var labels []string
		for _, tick := range ticks(c.lo, c.hi) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.lo, c.hi, got, c.want)
		}
	}
}

// at reads a stair at x: the height of the last point that is not right of it.
func at(points []struct{ X, Y float64 }, x float64) float64 {
	y := 0.0
	for _, p := range points {
		if p.X <= x {
			y = p.Y
		}
	}
	return y
}

func TestCumulative(t *testing.T) {
	margins := []float64{0.5, -0.25, 0.5, 1, -3}
	var points []struct{ X, Y float64 }
	for _, p := range cumulative(margins) {
		points = append(points, struct{ X, Y float64 }{p.X, p.Y})
	}
	for _, c := range []struct{ x, want float64 }{
		{-1, 0.2}, {-0.26, 0.2}, {-0.25, 0.4}, {0, 0.4}, {0.49, 0.4}, {0.5, 0.8}, {0.99, 0.8}, {1, 1},
	} {
		if got := at(points, c.x); got != c.want {
			t.Errorf("at %v: %v, want %v", c.x, got, c.want)
		}
	}
	if margins[0] != 0.5 || margins[4] != -3 {
		t.Error("the caller's margins were sorted")
	}
	// Many rows: no more steps than can be seen, and the right heights.
	many := make([]float64, 100_000)
	for i := range many {
		many[i] = float64(i)/50_000 - 1
	}
	stair := cumulative(many)
	if len(stair) > 2*maxSteps+2 {
		t.Errorf("%d points", len(stair))
	}
	points = points[:0]
	for _, p := range stair {
		points = append(points, struct{ X, Y float64 }{p.X, p.Y})
	}
	if got := at(points, 0); got < 0.497 || got > 0.503 {
		t.Errorf("half of the rows are below 0, the stair says %v", got)
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
