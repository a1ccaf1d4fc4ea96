package train

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/gob"
	"errors"
	"fmt"
	"image"
	"io"
	"math"
	"time"

	"haarlem/boost"
	"haarlem/cascade"
)

// A State is what a training has come to. With the same data and settings,
// Hooks.Resume goes on from it as if it had never been interrupted.
type State struct {
	v state
}

// state is what is written.
type state struct {
	Fingerprint string // of data and settings
	Cascade     []byte // native; empty without a weak learner
	Steps       []Step
	Step        Step
	From        int
	Mined       bool
	Rate        float64
	Cursor      int
	Alive       []bool
	Negatives   [][]byte
	Fails       []bool
	Run         []byte // boost.Checkpoint
	Spent       time.Duration
	Before      []byte // trainer.before
	Memory      int64  // trainer.memory; 0 in states from before it was kept
}

// ErrState is what errors about states that do not fit wrap.
var ErrState = errors.New("train: the saved state does not fit")

const stateMagic = "haarlem-train-state 1\n"

// Encode writes the state.
func (s *State) Encode(w io.Writer) error {
	if _, err := io.WriteString(w, stateMagic); err != nil {
		return err
	}
	return gob.NewEncoder(w).Encode(&s.v)
}

// DecodeState reads what Encode wrote.
func DecodeState(r io.Reader) (*State, error) {
	head := make([]byte, len(stateMagic))
	if _, err := io.ReadFull(r, head); err != nil || string(head) != stateMagic {
		return nil, fmt.Errorf("%w: it does not begin with %q", ErrState, stateMagic)
	}
	s := &State{}
	if err := gob.NewDecoder(r).Decode(&s.v); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrState, err)
	}
	return s, nil
}

// Cascade returns the cascade so far, nil if it has no weak learner.
func (s *State) Cascade() (*cascade.Cascade, error) {
	if len(s.v.Cascade) == 0 {
		return nil, nil
	}
	return cascade.Read(bytes.NewReader(s.v.Cascade), nil)
}

// Spent is how long the training has taken so far, in all runs.
func (s *State) Spent() time.Duration { return s.v.Spent }

// Memory is the [Settings.Memory] that the training began with, which decides
// how many features it looks at; 0 if the state does not say.
func (s *State) Memory() int64 { return s.v.Memory }

// Steps returns the steps made so far.
func (s *State) Steps() []Step { return s.v.Steps }

// Hardest returns up to n windows of the negatives that are in use now.
func (s *State) Hardest(n, width int) []*image.Gray {
	var out []*image.Gray
	for i, p := range s.v.Negatives {
		if len(out) < n && !s.v.Fails[i] {
			out = append(out, &image.Gray{Pix: p, Stride: width, Rect: image.Rect(0, 0, width, len(p)/width)})
		}
	}
	return out
}

// Negatives returns all windows that the last step learned from, also those that
// it has learned to reject.
func (s *State) Negatives(width int) []*image.Gray {
	var out []*image.Gray
	for _, p := range s.v.Negatives {
		out = append(out, &image.Gray{Pix: p, Stride: width, Rect: image.Rect(0, 0, width, len(p)/width)})
	}
	return out
}

// fingerprint tells settings and data of this run from others.
func (t *trainer) fingerprint() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n%d %d\n", t.s.decisive(t.memory), t.data.Fingerprint, t.train, len(t.data.Backgrounds))
	for _, w := range t.windows {
		h.Write(w.Pix)
	}
	if n := len(t.data.ValidationBackgrounds); n > 0 { // states from before there were any stay good
		fmt.Fprintf(h, "%d validation backgrounds\n", n)
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

// decisive is the settings that have a say in the result. Workers and what the
// cascade is called have none, more Time may be given, and of Memory counts what
// the training began with.
//
// States hold a sum of this text, so it stays as it is: version 1 is how package
// fmt wrote the settings once, those without a say empty. A new setting comes
// last, and only if it is not zero.
func (s *Settings) decisive(memory int64) string {
	halve := ""
	if s.PrefilterFrom != 0 {
		halve = fmt.Sprintf(" Halve:%v", s.PrefilterFrom)
	}
	return fmt.Sprintf("{Name: Width:%d Height:%d Kind:%d Set:%v MinStdDev:%v%s Shape:%v Booster:%v Weak:%v Depth:%d Bins:%d Smooth:%v"+
		" Stages:%d HitRate:%v FalseAlarmRate:%v MaxWeak:%d AcceptanceBreak:%v Rounds:%d Loss:%v LossPower:%v Trim:%v Cost:%v"+
		" Negatives:%d Turns:%d Features:%d Share:%v Memory:%d Time:0s Workers:0 Seed:%d Provenance:{Program: Command: Seed:0 Data:[] Note:}}",
		s.Width, s.Height, s.Kind, s.Set, s.MinStdDev, halve, s.Shape, s.Booster, s.Weak, s.Depth, s.Bins, s.Smooth,
		s.Stages, s.HitRate, s.FalseAlarmRate, s.MaxWeak, s.AcceptanceBreak, s.Rounds, s.Loss, s.LossPower, s.Trim, s.Cost,
		s.Negatives, s.Turns, s.Features, s.Share, memory, s.Seed)
}

// save hands a state to the hook. run is the step's run if one is under way.
func (t *trainer) save(run *boost.Run) error {
	if t.hooks.Save == nil {
		return nil
	}
	t.saved = time.Now()
	v := state{
		Fingerprint: t.fingerprint(), Steps: t.steps, Step: t.step, From: t.from, Mined: t.mined, Rate: t.rate,
		Cursor: t.miner.cursor, Alive: t.alive, Spent: time.Since(t.begin), Before: t.before, Memory: t.memory,
	}
	var err error
	if v.Cascade, err = t.encoded(); err != nil {
		return err
	}
	for _, n := range t.negatives {
		v.Negatives = append(v.Negatives, n.window.Pix)
		v.Fails = append(v.Fails, n.fails)
	}
	if run != nil {
		var b bytes.Buffer
		if err := run.Checkpoint().Save(&b); err != nil {
			return err
		}
		v.Run = b.Bytes()
	}
	return t.hooks.Save(&State{v})
}

// encoded returns the cascade without what an unfinished step has brought;
// nothing if it has no weak learner then.
func (t *trainer) encoded() ([]byte, error) {
	n := len(t.c.Exits)
	if n == 0 {
		return nil, nil
	}
	c := *t.c
	c.Weak = c.Weak[:c.Exits[n-1].After]
	var b bytes.Buffer
	err := c.Encode(&b)
	return b.Bytes(), err
}

// become makes the cascade what encoded has returned.
func (t *trainer) become(encoded []byte) error {
	c := &cascade.Cascade{Kind: t.c.Kind, Width: t.c.Width, Height: t.c.Height, MinStdDev: t.c.MinStdDev, Search: t.c.Search}
	if len(encoded) > 0 {
		var err error
		if c, err = cascade.Read(bytes.NewReader(encoded), nil); err != nil {
			return err
		}
	}
	c.Name, c.Object, c.Provenance = t.c.Name, t.c.Object, t.c.Provenance
	t.c = c
	clear(t.index)
	clear(t.cells)
	for i, f := range c.Features {
		t.index[f] = int32(i)
	}
	for i, r := range c.Cells {
		t.cells[r] = int32(i)
	}
	return nil
}

// restore takes a training up again.
func (t *trainer) restore(ctx context.Context, s *State) error {
	v := &s.v
	if v.Memory != 0 {
		t.memory = v.Memory
	}
	if v.Fingerprint != t.fingerprint() {
		return fmt.Errorf("%w: it belongs to other data or settings", ErrState)
	}
	if len(v.Alive) != len(t.windows) || len(v.Fails) != len(v.Negatives) {
		return fmt.Errorf("%w: it is damaged", ErrState)
	}
	if err := t.become(v.Cascade); err != nil {
		return err
	}
	var err error
	if t.score, err = t.scores(ctx, t.windows); err != nil {
		return err
	}
	if t.s.Shape == Soft {
		answers, err := t.ask(ctx, t.windows, 0)
		if err != nil {
			return err
		}
		for k := range t.c.Weak {
			row := make([]float32, len(t.windows))
			for i, a := range answers {
				if a != nil {
					row[i] = a[k]
				}
			}
			t.answers = append(t.answers, row)
		}
	}
	var windows []*image.Gray
	for _, p := range v.Negatives {
		if len(p) != t.s.Width*t.s.Height {
			return fmt.Errorf("%w: it is damaged", ErrState)
		}
		windows = append(windows, &image.Gray{Pix: p, Stride: t.s.Width, Rect: image.Rect(0, 0, t.s.Width, t.s.Height)})
	}
	scores, err := t.scores(ctx, windows)
	if err != nil {
		return err
	}
	for i, w := range windows {
		t.negatives = append(t.negatives, negative{window: w, score: scores[i], fails: v.Fails[i]})
	}
	t.alive = v.Alive
	t.steps, t.step, t.from, t.mined, t.rate, t.run = v.Steps, v.Step, v.From, v.Mined, v.Rate, v.Run
	t.miner.cursor, t.before = v.Cursor, v.Before
	for i := range t.steps {
		if t.steps[i].HeldApart == 0 { // also in states from before there was a gain
			t.steps[i].Gain = math.NaN()
		}
	}
	t.begin = time.Now().Add(-v.Spent)
	return nil
}
