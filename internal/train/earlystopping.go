package train

import (
	"context"
	"image"
	"math"
	"slices"
)

// How overfitting is detected. In trainings of faces that went well, each step
// of a soft cascade gained 0.005 to 0.05. Bootstrap samples of a hundred
// windows of either side missed such a gain in at most 5% of the draws. With 30
// faces some steps lost what later ones regained many times over: two in a row
// without a gain came in each of four trainings, and four without a total gain
// in one, where nothing improved while the cascade grew from 15 to 41 weak
// classifiers. Without anything left to learn, gains are negative as often as
// not, so waiting for four steps takes hardly longer than for two.
const (
	maxHeldOut = 4000 // windows of validation backgrounds for measuring a step
	minHeldOut = 100  // of either side, to measure a gain
	patience   = 4    // measured steps without a gain that end the training
)

// holdOut finds the windows of validation backgrounds that pass the cascade
// before a step. Their fraction says little about a step: soft cascades hardly
// move a threshold while scores improve. So the windows are kept, and measure
// compares their scores.
//
// It depends only on what a checkpoint holds, so that a resumed step finds the
// same windows.
func (t *trainer) holdOut(ctx context.Context) error {
	if t.valMiner == nil {
		return nil
	}
	t.valMiner.cursor = 0
	found, err := t.search(ctx, t.valMiner, min(t.s.Negatives, maxHeldOut), 0, seen{}, "validation background")
	if err != nil {
		return err
	}
	t.heldOut, t.heldOutRate = found.windows, found.rate()
	return nil
}

// measure sets the step's gain: by how much its weak classifiers increase the
// area under the ROC curve between validation windows and windows of validation
// backgrounds that passed all exits before the step. The exits are still those
// before the step.
//
// Scores are summed over all stages, even where a stage restarts. A stage alone
// always separates some windows: without anything left to learn, each found
// again what earlier stages had found, and its area never fell below two
// thirds. Its contribution to them fell to zero.
func (t *trainer) measure(ctx context.Context) error {
	t.step.HeldOut, t.step.Gain = len(t.heldOut), math.NaN()
	if t.valMiner == nil {
		return nil
	}
	var alive []*image.Gray
	for i := t.train; i < len(t.windows); i++ {
		if t.alive[i] {
			alive = append(alive, t.windows[i])
		}
	}
	var before, after [2][]float64
	for i, windows := range [2][]*image.Gray{alive, windowsOf(t.heldOut)} {
		was, is := make([]float64, len(windows)), make([]float64, len(windows))
		err := t.outputs(ctx, windows, 0, func(k int, outputs []float32) {
			if outputs == nil { // no contrast
				was[k] = math.NaN()
				return
			}
			was[k] = sum(0, outputs[:t.from])
			is[k] = sum(was[k], outputs[t.from:])
		})
		if err != nil {
			return err
		}
		for k := range windows {
			if was[k] == was[k] {
				before[i], after[i] = append(before[i], was[k]), append(after[i], is[k])
			}
		}
	}
	n, m := int64(len(after[0])), int64(len(after[1]))
	t.step.HeldOut = int(m)
	if n < minHeldOut || m < minHeldOut {
		return nil
	}
	won := wins(before[0], before[1])
	if won == 2*n*m {
		return nil // there is nothing to gain
	}
	gain := wins(after[0], after[1]) - won
	t.step.Gain = float64(gain) / float64(2*n*m)
	var err error
	switch earlier, _, lost := t.stalled(); {
	case lost+t.step.Gain > 0:
		t.before = nil
	case earlier == 0:
		t.before, err = t.encoded()
	}
	return err
}

// wins returns twice the number of pairs in which an object has the higher
// score, with ties counted half: twice the area under the ROC curve, times the
// number of all pairs. Counts are the same on every machine.
func wins(objects, others []float64) (n int64) {
	slices.Sort(objects)
	slices.Sort(others)
	below, upTo := 0, 0 // of the others: lower than the object, and at most equal
	for _, s := range objects {
		for below < len(others) && others[below] < s {
			below++
		}
		for upTo < len(others) && others[upTo] <= s {
			upTo++
		}
		n += int64(below + upTo)
	}
	return n
}

// stalled returns the number of measured steps since the cascade was at its
// best, the first of them, and their total gain, which is at most zero.
func (t *trainer) stalled() (n, first int, sum float64) {
	for i, s := range t.steps {
		if math.IsNaN(s.Gain) {
			continue
		}
		if n == 0 {
			first = i
		}
		n++
		if sum += s.Gain; sum > 0 {
			n, sum = 0, 0
		}
	}
	return n, first, sum
}

// overfits reports whether the training should end since it stopped improving.
func (t *trainer) overfits() bool {
	n, _, _ := t.stalled()
	return n >= patience && !t.data.MeasureOnly
}

// undo removes the steps since the cascade was at its best. A soft cascade's
// thresholds change in each step: the old ones are in t.before.
func (t *trainer) undo() error {
	_, first, _ := t.stalled()
	if err := t.become(t.before); err != nil {
		return err
	}
	t.tidy()
	t.steps = t.steps[:first]
	return nil
}
