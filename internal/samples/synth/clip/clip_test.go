package clip

import (
	"bytes"
	"image"
	"math"
	"testing"

	"haarlem/internal/samples/synth/facemodel"
)

// The same seed gives the same clip, another seed another; frames may be asked for in
// any order.
func TestRepeats(t *testing.T) {
	m := facemodel.Builtin()
	o := &Options{Turns: true, Posts: true, Seed: 3, Frames: 40}
	a, b, other := New(m, o), New(m, o), New(m, &Options{Turns: true, Posts: true, Seed: 4, Frames: 40})
	b.Frame(30)
	if !bytes.Equal(a.Frame(7).Pix, b.Frame(7).Pix) || bytes.Equal(a.Frame(7).Pix, other.Frame(7).Pix) {
		t.Error("frames do not depend on the seed and on their number alone")
	}
	if a.Frames() != 40 || a.Rate() != 25 || a.Frame(0).Rect != image.Rect(0, 0, 480, 320) {
		t.Errorf("%d frames, %d a second, %v", a.Frames(), a.Rate(), a.Frame(0).Rect)
	}
}

// A face is drawn where the truth says, and is not there when it is turned away.
func TestTruth(t *testing.T) {
	c := New(facemodel.Builtin(), &Options{People: 1, Turns: true, Seed: 2, Frames: 250})
	straight, away := 0, 0
	var face []float64
	for i := range c.Frames() {
		o := c.Truth(i)[0]
		if !o.Face.In(c.Frame(i).Rect) {
			t.Fatalf("frame %d: the face is at %v", i, o.Box)
		}
		g := c.Frame(i)
		// The contrast of the middle: eyes, nose and mouth, or hair.
		var sum, squares, n float64
		cx, cy, side, angle := c.where(&c.people[0], i)
		inner := image.Rect(int(cx-side/4), int(cy-side/4), int(cx+side/4), int(cy+side/4))
		for y := inner.Min.Y; y < inner.Max.Y; y++ {
			for x := inner.Min.X; x < inner.Max.X; x++ {
				v := float64(g.GrayAt(x, y).Y)
				sum, squares, n = sum+v, squares+v*v, n+1
			}
		}
		deviation := math.Sqrt(max(0, squares/n-sum/n*sum/n))
		switch {
		case math.Abs(angle) < 0.3:
			straight++
			face = append(face, deviation)
			if o.Visible != 1 {
				t.Errorf("frame %d: %v is visible", i, o.Visible)
			}
		case math.Abs(angle) > 2.0:
			away++
			if deviation > 8 || o.Visible != 0 {
				t.Errorf("frame %d: the back of the head has a contrast of %v, and %v is visible", i, deviation, o.Visible)
			}
		}
	}
	if straight < 30 || away < 3 {
		t.Errorf("%d frames straight, %d from behind", straight, away)
	}
	for _, v := range face {
		if v < 8 {
			t.Errorf("a face has a contrast of %v", v)
		}
	}
}

// Who is behind a post or another face is less visible.
func TestCovered(t *testing.T) {
	for _, o := range []*Options{{People: 2, Posts: true, Seed: 3}, {People: 3, Together: true, Seed: 4}} {
		c := New(facemodel.Builtin(), o)
		whole, part := 0, 0
		for i := range c.Frames() {
			for _, o := range c.Truth(i) {
				if o.Visible > 0.99 {
					whole++
				} else if o.Visible < 0.5 {
					part++
				}
			}
		}
		if whole < 50 || part < 10 {
			t.Errorf("%+v: %d faces in full view, %d covered", *o, whole, part)
		}
	}
}
