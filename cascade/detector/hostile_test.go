package detector_test

import (
	"errors"
	"image"
	"runtime"
	"slices"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/haar"
	"haarlem/internal/channels"
	"haarlem/internal/must"
	"haarlem/models/facefast"
	"haarlem/models/frontalfaceopencv"
)

// The hostile set: well-formed images and models that are made to take much
// time or memory. These tests check the bounds in SECURITY.md.

// tiled is an image full of one drawn face, of 30x30 pixels.
func tiled(t testing.TB, width, height int) *image.Gray {
	t.Helper()
	face := tile(t)
	g := image.NewGray(image.Rect(0, 0, width, height))
	for i := range g.Pix {
		g.Pix[i] = face[i/width%side][i%width%side]
	}
	return g
}

const side = 30 // of a tile

// tile is that face.
func tile(t testing.TB) (face [side][side]byte) {
	t.Helper()
	grey := greyCopy(group())
	box := detectIn(t, newDetector(t, nil), grey)[0].Box
	for y := range side {
		for x := range side {
			sum, n := 0, 0
			for v := box.Min.Y + y*box.Dy()/side; v < box.Min.Y+(y+1)*box.Dy()/side; v++ {
				for u := box.Min.X + x*box.Dx()/side; u < box.Min.X+(x+1)*box.Dx()/side; u++ {
					sum, n = sum+int(grey.GrayAt(u, v).Y), n+1
				}
			}
			face[y][x] = byte(sum / n)
		}
	}
	return face
}

// passing is a cascade that all windows pass, with the given numbers of weak
// classifiers and of nodes in each tree, and an exit after every exits of them.
func passing(weak, nodes, exits int) *cascade.Cascade {
	c := &cascade.Cascade{Kind: cascade.Haar, Width: 24, Height: 24}
	for i := range int32(20) {
		c.Features = append(c.Features, haar.Feature{Rects: [3]haar.Rect{
			{X: 2 + i%4, Y: 2, W: 8, H: 8 + i%8, Weight: -1}, {X: 2 + i%4, Y: 2, W: 4, H: 8 + i%8, Weight: 2}}})
	}
	for i := range weak {
		var w cascade.Weak
		for k := range nodes {
			// Nearly all windows go right, to the end of the chain.
			n := cascade.Node{Feature: int32((i + k) % 20), Threshold: -1e6, Left: int32(-k), Right: int32(k + 1)}
			if k == nodes-1 {
				n.Right = int32(-nodes)
			}
			w.Nodes = append(w.Nodes, n)
		}
		for k := range nodes + 1 {
			w.Leaves = append(w.Leaves, 0.1+float32(k)/float32(1<<20)) // on no coarse grid
		}
		c.Weak = append(c.Weak, w)
		if (i+1)%exits == 0 || i == weak-1 {
			c.Exits = append(c.Exits, cascade.Exit{After: i + 1})
		}
	}
	return c
}

// verifying returns a model with a verifier that tries all squares on
// everything and rejects nothing.
func verifying(c *cascade.Cascade) *cascade.Cascade {
	v := &cascade.Verifier{Sides: 4, Weight: 1, MultiCrop: cascade.MultiCrop{Low: -1e9, High: 1e9, Shift: 0.5, Grow: 0.5}}
	for i := range 3000 {
		v.Trees = append(v.Trees, cascade.Weak{
			Nodes: []cascade.Node{{Feature: int32(i % channels.Count), Left: 0, Right: -1}}, Leaves: []float32{0.125, 0.25}})
	}
	c.Verifier = v
	return c
}

// hostileModels are the models of the set. Built-in models are included: images
// can be made hostile to them.
func hostileModels(t testing.TB) map[string]*cascade.Cascade {
	staged := passing(120_000, 1, 2000)
	for i := range staged.Exits {
		staged.Exits[i].Restart = true
	}
	asking := passing(2000, 1, 1)
	asking.Exits[1999].Threshold = 1e6 // no window passes it
	asking.Search.Stride, asking.Search.RefineX, asking.Search.RefineY, asking.Search.InterLevel, asking.Search.Pad = 2, 1999, 1999, 1000, 0.5
	general := passing(20_000, 1, 1)
	general.Width, general.Height = 250, 250
	for i := range general.Features {
		general.Features[i].Rects[0] = haar.Rect{W: 250, H: 250, Weight: 0.3}
	}
	return map[string]*cascade.Cascade{
		"face-fast":          must.Get(facefast.Cascade()),
		"frontalface-opencv": must.Get(frontalfaceopencv.Cascade()),
		"everything":         passing(1, 1, 1),
		"verifier":           verifying(passing(1, 1, 1)),
		"long":               passing(120_000, 1, 1),
		"one long exit":      passing(120_000, 1, 120_000),
		"long stages":        staged,
		"chain":              passing(1, 500_000, 1),
		"trees":              passing(50_000, 8, 1),
		"asking":             asking,
		"large rectangles":   general,
	}
}

// A hostileWay is a search with certain options.
type hostileWay struct {
	name string
	o    detector.Options
	edit func(*cascade.Search) // nil: the model's own settings
}

func (h *hostileWay) detector(c *cascade.Cascade) (*detector.Detector, error) {
	edited := *c
	if h.edit != nil {
		h.edit(&edited.Search)
	}
	return detector.New(&h.o, &edited)
}

var hostileOptions = []hostileWay{
	{name: "by default"},
	{name: "close levels", o: detector.Options{Workers: 1, Scale: 1.01}},
	{name: "closest levels", o: detector.Options{Scale: 1.001, MaxCandidates: -1}},
	{name: "single hits", o: detector.Options{Workers: 1, Ungrouped: true, MaxCandidates: -1}},
	{"all groups", detector.Options{Overlapping: true, MaxCandidates: -1}, func(s *cascade.Search) { s.MinCandidates = 1 }},
	{name: "turned", o: detector.Options{Workers: 1, Angles: []float64{0, 33, 90}, MaxCandidates: -1}},
	{name: "routed", o: detector.Options{Workers: 1, Angles: []float64{0, 33, 90}, Router: passing(1, 1, 1), MaxCandidates: -1}},
	{name: "enlarged", o: detector.Options{Enlarge: 4, Workers: 1}},
	{"all windows", detector.Options{Windows: detector.WindowsAll, MaxCandidates: -1, Workers: 1}, func(s *cascade.Search) { s.Stride = 1 }},
}

// TestTooManyCandidates: the bound is exact for any number of workers, and the
// error says what to do.
func TestTooManyCandidates(t *testing.T) {
	g := tiled(t, 240, 210)
	asking := must.Get(facefast.Router())
	asking.Search.RefineX, asking.Search.RefineY = 20, 20
	for name, c := range map[string]*cascade.Cascade{"router": must.Get(facefast.Router()), "windows off the grid": asking, "everything": passing(1, 1, 1)} {
		all, err := must.Get(detector.New(nil, c)).Engine().AppendWindows(t.Context(), nil, g)
		if err != nil || len(all) < 1000 {
			t.Fatalf("%s: %d windows, %v", name, len(all), err)
		}
		var text string
		for _, workers := range []int{1, 2, 7} {
			o := detector.Options{Workers: workers, MaxCandidates: len(all)}
			if found, err := must.Get(detector.New(&o, c)).Detect(t.Context(), g); err != nil || len(found) == 0 {
				t.Errorf("%s, %d workers: as many as allowed: %v", name, workers, err)
			}
			o.MaxCandidates--
			d := must.Get(detector.New(&o, c))
			found, err := d.Detect(t.Context(), g)
			if !errors.Is(err, detector.ErrTooManyCandidates) || found != nil {
				t.Fatalf("%s, %d workers: %d found and %v, want that one is too many", name, workers, len(found), err)
			}
			if text == "" {
				text = err.Error()
			}
			if err.Error() != text {
				t.Errorf("%s: %q with %d workers, %q with one", name, err, workers, text)
			}
			// The detector works as before.
			small := g.SubImage(image.Rect(0, 0, 60, 60)).(*image.Gray)
			got, err := d.Detect(t.Context(), small)
			if want := detectIn(t, must.Get(detector.New(&o, c)), small); err != nil || !slices.EqualFunc(got, want, detector.Detection.Equal) {
				t.Errorf("%s: after an error %v, %v; want %v", name, got, err, want)
			}
			o.MaxCandidates = 300
			if _, err := must.Get(detector.New(&o, c)).Detect(t.Context(), g); !errors.Is(err, detector.ErrTooManyCandidates) {
				t.Errorf("%s, %d workers: %v, want that 300 are too few", name, workers, err)
			}
		}
	}
	if _, err := detector.New(&detector.Options{MaxCandidates: -2}, asking); !errors.Is(err, detector.ErrOptions) {
		t.Errorf("MaxCandidates -2: %v, want ErrOptions", err)
	}
}

// TestHostileMemory: memory is proportional to the image and to the bound on
// candidates, not to the number of windows that pass.
func TestHostileMemory(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector takes memory of its own")
	}
	asking := passing(3, 1, 1)
	asking.Exits[2].Threshold = 1e6
	asking.Search.Stride, asking.Search.InterLevel = 2, 1
	for name, c := range map[string]*cascade.Cascade{"router": must.Get(facefast.Router()), "everything": passing(1, 1, 1), "asking": asking} {
		g := tiled(t, 1500, 1000)
		if name == "asking" {
			g = tiled(t, 600, 400)
		}
		for way, o := range map[string]detector.Options{"by default": {Workers: 2}, "single hits": {Workers: 2, Ungrouped: true}, "close levels": {Workers: 2, Scale: 1.02}} {
			began := time.Now()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			d := must.Get(detector.New(&o, c))
			_, err := d.Detect(t.Context(), g)
			if err != nil && !errors.Is(err, detector.ErrTooManyCandidates) {
				t.Error(name, err)
			}
			runtime.ReadMemStats(&after)
			took := (after.TotalAlloc - before.TotalAlloc) >> 20
			t.Logf("%s, %s: %d MiB in all in %v, %v", name, way, took, time.Since(began), err)
			if took > 150 {
				t.Errorf("%s, %s: %d MiB, want at most 150", name, way, took)
			}
		}
	}
}
