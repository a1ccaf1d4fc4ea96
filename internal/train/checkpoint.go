package train

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"image"
	"reflect"
	"slices"
	"time"

	"haarlem/boost"
)

// fingerprint is a hash of the data, and of the settings that change the result.
func (t *trainer) fingerprint() string { return t.fingerprintOf(&t.s) }

func (t *trainer) fingerprintOf(s *Settings) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%q\n%d %d\n", s.decisive(t.memory), t.data.Fingerprint, t.train, len(t.data.Backgrounds))
	for _, w := range t.windows {
		h.Write(w.Pix)
	}
	fmt.Fprintf(h, "%d validation backgrounds, measured only: %v\n", len(t.data.ValidationBackgrounds), t.data.MeasureOnly)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// indecisive are the settings that do not change the result. Time and MinWeak may be
// extended; Memory is that of the first run.
var indecisive = []string{"Name", "Memory", "Time", "MinWeak", "Workers", "Object", "Provenance"}

// decisive is a text of the settings that change the result: every field but
// those of indecisive, so that a new one cannot be forgotten.
func (s *Settings) decisive(memory int64) string {
	text := fmt.Sprintf("Memory:%d", memory)
	v := reflect.ValueOf(s).Elem()
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; !slices.Contains(indecisive, name) {
			text += fmt.Sprintf(" %s:%+v", name, v.Field(i).Interface())
		}
	}
	return text
}

// fits reports whether a state belongs to the data and the settings, but for a
// goal of fewer stages: a training with stages may go on for more of them, and
// comes to what it would have come to at once.
func (t *trainer) fits(v *state) bool {
	if v.Fingerprint == t.fingerprint() {
		return true
	}
	if t.s.Shape == Soft { // whose thresholds depend on the number of rounds
		return false
	}
	fewer := t.s
	for fewer.Stages.Count = len(v.Steps); fewer.Stages.Count < t.s.Stages.Count; fewer.Stages.Count++ {
		if t.byGoals {
			fewer.AcceptanceBreak = byGoals(&fewer)
		}
		if v.Fingerprint == t.fingerprintOf(&fewer) {
			return true
		}
	}
	return false
}

// save passes a checkpoint to the hook. run is the step's unfinished run, if
// any.
func (t *trainer) save(run *boost.Run) error {
	if t.hooks.Save == nil {
		return nil
	}
	t.saved = time.Now()
	v := state{
		Fingerprint: t.fingerprint(), Steps: slices.Clone(t.steps), Step: t.step, From: t.from, Mined: t.mined, Rate: t.rate,
		Cursor: t.miner.cursor, Alive: slices.Clone(t.alive), Spent: time.Since(t.begin), Before: t.before, Memory: t.memory,
	}
	var err error
	if v.Cascade, err = t.encoded(); err != nil {
		return err
	}
	for _, n := range t.negatives {
		v.Negatives = append(v.Negatives, n.Window.Pix)
		v.Fails = append(v.Fails, n.fails)
	}
	v.Origins = packed(t.negatives)
	if run != nil {
		var b bytes.Buffer
		if err := run.Checkpoint().Save(&b); err != nil {
			return err
		}
		v.Run = b.Bytes()
	}
	return t.hooks.Save(&State{v})
}

// restore resumes a training.
func (t *trainer) restore(ctx context.Context, s *State) error {
	v := &s.v
	t.memory = v.Memory
	if !t.fits(v) {
		return fmt.Errorf("%w: it belongs to other data or settings", ErrState)
	}
	if len(v.Alive) != len(t.windows) || len(v.Fails) != len(v.Negatives) || len(v.Origins) != 5*len(v.Negatives) {
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
		t.leaves = newLeaves(len(t.c.Weak), len(t.windows))
		err := t.outputs(ctx, t.windows, 0, func(i int, outputs []float32) { t.leaves.set(i, t.c.Weak, outputs) })
		if err != nil {
			return err
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
	origins := unpacked(v.Origins)
	for i, w := range windows {
		t.negatives = append(t.negatives, negative{Negative{w, origins[i]}, scores[i], v.Fails[i]})
	}
	t.alive = slices.Clone(v.Alive)
	t.steps, t.step, t.from, t.mined, t.rate, t.run = v.Steps, v.Step, v.From, v.Mined, v.Rate, v.Run
	t.miner.cursor, t.before = v.Cursor, v.Before
	t.begin = time.Now().Add(-v.Spent)
	return nil
}
