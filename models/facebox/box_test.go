package facebox

import (
	"errors"
	"image"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/must"
	"haarlem/landmarks"
	"haarlem/models"
	"haarlem/models/face5"
)

// The box of eyes and mouth is inside that of the face, and that inside the head's, for
// all models; a model's own box is the one that its page says.
func TestFramingsNest(t *testing.T) {
	for _, name := range append(models.Names(), eyesBoxes) {
		box := image.Rect(1000, 1000, 1200, 1200)
		if name == "face" || name == "face-fast" { // the only ones with boxes that are no squares
			box.Max.Y = 1260
		}
		c := &cascade.Cascade{Name: name}
		boxes := map[Box]image.Rectangle{}
		for _, b := range []Box{Own, Face, Head, Eyes} {
			boxes[b] = box
			f := must.Get(b.Framing(c))
			if b != Own {
				boxes[b] = f.Of(box, 0)
			} else if f != (cascade.Framing{}) {
				t.Errorf("%s: framing %v for its own boxes", name, f)
			}
		}
		if around := boxes[Head].Inset(-8); !boxes[Face].In(around) || !boxes[Eyes].In(around) {
			t.Errorf("%s: face %v and eyes %v, want them inside the head %v, nearly", name, boxes[Face], boxes[Eyes], boxes[Head])
		}
		if f, h := boxes[Face], boxes[Head]; !(float64(h.Dy()) > 1.1*float64(f.Dy()) && f.Dy() > f.Dx()) {
			t.Errorf("%s: face %v, head %v", name, f, h)
		}
		switch name {
		case "face", "face-fast":
			if boxes[Face] != box {
				t.Errorf("%s: %v, want its own box %v", name, boxes[Face], box)
			}
		case eyesBoxes:
			if boxes[Eyes] != box {
				t.Errorf("%s: %v, want its own box %v", name, boxes[Eyes], box)
			}
		}
	}
}

// Nothing is known of the boxes of other models but that they are their own.
func TestFramingOfOthers(t *testing.T) {
	c := &cascade.Cascade{Name: "mine"}
	if _, err := Head.Framing(c); !errors.Is(err, ErrBox) {
		t.Errorf("for an unknown model: %v", err)
	}
	if f, err := Own.Framing(c); f != (cascade.Framing{}) || err != nil {
		t.Errorf("its own boxes of an unknown model: %v, %v", f, err)
	}
}

func TestParse(t *testing.T) {
	for b := Own; b <= Eyes; b++ {
		if got, err := Parse(b.String()); got != b || err != nil {
			t.Errorf("%v: %v, %v", b, got, err)
		}
	}
	if _, err := Parse("nose"); !errors.Is(err, ErrBox) {
		t.Errorf("nose: %v", err)
	}
}

// Points of the boxes of eyes and mouth are at the same places of the picture in the boxes of
// other models.
func TestPoints(t *testing.T) {
	m := must.Get(face5.Model())
	eyes := image.Rect(10000, 10000, 30000, 30000)
	want := m.Box.Frame(eyes)
	for _, name := range append(models.Names(), eyesBoxes) {
		own := eyes
		if name != eyesBoxes {
			own = toFace[eyesBoxes].Then(toFace[name].Inverse()).Of(eyes, 0)
		}
		got := Points(name, m.Box).Frame(own)
		limit := 5.0
		if _, ok := toEyes[name]; ok { // measured by points
			limit = 0.1 * want.A
		}
		if near := func(a, b float64) bool { return a-b < limit && b-a < limit }; !near(got.X, want.X) || !near(got.Y, want.Y) || !near(got.A, want.A) {
			t.Errorf("%s: frame %+v in its boxes, want %+v", name, got, want)
		}
	}
	for model, c := range map[string]landmarks.Convention{"mine": m.Box, "face": {Name: "mine", Side: 1}, eyesBoxes: m.Box} {
		if got := Points(model, c); got != c {
			t.Errorf("%s: %+v of %+v", model, got, c)
		}
	}
}
