package train

import (
	"context"
	"image"
	"math"
	"slices"
)

// How a training is found to have begun to overfit. In trainings of faces that
// went well, each step of a soft cascade gained 0.005 to 0.05, which a hundred
// windows of either side, drawn again and again, took for none in at most 5% of
// the draws. With 30 faces some steps lost what later ones won many times over:
// two without a gain, one after the other, came in each of four trainings, and
// four that gained nothing together in one, where it stood still while the
// cascade grew from 15 to 41 weak learners. Where there is nothing more to
// learn, and gains are as often negative as not, four are no later than two:
// three chances in eight from each best on, against two.
const (
	mostHeld  = 4000 // windows of validation backgrounds that a step is measured on
	leastHeld = 100  // of either side, or nothing can be said
	inVain    = 4    // measured steps since the cascade was at its best end the training
)

// holdApart finds the windows of validation backgrounds that pass the cascade
// before a step. What share of new backgrounds passes says little about a step:
// those of soft cascades hardly move a threshold while scores get better. So
// the windows are kept, and measure looks at their scores.
//
// It depends on nothing but what a state holds, so that a step that was
// interrupted finds the same windows again.
func (t *trainer) holdApart(ctx context.Context) error {
	if t.apart == nil {
		return nil
	}
	t.apart.cursor = 0
	found, err := t.search(ctx, t.apart, min(t.s.Negatives, mostHeld), 0, seen{}, "validation background")
	if err != nil {
		return err
	}
	t.held = found.windows
	return nil
}

// measure finds out how much better the cascade tells validation windows that
// passed all exits before the step from windows of validation backgrounds that
// did, with the step's weak learners than without. The exits are still those
// before the step.
//
// Scores are those of all weak learners, also where a stage begins anew. A
// stage on its own always tells some: on data of which there was nothing more
// to learn, each found again what the ones before it had found, and never fell
// below two thirds. What it adds to them fell to nothing.
func (t *trainer) measure(ctx context.Context) error {
	t.step.HeldApart, t.step.Gain = len(t.held), math.NaN()
	if t.apart == nil {
		return nil
	}
	var alive []*image.Gray
	for i := t.train; i < len(t.windows); i++ {
		if t.alive[i] {
			alive = append(alive, t.windows[i])
		}
	}
	var before, after [2][]float64
	for i, windows := range [2][]*image.Gray{alive, t.held} {
		answers, err := t.ask(ctx, windows, 0)
		if err != nil {
			return err
		}
		for _, a := range answers {
			if a == nil {
				continue // no contrast
			}
			score := sum(0, a[:t.from])
			before[i] = append(before[i], score)
			after[i] = append(after[i], sum(score, a[t.from:]))
		}
	}
	n, m := int64(len(after[0])), int64(len(after[1]))
	t.step.HeldApart = int(m)
	if n < leastHeld || m < leastHeld {
		return nil
	}
	won := wins(before[0], before[1])
	if won == 2*n*m {
		return nil // there is nothing to gain, but exits to be placed
	}
	gain := wins(after[0], after[1]) - won
	t.step.Gain = float64(gain) / float64(2*n*m)
	var err error
	switch earlier, _, lost := t.vain(); {
	case lost+t.step.Gain > 0:
		t.before = nil
	case earlier == 0:
		t.before, err = t.encoded()
	}
	return err
}

// wins returns twice the number of pairs in which an object has the higher
// score, pairs with the same score counted half: twice the area under the ROC,
// times the number of all pairs. Counts are the same on every machine.
func wins(objects, others []float64) (n int64) {
	slices.Sort(objects)
	slices.Sort(others)
	below, upTo := 0, 0 // of the others: lower than the object, and no higher
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

// vain returns how many of the steps that were measured came since the cascade
// was at its best, the first of them, and what they gained together, which is
// nothing or less.
func (t *trainer) vain() (n, first int, sum float64) {
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

// overfits reports whether so many steps have gained nothing together that the
// training is to end.
func (t *trainer) overfits() bool {
	n, _, _ := t.vain()
	return n >= inVain
}

// goBack undoes the steps since the cascade was at its best. The exits of a soft
// cascade are placed afresh in each step: those that it had are in t.before.
func (t *trainer) goBack() error {
	_, first, _ := t.vain()
	if err := t.become(t.before); err != nil {
		return err
	}
	t.tidy()
	t.steps = t.steps[:first]
	return nil
}
