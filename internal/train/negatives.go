package train

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"haarlem/internal/tiles"
)

// mineNegatives fills up the negatives with hard negatives: windows that the
// cascade so far passes.
func (t *trainer) mineNegatives(ctx context.Context) (Reason, error) {
	t.event(Event{Kind: Mining})
	t.dropCodes()
	known := seen{}
	var passing, failing []negative
	for _, n := range t.negatives {
		known.add(n.Window)
		if n.fails {
			failing = append(failing, n)
		} else {
			passing = append(passing, n)
		}
	}
	need, smallest := t.s.Negatives-len(passing), max(2, t.s.Negatives/20)
	// A stage learns only from these. A score that runs on may wait for those
	// of a later search.
	few := need
	if t.s.Shape != Staged {
		few = smallest - len(passing)
	}
	found, err := t.search(ctx, t.miner, need, few, known, "background")
	if err != nil {
		return 0, err
	}
	scores, err := t.scores(ctx, windowsOf(found.windows))
	if err != nil {
		return 0, err
	}
	for i, w := range found.windows {
		passing = append(passing, negative{Negative: w, score: scores[i]})
	}
	t.step = Step{Visited: found.visited, Passed: found.passed, Pictures: found.pictures, Mined: len(found.windows), Gain: math.NaN()}
	if len(t.c.Weak) > 0 && found.visited > 0 {
		t.rate = found.rate()
	}
	t.event(Event{Kind: Mined, Visited: found.visited, Passed: found.passed, Pictures: found.pictures, Found: len(found.windows), Negatives: len(passing)})
	if len(t.c.Weak) > 0 && found.visited > 0 && t.rate <= t.s.AcceptanceBreak {
		return RateReached, nil
	}
	if short := t.s.Negatives - len(passing); short > 0 {
		// A score that runs on may also learn from windows that are already
		// rejected: the hardest of them keep it from overfitting to the few
		// that are left. A stage whose score restarts cannot use them.
		if t.s.Shape != Staged {
			slices.SortStableFunc(failing, byScore)
			passing = append(passing, failing[:min(short, len(failing))]...)
		}
	}
	if len(passing) < smallest {
		return Exhausted, nil
	}
	t.negatives = passing
	t.step.Negatives = len(passing)
	t.from = len(t.c.Weak)
	return Finished, nil
}

// byScore sorts the highest score first.
func byScore(a, b negative) int { return cmp.Compare(b.score, a.score) }

// search mines windows that pass the cascade.
func (t *trainer) search(ctx context.Context, m *miner, need, few int, known seen, what string) (*catch, error) {
	c := t.c
	if len(c.Weak) == 0 {
		c = acceptAll(&t.s)
	}
	m.progress = func(pictures, found int) {
		t.event(Event{Kind: Searched, Pictures: pictures, Found: found, OfValidation: m == t.valMiner})
	}
	found, err := m.search(ctx, c, need, few, t.rate, uint64(len(t.steps)), known.add)
	if err == nil && found.visited == 0 && found.wholePass {
		err = fmt.Errorf("%w: no %s is as large as the window of %dx%d pixels", ErrData, what, t.s.Width, t.s.Height)
	}
	return found, err
}

// plainNegatives returns windows that no cascade has selected. The bins of a
// staged cascade's columns are spread over them, in a resumed training too.
func (t *trainer) plainNegatives(ctx context.Context) ([]*image.Gray, error) {
	m := newMiner(&t.s, t.data.Backgrounds, 1, 0)
	m.cached, m.elsewhere = t.miner.cached, t.miner.elsewhere
	found, err := m.search(ctx, acceptAll(&t.s), 3*tiles.Tile, 0, 1, 0, seen{}.add)
	if err != nil {
		return nil, err
	}
	return windowsOf(found.windows), nil
}
