package train

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"reflect"
	"testing"

	"haarlem/internal/must"
)

// The box of a mined window is where its pixels are in the picture, in every orientation.
func TestOriginBoxes(t *testing.T) {
	s := must.Get(brief("histograms, soft").WithDefaults())
	g := world(0, 0, 1).Backgrounds[0].(Plain).Gray
	search := &WindowSearch{Cascade: acceptAll(&s), Max: 1 << 20, About: 1e-9}
	for _, turned := range orientationsInUse {
		f := must.Get(search.Search(context.Background(), g, Plain{g}, View{Orientation: uint8(turned)}))
		if len(f.Windows) == 0 || len(f.Boxes) != len(f.Windows) {
			t.Fatalf("orientation %d: %d windows with %d boxes", turned, len(f.Windows), len(f.Boxes))
		}
		compared := 0
		for i, box := range f.Boxes {
			if box.Empty() || box.Intersect(g.Rect) == (image.Rectangle{}) {
				t.Fatalf("orientation %d: a window lies at %v of %v", turned, box, g.Rect)
			}
			if box.Size() != image.Pt(s.Width, s.Height) || !box.In(g.Rect) {
				continue // pixels are resampled
			}
			there := image.NewGray(image.Rect(0, 0, s.Width, s.Height))
			for y := range s.Height {
				copy(there.Pix[y*there.Stride:][:s.Width], g.Pix[g.PixOffset(box.Min.X, box.Min.Y+y):])
			}
			if !bytes.Equal(turned.picture(new(image.Gray), there).Pix, f.Windows[i].Pix) {
				t.Fatalf("orientation %d: the pixels at %v are others than those of window %d", turned, box, i)
			}
			compared++
		}
		if compared < 20 {
			t.Errorf("orientation %d: %d windows had pixels to compare", turned, compared)
		}
	}
}

// A snapshot after each step has every negative's origin, also in a training that was
// resumed.
func TestOriginsAreKept(t *testing.T) {
	data, s := world(100, 30, 40), *brief("histograms, soft")
	data.ValidationBackgrounds = append(data.ValidationBackgrounds, world(0, 0, 12).Backgrounds...)
	s.Soft.Rounds, s.Negatives, s.Features = 16, 80, 200
	var states [][]byte
	var shots [][]Negative
	hooks := Hooks{
		Save: func(st *State) error {
			var b bytes.Buffer
			err := st.Encode(&b)
			states = append(states, b.Bytes())
			return err
		},
		Stepped: func(_ context.Context, now *Snapshot) error {
			if len(now.Cascade.Weak) != now.Steps[len(now.Steps)-1].Weak {
				t.Errorf("%d weak classifiers after %+v", len(now.Cascade.Weak), now.Steps)
			}
			if len(now.HeldOut) == 0 || now.HeldOutRate <= 0 || now.HeldOutRate > 1 {
				t.Errorf("%d windows are held out, as %v passed", len(now.HeldOut), now.HeldOutRate)
			}
			for _, n := range now.HeldOut {
				if n.Origin.Picture < 0 || n.Origin.Picture >= 12 || n.Origin.Box.Empty() {
					t.Fatalf("held out from %+v", n.Origin)
				}
			}
			shots = append(shots, now.Negatives)
			return nil
		},
	}
	r := train(t, data, &s, &hooks)
	if len(shots) != len(r.Steps) {
		t.Fatalf("%d snapshots of %d steps", len(shots), len(r.Steps))
	}
	for i, step := range r.Steps {
		if step.Pictures == 0 || step.Mined == 0 || len(shots[i]) != step.Negatives {
			t.Errorf("step %d: %+v with %d negatives", i+1, step, len(shots[i]))
		}
		for _, n := range shots[i] {
			if n.Origin.Picture < 0 || n.Origin.Picture >= 40 || n.Origin.Box.Empty() {
				t.Fatalf("step %d: from %+v", i+1, n.Origin)
			}
		}
	}

	want, last := encoded(t, r.Cascade), shots[len(shots)-1]
	st := must.Get(DecodeState(bytes.NewReader(states[len(states)/2])))
	hooks.Resume = st
	if got := train(t, data, &s, &hooks); !bytes.Equal(encoded(t, got.Cascade), want) {
		t.Error("another cascade")
	} else if fmt.Sprint(got.Steps) != fmt.Sprint(r.Steps) { // NaN is not equal to itself
		t.Errorf("steps %+v, want %+v", got.Steps, r.Steps)
	}
	if !reflect.DeepEqual(shots[len(shots)-1], last) {
		t.Error("a resumed training has other negatives, or others' origins")
	}
}
