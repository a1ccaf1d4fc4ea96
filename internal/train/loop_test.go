package train

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/boost"
	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/cpu"
	"haarlem/internal/engine"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

func shade(v byte, rng *rand.Rand) color.Gray { return color.Gray{Y: v - byte(rng.IntN(20))} }

// recipes are settings of every kind, small.
func recipes() map[string]*Settings {
	base := Settings{Width: side, Height: side, Stages: StageGoals{Count: 10, HitRate: 0.99}, Soft: SoftGoals{Rounds: 25}, Negatives: 250, AcceptanceBreak: -1, Seed: 5, Features: 600, Workers: 2}
	with := func(f func(*Settings)) *Settings {
		s := base
		f(&s)
		return &s
	}
	all := map[string]*Settings{
		"histograms, soft": with(func(s *Settings) { s.Shape, s.Weak, s.Booster = Soft, Histograms, RAB }),
		"turned":           with(func(s *Settings) { s.Shape, s.Weak, s.Orientations = Soft, Histograms, 8 }),
		"halved":           with(func(s *Settings) { s.Shape, s.Weak, s.PrefilterFrom = Soft, Histograms, 1.5 }),
		"eight bins":       with(func(s *Settings) { s.Shape, s.Weak, s.Bins = Soft, Histograms, 8 }),
		"trees, soft":      with(func(s *Settings) { s.Shape, s.Depth = Soft, 2 }),
		"chain":            with(func(s *Settings) { s.Shape, s.Weak, s.Booster = Chain, Histograms, RAB }),
		"trees":            with(func(s *Settings) { s.Depth, s.Set = 2, haar.Core }),
		"all features":     with(func(s *Settings) { s.Set = haar.All }),
		"patterns":         with(func(s *Settings) { s.Kind, s.Stages.HitRate, s.Stages.FalsePositiveRate = cascade.LBP, 0.98, 0.4 }),
		"share and cost":   with(func(s *Settings) { s.Share, s.Cost = 0.3, 2 }),
	}
	for b := range Booster(len(boosterNames)) {
		all[b.String()] = with(func(s *Settings) { s.Booster = b })
	}
	return all
}

// few returns those of all that are tested with -short, as CI does where an
// emulator or the race detector makes a training ten times slower. They are
// smaller then, and together cover all code that depends on the processor or
// starts goroutines. Package boost tests the boosters.
func few(all map[string]*Settings, short ...string) map[string]*Settings {
	if testing.Short() {
		maps.DeleteFunc(all, func(name string, _ *Settings) bool { return !slices.Contains(short, name) })
	}
	return all
}

// brief returns the settings of a recipe for tests that train often and compare
// bytes, of a cascade that ends before it is good.
func brief(recipe string) *Settings {
	s := recipes()[recipe]
	s.Stages.Count, s.Soft.Rounds, s.Negatives, s.Features = 4, 10, 80, 200
	return s
}

// Every recipe trains a cascade that finds crosses.
func TestRecipes(t *testing.T) {
	data := world(300, 60, 40)
	all := recipes()
	for name, s := range few(all, "histograms, soft", "patterns") {
		t.Run(name, func(t *testing.T) {
			r := train(t, data, s, nil)
			found, wrong := finds(t, r.Cascade, 12)
			if found < 10 || wrong > 120 {
				t.Errorf("%d of 12 crosses, %d false positives with %d weak classifiers (%v)", found, wrong, len(r.Cascade.Weak), r.Reason)
			}
			if last := r.Steps[len(r.Steps)-1]; last.HitRate < 0.9 || !(last.Validation >= 0.85) {
				t.Errorf("hit rates %v and %v", last.HitRate, last.Validation)
			}
			staged := s.Shape == Staged
			if err := r.Cascade.EncodeOpenCV(&bytes.Buffer{}); (err == nil) != staged {
				t.Errorf("as OpenCV's XML: %v", err)
			}
		})
	}
}

// A stage meets its goal on its own terms: the fraction of all positives that
// pass, and of its negatives.
func TestGoals(t *testing.T) {
	data := world(400, 0, 40)
	r := train(t, data, &Settings{Width: side, Height: side, Stages: StageGoals{Count: 4, HitRate: 0.98, FalsePositiveRate: 0.3}, Negatives: 300, Features: 1000, AcceptanceBreak: -1}, nil)
	for i, s := range r.Steps {
		if smallest := math.Pow(0.98, float64(i+1)) - 1e-9; s.HitRate < smallest {
			t.Errorf("stage %d: %v of the positives pass, want %v", i+1, s.HitRate, smallest)
		}
		if s.FalsePositiveRate > 0.3 {
			t.Errorf("stage %d: %v of its negatives pass", i+1, s.FalsePositiveRate)
		}
		if !math.IsNaN(s.Validation) {
			t.Errorf("stage %d: %v of no validation windows", i+1, s.Validation)
		}
	}
	// The cascade itself has the same rates.
	if got, want := float64(passing(r.Cascade, data.Positives))/400, r.Steps[len(r.Steps)-1].HitRate; got != want {
		t.Errorf("%v of the positives pass the cascade, the training says %v", got, want)
	}
}

// passing is how many windows a cascade passes.
func passing(c *cascade.Cascade, windows []*image.Gray) (n int) {
	weak := must.Get(engine.NewOutputs(c))
	for _, g := range windows {
		if passes(weak, c, g) {
			n++
		}
	}
	return n
}

func passes(weak *engine.Outputs, c *cascade.Cascade, g *image.Gray) bool {
	answers, ok := weak.Append(nil, g, 0)
	score, from := 0.0, 0
	for _, x := range c.Exits {
		if !ok {
			return false
		}
		for _, a := range answers[from:x.After] {
			score += float64(a)
		}
		if score < float64(x.Threshold) {
			return false
		}
		from = x.After
		if x.Restart {
			score = 0
		}
	}
	return ok
}

// A soft cascade loses at most Loss of the positives, and every exit is as high
// as the remaining ones allow.
func TestLoss(t *testing.T) {
	data := world(500, 0, 40)
	settings := &Settings{Width: side, Height: side, Shape: Soft, Weak: Histograms, Booster: RAB, Soft: SoftGoals{Rounds: 25, Loss: 0.1}, Features: 800, Negatives: 300}
	if testing.Short() {
		settings.Soft.Rounds, settings.Features, settings.Negatives = 10, 200, 100
	}
	r := train(t, data, settings, nil)
	weak := must.Get(engine.NewOutputs(r.Cascade))
	smallest := make([]float64, len(r.Cascade.Exits))
	for i := range smallest {
		smallest[i] = math.Inf(1)
	}
	passing := 0
	for _, g := range data.Positives {
		if !passes(weak, r.Cascade, g) {
			continue
		}
		passing++
		answers, _ := weak.Append(nil, g, 0)
		score := 0.0
		for i, a := range answers {
			score += float64(a)
			smallest[i] = min(smallest[i], score)
		}
	}
	if passing != 450 {
		t.Errorf("%d of 500 pass, want all but the tenth that may be lost", passing)
	}
	for i, x := range r.Cascade.Exits {
		if float64(x.Threshold) != smallest[i] {
			t.Errorf("exit %d at %v, the least of those who pass has %v", i, x.Threshold, smallest[i])
		}
	}
}

// LossPower moves losses forward or backward; the total stays the same.
func TestLossPower(t *testing.T) {
	const rounds = 200
	at := func(power float64, n int) float64 {
		tr := &trainer{s: Settings{Soft: SoftGoals{Rounds: rounds, Loss: 0.1, LossPower: power}}, from: n}
		return tr.allowed()
	}
	for _, power := range []float64{0.3, 0.8, 1, 2} {
		if all := at(power, rounds); math.Abs(all-0.1) > 1e-9 {
			t.Errorf("power %v: %v may be lost in the end, want 0.1", power, all)
		}
		before := 0.0
		for n := range rounds {
			if v := at(power, n); v < before {
				t.Fatalf("power %v: from %v down to %v at %d", power, before, v, n)
			} else {
				before = v
			}
		}
	}
	for n := 1; n < rounds-64; n += 7 {
		if !(at(0.8, n) > at(1, n) && at(1, n) > at(2, n)) {
			t.Errorf("at %d: %v, %v and %v, want less and less", n, at(0.8, n), at(1, n), at(2, n))
		}
	}
}

// The same bytes come out whatever the number of workers and the instructions.
func TestSameBytes(t *testing.T) {
	data := world(80, 20, 8)
	names := []string{"histograms, soft", "trees", "patterns", "LB", "share and cost", "turned"}
	if testing.Short() {
		names = names[:3]
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			s := *brief(name)
			s.Workers = 1
			want := encoded(t, train(t, data, &s, nil).Cascade)
			for _, level := range cpu.Available() {
				cpu.ForTest(t, level)
				s.Workers = 3
				if got := encoded(t, train(t, data, &s, nil).Cascade); !bytes.Equal(got, want) {
					t.Errorf("%v, three workers: other bytes than one worker's", level)
				}
			}
			s.Seed++
			if got := encoded(t, train(t, data, &s, nil).Cascade); bytes.Equal(got, want) {
				t.Error("another seed makes no difference")
			}
		})
	}
}

// Wherever a run is interrupted, resuming from its last checkpoint gives the
// bytes of an uninterrupted run.
func TestResume(t *testing.T) {
	data := world(80, 20, 8)
	names, resumed := []string{"trees, soft", "patterns", "histograms, soft", "trees", "chain", "FLOAT", "turned", "halved"}, 4
	if testing.Short() {
		names, resumed = names[:2], 2
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			s := brief(name)
			var states record
			undisturbed := train(t, data, s, &Hooks{Every: time.Nanosecond, Save: states.save})
			want := encoded(t, undisturbed.Cascade)
			if len(states) < 10 {
				t.Fatalf("%d states", len(states))
			}
			for i := 0; i < len(states); i += 1 + len(states)/resumed {
				if got := encoded(t, train(t, data, s, &Hooks{Resume: states.state(i)}).Cascade); !bytes.Equal(got, want) {
					t.Errorf("resumed from state %d of %d: other bytes", i, len(states))
				}
			}
			called := *s // settings that do not affect the result may change
			called.Object, called.Name = cascade.Object{Singular: "blob", Plural: "blobs"}, "another"
			if c := train(t, data, &called, &Hooks{Resume: states.state(len(states) - 1)}).Cascade; c.Object != called.Object || c.Name != called.Name {
				t.Errorf("resumed as %v, the cascade is %v", called.Object, c.Object)
			}
			other := *s
			other.Seed++
			if _, err := Run(context.Background(), data, &other, &Hooks{Resume: states.state(0)}); !errors.Is(err, ErrState) {
				t.Errorf("another seed resumes: %v", err)
			}
		})
	}
}

// A context that ends stops the training, and its checkpoint works.
func TestInterrupt(t *testing.T) {
	data := world(200, 0, 24)
	s := brief("trees")
	ctx, cancel := context.WithCancel(context.Background())
	var last *State
	rounds := 0
	r, err := Run(ctx, data, s, &Hooks{
		Save: func(st *State) error { last = st; return nil },
		Event: func(e Event) {
			if e.Kind == Grown {
				if rounds++; rounds == 5 {
					cancel()
				}
			}
		},
	})
	if err != nil || r.Reason != Interrupted {
		t.Fatalf("%+v, %v, want an interrupted result", r, err)
	}
	if rounds != 5 {
		t.Errorf("%d rounds, want the fifth to be the last", rounds)
	}
	if r.Cascade != nil {
		if err := r.Cascade.Check(); err != nil {
			t.Error(err)
		}
	}
	resumed := train(t, data, s, &Hooks{Resume: last})
	whole := train(t, data, s, nil)
	if !bytes.Equal(encoded(t, resumed.Cascade), encoded(t, whole.Cascade)) {
		t.Error("resumed after the interruption: other bytes")
	}
}

// Each reason to end is reported.
func TestReasons(t *testing.T) {
	data := world(200, 0, 6)
	base := Settings{Width: side, Height: side, Negatives: 200, Features: 1000, Stages: StageGoals{FalsePositiveRate: 0.2}}
	if testing.Short() {
		base.Features = 200
	}
	for want, change := range map[Reason]func(*Settings){
		Finished:    func(s *Settings) { s.Stages.Count, s.AcceptanceBreak = 2, -1 },
		RateReached: func(s *Settings) { s.AcceptanceBreak = 0.01 },
		Exhausted:   func(s *Settings) { s.Negatives, s.AcceptanceBreak, s.Stages.Count = 1000, -1, 50 },
		TimeUp:      func(s *Settings) { s.Time = time.Nanosecond },
	} {
		s := base
		change(&s)
		r := must.Get(Run(context.Background(), data, &s, nil))
		if r.Reason != want {
			t.Errorf("%v, want %v", r.Reason, want)
		}
		if r.Cascade == nil != (want == TimeUp) {
			t.Errorf("%v: cascade %v", want, r.Cascade)
		}
	}
}

// Invalid settings and data are refused with a reason.
func TestBad(t *testing.T) {
	small := image.NewGray(image.Rect(0, 0, 3, 3))
	for _, c := range []struct {
		data *Data
		s    Settings
		want string
	}{
		{world(5, 0, 1), Settings{Width: side, Height: side, Stages: StageGoals{Count: -1}}, "Stages.Count is -1, want 1 to 10000"},
		{world(5, 0, 1), Settings{Width: side, Height: side, Stages: StageGoals{HitRate: 1.5}}, "Stages.HitRate is 1.5, want more than 0 and at most 1"},
		{world(5, 0, 1), Settings{Width: side, Height: side, Stages: StageGoals{FalsePositiveRate: 1}}, "Stages.FalsePositiveRate is 1, want more than 0 and less than 1"},
		{world(5, 0, 1), Settings{Width: 2, Height: side}, "Width is 2, want 3 to 256"},
		{world(5, 0, 1), Settings{Kind: cascade.LBP, Weak: Histograms}, "LBP features have no histograms"},
		{world(5, 0, 1), Settings{Weak: Histograms, Booster: DAB}, "DAB needs outputs of -1 and +1"},
		{world(5, 0, 1), Settings{Shape: Soft, PrefilterFrom: 1}, "PrefilterFrom is 1, want more than 1"},
		{world(5, 0, 1), Settings{PrefilterFrom: 2}, "a staged cascade is for OpenCV, which does not halve pictures"},
		{world(0, 0, 1), Settings{Width: side, Height: side}, "no positives"},
		{world(5, 0, 0), Settings{Width: side, Height: side}, "no backgrounds"},
		{world(5, 0, 1), Settings{Width: 20, Height: 20}, "positive 0 has 14x14 pixels, want the window's 20x20"},
		{&Data{Positives: world(5, 0, 0).Positives, Backgrounds: []Background{Plain{small}}}, Settings{Width: side, Height: side}, "no background is as large as the window"},
		{&Data{Positives: world(5, 0, 0).Positives, Backgrounds: world(0, 0, 1).Backgrounds, ValidationBackgrounds: world(0, 0, 1).Backgrounds}, Settings{Width: side, Height: side}, "validation backgrounds, and no validation windows"},
		{&Data{Positives: world(5, 0, 0).Positives, Validation: world(5, 0, 0).Positives, Backgrounds: world(0, 0, 1).Backgrounds, ValidationBackgrounds: []Background{Plain{small}}}, Settings{Width: side, Height: side}, "no validation background is as large as the window"},
	} {
		_, err := Run(context.Background(), c.data, &c.s, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || !errors.Is(err, ErrSettings) && !errors.Is(err, ErrData) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}

// Codes and thresholds agree with the detector about every value.
func TestThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 0))
	c := &columns{bins: 256, low: make([]float32, 1), scale: make([]float32, 1)}
	for range 2000 {
		c.low[0], c.scale[0] = rng.Float32()*10-5, float32(math.Exp(rng.Float64()*12-3))
		cut := rng.IntN(255)
		v := c.threshold(0, cut)
		code := func(v float32) int { return int(min(max(float32((v-c.low[0])*c.scale[0]), 0), 255)) }
		if below := math.Nextafter32(v, float32(math.Inf(-1))); code(v) <= cut || code(below) > cut {
			t.Fatalf("low %v scale %v cut %d: code %d at %v and %d below", c.low[0], c.scale[0], cut, code(v), v, code(below))
		}
	}
}

// A truncated or changed checkpoint is an error.
func TestDamagedState(t *testing.T) {
	var whole bytes.Buffer
	data := world(100, 0, 12)
	s := &Settings{Width: side, Height: side, Stages: StageGoals{Count: 1}, Features: 200}
	train(t, data, s, &Hooks{Save: func(st *State) error { whole.Reset(); return st.Encode(&whole) }})
	for n := 0; n < whole.Len(); n += 1 + n/3 {
		if _, err := DecodeState(bytes.NewReader(whole.Bytes()[:n])); !errors.Is(err, ErrState) {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
	if st, err := DecodeState(&whole); err != nil || len(st.Steps()) != 1 {
		t.Errorf("the whole: %v", err)
	}
}

var _ boost.Columns = (*columns)(nil)

// What is only measured changes nothing: the cascade is the same as without. Without
// MeasureOnly the same windows change it.
func TestMeasureOnly(t *testing.T) {
	for _, s := range []*Settings{
		{Width: side, Height: side, Shape: Soft, Booster: RAB, Weak: Histograms, Soft: SoftGoals{Rounds: 20, Loss: 0.1}, Features: 300, Negatives: 400, Seed: 3},
		{Width: side, Height: side, Stages: StageGoals{Count: 3, HitRate: 0.9, FalsePositiveRate: 0.3, MaxWeak: 6}, Features: 300, Negatives: 400, Seed: 3},
	} {
		data := world(300, 0, 30)
		want := encoded(t, train(t, data, s, nil).Cascade)
		apart, other := *data, world(150, 0, 40)
		apart.Validation, apart.ValidationBackgrounds = other.Positives, other.Backgrounds
		rng := rand.New(rand.NewPCG(7, 0))
		for i := range 40 { // these are none
			apart.Validation[i] = noise(rng, side, side)
		}
		apart.MeasureOnly = true
		r := must.Get(Run(context.Background(), &apart, s, nil))
		if !bytes.Equal(encoded(t, r.Cascade), want) {
			t.Errorf("%v: another cascade", s.Shape)
		}
		last := r.Steps[len(r.Steps)-1]
		if got := float64(passing(r.Cascade, apart.Validation)) / 150; math.Abs(last.Validation-got) > 1e-9 || got == 1 {
			t.Errorf("%v: the last step says that %v of the validation windows pass, and %v do", s.Shape, last.Validation, got)
		}
		if first := r.Steps[0]; first.HeldOut == 0 || math.IsNaN(first.Gain) {
			t.Errorf("%v: the first step's gain was not measured", s.Shape)
		}
		apart.MeasureOnly = false
		r = must.Get(Run(context.Background(), &apart, s, nil))
		if r.Cascade != nil && bytes.Equal(encoded(t, r.Cascade), want) {
			t.Errorf("%v: the same cascade where the goals are to be met on the validation windows: this tests nothing", s.Shape)
		}
	}
}

// A finished training goes on for more stages, and comes to what a training of so
// many comes to at once. One of fewer stages, or of another hit rate, is another
// training.
func TestMoreStages(t *testing.T) {
	data := world(200, 40, 24)
	for name, breakAt := range map[string]float64{"break by the goals": 0, "no break": -1} {
		for _, shape := range []Shape{Staged, Chain} {
			t.Run(name+", "+shape.String(), func(t *testing.T) {
				of := func(stages int) *Settings {
					return &Settings{
						Width: side, Height: side, Shape: shape, Features: 150, Negatives: 60, AcceptanceBreak: breakAt,
						Stages: StageGoals{Count: stages, HitRate: 0.99, FalsePositiveRate: 0.3, MaxWeak: 20},
					}
				}
				var last *State
				few := train(t, data, of(2), &Hooks{Save: func(s *State) error { last = s; return nil }})
				if len(few.Steps) != 2 {
					t.Fatalf("%d stages, want 2", len(few.Steps))
				}
				more := train(t, data, of(4), &Hooks{Resume: last})
				atOnce := train(t, data, of(4), nil)
				if len(atOnce.Steps) < 3 {
					t.Fatalf("%d stages at once, want more than 2", len(atOnce.Steps))
				}
				if !bytes.Equal(encoded(t, more.Cascade), encoded(t, atOnce.Cascade)) {
					t.Errorf("2 stages and then 4 are other bytes than 4 at once: %d and %d stages", len(more.Steps), len(atOnce.Steps))
				}
				other := of(4)
				other.Stages.HitRate = 0.98
				for what, s := range map[string]*Settings{"another hit rate": other, "fewer stages": of(1)} {
					if _, err := Run(context.Background(), data, s, &Hooks{Resume: last}); !errors.Is(err, ErrState) {
						t.Errorf("%s: %v, want ErrState", what, err)
					}
				}
			})
		}
	}
}

// What is dropped on the way would not have been taken, and little more is kept than is
// wanted.
func TestSpareKeepsWhatIsTaken(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		need, taken := 1+rng.IntN(4000), 0
		var all, some spare
		var front []Negative
		for picture := range 1 + rng.IntN(300) {
			var windows []Negative
			for number := range rng.IntN(1 + rng.IntN(200)) {
				windows = append(windows, Negative{Origin: Origin{Picture: picture, Box: image.Rect(0, 0, number, 1)}})
			}
			all.images = append(all.images, slices.Clone(windows))
			taken += rng.IntN(10)
			for len(front) < min(taken, need) {
				front = append(front, Negative{})
			}
			some.add(windows, need-len(front))
			if largest := (need-len(front))*3/2 + 1000; some.count > largest {
				t.Fatalf("%d windows are kept for a need of %d", some.count, need-len(front))
			}
		}
		if got, want := some.appendTo(slices.Clone(front), need), all.appendTo(slices.Clone(front), need); !slices.Equal(got, want) {
			t.Fatalf("%d windows for a need of %d, and the whole has %d or others", len(got), need, len(want))
		}
	}
}

// Positives with too little contrast are counted: the cascade's gate rejects
// them, whatever it learns.
func TestLowContrast(t *testing.T) {
	data := world(100, 50, 12)
	flatten := func(windows []*image.Gray, n int) {
		for _, g := range windows[:n] {
			for i, v := range g.Pix {
				g.Pix[i] = 100 + (v-100)/32
			}
		}
	}
	flatten(data.Positives, 7)
	flatten(data.Validation, 3)
	for _, c := range []struct {
		s    Settings
		want [2]int
	}{
		{Settings{}, [2]int{7, 3}},
		{Settings{Shape: Soft, MinStdDev: 10}, [2]int{7, 3}},
		{Settings{Shape: Soft, MinStdDev: 0.5}, [2]int{}},
		{Settings{Kind: cascade.LBP}, [2]int{}},
	} {
		c.s.Width, c.s.Height, c.s.Stages.Count, c.s.Soft.Rounds, c.s.Features, c.s.Negatives = side, side, 1, 2, 100, 100
		var events []Event
		r := train(t, data, &c.s, &Hooks{Event: func(e Event) { events = append(events, e) }})
		if got := [2]int{r.LowContrast, r.ValidationLowContrast}; got != c.want {
			t.Errorf("%+v: %v of the windows have too little contrast, want %v", c.s, got, c.want)
		}
		if e := events[0]; (e.Kind == Contrast) != (c.s.Kind != cascade.LBP) || [2]int{e.LowContrast, e.ValidationLowContrast} != c.want {
			t.Errorf("%+v: the first event is %+v", c.s, e)
		}
		weak := must.Get(engine.NewOutputs(r.Cascade))
		rejected := 0
		for _, g := range data.Positives {
			if _, ok := weak.Append(nil, g, 0); !ok {
				rejected++
			}
		}
		if rejected != c.want[0] {
			t.Errorf("%+v: the cascade's gate rejects %d positives, want %d", c.s, rejected, c.want[0])
		}
	}
}

// A training whose pictures are searched elsewhere, from a cascade in a file, in
// another order, gives the same bytes.
func TestMineElsewhere(t *testing.T) {
	for _, recipe := range []string{"histograms, soft", "patterns", "turned", "halved"} {
		t.Run(recipe, func(t *testing.T) {
			data, s := world(100, 30, 60), *brief(recipe)
			data.ValidationBackgrounds = append(data.ValidationBackgrounds, world(0, 0, 12).Backgrounds...)
			s.Soft.Rounds, s.Stages.Count, s.Negatives, s.Features = 12, 3, 80, 200
			want := encoded(t, train(t, data, &s, nil).Cascade)
			waves, held := 0, 0
			r := train(t, data, &s, &Hooks{Mine: func(ctx context.Context, w *WindowSearch, views []View) ([]Finding, error) {
				waves++
				c := must.Get(cascade.Read(bytes.NewReader(encoded(t, w.Cascade)), nil))
				other := &WindowSearch{Cascade: c, Seed: w.Seed, Max: w.Max, About: w.About}
				all := make([]Finding, len(views))
				for i := len(views) - 1; i >= 0; i-- {
					from := data.Backgrounds
					if w.Validation {
						from = data.ValidationBackgrounds
						held++
					}
					b := from[views[i].Picture]
					all[i] = must.Get(other.Search(ctx, must.Get(b.Grey()), b, views[i]))
				}
				return all, nil
			}})
			if got := encoded(t, r.Cascade); !bytes.Equal(got, want) {
				t.Errorf("the cascade is\n%.400s\nwant\n%.400s", got, want)
			}
			if waves == 0 || held == 0 {
				t.Errorf("%d waves, %d validation pictures: nothing was tested", waves, held)
			}
		})
	}
}

func TestMineElsewhereFails(t *testing.T) {
	data, s := world(50, 0, 10), brief("histograms, soft")
	gone := errors.New("the other machine is gone")
	for want, mine := range map[error]func(context.Context, *WindowSearch, []View) ([]Finding, error){
		gone: func(context.Context, *WindowSearch, []View) ([]Finding, error) { return nil, gone },
		nil:  func(context.Context, *WindowSearch, []View) ([]Finding, error) { return nil, nil },
	} {
		if _, err := Run(context.Background(), data, s, &Hooks{Mine: mine}); err == nil || want != nil && !errors.Is(err, want) {
			t.Errorf("error %v, want %v", err, want)
		}
	}
}

// The effect of each orientation on an image of distinct pixels, written by hand.
func TestOrientations(t *testing.T) {
	g := &image.Gray{Pix: []byte{
		1, 2, 3, 99,
		4, 5, 6, 99,
	}, Stride: 4, Rect: image.Rect(0, 0, 3, 2)}
	for n, want := range [8]struct {
		width int
		pix   []byte
	}{
		{3, []byte{1, 2, 3, 4, 5, 6}},
		{3, []byte{3, 2, 1, 6, 5, 4}},
		{2, []byte{4, 1, 5, 2, 6, 3}},
		{2, []byte{6, 3, 5, 2, 4, 1}},
		{3, []byte{6, 5, 4, 3, 2, 1}},
		{3, []byte{4, 5, 6, 1, 2, 3}},
		{2, []byte{3, 6, 2, 5, 1, 4}},
		{2, []byte{1, 4, 2, 5, 3, 6}},
	} {
		got := orientation(n).picture(new(image.Gray), g)
		if got.Rect != image.Rect(0, 0, want.width, 6/want.width) {
			t.Fatalf("orientation %d: %v", n, got.Rect)
		}
		for i, v := range want.pix {
			if x, y := i%want.width, i/want.width; got.GrayAt(x, y).Y != v {
				t.Errorf("orientation %d: %d at %d, %d, want %d", n, got.GrayAt(x, y).Y, x, y, v)
			}
		}
	}
}

// The contents of a box in an oriented image are those of the original box,
// whatever the sizes, also across the squares that are copied at once.
func TestTurnBack(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	memory := new(image.Gray)
	for range 40 {
		w, h := 1+rng.IntN(150), 1+rng.IntN(150)
		g := noise(rng, w, h)
		for n := range 8 {
			got := orientation(n).picture(memory, g)
			size := got.Rect.Size()
			x, y := rng.IntN(size.X), rng.IntN(size.Y)
			box := image.Rect(x, y, x+1+rng.IntN(size.X-x), y+1+rng.IntN(size.Y-y))
			was := orientation(n).back(box, w, h)
			if !was.In(g.Rect) {
				t.Fatalf("orientation %d of %dx%d: %v came from %v", n, w, h, box, was)
			}
			again := orientation(n).picture(new(image.Gray), g.SubImage(was).(*image.Gray))
			if again.Rect.Size() != box.Size() {
				t.Fatalf("orientation %d: %v came from %v", n, box, was)
			}
			for dy := range box.Dy() {
				for dx := range box.Dx() {
					if a, b := got.GrayAt(x+dx, y+dy), again.GrayAt(again.Rect.Min.X+dx, again.Rect.Min.Y+dy); a != b {
						t.Fatalf("orientation %d of %dx%d, %v: %v at %d, %d, want %v", n, w, h, box, b, dx, dy, a)
					}
				}
			}
		}
	}
}

// After one lap every image was there once, after all laps in all orientations,
// and no image is twice in a batch.
func TestViews(t *testing.T) {
	all := make([]Background, 37)
	for _, orientations := range []int{1, 2, 4, 8} {
		m := newMiner(&Settings{}, all, orientations, 0)
		views := map[[2]int]bool{}
		for lap := range orientations {
			pictures, ways := map[int]bool{}, map[orientation]bool{}
			for k := range len(all) {
				i, way := m.view(lap*len(all) + k)
				pictures[i], ways[way] = true, true
				views[[2]int{i, int(way)}] = true
			}
			if len(pictures) != len(all) || len(ways) != orientations {
				t.Errorf("%d orientations, lap %d: %d pictures in %d", orientations, lap, len(pictures), len(ways))
			}
		}
		if len(views) != orientations*len(all) {
			t.Errorf("%d views, want %d", len(views), orientations*len(all))
		}
	}
}

// forbidding counts the windows that it forbids: those with a pixel of the mark
// at the top left.
type forbidding struct {
	*image.Gray
	mark image.Rectangle
}

func (f forbidding) Grey() (*image.Gray, error) { return f.Gray, nil }

func (f forbidding) Forbids(box image.Rectangle) bool { return box.Overlaps(f.mark) }

// A search visits each image once, unless it finds too little: then in all
// orientations. Windows that a background forbids are forbidden in each.
func TestSearchOrientations(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var all []Background
	for range 5 {
		g := noise(rng, 70, 50)
		mark := image.Rect(0, 0, 9, 8)
		picturetest.Fill(g, mark, 255) // the brightest
		all = append(all, forbidding{g, mark})
	}
	s := must.Get((&Settings{Width: side, Height: side, Workers: 3, Orientations: 8}).WithDefaults())
	bright := func(g *image.Gray) bool { return bytes.IndexByte(g.Pix, 255) >= 0 }
	lap := 0
	for _, few := range []int{0, 1 << 20} {
		m := newMiner(&s, all, s.Orientations, 1<<20)
		marked := 0
		found := must.Get(m.search(context.Background(), acceptAll(&s), 1<<20, few, 1e-9, 0, func(g *image.Gray) bool {
			if bright(g) {
				marked++
			}
			return true
		}))
		if marked != 0 || len(found.windows) == 0 {
			t.Errorf("%d of %d windows hold what is forbidden", marked, len(found.windows))
		}
		if few == 0 {
			lap = found.visited
		}
		if want := few > 0; found.wholePass != want || m.cursor != map[bool]int{false: len(all), true: 0}[want] {
			t.Errorf("content with %d: everything was searched: %v; next is %d", few, found.wholePass, m.cursor)
		}
		if few > 0 && found.visited != 8*lap {
			t.Errorf("%d windows in all orientations, %d in one", found.visited, lap)
		}
	}
}

// Negatives are windows of levels as the cascade will see them: halving weakens
// noise.
func TestSearchHalved(t *testing.T) {
	all := []Background{Plain{noise(rand.New(rand.NewPCG(5, 6)), 150, 140)}}
	rough := map[float64]float64{}
	for _, halve := range []float64{0, 1.2} {
		s := must.Get((&Settings{Shape: Soft, Width: side, Height: side, PrefilterFrom: halve, Workers: 1}).WithDefaults())
		c := acceptAll(&s)
		if c.Search.PrefilterFrom != halve {
			t.Fatalf("any window: halve %v, want %v", c.Search.PrefilterFrom, halve)
		}
		found := must.Get(newMiner(&s, all, 1, 1<<20).search(context.Background(), c, 1<<20, 0, 1e-9, 0, func(*image.Gray) bool { return true }))
		sum, n := 0.0, 0
		for _, w := range found.windows {
			for i, v := range w.Window.Pix[1:] {
				sum += math.Abs(float64(v) - float64(w.Window.Pix[i]))
				n++
			}
		}
		rough[halve] = sum / float64(n)
	}
	if rough[1.2] == 0 || rough[1.2] > rough[0]*0.9 {
		t.Errorf("neighbours differ by %.3f in halved pictures, and by %.3f in others", rough[1.2], rough[0])
	}
}

// A stage searches backgrounds in all orientations before it makes do with few
// negatives; a score that runs on takes another orientation for the next step.
func TestOrientationsOfAStage(t *testing.T) {
	data := world(60, 0, 3)
	visited := map[Shape]int{}
	for _, shape := range []Shape{Staged, Soft} {
		s := &Settings{
			Width: side, Height: side, Shape: shape, Orientations: 4, Negatives: 150000, Features: 40,
			Stages: StageGoals{Count: 1, MaxWeak: 1}, Soft: SoftGoals{Rounds: 1}, AcceptanceBreak: -1,
		}
		r := train(t, data, s, nil)
		if n := r.Steps[0].Negatives; n >= s.Negatives || n < s.Negatives/20 {
			t.Fatalf("%v: %d negatives: too many or too few to tell", shape, n)
		}
		visited[shape] = r.Steps[0].Visited
	}
	if visited[Staged] != 4*visited[Soft] {
		t.Errorf("a stage searched %d windows, a score that goes on at %d; want four times as many", visited[Staged], visited[Soft])
	}
}
