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

func cascadesOf(t *testing.T, name string, p models.Pose) []*cascade.Cascade {
	t.Helper()
	frontal := must.Get(models.Open(name))
	profile := must.Get(models.Open(models.ProfileName))
	return must.Get(p.Cascades(frontal, profile))
}

// The box of eyes and mouth is inside that of the face, and that inside the head's, for
// all models; a model's own box is the one that its page says.
func TestFramingsNest(t *testing.T) {
	for _, name := range models.Names() {
		box := image.Rect(1000, 1000, 1200, 1200)
		if name == "face" || name == "face-fast" { // the only ones with boxes that are no squares
			box.Max.Y = 1260
		}
		all := cascadesOf(t, name, models.Frontal)
		boxes := map[Box]image.Rectangle{}
		for _, b := range []Box{Own, Face, Head, Eyes} {
			boxes[b] = box
			f := must.Get(b.Framings(all, false))
			if b != Own {
				boxes[b] = f[0].Of(box, 0)
			} else if f != nil {
				t.Errorf("%s: framings %v for its own boxes", name, f)
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
		case "frontalface":
			if boxes[Eyes] != box {
				t.Errorf("frontalface: %v, want its own box %v", boxes[Eyes], box)
			}
		}
	}
}

// The box of a mirrored profile is the mirror image.
func TestFramingsOfPose(t *testing.T) {
	all := cascadesOf(t, models.FrontalName, models.AnyPose)
	f, err := Face.Framings(all, true)
	if err != nil || len(f) != 3 {
		t.Fatalf("%d framings, %v, want 3", len(f), err)
	}
	if f[2] != f[1].Mirror() || f[0] == f[1] {
		t.Errorf("framings %v", f)
	}
	all[0].Name = "mine"
	if _, err := Head.Framings(all, true); !errors.Is(err, ErrBox) {
		t.Errorf("for an unknown model: %v", err)
	}
	if f, err := Own.Framings(all, true); f != nil || err != nil {
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

// Points of frontalface's boxes are at the same places of the picture in the boxes of
// other models.
func TestPoints(t *testing.T) {
	m := must.Get(face5.Model())
	eyes := image.Rect(10000, 10000, 30000, 30000)
	want := m.Box.Frame(eyes)
	for _, name := range models.Names() {
		own := eyes
		if name != eyesModel {
			own = toFace[eyesModel].Then(toFace[name].Inverse()).Of(eyes, 0)
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
	for model, c := range map[string]landmarks.Convention{"mine": m.Box, "face": {Name: "mine", Side: 1}, eyesModel: m.Box} {
		if got := Points(model, c); got != c {
			t.Errorf("%s: %+v of %+v", model, got, c)
		}
	}
}
