package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"haarlem/haar"
	"haarlem/internal/must"
)

// Whatever changes the result changes the text that a checkpoint hashes, and nothing
// else does.
func TestDecisive(t *testing.T) {
	base := must.Get((*Settings)(nil).WithDefaults())
	var vary func(v reflect.Value, name string, s *Settings)
	vary = func(v reflect.Value, name string, s *Settings) {
		old := reflect.New(v.Type()).Elem()
		old.Set(v)
		switch v.Kind() {
		case reflect.Struct:
			for i := range v.NumField() {
				vary(v.Field(i), name, s)
			}
			return
		case reflect.Int, reflect.Int64:
			v.SetInt(v.Int() + 1)
		case reflect.Uint8, reflect.Uint64:
			v.SetUint(v.Uint() + 1)
		case reflect.Float64:
			v.SetFloat(v.Float() + 0.25)
		case reflect.String:
			v.SetString("other")
		case reflect.Slice:
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		default:
			t.Fatalf("%s is a %v: teach this test", name, v.Kind())
		}
		if same, want := s.decisive(1) == base.decisive(1), slices.Contains([]string{"Name", "Memory", "Time", "MinWeak", "Workers", "Object", "Provenance"}, name); same != want {
			t.Errorf("%s: the same training: %v, want %v", name, same, want)
		}
		v.Set(old)
	}
	s := base
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Settings]()) {
		vary(reflect.ValueOf(&s).Elem().FieldByIndex(f.Index), f.Name, &s)
	}
	if base.decisive(1) == base.decisive(2) {
		t.Error("the memory that a training began with makes no difference")
	}
}

// A training is resumed with more memory or less, if that suffices for its
// features, with the same result.
func TestResumeMemory(t *testing.T) {
	data := world(1600, 0, 8) // so many that the codes of all features exceed 64 MiB
	const little, much = 64 << 20, 1 << 30
	all := []Settings{
		{Width: side, Height: side, Stages: StageGoals{Count: 2, MaxWeak: 2}, Negatives: 1600, AcceptanceBreak: -1, Memory: little},
		{Width: side, Height: side, Shape: Soft, Soft: SoftGoals{Rounds: 4}, Features: 100000, Negatives: 1600, Memory: little},
	}
	if testing.Short() {
		all = all[:1]
	}
	for _, s := range all {
		var states record
		keep := &Hooks{Every: time.Nanosecond, Save: states.save}
		resumed := func(memory int64, i int) (*Result, error) {
			s := s
			s.Memory = memory
			return Run(context.Background(), data, &s, &Hooks{Resume: states.state(i)})
		}
		r := train(t, data, &s, keep)
		if n := r.Steps[0].Features; n < 1000 || n >= haar.Basic.Count(side, side) {
			t.Fatalf("%d features are searched in %d bytes, want some, and less than there are", n, little)
		}
		for i := 0; i < len(states); i += 4 {
			again := must.Get(resumed(much, i))
			if !bytes.Equal(encoded(t, again.Cascade), encoded(t, r.Cascade)) || again.Steps[1].Features != r.Steps[1].Features {
				t.Errorf("resumed from state %d with more memory: another cascade, of %d features for %d", i, again.Steps[1].Features, r.Steps[1].Features)
			}
		}
		states, s.Memory = nil, much
		train(t, data, &s, keep)
		if _, err := resumed(little, 0); !errors.Is(err, ErrState) || !strings.Contains(err.Error(), "features, and 67108864 bytes of memory have room for") {
			t.Errorf("resumed with too little memory: %v", err)
		}
		s.Features, s.Memory, states = 200, much, nil
		r = train(t, data, &s, keep)
		if again, err := resumed(little, 1); err != nil || !bytes.Equal(encoded(t, again.Cascade), encoded(t, r.Cascade)) {
			t.Errorf("resumed with less memory, which is enough: another cascade (%v)", err)
		}
	}
}

// A step that runs out of time does not count as one without progress. With
// more time the training continues as if it had not ended. Time is that of all
// runs.
func TestTimeUp(t *testing.T) { synctest.Test(t, timeUp) } // time passes in sleep only

func timeUp(t *testing.T) {
	data := world(100, 0, 16)
	soft := *brief("trees, soft")
	soft.Time, soft.MinWeak = 1, 4
	if r, err := Run(context.Background(), data, &soft, &Hooks{Event: func(Event) { time.Sleep(time.Nanosecond) }}); err != nil || r.Reason != TimeUp || len(r.Cascade.Weak) != 4 {
		t.Errorf("at least 4 weak classifiers of a soft cascade: %+v, %v", r, err)
	}
	for _, recipe := range []string{"trees", "trees, soft"} {
		s := *brief(recipe)
		whole := encoded(t, train(t, data, &s, nil).Cascade)
		for _, late := range []struct {
			kind  EventKind
			count int
		}{{Mined, 1}, {Mined, 2}, {Grown, 1}, {Grown, 4}} {
			s := s
			s.Time = 300 * time.Millisecond
			var last *State
			n, rounds := 0, 0
			r, err := Run(context.Background(), data, &s, &Hooks{
				Save: func(st *State) error { last = st; return nil },
				Event: func(e Event) {
					if e.Kind == Grown {
						rounds++
					}
					if e.Kind == late.kind {
						if n++; n == late.count {
							time.Sleep(s.Time + 10*time.Millisecond)
						}
					}
				},
			})
			if err != nil || r.Reason != TimeUp {
				t.Fatalf("%s, %+v: %+v, %v, want that the time is up", recipe, late, r, err)
			}
			if (r.Cascade == nil) != (rounds == 0) {
				t.Errorf("%s, %+v: cascade %v after %d rounds", recipe, late, r.Cascade, rounds)
			}
			grown := 0
			again, err := Run(context.Background(), data, &s, &Hooks{Resume: last, Event: func(e Event) {
				if e.Kind == Grown {
					grown++
				}
			}})
			if err != nil || again.Reason != TimeUp || grown > 0 {
				t.Errorf("%s, %+v: resumed with as much time: %+v, %v, %d rounds, want none", recipe, late, again, err, grown)
			}
			s.Time = 0
			if got := encoded(t, train(t, data, &s, &Hooks{Resume: last}).Cascade); !bytes.Equal(got, whole) {
				t.Errorf("%s, %+v: resumed with more time: other bytes", recipe, late)
			}
		}
	}
}

// An interruption in the last round of a step loses nothing.
func TestInterruptLastRound(t *testing.T) {
	for _, validation := range []int{0, 40} {
		data := world(100, validation, 16)
		recipes := []string{"trees", "trees, soft", "chain"}
		if testing.Short() {
			recipes = recipes[validation/40:][:1]
		}
		for _, recipe := range recipes {
			s := brief(recipe)
			last := 0 // round of the first step
			undisturbed := train(t, data, s, &Hooks{Event: func(e Event) {
				if e.Kind == Grown && e.Step == 1 {
					last = e.Round
				}
			}})
			ctx, cancel := context.WithCancel(context.Background())
			var state *State
			r, err := Run(ctx, data, s, &Hooks{
				Save: func(st *State) error { state = st; return nil },
				Event: func(e Event) {
					if e.Kind == Grown && e.Round == last {
						cancel()
					}
				},
			})
			cancel()
			if err != nil || r.Reason != Interrupted {
				t.Fatalf("%s: %+v, %v, want an interrupted result", recipe, r, err)
			}
			if len(r.Steps) != 1 || len(state.Steps()) != 1 || r.Cascade == nil || len(r.Cascade.Weak) == 0 {
				t.Errorf("%s, %d windows to validate with: %d steps, of which %d are saved, want the first", recipe, validation, len(r.Steps), len(state.Steps()))
			}
			if got := train(t, data, s, &Hooks{Resume: state}); !bytes.Equal(encoded(t, got.Cascade), encoded(t, undisturbed.Cascade)) {
				t.Errorf("%s, %d windows to validate with: resumed, another cascade", recipe, validation)
			}
		}
	}
}

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
	var states record
	var shots [][]Negative
	hooks := Hooks{
		Save: states.save,
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
	hooks.Resume = states.state(len(states) / 2)
	if got := train(t, data, &s, &hooks); !bytes.Equal(encoded(t, got.Cascade), want) {
		t.Error("another cascade")
	} else if fmt.Sprint(got.Steps) != fmt.Sprint(r.Steps) { // NaN is not equal to itself
		t.Errorf("steps %+v, want %+v", got.Steps, r.Steps)
	}
	if !reflect.DeepEqual(shots[len(shots)-1], last) {
		t.Error("a resumed training has other negatives, or others' origins")
	}
}
