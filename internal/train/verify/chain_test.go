package verify

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"math"
	"reflect"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/eval"
	"haarlem/internal/must"
	"haarlem/internal/samples"
)

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
	h := sha256.New()
	must.Do(two.Cascade.Encode(h))
	const want = "8316c3da98c027d7"
	if got := fmt.Sprintf("%x", h.Sum(nil))[:16]; got != want {
		t.Errorf("the cascade has the sum %s, want %s", got, want)
	}
}

func TestErrorsOfChain(t *testing.T) {
	photos := world(t, 5, 6)
	if _, err := Train(context.Background(), blobs(), photos, &Settings{Second: true}); !errors.Is(err, ErrSettings) {
		t.Errorf("error %v without a verifier, want ErrSettings", err)
	}
	for _, s := range []Settings{{BoxTrees: -1}, {Copies: -1}, {Loss: 1}, {Loss: math.NaN()}} {
		if _, err := Train(context.Background(), blobs(), photos, &s); !errors.Is(err, ErrSettings) {
			t.Errorf("error %v of %+v, want ErrSettings", err, s)
		}
	}
}

func TestOverlapping(t *testing.T) {
	objects := []eval.Object{{Box: image.Rect(100, 100, 140, 140)}, {Box: image.Rect(300, 100, 340, 140), Ignore: true}}
	for _, c := range []struct {
		box             image.Rectangle
		verdict, object int
	}{
		{image.Rect(100, 100, 140, 140), 1, 0},
		{image.Rect(112, 100, 152, 140), 1, 0},   // 0.54
		{image.Rect(116, 100, 156, 140), 0, -1},  // 0.43
		{image.Rect(118, 100, 158, 140), -1, -1}, // 0.38
		{image.Rect(300, 100, 340, 140), 0, -1},
		{image.Rect(310, 110, 330, 130), 0, -1}, // in an ignored one
		{image.Rect(0, 0, 40, 40), -1, -1},
	} {
		if v, o := overlapping(c.box, objects); v != c.verdict || o != c.object {
			t.Errorf("%v: %d of object %d, want %d of %d", c.box, v, o, c.verdict, c.object)
		}
	}
}

// anyScore returns c with detections of every score.
func anyScore(c *cascade.Cascade) *cascade.Cascade {
	all := *c
	all.Search.MinScore = 0
	return &all
}
