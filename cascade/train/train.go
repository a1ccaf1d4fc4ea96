package train

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"haarlem/boost"
	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/engine"
)

// Data is what a cascade is trained on.
type Data struct {
	// Positives are windows of the object, all of the cascade's size.
	Positives []*image.Gray

	// Validation are windows of the object from other photographs. Exits are
	// placed so that they pass too.
	Validation []*image.Gray

	// Backgrounds are where negatives come from.
	Backgrounds []Background

	// ValidationBackgrounds are photographs without the object, other ones than
	// Backgrounds. Nothing is learned from them. With them the training ends
	// once more of it helps only on what it has seen: see [Overfits]. They want
	// Validation beside them.
	ValidationBackgrounds []Background

	// Fingerprint names the data, so that a run is resumed with the same. It
	// may be empty.
	Fingerprint string
}

// ErrData is what errors about impossible data wrap.
var ErrData = errors.New("train: bad data")

func (d *Data) check(s *Settings) error {
	if d == nil || len(d.Positives) == 0 {
		return fmt.Errorf("%w: no positives", ErrData)
	}
	for i, g := range slices.Concat(d.Positives, d.Validation) {
		if g.Rect.Dx() != s.Width || g.Rect.Dy() != s.Height {
			return fmt.Errorf("%w: positive %d has %dx%d pixels, want the window's %dx%d", ErrData, i, g.Rect.Dx(), g.Rect.Dy(), s.Width, s.Height)
		}
	}
	if len(d.Backgrounds) == 0 {
		return fmt.Errorf("%w: no backgrounds", ErrData)
	}
	if len(d.ValidationBackgrounds) > 0 && len(d.Validation) == 0 {
		return fmt.Errorf("%w: validation backgrounds, and no validation windows to tell from them", ErrData)
	}
	return nil
}

// Reason says why a training ended.
type Reason uint8

const (
	Finished    Reason = iota // all stages or rounds were made
	RateReached               // few enough background windows pass: Settings.AcceptanceBreak
	Exhausted                 // the backgrounds hold too few windows that still pass
	TimeUp                    // Settings.Time is over
	NoProgress                // no weak learner helps any more
	Interrupted               // the context ended

	// Overfits means that by the last four steps the cascade has become no better
	// at telling validation windows from Data.ValidationBackgrounds than it was
	// before them. They are taken back: cascade and steps are those of before.
	Overfits
)

var reasonNames = [...]string{
	"all stages are made", "the false-alarm rate asked for is reached", "the backgrounds have too few windows that still pass",
	"the time is up", "no weak learner helps any more", "interrupted",
	"it only gets better on what it has seen",
}

// String returns the reason as the end of a sentence.
func (r Reason) String() string { return nameOf(reasonNames[:], int(r), "Reason") }

// A Result is a trained cascade and how its training ended.
type Result struct {
	Cascade *cascade.Cascade // works, whatever the reason; nil if there is no weak learner yet
	Reason  Reason
	Steps   []Step

	// LowContrast is how many of Data.Positives, and ValidationLowContrast how
	// many of Data.Validation, have less contrast than Settings.MinStdDev: the
	// cascade rejects them, whatever it learns.
	LowContrast, ValidationLowContrast int
}

// A Step is one turn of the loop: a stage, or a stretch of a soft cascade.
type Step struct {
	Weak       int     // weak learners in the cascade, after it
	HitRate    float64 // share of all training positives that pass the cascade
	Validation float64 // the same of the validation windows; NaN if there are none
	FalseAlarm float64 // share of the step's negatives that pass it
	Visited    int     // background windows that were visited to find its negatives
	Passed     int     // and how many of them passed the cascade before it
	Negatives  int
	Features   int // looked at

	// HeldApart is how many windows of the validation backgrounds passed the
	// cascade before the step, and were looked at. Gain is by how much the step
	// has made it likelier that a validation window scores more than one of
	// these (the area under the ROC), in scores that go on from stage to stage;
	// NaN if there were too few of either to say.
	HeldApart int
	Gain      float64
}

// Hooks are told what goes on. Any of them may be nil.
type Hooks struct {
	// Event hears of every round and every step, in order.
	Event func(Event)

	// Save keeps a state that Resume can go on from: after every step, and
	// within one whenever Every has passed. An error ends the training.
	Save  func(*State) error
	Every time.Duration // 0 means 3 minutes

	// Resume is a state to go on from.
	Resume *State
}

// EventKind says what an event is about.
type EventKind uint8

const (
	Mining   EventKind = iota // a search for negatives begins
	Mined                     // and has ended
	Columns                   // features are being coded
	Grown                     // a round was made
	Stepped                   // a step is done: exits are placed
	Sampled                   // memory has no room for all features
	Contrast                  // the contrast of all positives is known: it comes first, if there is such a gate
)

// An Event is something that happened.
type Event struct {
	Kind       EventKind
	Step       int // from 1
	Round      int // within the step, from 1
	Weak       int // in the cascade
	Goal       int // Stages or Rounds of the settings
	HitRate    float64
	FalseAlarm float64 // of the step's negatives
	Visited    int
	Passed     int
	Negatives  int
	Features   int
	HeldApart  int     // as a Step has it, in Stepped
	Gain       float64 // likewise

	LowContrast, ValidationLowContrast int // as a Result has them, in Contrast
}

// grid is what leaves and thresholds are multiples of: sums of scores are then
// exact in the detector's lanes, and files are small.
const grid = 4096

// A trainer is one training under way.
type trainer struct {
	s     Settings
	data  *Data
	hooks Hooks
	begin time.Time
	saved time.Time

	memory int64 // Settings.Memory of the first run: it decides how many features there are

	c     *cascade.Cascade
	index map[haar.Feature]int32
	cells map[image.Rectangle]int32

	windows []*image.Gray // positives, then validation
	train   int           // how many of them are positives
	alive   []bool        // passes the cascade so far
	score   []float64     // running score
	answers [][]float32   // Soft: of each weak learner, for each window

	miner     *miner
	apart     *miner // of validation backgrounds; nil if there are none
	held      []*image.Gray
	before    []byte // the cascade at its best, if steps that were measured have come since
	negatives []negative
	rate      float64 // share of background windows that pass, as far as known
	step      Step    // under way
	steps     []Step
	from      int // first weak learner of the step
	mined     bool
	run       []byte // a boost.Checkpoint to go on from

	positives *haar.Samples
	columns   *columns

	lowContrast [2]int // of the positives, and of the validation windows
}

// A negative is a window that the cascade let pass, with its running score.
type negative struct {
	window *image.Gray
	score  float64
	fails  bool
}

// Run trains a cascade. When the context ends it returns what there is, with
// Reason Interrupted and no error.
func Run(ctx context.Context, data *Data, settings *Settings, hooks *Hooks) (*Result, error) {
	s, err := settings.WithDefaults()
	if err != nil {
		return nil, err
	}
	if err := data.check(&s); err != nil {
		return nil, err
	}
	t := &trainer{s: s, data: data, begin: time.Now(), saved: time.Now(), memory: s.Memory}
	if hooks != nil {
		t.hooks = *hooks
	}
	if t.hooks.Every == 0 {
		t.hooks.Every = 3 * time.Minute
	}
	if err := t.prepare(ctx); err != nil {
		return nil, err
	}
	reason, err := t.loop(ctx)
	if ctx.Err() != nil && (err == nil || errors.Is(err, ctx.Err())) {
		reason, err = Interrupted, nil
		t.dropStep()
	}
	if err != nil {
		return nil, err
	}
	r := &Result{Reason: reason, Steps: t.steps, LowContrast: t.lowContrast[0], ValidationLowContrast: t.lowContrast[1]}
	if len(t.c.Weak) > 0 {
		r.Cascade = t.c
	}
	return r, nil
}

// prepare sets up the beginning, or what a state has come to.
func (t *trainer) prepare(ctx context.Context) error {
	s := &t.s
	t.c = &cascade.Cascade{Name: s.Name, Object: s.Object, Kind: s.Kind, Width: s.Width, Height: s.Height, Search: cascade.Search{PrefilterFrom: s.PrefilterFrom}, Provenance: s.Provenance}
	t.c.Provenance.Seed = s.Seed
	if s.Kind == cascade.Haar {
		t.c.MinStdDev = s.MinStdDev
	}
	t.index, t.cells = map[haar.Feature]int32{}, map[image.Rectangle]int32{}
	t.windows = slices.Concat(t.data.Positives, t.data.Validation)
	t.train = len(t.data.Positives)
	if s.Negatives == 0 {
		t.s.Negatives = t.train
	}
	if s.AcceptanceBreak == 0 {
		t.s.AcceptanceBreak = math.Pow(s.FalseAlarmRate, float64(s.Stages))
		if s.Shape == Soft {
			t.s.AcceptanceBreak = -1
		}
	}
	t.rate = 1
	t.alive = make([]bool, len(t.windows))
	for i := range t.alive {
		t.alive[i] = true
	}
	t.score = make([]float64, len(t.windows))
	room, all := t.s.Memory/4, int64(len(t.data.Backgrounds)+len(t.data.ValidationBackgrounds))
	t.miner = newMiner(&t.s, t.data.Backgrounds, s.Turns, room/all*int64(len(t.data.Backgrounds)))
	if n := len(t.data.ValidationBackgrounds); n > 0 {
		t.apart = newMiner(&t.s, t.data.ValidationBackgrounds, 1, room/all*int64(n))
	}
	t.positives = haar.NewSamples(t.train, s.Width, s.Height, s.Set == haar.All && s.Kind == cascade.Haar)
	if err := inParallel(ctx, t.train, 16, s.Workers, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			t.positives.Set(i, t.windows[i])
		}
	}); err != nil {
		return err
	}
	if t.hooks.Resume != nil {
		if err := t.restore(ctx, t.hooks.Resume); err != nil {
			return err
		}
	}
	return t.countLowContrast(ctx)
}

// countLowContrast finds out how many windows the gate of contrast rejects.
func (t *trainer) countLowContrast(ctx context.Context) error {
	if t.s.Kind != cascade.Haar || t.s.MinStdDev == 0 {
		return nil
	}
	answers, err := t.answersOf(ctx, anyWindow(&t.s), t.windows, 0)
	if err != nil {
		return err
	}
	for i, a := range answers {
		if a == nil && i < t.train {
			t.lowContrast[0]++
		} else if a == nil {
			t.lowContrast[1]++
		}
	}
	t.event(Event{Kind: Contrast, LowContrast: t.lowContrast[0], ValidationLowContrast: t.lowContrast[1]})
	return nil
}

// loop makes steps until there is a reason to end.
func (t *trainer) loop(ctx context.Context) (Reason, error) {
	for {
		if !t.mined {
			switch {
			case t.overfits():
				return Overfits, t.goBack()
			case t.s.Shape == Soft && len(t.c.Weak) >= t.s.Rounds, t.s.Shape != Soft && len(t.steps) >= t.s.Stages:
				return Finished, nil
			case t.timeUp():
				return TimeUp, nil
			}
			reason, err := t.refill(ctx)
			if err != nil || reason != Finished {
				return reason, err
			}
			t.mined = true
			if err := t.save(nil); err != nil {
				return 0, err
			}
		}
		made := len(t.steps)
		reason, err := t.grow(ctx)
		if err != nil {
			return 0, err
		}
		t.mined, t.run = false, nil
		if len(t.steps) > made { // otherwise there was no weak learner for one
			t.event(Event{Kind: Stepped, HitRate: t.step.HitRate, FalseAlarm: t.step.FalseAlarm, HeldApart: t.step.HeldApart, Gain: t.step.Gain})
		}
		if reason != TimeUp {
			if err := t.save(nil); err != nil {
				return 0, err
			}
		}
		if reason != Finished && !t.overfits() {
			return reason, nil
		}
	}
}

func (t *trainer) timeUp() bool { return t.s.Time > 0 && time.Since(t.begin) > t.s.Time }

func (t *trainer) event(e Event) {
	if t.hooks.Event == nil {
		return
	}
	e.Weak = len(t.c.Weak)
	e.Step = len(t.steps)
	if e.Kind != Stepped {
		e.Step++
	} else {
		e.Negatives = t.step.Negatives
	}
	e.Goal = t.s.Stages
	if t.s.Shape == Soft {
		e.Goal = t.s.Rounds
	}
	t.hooks.Event(e)
}

// refill brings the negatives up to their number with windows that pass.
func (t *trainer) refill(ctx context.Context) (Reason, error) {
	t.event(Event{Kind: Mining})
	known := seen{}
	var passing, failing []negative
	for _, n := range t.negatives {
		known.add(n.window)
		if n.fails {
			failing = append(failing, n)
		} else {
			passing = append(passing, n)
		}
	}
	need, least := t.s.Negatives-len(passing), max(2, t.s.Negatives/20)
	// A stage has nothing but these to learn from. A score that goes on may
	// wait for what a later search finds.
	few := need
	if t.s.Shape != Staged {
		few = least - len(passing)
	}
	found, err := t.search(ctx, t.miner, need, few, known, "background")
	if err != nil {
		return 0, err
	}
	scores, err := t.scores(ctx, found.windows)
	if err != nil {
		return 0, err
	}
	for i, w := range found.windows {
		passing = append(passing, negative{window: w, score: scores[i]})
	}
	t.step = Step{Visited: found.visited, Passed: found.passed, Gain: math.NaN()}
	if len(t.c.Weak) > 0 && found.visited > 0 {
		t.rate = found.rate()
	}
	t.event(Event{Kind: Mined, Visited: found.visited, Passed: found.passed, Negatives: len(passing)})
	if len(t.c.Weak) > 0 && found.visited > 0 && t.rate <= t.s.AcceptanceBreak {
		return RateReached, nil
	}
	if short := t.s.Negatives - len(passing); short > 0 {
		// A score that goes on may learn from windows that are out already:
		// the hardest of them keep it from learning the few that are left by
		// heart. A stage that begins anew knows nothing of them.
		if t.s.Shape != Staged {
			slices.SortStableFunc(failing, byScore)
			passing = append(passing, failing[:min(short, len(failing))]...)
		}
	}
	if len(passing) < least {
		return Exhausted, nil
	}
	t.negatives = passing
	t.step.Negatives = len(passing)
	t.from = len(t.c.Weak)
	return Finished, nil
}

// search looks for windows that pass the cascade.
func (t *trainer) search(ctx context.Context, m *miner, need, few int, known seen, what string) (*catch, error) {
	c := t.c
	if len(c.Weak) == 0 {
		c = anyWindow(&t.s)
	}
	found, err := m.search(ctx, c, need, few, t.rate, uint64(len(t.steps)), known.add)
	if err == nil && found.visited == 0 && found.wholePass {
		err = fmt.Errorf("%w: no %s is as large as the window of %dx%d pixels", ErrData, what, t.s.Width, t.s.Height)
	}
	return found, err
}

// scores returns the running scores of windows behind all weak learners. A
// stage that begins anew begins at zero: then nothing is asked.
func (t *trainer) scores(ctx context.Context, windows []*image.Gray) ([]float64, error) {
	scores := make([]float64, len(windows))
	if t.s.Shape == Staged {
		return scores, nil
	}
	answers, err := t.ask(ctx, windows, 0)
	for i, a := range answers {
		scores[i] = sum(0, a)
	}
	return scores, err
}

// ask returns the answers of the cascade's weak learners, those from number
// from on, to each window; nil for a window without contrast.
func (t *trainer) ask(ctx context.Context, windows []*image.Gray, from int) ([][]float32, error) {
	if from == len(t.c.Weak) {
		return make([][]float32, len(windows)), nil
	}
	return t.answersOf(ctx, t.c, windows, from)
}

// answersOf is ask of any cascade.
func (t *trainer) answersOf(ctx context.Context, of *cascade.Cascade, windows []*image.Gray, from int) ([][]float32, error) {
	c := *of
	c.Exits = []cascade.Exit{{After: len(c.Weak)}}
	a, err := engine.NewAnswers(&c)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(windows))
	return out, inParallel(ctx, len(windows), 64, t.s.Workers, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if all, ok := a.Append(make([]float32, 0, len(c.Weak)-from), windows[i], from); ok {
				out[i] = all
			}
		}
	})
}

// steps of a soft cascade: it looks for negatives again whenever it has grown
// by a quarter.
func (t *trainer) softGoal() int {
	n := t.from
	return min(t.s.Rounds, n+max(2, min(n/4, 64)))
}

// grow makes one step: weak learners until the goal is met, and the exits.
func (t *trainer) grow(ctx context.Context) (Reason, error) {
	if err := t.holdApart(ctx); err != nil {
		return 0, err
	}
	run, err := t.start(ctx)
	if err != nil {
		return 0, err
	}
	goal := t.s.MaxWeak
	if t.s.Shape == Soft {
		goal = t.softGoal() - t.from
	}
	reason := Finished
	for {
		if run.Status() != boost.Going || run.State().Rounds >= goal {
			break
		}
		if t.timeUp() {
			// With more time the step goes on from here. What there is of it
			// ends this result only.
			reason = TimeUp
			if err := t.save(run); err != nil {
				return 0, err
			}
			break
		}
		// A round is short, and so is the end of a step: they are finished
		// before an interruption is heeded.
		if ctx.Err() != nil {
			if err := t.save(run); err != nil {
				return 0, err
			}
			return 0, ctx.Err()
		}
		if _, err := run.Next(context.WithoutCancel(ctx)); err != nil {
			return 0, err
		}
		hit, alarm := t.rates(run.State().Scores)
		t.event(Event{Kind: Grown, Round: run.State().Rounds, HitRate: hit, FalseAlarm: alarm, Negatives: t.step.Negatives, Features: t.step.Features})
		if t.s.Shape != Soft && alarm <= t.s.FalseAlarmRate {
			if ok, err := t.goalMet(context.WithoutCancel(ctx), run); err != nil || ok {
				if err != nil {
					return 0, err
				}
				break
			}
		}
		if time.Since(t.saved) > t.hooks.Every {
			if err := t.save(run); err != nil {
				return 0, err
			}
		}
	}
	if err := t.take(run); err != nil {
		return 0, err
	}
	if len(t.c.Weak) == t.from {
		if reason == Finished {
			reason = NoProgress
		}
		return reason, nil
	}
	if s := run.Status(); reason == Finished && t.s.Shape == Soft && s == boost.NoEdge {
		reason = NoProgress
	}
	return reason, t.place(context.WithoutCancel(ctx))
}

// lot returns a source of random numbers for this step.
func (t *trainer) lot(stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(t.s.Seed^stream<<32, uint64(len(t.steps))))
}

// start codes the columns and starts or resumes the step's run.
func (t *trainer) start(ctx context.Context) (*boost.Run, error) {
	s := &t.s
	n := len(t.negatives)
	rows := t.train + n
	all := s.Set.Count(s.Width, s.Height)
	features := s.Features
	if features == 0 || features > all {
		features = all
	}
	// Codes are the most of the memory; samples' tables and pictures need the rest.
	room := func(memory int64) int { return max(int(memory/8*5/int64(rows+2*haar.Tile)), 1) }
	if most := room(t.memory); s.Kind == cascade.Haar && features > most {
		features = most
		if t.columns == nil {
			t.event(Event{Kind: Sampled, Features: features})
		}
	}
	if s.Shape == Staged && len(t.steps) > 0 { // of which rows may have been fewer
		features = t.steps[0].Features
	}
	if most := room(s.Memory); s.Memory < t.memory && s.Kind == cascade.Haar && features > most {
		return nil, fmt.Errorf("%w: the training looks at %d features, and %d bytes of memory have room for %d: give it more, up to the %d bytes that it began with", ErrState, features, s.Memory, most, t.memory)
	}
	negatives := haar.NewSamples(n, s.Width, s.Height, s.Set == haar.All && s.Kind == cascade.Haar)
	if err := inParallel(ctx, n, 16, s.Workers, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			negatives.Set(i, t.negatives[i].window)
		}
	}); err != nil {
		return nil, err
	}
	same := false
	if s.Shape == Staged {
		// Always the same features with bins in the same places, so that the
		// positives' codes are made once. A resumed run comes to the same.
		same = t.columns != nil && t.columns.rows == rows
		if t.columns == nil {
			t.columns = newColumns(s, features, rows, t.train+s.Negatives, rand.New(rand.NewPCG(s.Seed, 1)))
		} else if !same {
			t.columns.reserve(rows)
		}
	} else {
		c := newColumns(s, features, 0, t.train+s.Negatives, t.lot(1))
		if t.columns != nil {
			c.codes = t.columns.codes // the memory
		}
		c.reserve(rows)
		t.columns = c
	}
	c := t.columns
	t.step.Features = c.Len()
	t.event(Event{Kind: Columns, Features: c.Len(), Negatives: n})
	if c.features != nil && c.scale[0] == 0 {
		with := negatives
		if s.Shape == Staged {
			var err error
			if with, err = t.plainNegatives(ctx); err != nil {
				return nil, err
			}
		}
		if err := c.setRanges(ctx, [2]*haar.Samples{t.positives, with}, s.Workers); err != nil {
			return nil, err
		}
	}
	if !same {
		if err := c.fill(ctx, t.positives, 0, s.Workers); err != nil {
			return nil, err
		}
	}
	if err := c.fill(ctx, negatives, t.train, s.Workers); err != nil {
		return nil, err
	}
	d := &boost.Data{Labels: make([]int8, rows), Weights: make([]float64, rows)}
	scores := make([]float64, rows)
	for i := range rows {
		if i < t.train {
			d.Labels[i] = 1
			if t.alive[i] {
				d.Weights[i] = 1
			}
			scores[i] = t.score[i]
		} else {
			d.Labels[i], d.Weights[i] = -1, 1
			scores[i] = t.negatives[i-t.train].score
		}
	}
	if s.Shape == Staged {
		scores = nil
	} else {
		balance(d, scores)
	}
	p := &boost.Problem{Data: d, Columns: c, Scores: scores}
	settings := &boost.Settings{
		Rounds: max(s.MaxWeak, s.Rounds), Trim: max(s.Trim, 0), ColumnShare: s.Share, Prior: 0.5, Cost: s.Cost,
		Workers: s.Workers, Seed: s.Seed ^ uint64(len(t.steps)+1)*0x9e3779b97f4a7c15,
	}
	if t.run != nil {
		k, err := boost.LoadCheckpoint(bytes.NewReader(t.run))
		if err != nil {
			return nil, err
		}
		return boost.Resume(p, s.booster(), s.learner(), settings, k)
	}
	return boost.Start(p, s.booster(), s.learner(), settings)
}

// plainNegatives returns windows that no cascade has chosen. The bins of a
// staged cascade's columns are laid over them, however far a run has come.
func (t *trainer) plainNegatives(ctx context.Context) (*haar.Samples, error) {
	m := newMiner(&t.s, t.data.Backgrounds, 1, 0)
	m.cached = t.miner.cached
	found, err := m.search(ctx, anyWindow(&t.s), 3*haar.Tile, 0, 1, 0, seen{}.add)
	if err != nil {
		return nil, err
	}
	s := haar.NewSamples(len(found.windows), t.s.Width, t.s.Height, t.s.Set == haar.All)
	for i, w := range found.windows {
		s.Set(i, w)
	}
	return s, nil
}

// balance shifts all scores by one number so that both classes weigh the same
// under the exponential loss. The shift changes no order, and the thresholds
// are placed afterwards.
func balance(d *boost.Data, scores []float64) {
	var pos, neg, npos, nneg float64
	for i, y := range d.Labels {
		if y > 0 {
			pos += float64(d.Weights[i] * math.Exp(-scores[i]))
			npos += d.Weights[i]
		} else {
			neg += math.Exp(scores[i])
			nneg++
		}
	}
	// Rounded, so that the last bits of Exp, which differ from machine to
	// machine, are gone.
	shift := math.Round(math.Log(pos/npos/(neg/nneg))/2*64) / 64
	for i := range scores {
		scores[i] += shift
	}
}

func (s *Settings) booster() boost.Booster {
	switch s.Booster {
	case DAB:
		return &boost.Discrete{}
	case RAB:
		return &boost.Real{Smooth: s.Smooth}
	case LB:
		return &boost.LogitBoost{}
	case ADR:
		return &boost.AdaBoostR{}
	case FLOAT:
		return &boost.Float{Real: true}
	}
	return &boost.Gentle{}
}

func (s *Settings) learner() boost.Learner {
	switch {
	case s.Kind == cascade.LBP:
		return &boost.Categories{}
	case s.Weak == Histograms:
		return &boost.Histograms{Bins: s.Bins}
	case s.Depth > 1:
		return &boost.Trees{Depth: s.Depth}
	}
	return &boost.Stumps{}
}

// rates returns, of the step's scores, the share of the positives that pass
// the threshold that the goal asks for, and the share of the negatives.
func (t *trainer) rates(scores []float64) (hit, alarm float64) {
	var pos []float64
	for i, s := range scores[:t.train] {
		if t.alive[i] {
			pos = append(pos, s)
		}
	}
	if len(pos) == 0 {
		return 0, 0
	}
	slices.Sort(pos)
	rate := t.s.HitRate
	if t.s.Shape == Soft {
		rate = 1 - t.allowed()
	}
	threshold := pos[lost(rate, len(pos))]
	passing := 0
	for _, s := range scores[t.train:] {
		if s >= threshold {
			passing++
		}
	}
	return 1 - float64(lost(rate, len(pos)))/float64(len(pos)), float64(passing) / float64(len(scores)-t.train)
}

// lost returns how many of n positives may be lost at a hit rate.
func lost(rate float64, n int) int {
	// A little more than rounding errors, so that 0.995 of 1000 may lose 5.
	return min(int(float64((1-rate)*float64(n))+1e-9), n-1)
}
