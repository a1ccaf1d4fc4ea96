package engine

import (
	"context"
	"image"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/cpu"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/must"
	"haarlem/internal/program"
)

// TestGreedy: of stages of equal cost, those that reject most come first, given
// what the ones before reject.
func TestGreedy(t *testing.T) {
	p := new(program.Program)
	for range 6 {
		p.Segments = append(p.Segments, lanes.Segment{N: 5})
		p.Ends = append(p.Ends, len(p.Segments))
	}
	o := ordering{
		first: []uint16{0b1111_1111, 0b1111},
		passed: [][]uint16{
			nil,                      // the first stage
			{0b1111_1110, 0b1111},    // rejects one window
			{0b1111_0000, 0b0001},    // seven
			{0b1111_0000, 0b1111},    // four that the one before rejects
			{0b0000_1111, 0b1111},    // the other four
			{0b0000_0000, 0b0000_00}, // the last
		},
	}
	if got, want := o.greedy(p), []int{0, 2, 4, 1, 3, 5}; !slices.Equal(got, want) {
		t.Errorf("order %v, want %v", got, want)
	}
	// A stage that costs ten times as much must wait.
	p.Segments[2].N = 50
	o.first = []uint16{0b1111_1111, 0b1111}
	if got, want := o.greedy(p), []int{0, 3, 4, 2, 1, 5}; !slices.Equal(got, want) {
		t.Errorf("with a costly stage 2: order %v, want %v", got, want)
	}
}

// orderOf returns the order that an engine finds.
func orderOf(t *testing.T, d *Engine) []int {
	t.Helper()
	return must.Get(d.stageOrder(t.Context()))
}

// TestStageOrder: classical stages are reordered, except the first and the
// last; where the score runs on, nothing is.
func TestStageOrder(t *testing.T) {
	if !lanes.Vectors() {
		t.Skip("no vectors")
	}
	c := stages(7)
	d := must.Get(New(c, nil))
	order := orderOf(t, d)
	if len(order) != 7 || order[0] != 0 || order[6] != 6 {
		t.Fatalf("order %v", order)
	}
	if slices.IsSorted(order) {
		t.Errorf("order %v: the weakest stage should have moved", order)
	}
	if slices.Sort(order); !slices.Equal(order, []int{0, 1, 2, 3, 4, 5, 6}) {
		t.Errorf("not each stage once: %v", order)
	}
	level := cpu.Current()
	cpu.ForTest(t, cpu.PureGo)
	if d, _ := New(c, nil); orderOf(t, d) != nil {
		t.Error("an order without vectors")
	}
	cpu.ForTest(t, level)
	for n, want := range map[int]bool{64: true, 65: false} { // with more stages, finding an order takes too long
		if d, _ := New(stages(n), nil); (orderOf(t, d) != nil) != want {
			t.Errorf("%d stages: an order: %v, want %v", n, !want, want)
		}
	}
	c.Exits[3].Restart = false
	if d, _ := New(c, nil); orderOf(t, d) != nil {
		t.Error("an order where the score runs on")
	}
}

// TestAnyOrder: results do not depend on the order.
func TestAnyOrder(t *testing.T) {
	c := stages(7)
	g := must.Get(drawLeaves(t.Context(), 1000, 700))
	img := &image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: image.Rect(0, 0, g.Width, g.Height)}
	var want []Window
	for i, order := range [][]int{nil, {0, 5, 4, 3, 2, 1, 6}, {0, 3, 1, 5, 2, 4, 6}} {
		d := must.Get(New(c, nil))
		asked := false
		d.order.make = func(context.Context) ([]int, error) { asked = true; return order, nil }
		got := must.Get(d.AppendWindows(t.Context(), nil, img))
		if !asked {
			t.Fatalf("a picture of %d windows and more is not worth an order", orderWindows)
		}
		if i == 0 {
			want = got
		}
		if len(got) < 1000 || !slices.Equal(got, want) {
			t.Errorf("order %v: %d found, %d in the model's order, or other scores", order, len(got), len(want))
		}
	}
	d, _ := New(c, nil)
	d.order.make = func(context.Context) ([]int, error) {
		t.Error("an order for a small picture")
		return nil, nil
	}
	must.Get(d.AppendWindows(t.Context(), nil, img.SubImage(image.Rect(0, 0, 100, 100)).(*image.Gray)))
}

// stages returns a cascade of n stages of one stump each that require ever
// stronger edges, so that later ones pass less.
func stages(n int) *cascade.Cascade {
	c := &cascade.Cascade{Kind: cascade.Haar, Width: 20, Height: 20}
	for i := range n {
		c.Features = append(c.Features, haar.Feature{Rects: [3]haar.Rect{{W: 20, H: 20, Weight: -1}, {W: 10, H: 20, Weight: 2}}})
		c.Weak = append(c.Weak, cascade.Weak{
			Nodes:  []cascade.Node{{Feature: int32(i), Threshold: 0.6 * float32(i) / float32(n), Left: 0, Right: -1}},
			Leaves: []float32{-1, 1},
		})
		c.Exits = append(c.Exits, cascade.Exit{After: i + 1, Threshold: 0, Restart: true})
	}
	return c
}
