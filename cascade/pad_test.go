package cascade_test

import (
	"context"
	"image"
	"slices"
	"testing"

	"haarlem/cascade"
)

// A search beyond the edge is a search of a picture that somebody has made
// larger by hand, in the coordinates of the one that is there.
func TestPad(t *testing.T) {
	c, err := cascade.Open("testdata/parity/upright-stumps.xml")
	if err != nil {
		t.Fatal(err)
	}
	whole := picture{"faces", 640, 480, 5}.draw()
	g := whole.SubImage(image.Rect(31, 17, 331, 217)).(*image.Gray) // 300x200, an origin of its own
	const border = 50
	large := image.NewGray(g.Rect.Inset(-border))
	for y := large.Rect.Min.Y; y < large.Rect.Max.Y; y++ {
		for x := large.Rect.Min.X; x < large.Rect.Max.X; x++ {
			large.SetGray(x, y, g.GrayAt(min(max(x, g.Rect.Min.X), g.Rect.Max.X-1), min(max(y, g.Rect.Min.Y), g.Rect.Max.Y-1)))
		}
	}
	for name, o := range map[string]cascade.Options{"upright": {MinNeighbors: 1}, "turned": {MinNeighbors: 1, Angles: []float64{0, 15}}} {
		find := func(pad float64, g *image.Gray) []cascade.Detection {
			o := o
			o.Pad = pad
			d, err := cascade.NewDetector(c, &o)
			if err != nil {
				t.Fatal(err)
			}
			return detectIn(t, d, g)
		}
		var want []cascade.Detection
		beyond := 0
		for _, d := range find(0, large) {
			if centre := d.Box.Min.Add(d.Box.Max).Div(2); !centre.In(g.Rect) {
				continue
			}
			if !d.Box.In(g.Rect) {
				beyond++
			}
			d.Box = d.Box.Intersect(g.Rect)
			want = append(want, d)
		}
		got := find(0.25, g)
		order := func(a, b cascade.Detection) int {
			return slices.Compare([]int{a.Box.Min.X, a.Box.Min.Y, a.Box.Max.X, a.Neighbors}, []int{b.Box.Min.X, b.Box.Min.Y, b.Box.Max.X, b.Neighbors})
		}
		slices.SortFunc(want, order)
		slices.SortFunc(got, order)
		if beyond == 0 || !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v, with some that the edge cuts", name, got, want)
		}
	}
}

// A face of which nearly a third is cut off is found with Pad only, and the box
// ends at the edge.
func TestPadFace(t *testing.T) {
	all := detectIn(t, newDetector(t, nil), greyCopy(groupPicture(t)))
	face := slices.MinFunc(all, func(a, b cascade.Detection) int { return a.Box.Min.X - b.Box.Min.X }).Box
	g := greyCopy(groupPicture(t))
	g = g.SubImage(image.Rect(face.Min.X+face.Dx()*3/10, 0, g.Rect.Max.X, g.Rect.Max.Y)).(*image.Gray)
	found := func(o *cascade.Options) bool {
		return slices.ContainsFunc(detectIn(t, newDetector(t, o), g), func(d cascade.Detection) bool {
			return d.Box.Min.X == g.Rect.Min.X && d.Box.In(g.Rect) && d.Box.Overlaps(face.Inset(face.Dx()/4))
		})
	}
	if found(nil) {
		t.Error("the face is found without a border: the test says nothing")
	}
	if !found(&cascade.Options{Pad: 0.1}) {
		t.Error("the face at the edge is not found")
	}
}

func TestPadAllocates(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	d := newDetector(t, &cascade.Options{Pad: 0.1, Workers: 1})
	g := greyCopy(groupPicture(t))
	var dst []cascade.Detection
	search := func() {
		var err error
		if dst, err = d.AppendDetect(context.Background(), dst[:0], g); err != nil {
			t.Fatal(err)
		}
	}
	search()
	if n := testing.AllocsPerRun(3, search); n > 0 {
		t.Errorf("%v allocations a search", n)
	}
}
