package accuracy

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/luma"
	"haarlem/internal/must"
	"haarlem/landmarks"
)

// still is a model without levels: it returns the mean shape, three points, 0.2
// sides of the frame apart.
func still(t *testing.T) *landmarks.Predictor {
	t.Helper()
	const px = landmarks.Unit
	p := must.Get(landmarks.NewPredictor(&landmarks.Model{
		Side: 20, Reach: 1, Box: landmarks.Convention{Side: 1}, Eyes: [2]int{0, 1},
		Mean: []landmarks.Vec{{X: -2 * px}, {X: 2 * px}, {Y: 4 * px}},
	}))
	return p
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) < 1e-9) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

// In a frame of 100 pixels around (50, 50) the points are at (40, 50), (60, 50)
// and (50, 70): 20 pixels between the eyes.
func TestRun(t *testing.T) {
	g := luma.Plane{Pix: make([]byte, 100), Stride: 10, Width: 10, Height: 10}
	object := func(dx, dy float64, nose landmarks.Point) Object {
		return Object{g, []landmarks.Point{{X: 40 + dx, Y: 50 + dy}, {X: 60 + dx, Y: 50 + dy}, nose}, landmarks.Frame{X: 50, Y: 50, A: 100}}
	}
	r := must.Get(Run(still(t), []Object{
		object(0, 0, landmarks.Point{X: 50, Y: 70}),
		object(0, 0, landmarks.Point{X: 53, Y: 66}), // off by 3, 4: 0.25 of 20
		object(-2, 0, landmarks.Point{X: 48, Y: 70}),
		object(0, 2, landmarks.Point{X: 50, Y: 72}),
	}))
	for i, want := range []float64{0, 0.25 / 3, 0.1, 0.1} {
		near(t, "an object's error", r.Objects()[i], want)
	}
	near(t, "the mean", r.Mean(), (0.25/3+0.2)/4)
	for i, want := range []float64{0.05, 0.05, 0.45 / 4} {
		near(t, "a point's error", r.Points()[i], want)
	}
	near(t, "the failures", r.Failures(), 0.5)
	near(t, "those below 0.09", r.Below(0.09), 0.5)
	near(t, "the median", r.Quantile(0.5), 0.1)
	near(t, "the largest", r.Quantile(1), 0.1)
	x, y := r.Bias()
	near(t, "the bias to the right", x, (-0.15+0.3)/12)
	near(t, "the bias down", y, (0.2-0.3)/12)
	if x, y := r.WithoutBias().Bias(); math.Abs(x)+math.Abs(y) > 1e-12 {
		t.Errorf("without its bias the bias is %v, %v", x, y)
	}
	if got := r.Of([]int{3, 0}).Objects(); !slices.Equal(got, []float64{r.Objects()[3], 0}) {
		t.Errorf("objects 3 and 0 have errors %v", got)
	}
}

func TestRunRefuses(t *testing.T) {
	p := still(t)
	if _, err := Run(p, nil); !errors.Is(err, ErrNothing) {
		t.Errorf("nothing: %v", err)
	}
	g := luma.Plane{Pix: make([]byte, 1), Stride: 1, Width: 1, Height: 1}
	f := landmarks.Frame{A: 1}
	for want, o := range map[string]Object{
		"object 0 has 1 points": {g, make([]landmarks.Point, 1), f},
		"both eyes at one":      {g, make([]landmarks.Point, 3), f},
	} {
		if _, err := Run(p, []Object{o}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
