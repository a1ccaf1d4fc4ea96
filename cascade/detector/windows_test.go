package detector_test

import (
	"context"
	"image"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
	"haarlem/internal/must"
)

// Windows are the ungrouped detections. The outputs for the pixels of one add
// up to the margin that the search found.
func TestWindows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 0))
	passed := 0
	for range 40 {
		c := randomCascade(rng, randomSoft(rng))
		g := image.NewGray(image.Rect(0, 0, c.Width+rng.IntN(60), c.Height+rng.IntN(60)))
		for i := range g.Pix {
			g.Pix[i] = byte(rng.IntN(256))
		}
		for _, stride := range []int{1, 3} {
			d := must.Get(detector.New(&detector.Options{Ungrouped: true, Search: &cascade.Search{Stride: stride, Pad: rng.Float64() / 2}, Windows: detector.WindowsAll, Scale: 1.3}, c))
			found := must.Get(d.Detect(context.Background(), g))
			windows := must.Get(d.Engine().AppendWindows(context.Background(), nil, g))
			if len(windows) != len(found) {
				t.Fatalf("%d windows, %d detections", len(windows), len(found))
			}
			if n := d.Engine().Visits(g.Rect.Dx(), g.Rect.Dy()); n < len(windows) || n == 0 {
				t.Errorf("%d windows of %d", len(windows), n)
			}
			pixels, weak := image.NewGray(image.Rect(0, 0, c.Width, c.Height)), outputsOf(t, c)
			passed += len(windows)
			for _, w := range windows {
				engine.CutWindow(pixels, g, w)
				outputs, ok := weak.Append(nil, pixels, 0)
				if !ok || len(outputs) != len(c.Weak) {
					t.Fatalf("%d outputs of %d weak classifiers, contrast %v", len(outputs), len(c.Weak), ok)
				}
				margin, from := 0.0, 0
				score := 0.0
				for _, x := range c.Exits {
					for _, a := range outputs[from:x.After] {
						score += float64(a)
					}
					from = x.After
					margin = score - float64(x.Threshold)
					if margin < 0 {
						t.Fatalf("window %+v does not pass the exit after %d", w, x.After)
					}
					if x.Restart {
						score = 0
					}
				}
				if margin != w.Margin {
					t.Fatalf("window %+v: margin %v of its pixels, want %v", w, margin, w.Margin)
				}
			}
		}
	}
	if passed == 0 {
		t.Error("no window passed any of the cascades")
	}
}

// A window without contrast has no outputs.
func TestOutputsOfFlat(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	c := randomCascade(rng, randomSoft(rng))
	for c.Kind != cascade.Haar {
		c = randomCascade(rng, randomSoft(rng))
	}
	if a, ok := outputsOf(t, c).Append(nil, image.NewGray(image.Rect(0, 0, c.Width, c.Height)), 0); ok || a != nil {
		t.Errorf("outputs %v, contrast %v, want none", a, ok)
	}
}

// Windows and groups are the two halves of a detection.
func TestWindowsThenGroups(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 0))
	total := 0
	for i := range 40 {
		c := randomCascade(rng, randomSoft(rng))
		all := image.NewGray(image.Rect(5, 7, 5+c.Width+rng.IntN(60), 7+c.Height+rng.IntN(60)))
		for i := range all.Pix {
			all.Pix[i] = byte(rng.IntN(256))
		}
		d := must.Get(detector.New(&detector.Options{MinNeighbors: 1 + i%3, Scale: 1.2}, c))
		want := must.Get(d.AppendDetect(context.Background(), nil, all))
		ws := must.Get(d.Engine().AppendWindows(context.Background(), nil, all))
		if got := d.GroupsOf(ws, all); !slices.EqualFunc(got, want, detector.Detection.Equal) {
			t.Fatalf("groups %v, want %v", got, want)
		}
		total += len(want)
	}
	if total < 20 {
		t.Errorf("%d detections: nothing is tested", total)
	}
}

// outputsOf compiles c for single windows.
func outputsOf(t *testing.T, c *cascade.Cascade) *engine.Outputs {
	t.Helper()
	return must.Get(engine.NewOutputs(c))
}
