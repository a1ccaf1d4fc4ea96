package network

import (
	"math"
	"slices"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/network"
	"haarlem/internal/splitmix"
)

func gathered(t *testing.T, s *Settings) *examples {
	t.Helper()
	v := must.Get(s.withDefaults())
	return must.Get(gather(scenes(20), &v))
}

func TestJudge(t *testing.T) {
	objects := []Object{{Box: Box{50, 50, 20, 20}}, {Box: Box{100, 50, 40, 40}, Ignore: true}, {Box: Box{54, 50, 20, 20}}}
	for _, c := range []struct {
		name   string
		box    Box
		label  int8
		number int
	}{
		{"the object", Box{50, 51, 20, 20}, object, 0},
		{"the nearer object", Box{53, 50, 20, 20}, object, 2},
		{"part of it", Box{42, 50, 20, 20}, neither, 0},
		{"background", Box{10, 10, 20, 20}, background, -1},
		{"a corner of the object", Box{62, 64, 20, 20}, background, -1},
		{"to be ignored", Box{100, 52, 36, 36}, neither, -1},
		{"within what is to be ignored", Box{104, 52, 10, 10}, neither, -1},
	} {
		if label, number := judge(c.box, objects); label != c.label || number != c.number {
			t.Errorf("%s: label %d of object %d, want %d of %d", c.name, label, number, c.label, c.number)
		}
	}
}

// Samples have the shares that the settings name, and targets that are true.
func TestDraw(t *testing.T) {
	s := quick()
	s.Objects, s.Between = 0.4, 0.2
	e := gathered(t, s)
	var count [3]int
	const n = 4000
	for i := range n {
		r := splitmix.Unnamed(1, i)
		x := e.draw(&r)
		objects := e.photos[x.photo].Objects
		label, number := judge(x.box, objects)
		if x.label == background {
			if label != background || x.target.box {
				t.Fatalf("sample %d: the background's, but it shows object %d", i, number)
			}
		} else {
			by := [4]float64{float64(x.by[0]), float64(x.by[1]), float64(x.by[2]), float64(x.by[3])}
			truth := Box{
				x.box.X + by[0]*x.box.Width, x.box.Y + by[1]*x.box.Height,
				x.box.Width * network.Factor(by[2]), x.box.Height * network.Factor(by[3]),
			}
			near := slices.ContainsFunc(objects, func(o Object) bool { return o.Box.IoU(truth) > 0.99 })
			if !x.target.box || !near || x.label == object && label != object {
				t.Fatalf("sample %d: label %d, corrected to %+v, of no object", i, x.label, truth)
			}
		}
		count[x.label+1]++
	}
	// Some squares around objects are not similar enough.
	if got := float64(count[background+1]) / n; math.Abs(got-0.4) > 0.03 {
		t.Errorf("a share of %.3f of the background, want 0.4", got)
	}
	if got := float64(count[object+1]) / n; got < 0.35 || got > 0.43 {
		t.Errorf("a share of %.3f of objects, want 0.4 or a little less", got)
	}
}

// Hard examples of the background are drawn in proportion to their hardness.
func TestHardness(t *testing.T) {
	s := quick()
	s.Objects, s.Between, s.Hard = 0.01, 0.01, 1
	e := gathered(t, s)
	sum := 0.0
	for i := range e.background {
		if i < 2 {
			sum += float64(1 + 2*i)
		}
		e.hardness = append(e.hardness, sum)
	}
	var count [2]int
	for i := range 4000 {
		r := splitmix.Unnamed(1, i)
		x := e.draw(&r)
		for k := range count {
			if x.box == e.photos[0].Candidates[e.background[k].index].Box {
				count[k]++
			}
		}
	}
	if share := float64(count[1]) / float64(count[0]+count[1]); count[0]+count[1] < 3850 || math.Abs(share-0.75) > 0.03 {
		t.Errorf("drawn %v times, want 4,000 in all and three quarters the harder one", count)
	}
}

// Changed crops are like crops of the detector: 0 to 127, and 0.
func TestChanged(t *testing.T) {
	s := quick()
	e := gathered(t, s)
	c := newCropper(s.Step.Side)
	c.by = changes{grey: 0.5, colour: 1, light: 1, coarse: 0.5, noise: 0.5}
	grey := 0
	for i := range 300 {
		r := splitmix.Unnamed(2, i)
		x := e.drawObject(&r)
		was := x.by
		c.changed(e.photos[x.photo].Planes, &x, e.s, &r)
		if was[0] != x.by[0] && was[0] != -x.by[0] || was[1] != x.by[1] {
			t.Fatalf("corrections %v became %v", was, x.by)
		}
		colours := false
		for k, v := range c.pixels {
			if v > 127 || k%network.Pixel == 3 && v != 0 {
				t.Fatalf("crop %d: value %d", i, v)
			}
			colours = colours || (k%network.Pixel == 1 || k%network.Pixel == 2) && v != 64
		}
		if !colours {
			grey++
		}
	}
	if grey < 100 || grey > 200 {
		t.Errorf("%d of 300 crops are grey, want half", grey)
	}
	c.by = changes{}
	r := splitmix.Unnamed(2)
	x := e.drawObject(&r)
	left, right := newCropper(s.Step.Side), newCropper(s.Step.Side)
	left.plain(e.photos[x.photo].Planes, x.box, s.Step.Sides, s.Step.Side)
	right.plain(e.photos[x.photo].Planes, x.box, s.Step.Sides, s.Step.Side)
	network.Mirror(right.pixels, s.Step.Side)
	seen := [2]bool{}
	for range 30 {
		y := x
		c.changed(e.photos[x.photo].Planes, &y, e.s, &r)
		switch {
		case slices.Equal(c.pixels, left.pixels) && y.by == x.by:
			seen[0] = true
		case slices.Equal(c.pixels, right.pixels) && y.by[0] == -x.by[0]:
			seen[1] = true
		default:
			t.Fatal("neither the crop nor its mirror image")
		}
	}
	if !seen[0] || !seen[1] {
		t.Error("want both the crop and its mirror image in 30 samples")
	}
}

// Where the picture ends in a crop, its border is repeated, and the box is within it.
func TestEdge(t *testing.T) {
	s := quick()
	s.Step.Sides, s.Unmirrored = 2, true
	e := gathered(t, s)
	c, plain := newCropper(s.Step.Side), newCropper(s.Step.Side)
	c.by = changes{edge: 1}
	const around = 3 // pixels beyond the box
	seen := map[[4]int]bool{}
	for i := range 300 {
		r := splitmix.Unnamed(2, i)
		x := e.drawObject(&r)
		plain.plain(e.photos[x.photo].Planes, x.box, s.Step.Sides, s.Step.Side)
		c.changed(e.photos[x.photo].Planes, &x, e.s, &r)
		found := false
		for k := range (around + 1) * (around + 1) * (around + 1) * (around + 1) {
			cut := [4]int{k & around, k >> 2 & around, k >> 4 & around, k >> 6}
			same := true
			for p := range s.Step.Side * s.Step.Side {
				at := min(max(p/s.Step.Side, cut[2]), s.Step.Side-1-cut[3])*s.Step.Side + min(max(p%s.Step.Side, cut[0]), s.Step.Side-1-cut[1])
				same = same && [network.Pixel]byte(c.pixels[p*network.Pixel:]) == [network.Pixel]byte(plain.pixels[at*network.Pixel:])
			}
			if same {
				seen[cut], found = true, true
				break
			}
		}
		if !found {
			t.Fatalf("crop %d is not one with edges", i)
		}
	}
	if len(seen) < 100 {
		t.Errorf("%d places of edges, want many", len(seen))
	}
}
