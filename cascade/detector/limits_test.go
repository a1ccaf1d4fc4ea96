package detector

import (
	"context"
	"errors"
	"image"
	"image/color"
	"testing"

	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/must"
)

// TestWeightsThatCancel: a feature whose weights cancel out compiles to
// something that terminates.
func TestWeightsThatCancel(t *testing.T) {
	c := &cascade.Cascade{
		Kind: cascade.Haar, Width: 40, Height: 40,
		Features: []haar.Feature{{Rects: [3]haar.Rect{{W: 40, H: 40, Weight: -1}, {W: 40, H: 20, Weight: 1}, {Y: 20, W: 40, H: 20, Weight: 1}}}},
		Weak:     []cascade.Weak{{Nodes: []cascade.Node{{Left: 0, Right: -1}}, Leaves: []float32{-1, 1}}},
		Exits:    []cascade.Exit{{After: 1, Threshold: 0, Restart: true}},
	}
	d := must.Get(New(&Options{Ungrouped: true}, c))
	g := image.NewGray(image.Rect(0, 0, 60, 60))
	for i := range g.Pix {
		g.Pix[i] = byte(i * 7)
	}
	found := must.Get(d.AppendDetect(context.Background(), nil, g))
	// The value is 0 everywhere, which is not below the threshold 0.
	if len(found) < 100 {
		t.Errorf("%d windows pass, want all", len(found))
	}
}

// TestImageTooLarge: an endless image is an error, not a panic.
func TestImageTooLarge(t *testing.T) {
	d := must.Get(New(nil, &cascade.Cascade{
		Kind: cascade.Haar, Width: 8, Height: 8,
		Features: []haar.Feature{{Rects: [3]haar.Rect{{W: 8, H: 8, Weight: -1}, {W: 4, H: 8, Weight: 2}}}},
		Weak:     []cascade.Weak{{Nodes: []cascade.Node{{Left: 0, Right: -1}}, Leaves: []float32{-1, 1}}},
		Exits:    []cascade.Exit{{After: 1, Threshold: 0, Restart: true}},
	}))
	if _, err := d.Detect(context.Background(), image.NewUniform(color.White)); !errors.Is(err, ErrImageTooLarge) {
		t.Errorf("error %v, want ErrImageTooLarge", err)
	}
}
