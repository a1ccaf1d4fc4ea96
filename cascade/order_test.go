package cascade

import (
	"context"
	"image"
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
