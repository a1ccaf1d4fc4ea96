package cascade

import (
	"context"
	"errors"
	"image"
	"image/color"
	"slices"
	"testing"

	"haarlem/haar"
	"haarlem/integral"
)

// TestCandidatesAreOrdered holds the order in which margins are added up: by
// level, row and column, however the scan goes about it.
func TestCandidatesAreOrdered(t *testing.T) {
	c := &Cascade{
		Kind: Haar, Width: 8, Height: 8,
		Features: []haar.Feature{{Rects: [3]haar.Rect{{W: 8, H: 8, Weight: -1}, {W: 4, H: 8, Weight: 2}}}},
		Weak:     []Weak{{Nodes: []Node{{Left: 0, Right: -1}}, Leaves: []float32{-1, 1}}},
		Exits:    []Exit{{After: 1, Threshold: 0, Restart: true}},
	}
	g := image.NewGray(image.Rect(0, 0, 400, 90))
	for i := range g.Pix {
		g.Pix[i] = byte(i * i >> 5)
	}
	for _, workers := range []int{1, 3} {
		d, err := NewDetector(c, &Options{Workers: workers})
		if err != nil {
			t.Fatal(err)
		}
		j := d.job()
		p, _ := integral.GreyOf(g, nil)
		if err := j.candidates(context.Background(), p); err != nil {
			t.Fatal(err)
		}
		if len(j.all) < 1000 {
			t.Fatalf("%d candidates, want many", len(j.all))
		}
		if !slices.IsSortedFunc(j.all, func(a, b candidate) int {
			return slices.Compare([]int32{a.level, a.y, a.x}, []int32{b.level, b.y, b.x})
		}) {
			t.Errorf("%d workers: candidates are out of order", workers)
		}
	}
}

// TestWeightsThatCancel holds that a feature without any pixel left compiles
// to something that ends.
func TestWeightsThatCancel(t *testing.T) {
	c := &Cascade{
		Kind: Haar, Width: 40, Height: 40,
		Features: []haar.Feature{{Rects: [3]haar.Rect{{W: 40, H: 40, Weight: -1}, {W: 40, H: 20, Weight: 1}, {Y: 20, W: 40, H: 20, Weight: 1}}}},
		Weak:     []Weak{{Nodes: []Node{{Left: 0, Right: -1}}, Leaves: []float32{-1, 1}}},
		Exits:    []Exit{{After: 1, Threshold: 0, Restart: true}},
	}
	d, err := NewDetector(c, &Options{Ungrouped: true})
	if err != nil {
		t.Fatal(err)
	}
	g := image.NewGray(image.Rect(0, 0, 60, 60))
	for i := range g.Pix {
		g.Pix[i] = byte(i * 7)
	}
	found, err := d.AppendDetect(context.Background(), nil, g)
	if err != nil {
		t.Fatal(err)
	}
	// The value is 0 everywhere, which is not below the threshold 0.
	if len(found) < 100 {
		t.Errorf("%d windows pass, want all", len(found))
	}
}

// TestImageTooLarge holds that an image without end is an error, not a panic.
func TestImageTooLarge(t *testing.T) {
	d, err := NewDetector(&Cascade{
		Kind: Haar, Width: 8, Height: 8,
		Features: []haar.Feature{{Rects: [3]haar.Rect{{W: 8, H: 8, Weight: -1}, {W: 4, H: 8, Weight: 2}}}},
		Weak:     []Weak{{Nodes: []Node{{Left: 0, Right: -1}}, Leaves: []float32{-1, 1}}},
		Exits:    []Exit{{After: 1, Threshold: 0, Restart: true}},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.Detect(context.Background(), image.NewUniform(color.White)); !errors.Is(err, ErrImageTooLarge) {
		t.Errorf("error %v, want ErrImageTooLarge", err)
	}
}
