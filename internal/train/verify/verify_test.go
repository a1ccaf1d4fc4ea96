package verify

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/haar"
	"haarlem/internal/channels"
	"haarlem/internal/channels/columns"
	"haarlem/internal/eval"
	"haarlem/internal/must"
	"haarlem/internal/samples"
)

// blobs is a cascade of two weak classifiers that finds bright squares,
// whatever they contain.
func blobs() *cascade.Cascade {
	feature := func(inset uint8) haar.Feature {
		in := int32(inset)
		return haar.Feature{Rects: [3]haar.Rect{
			{X: 0, Y: 0, W: 24, H: 24, Weight: -1},
			{X: in, Y: in, W: 24 - 2*in, H: 24 - 2*in, Weight: 4},
		}}
	}
	stump := func(f int32) cascade.Weak {
		return cascade.Weak{Nodes: []cascade.Node{{Feature: f, Threshold: 0.8, Left: 0, Right: -1}}, Leaves: []float32{-1, 1}}
	}
	return &cascade.Cascade{
		Name: "blobs", Kind: cascade.Haar, Width: 24, Height: 24, MinStdDev: 5, Search: cascade.Search{Stride: 2, MinCandidates: 1},
		Features: []haar.Feature{feature(6), feature(5)},
		Weak:     []cascade.Weak{stump(0), stump(1)},
		Exits:    []cascade.Exit{{After: 1, Threshold: 1}, {After: 2, Threshold: 2}},
	}
}

// world draws images of bright squares. Those with vertical stripes are the
// objects, those with horizontal ones are not. Every third image has no object.
func world(t *testing.T, seed uint64, pictures int) (photos []eval.Photo) {
	t.Helper()
	folder := t.TempDir()
	rng := rand.New(rand.NewPCG(seed, 0))
	for i := range pictures {
		g := image.NewGray(image.Rect(0, 0, 300, 200))
		for k := range g.Pix {
			g.Pix[k] = byte(60 + rng.IntN(20))
		}
		p := eval.Photo{File: filepath.Join(folder, fmt.Sprint(i, ".pgm"))}
		for x := range 4 {
			for y := range 2 {
				size := 14 + rng.IntN(20)
				at := image.Pt(75*x+8+rng.IntN(15), 100*y+20+rng.IntN(20))
				upright := i%3 != 0 && rng.IntN(2) == 0
				for v := range size {
					for u := range size {
						across := u
						if !upright {
							across = v
						}
						g.SetGray(at.X+u, at.Y+v, grey(180+60*(across*6/size%2)-10+rng.IntN(20)))
					}
				}
				// A window of the cascade is twice as large as its square.
				box := image.Rect(at.X-size/2, at.Y-size/2, at.X+size+size/2, at.Y+size+size/2)
				if upright {
					p.Objects = append(p.Objects, eval.Object{Box: box})
				}
			}
		}
		must.Do(os.WriteFile(p.File, append([]byte("P5 300 200 255\n"), g.Pix...), 0o666))
		photos = append(photos, p)
	}
	return photos
}

func grey(v int) color.Gray { return color.Gray{Y: byte(min(v, 255))} }

var small = Settings{Mirror: true, Trees: 12, Depth: 2, Share: 0.05, Seed: 7}

// scores returns the lowest best score of an object, and the highest score of
// anything else.
func scores(t *testing.T, c *cascade.Cascade, photos []eval.Photo) (objects, others float64) {
	t.Helper()
	s := c.Search
	s.MinScore = 0
	d := must.Get(detector.New(&detector.Options{Search: &s}, c))
	objects, others = math.Inf(1), math.Inf(-1)
	for _, p := range photos {
		g := must.Get(samples.ReadGrey(p.File))
		found := must.Get(d.Detect(context.Background(), g))
		best := make([]float64, len(p.Objects))
		for i := range best {
			best[i] = math.Inf(-1)
		}
		for _, f := range found {
			switch verdict, _ := plain.classify(f.Box, p.Objects); verdict {
			case -1:
				others = max(others, f.Score)
			case 1:
				for i, o := range p.Objects {
					if _, ok := plain.right.Match(o.Box, f.Box); ok {
						best[i] = max(best[i], f.Score)
					}
				}
			}
		}
		for _, b := range best {
			objects = min(objects, b)
		}
	}
	return objects, others
}

// The cascade cannot separate objects from other squares; with its verifier it
// can, also in new images.
func TestTrain(t *testing.T) {
	photos := world(t, 1, 30)
	var said []string
	s := small
	s.Progress = func(what string, done, total int) {
		if done == total {
			said = append(said, what)
		}
	}
	res := must.Get(Train(context.Background(), blobs(), photos, &s))
	if res.Positives < 30 || res.Negatives < 60 || len(res.Cascade.Verifier.Trees) == 0 {
		t.Fatalf("%d true positives, %d false positives, %d trees", res.Positives, res.Negatives, len(res.Cascade.Verifier.Trees))
	}
	if !slices.Equal(res.Looser, []int{1}) {
		t.Errorf("shortened cascades of %v weak classifiers, want 1", res.Looser)
	}
	if want := []string{"searching", "searching", "extracting", "boosting"}; !slices.Equal(said, want) {
		t.Errorf("it said that it did %v, want %v", said, want)
	}
	unseen := world(t, 2, 12)
	objects, others := scores(t, blobs(), unseen)
	if objects > others {
		t.Fatalf("without a verifier objects have scores from %v on, others up to %v: nothing to learn", objects, others)
	}
	objects, others = scores(t, res.Cascade, unseen)
	if objects <= others {
		t.Errorf("objects have scores from %v on, others up to %v", objects, others)
	}

	// The result is the same for any number of workers, and for a cascade that
	// already has a verifier and a calibration.
	s = small
	s.Workers = 1
	c := *res.Cascade
	c.Calibration = &cascade.Calibration{Slope: 2, Offset: 1}
	again := must.Get(Train(context.Background(), &c, photos, &s))
	if !reflect.DeepEqual(again, res) {
		t.Error("another verifier with one worker")
	}
	hasSum(t, res.Cascade, "46f2ba0c65497bb1")
}

// hasSum compares the sum of a result, which is the same on every machine.
func hasSum(t *testing.T, c *cascade.Cascade, want string) {
	t.Helper()
	if got := fmt.Sprintf("%x", sha256.Sum256(must.Bytes(c.Encode)))[:16]; got != want {
		t.Errorf("the cascade has the sum %s, want %s", got, want)
	}
}

// A cascade is cut after the last exit that leaves few enough weak classifiers.
func TestKeep(t *testing.T) {
	photos := world(t, 3, 9)
	s := small
	for keep, want := range map[int]int{0: 2, 1: 1, 2: 2, 500: 2} {
		s.Keep = keep
		c := blobs()
		res := must.Get(Train(context.Background(), c, photos, &s))
		if n := len(res.Cascade.Weak); n != want || len(res.Cascade.Exits) != want || len(res.Cascade.Features) != want {
			t.Errorf("of %d weak classifiers %d are left with %d features, want %d", keep, n, len(res.Cascade.Features), want)
		}
		if !reflect.DeepEqual(c, blobs()) {
			t.Error("the cascade that came was changed")
		}
	}
	s.Keep = 1
	c := blobs()
	c.Exits = c.Exits[1:]
	if _, err := Train(context.Background(), c, photos, &s); !errors.Is(err, ErrSettings) {
		t.Errorf("error %v with no exit early enough, want ErrSettings", err)
	}
}

// At most Negatives false positives are learned from.
func TestNegatives(t *testing.T) {
	photos := world(t, 4, 12)
	s := small
	s.Negatives = 20
	res := must.Get(Train(context.Background(), blobs(), photos, &s))
	if res.Negatives != 20 || res.Looser != nil {
		t.Errorf("%d wrong places, and cascades of %v, want 20 and none", res.Negatives, res.Looser)
	}
}

func TestClassify(t *testing.T) {
	objects := []eval.Object{{Box: image.Rect(100, 100, 140, 140)}, {Box: image.Rect(300, 100, 340, 140), Ignore: true}}
	for _, c := range []struct {
		how             rule
		box             image.Rectangle
		verdict, object int
	}{
		{plain, image.Rect(100, 100, 140, 140), 1, 0},
		{plain, image.Rect(110, 100, 150, 140), 1, 0},
		{plain, image.Rect(95, 95, 145, 145), 1, 0},
		{plain, image.Rect(120, 100, 160, 140), 0, -1}, // half overlapping
		{plain, image.Rect(80, 80, 160, 160), 0, -1},   // twice as large
		{plain, image.Rect(130, 130, 170, 170), -1, -1},
		{plain, image.Rect(300, 100, 340, 140), 0, -1},
		{plain, image.Rect(312, 112, 362, 162), 0, -1},
		{plain, image.Rect(325, 125, 375, 175), -1, -1},
		{plain, image.Rect(0, 0, 30, 30), -1, -1},
		{corrected, image.Rect(100, 100, 140, 140), 1, 0},
		{corrected, image.Rect(112, 100, 152, 140), 1, 0},   // 0.54
		{corrected, image.Rect(116, 100, 156, 140), 0, -1},  // 0.43
		{corrected, image.Rect(118, 100, 158, 140), -1, -1}, // 0.38
		{corrected, image.Rect(300, 100, 340, 140), 0, -1},
		{corrected, image.Rect(310, 110, 330, 130), 0, -1}, // in an ignored one
		{corrected, image.Rect(0, 0, 40, 40), -1, -1},
	} {
		if v, o := c.how.classify(c.box, objects); v != c.verdict || o != c.object {
			t.Errorf("%v: %d of object %d, want %d of %d", c.box, v, o, c.verdict, c.object)
		}
	}
}

func TestErrors(t *testing.T) {
	photos := world(t, 5, 6)
	none := []eval.Photo{photos[0]} // without objects
	gone := append(slices.Clone(photos), eval.Photo{File: "not there.png"})
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	bad := blobs()
	bad.Exits = nil
	for name, test := range map[string]struct {
		ctx    context.Context
		c      *cascade.Cascade
		photos []eval.Photo
		s      Settings
		want   error
	}{
		"keep":      {s: Settings{Keep: -1}, want: ErrSettings},
		"trees":     {s: Settings{Trees: -1}, want: ErrSettings},
		"depth":     {s: Settings{Depth: 11}, want: ErrSettings},
		"negatives": {s: Settings{Negatives: -1}, want: ErrSettings},
		"shrinkage": {s: Settings{Shrinkage: math.NaN()}, want: ErrSettings},
		"share":     {s: Settings{Share: 1.5}, want: ErrSettings},
		"sides":     {s: Settings{Sides: 9}, want: cascade.ErrModel},
		"weight":    {s: Settings{Weight: -1}, want: cascade.ErrModel},
		"search":    {s: Settings{Search: detector.Options{Scale: 0.5}}, want: detector.ErrOptions},
		"objects":   {photos: none, want: ErrData},
		"photos":    {photos: []eval.Photo{}, want: ErrData},
		"file":      {photos: gone, want: fs.ErrNotExist},
		"context":   {ctx: ended, want: context.Canceled},
		"cascade":   {c: bad, want: cascade.ErrModel},
		"second":    {s: Settings{Second: true}, want: ErrSettings}, // without a first
		"box trees": {s: Settings{BoxTrees: -1}, want: ErrSettings},
		"copies":    {s: Settings{Copies: -1}, want: ErrSettings},
		"loss":      {s: Settings{Loss: 1}, want: ErrSettings},
		"no loss":   {s: Settings{Loss: math.NaN()}, want: ErrSettings},
	} {
		if test.photos == nil {
			test.photos = photos
		}
		if _, err := Train(cmp.Or(test.ctx, context.Background()), cmp.Or(test.c, blobs()), test.photos, &test.s); !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", name, err, test.want)
		}
	}
}

// Bins hold about equally many values, and a value's code is the number of cuts
// that are at most the value.
func TestTable(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 0))
	k := newTable(70, 200, true, false)
	if n := newTable(2, 3, false, false).Rows(); n != 5 {
		t.Errorf("%d rows without mirror images, want 5", n)
	}
	var own []int // columns that are their own mirror images
	for j := range channels.Count {
		if columns.Mirror(j) == j {
			own = append(own, j)
		}
	}
	values := make([]int32, channels.Count)
	raw := make([][]int32, len(k.raw))
	for row := range k.raw {
		for j := range values {
			values[j] = int32(rng.NormFloat64()*100) + int32(j)
		}
		values[own[0]], values[own[1]] = 3, 1<<20
		k.set(row, 0, values)
		raw[row] = slices.Clone(values)
	}
	must.Do(k.code(context.Background(), 2))
	if k.Rows() != 340 || k.Len() != channels.Count || len(k.cuts[own[0]]) != 0 || len(k.cuts[own[1]]) != 0 {
		t.Fatalf("%d rows, %d columns, cuts %v and %v between equal values", k.Rows(), k.Len(), k.cuts[own[0]], k.cuts[own[1]])
	}
	for j := range channels.Count {
		var in [bins]int
		for row, code := range k.Codes(j, nil) {
			var v int32
			switch {
			case row < 270:
				v = raw[row][j]
			default: // a mirror image of a true positive
				v = raw[row-270][columns.Mirror(j)]
			}
			want := 0
			for _, c := range k.cuts[j] {
				if c <= float64(min(v, math.MaxInt16)) {
					want++
				}
			}
			if int(code) != want {
				t.Fatalf("row %d, column %d: code %d for %d, want %d", row, j, code, v, want)
			}
			in[code]++
		}
		if n := slices.Max(in[:]); len(k.cuts[j]) > 0 && n > 340/8 {
			t.Fatalf("column %d: %d of 340 rows in one of %d bins", j, n, len(k.cuts[j])+1)
		}
	}
}

// A shortened cascade may let more windows of a photograph pass than a search can
// take. That is no error, since it is cut short only to find some more to learn from.
// The whole cascade must be able to search all photographs.
func TestTooManyCandidates(t *testing.T) {
	photos := world(t, 5, 12)
	c := blobs()
	c.Exits[0].Threshold = -100 // all pass
	s := small
	s.Search.MaxCandidates = 3000
	res := must.Get(Train(context.Background(), c, photos, &s))
	if len(res.Looser) != 1 || res.Negatives == 0 {
		t.Errorf("%d false positives, and shortened cascades %v, want some and one", res.Negatives, res.Looser)
	}
	c.Exits[1].Threshold = -100
	if _, err := Train(context.Background(), c, photos, &s); !errors.Is(err, detector.ErrTooManyCandidates) {
		t.Errorf("error %v where the whole cascade lets too many pass, want ErrTooManyCandidates", err)
	}
}

// A verifier makes hardly a mistake on what it learned from. With folds a second one
// learns from mistakes on photographs that the first has not seen.
func TestFolds(t *testing.T) {
	photos := world(t, 1, 15)
	s := small
	s.Trees, s.Depth, s.Share, s.BoxTrees, s.Copies = 8, 4, 0.002, 3, 2
	one := must.Get(Train(context.Background(), blobs(), photos, &s))
	s.Second, s.Context, s.Loss = true, 2, 0.1
	plain := must.Get(Train(context.Background(), one.Cascade, photos, &s))
	s.Folds = 3
	apart := must.Get(Train(context.Background(), one.Cascade, photos, &s))
	if apart.Negatives < 5*plain.Negatives {
		t.Errorf("%d false positives with folds, %d without", apart.Negatives, plain.Negatives)
	}
	if a, b := apart.Cascade.Verifier, one.Cascade.Verifier; !reflect.DeepEqual(a.Boxes, b.Boxes) || !reflect.DeepEqual(a.Trees[1:], b.Trees[1:]) {
		t.Error("the first verifier is another one")
	}
	s.Workers = 1
	again := must.Get(Train(context.Background(), one.Cascade, photos, &s))
	if !reflect.DeepEqual(again, apart) {
		t.Error("another verifier with one worker")
	}

	for name, s := range map[string]Settings{"alone": {Folds: 3}, "one": {Second: true, Folds: 1}, "less": {Second: true, Folds: -2}} {
		if _, err := Train(context.Background(), one.Cascade, photos, &s); !errors.Is(err, ErrSettings) {
			t.Errorf("%s: error %v, want ErrSettings", name, err)
		}
	}
	s.Loss = 0.001
	three := must.Get(Train(context.Background(), apart.Cascade, photos, &s))
	s.Folds = 0
	plain = must.Get(Train(context.Background(), apart.Cascade, photos, &s))
	if three.Negatives <= plain.Negatives {
		t.Errorf("a third verifier has %d false positives with folds, %d without", three.Negatives, plain.Negatives)
	}
	s.Folds = 3
	few := slices.DeleteFunc(slices.Clone(photos), func(p eval.Photo) bool { return len(p.Objects) > 0 && p.File != photos[1].File })
	if _, err := Train(context.Background(), one.Cascade, few, &s); !errors.Is(err, ErrData) {
		t.Errorf("error %v with objects in one part only, want ErrData", err)
	}
}

// Photographs of a group are in one part, and both kinds are spread.
func TestParts(t *testing.T) {
	of := func(who string) eval.Photo {
		return eval.Photo{Objects: []eval.Object{{Tags: map[string]string{"who": who}}}}
	}
	tr := trainer{s: Settings{Folds: 2, Group: "who"}, photos: []eval.Photo{of("a"), {}, of("b"), of("a"), of("c"), {}, of("b"), of("d"), {}}}
	if got, want := tr.folds(), []int{0, 0, 1, 0, 0, 1, 1, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("parts %v, want %v", got, want)
	}
	tr.s.Group = ""
	if got, want := tr.folds(), []int{0, 0, 1, 0, 1, 1, 0, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("without groups: parts %v, want %v", got, want)
	}
}

// What is found in a photograph does not depend on its labels, but on those of others,
// and on how many of them; nor does it on the number of workers.
func TestApart(t *testing.T) {
	photos := world(t, 1, 15)
	s := small
	s.Trees, s.Folds = 8, 3
	shares := []float64{0.5, 1}
	before := must.Get(Apart(context.Background(), blobs(), photos, shares, &s))
	if reflect.DeepEqual(before[0], before[1]) {
		t.Error("half of the photographs and all of them are the same")
	}
	changed := slices.Clone(photos)
	of := slices.IndexFunc(photos, func(p eval.Photo) bool { return len(p.Objects) > 0 })
	changed[of].Objects = []eval.Object{{Box: image.Rect(0, 0, 9, 9)}}
	s.Workers = 1
	after := must.Get(Apart(context.Background(), blobs(), changed, shares[1:], &s))
	if len(before[1][of]) == 0 || !reflect.DeepEqual(before[1][of], after[0][of]) {
		t.Errorf("with other labels %d is found in the photograph, before %d", len(after[0][of]), len(before[1][of]))
	}
	if reflect.DeepEqual(before[1], after[0]) {
		t.Error("the labels of a photograph change nothing in others")
	}
	for _, s := range []Settings{{Folds: 1}, {Folds: 3, Second: true}, {Folds: 3, Trees: -1}} {
		if _, err := Apart(context.Background(), blobs(), photos, shares, &s); !errors.Is(err, ErrSettings) {
			t.Errorf("%+v: error %v, want ErrSettings", s, err)
		}
	}
	if _, err := Apart(context.Background(), blobs(), photos, []float64{0.001}, &s); !errors.Is(err, ErrData) {
		t.Errorf("of no photograph: error %v, want ErrData", err)
	}
}

// A network of the model has no part in what is cross-validated.
func TestBare(t *testing.T) {
	c := &cascade.Cascade{Network: &cascade.Network{}, Verifier: &cascade.Verifier{}, Calibration: &cascade.Calibration{}}
	if b := bareOf(c); b.Network != nil || b.Verifier != nil || b.Calibration != nil || c.Network == nil {
		t.Errorf("left: %+v", b)
	}
}

// A label of nothing and a moved one frame an object worse than right ones.
// Any number of workers says the same.
func TestFits(t *testing.T) {
	photos := world(t, 1, 14)
	found := make([][]eval.Found, len(photos))
	var labelled []int
	for i := range photos {
		if len(photos[i].Objects) > 0 {
			labelled = append(labelled, i)
		}
	}
	nothing, moved := labelled[1], labelled[4]
	side := photos[nothing].Objects[0].Box.Dx()
	photos[nothing].Objects[0].Box = image.Rect(0, 0, side, side)
	photos[moved].Objects[0].Box = photos[moved].Objects[0].Box.Add(image.Pt(side/2, side/2))
	f := must.Get(Fits(context.Background(), photos, found, nil, &eval.MeasureOptions{Workers: 2}))
	if again := must.Get(Fits(context.Background(), photos, found, nil, &eval.MeasureOptions{Workers: 1})); !reflect.DeepEqual(again, f) {
		t.Error("one worker says something else")
	}
	worse, right := 0, 0
	for _, i := range labelled {
		for k, v := range f.Labels[i] {
			if k > 0 || i != nothing && i != moved {
				right++
				if v <= max(f.Labels[nothing][0], f.Labels[moved][0]) {
					worse++
				}
			}
		}
	}
	if 10*worse > right {
		t.Errorf("%d of %d right labels fit no better than wrong ones: %.2f and %.2f", worse, right, f.Labels[nothing][0], f.Labels[moved][0])
	}
	if f, err := Fits(context.Background(), photos[:1], found[:1], nil, &eval.MeasureOptions{}); f != nil || err != nil {
		t.Errorf("of one photograph: %v, error %v", f, err)
	}
}

// narrow makes the objects narrower than the cascade's windows, and longer
// downwards.
func narrow(photos []eval.Photo) []eval.Photo {
	for _, p := range photos {
		for i := range p.Objects {
			b := &p.Objects[i].Box
			w := b.Dx()
			*b = image.Rect(b.Min.X+w/6, b.Min.Y, b.Max.X-w/6, b.Max.Y+w/5)
		}
	}
	return photos
}

// overlaps returns the intersection over union of each object and its best
// detection.
func overlaps(t *testing.T, c *cascade.Cascade, photos []eval.Photo) (all []float64) {
	t.Helper()
	d := must.Get(detector.New(nil, anyScore(c)))
	for _, p := range photos {
		g := must.Get(samples.ReadGrey(p.File))
		found := must.Get(d.Detect(context.Background(), g))
		for _, o := range p.Objects {
			best := 0.0
			for _, f := range found {
				v, _ := eval.Overlap{}.Match(o.Box, f.Box)
				best = max(best, v)
			}
			all = append(all, best)
		}
	}
	slices.Sort(all)
	return all
}

// Boxes become those of the truth, though windows are squares elsewhere. A
// second verifier, which sees the corrected boxes, separates objects from
// others.
func TestChain(t *testing.T) {
	photos, unseen := narrow(world(t, 1, 30)), narrow(world(t, 2, 12))
	s := small
	s.BoxTrees, s.Copies, s.Trees, s.Depth = 40, 2, 1, 1 // leaves some errors to the next
	s.Share = 0.002
	one := must.Get(Train(context.Background(), blobs(), photos, &s))
	before, after := overlaps(t, blobs(), unseen), overlaps(t, one.Cascade, unseen)
	if a, b := before[len(before)/2], after[len(after)/2]; a > 0.65 || b < 0.75 {
		t.Errorf("the median overlap is %.2f without correction and %.2f with it", a, b)
	}

	s.Second, s.Context, s.Loss, s.Trees, s.Depth, s.Share = true, 2, 0.05, 12, 2, 0.05
	two := must.Get(Train(context.Background(), one.Cascade, photos, &s))
	v := two.Cascade.Verifier
	if v.Next == nil || v.Next.Next != nil || v.Next.Context != 2 || v.Next.Boxes == nil || one.Cascade.Verifier.Next != nil {
		t.Fatal("want a second verifier in a copy of the cascade")
	}
	if two.Negatives >= one.Negatives {
		t.Errorf("%d wrong places, and %d before: the first verifier drops none", two.Negatives, one.Negatives)
	}
	objects, others := scores(t, two.Cascade, unseen)
	if objects <= others && !math.IsInf(objects, -1) {
		t.Errorf("objects have scores from %v on, others up to %v", objects, others)
	}

	s.Workers = 1
	again := must.Get(Train(context.Background(), one.Cascade, photos, &s))
	if !reflect.DeepEqual(again, two) {
		t.Error("another verifier with one worker")
	}
	hasSum(t, two.Cascade, "8316c3da98c027d7")
}

// anyScore returns c with detections of every score.
func anyScore(c *cascade.Cascade) *cascade.Cascade {
	all := *c
	all.Search.MinScore = 0
	return &all
}
