package detector_test

import (
	"context"
	"image"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
	"haarlem/internal/must"
)

// bareFace returns the cascade of frontalface with a stride of 2 and no other settings,
// without a verifier, and a function that returns the windows of a picture that pass a
// cascade.
func bareFace(t *testing.T) (*cascade.Cascade, func(*cascade.Cascade, detector.Options) []engine.Window) {
	t.Helper()
	c := must.Get(cascade.Open("../../models/frontalface/frontalface.cascade"))
	c.Search.Stride, c.Search.RefineX, c.Search.RefineY, c.Search.InterLevel, c.Search.DenseFrom, c.Search.Pad, c.Verifier = 2, 0, 0, 0, 0, 0, nil
	c.Search.ScaleBias, c.Search.PrefilterFrom = cascade.ScaleBias{}, 0
	g := greyCopy(groupPicture(t))
	if testing.Short() {
		g = g.SubImage(image.Rect(100, 50, 420, 300)).(*image.Gray)
	}
	return c, func(c *cascade.Cascade, o detector.Options) []engine.Window {
		t.Helper()
		return windowsIn(t, c, g, o)
	}
}

// windowsIn returns the windows of g that pass c.
func windowsIn(t *testing.T, c *cascade.Cascade, g *image.Gray, o detector.Options) []engine.Window {
	t.Helper()
	return must.Get(newDetectorOf(t, c, &o).Engine().AppendWindows(context.Background(), nil, g))
}

// begun returns the cascade of c's first exits.
func begun(c *cascade.Cascade, exits int) *cascade.Cascade {
	b := *c
	b.Exits = c.Exits[:exits]
	b.Weak = c.Weak[:b.Exits[exits-1].After]
	return &b
}

// Windows off the grid are those of a search with a stride of 1 that are beside a
// survivor of the grid, or above or below. The picture is too large for one band, and
// several workers divide it in other ways than one does.
func TestRefine(t *testing.T) {
	c, windows := bareFace(t)
	c.Search.Pad = 0.25
	// So that few adjacent windows pass, and many off the grid do.
	c.Exits = slices.Clone(c.Exits)
	c.Exits[len(c.Exits)-1].Threshold += 2.5
	far := func(exits int) []engine.Window { return windows(begun(c, exits), detector.Options{}) }
	plain, all := windows(c, detector.Options{}), windows(c, detector.Options{Search: with(c, func(s *cascade.Search) { s.Stride = 1 })})
	for _, refine := range [][2]int{{150, 0}, {0, 150}, {30, 400}, {400, 30}, {200, 200}, {900, len(c.Exits)}} {
		o := detector.Options{Search: with(c, func(s *cascade.Search) { s.RefineX, s.RefineY = refine[0], refine[1] })}
		type position struct{ size, at image.Point }
		visited := map[position]bool{}
		for _, w := range plain {
			visited[position{w.Size, w.At}] = true
		}
		if refine[0] > 0 {
			for _, w := range far(refine[0]) {
				visited[position{w.Size, w.At.Add(image.Pt(-1, 0))}] = true
				visited[position{w.Size, w.At.Add(image.Pt(1, 0))}] = true
			}
		}
		if refine[1] > 0 {
			for _, w := range far(refine[1]) {
				for dx := -1; dx <= 1; dx++ {
					visited[position{w.Size, w.At.Add(image.Pt(dx, -1))}] = true
					visited[position{w.Size, w.At.Add(image.Pt(dx, 1))}] = true
				}
			}
		}
		var want []engine.Window
		for _, w := range all {
			if visited[position{w.Size, w.At}] {
				want = append(want, w)
			}
		}
		if len(want) < 2*len(plain) || len(plain) == 0 {
			t.Fatalf("%+v: %d windows on the grid pass, %d with those off it: that proves little", o, len(plain), len(want))
		}
		for _, workers := range []int{1, 2, 7} {
			o.Workers = workers
			if got := windows(c, o); !slices.Equal(got, want) {
				t.Errorf("%+v: %d windows, want %d", o, len(got), len(want))
			}
		}
		o.Workers = 0

		// On other grids no windows off the grid are searched.
		for _, stride := range []int{1, 3} {
			other := *o.Search
			other.Stride = stride
			got := windows(c, detector.Options{Search: &other})
			if want := windows(c, detector.Options{Search: strideOf(c, stride)}); !slices.Equal(got, want) {
				t.Errorf("%+v: %d windows, %d of the grid", other, len(got), len(want))
			}
		}

		// The cascade's own settings apply where the options have none.
		c.Search.RefineX, c.Search.RefineY = refine[0], refine[1]
		if got := windows(c, detector.Options{}); !slices.Equal(got, want) {
			t.Errorf("a cascade with %+v finds %d windows, want %d", refine, len(got), len(want))
		}
		if got := windows(c, detector.Options{Search: with(c, func(s *cascade.Search) { s.RefineX, s.RefineY = 0, 0 })}); !slices.Equal(got, plain) {
			t.Errorf("with 0 %d windows pass, want the %d on the grid", len(got), len(plain))
		}
		c.Search.RefineX, c.Search.RefineY = 0, 0
	}
}
