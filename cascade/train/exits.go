package train

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"

	"haarlem/boost"
	"haarlem/cascade"
	"haarlem/haar"
)

// take replaces the step's weak learners by those of a run.
func (t *trainer) take(run *boost.Run) error {
	t.c.Weak = t.c.Weak[:t.from]
	for _, term := range run.Result().Model.Terms {
		w, err := t.convert(term.Weak, term.Coef)
		if err != nil {
			return err
		}
		t.c.Weak = append(t.c.Weak, w)
	}
	return nil
}

// dropStep forgets the weak learners of a step that was not ended.
func (t *trainer) dropStep() {
	if n := len(t.c.Exits); n == 0 {
		t.c.Weak = nil
	} else {
		t.c.Weak = t.c.Weak[:t.c.Exits[n-1].After]
	}
}

// convert makes a cascade's weak learner of one over columns of codes.
func (t *trainer) convert(w boost.Weak, coef float64) (cascade.Weak, error) {
	leaf := func(v float64) float32 {
		return float32(math.Round(float64(v*coef)*grid) / grid)
	}
	switch w := w.(type) {
	case *boost.Scaled:
		return t.convert(w.Of, float64(coef*w.Factor))
	case *boost.Histogram:
		out := cascade.Weak{Feature: t.feature(w.Column), Low: t.columns.low[w.Column], Scale: t.columns.scale[w.Column]}
		for _, v := range w.Leaves {
			out.Leaves = append(out.Leaves, leaf(v))
		}
		return out, nil
	case *boost.Tree:
		if len(w.Nodes) == 0 { // a constant, as a stump that answers twice the same
			w = &boost.Tree{Nodes: []boost.Node{{Threshold: 0.5, Left: 0, Right: -1}}, Leaves: []float64{w.Leaves[0], w.Leaves[0]}}
		}
		var out cascade.Weak
		for _, n := range w.Nodes {
			cut := int(min(n.Threshold, 1000) - 0.5)
			threshold := float32(math.MaxFloat32)
			if cut < t.columns.bins-1 {
				threshold = t.columns.threshold(n.Column, cut)
			}
			out.Nodes = append(out.Nodes, cascade.Node{Feature: t.feature(n.Column), Threshold: threshold, Left: n.Left, Right: n.Right})
		}
		for _, v := range w.Leaves {
			out.Leaves = append(out.Leaves, leaf(v))
		}
		return out, nil
	case *boost.Subset:
		n := cascade.Node{Feature: t.feature(w.Column), Left: 0, Right: -1, Subset: w.In}
		return cascade.Weak{Nodes: []cascade.Node{n}, Leaves: []float32{leaf(w.Left), leaf(w.Right)}}, nil
	}
	return cascade.Weak{}, fmt.Errorf("train: a %T is no weak learner of a cascade", w)
}

// feature returns the number of column j's feature in the cascade.
func (t *trainer) feature(j int) int32 {
	if t.s.Kind == cascade.LBP {
		return t.intern(haar.Feature{}, t.columns.cells[j])
	}
	return t.intern(t.columns.features[j], image.Rectangle{})
}

// intern returns the number of a feature, or of the cells of a pattern, in the
// cascade, and adds it if it is new.
func (t *trainer) intern(f haar.Feature, cell image.Rectangle) int32 {
	if t.s.Kind == cascade.LBP {
		k, ok := t.cells[cell]
		if !ok {
			k = int32(len(t.c.Cells))
			t.cells[cell] = k
			t.c.Cells = append(t.c.Cells, cell)
		}
		return k
	}
	k, ok := t.index[f]
	if !ok {
		k = int32(len(t.c.Features))
		t.index[f] = k
		t.c.Features = append(t.c.Features, f)
	}
	return k
}

// tidy numbers the features in the order in which weak learners use them, and
// forgets those of weak learners that a booster took back.
func (t *trainer) tidy() {
	features, cells := t.c.Features, t.c.Cells
	t.c.Features, t.c.Cells = nil, nil
	clear(t.index)
	clear(t.cells)
	number := func(old int32) int32 {
		if t.s.Kind == cascade.LBP {
			return t.intern(haar.Feature{}, cells[old])
		}
		return t.intern(features[old], image.Rectangle{})
	}
	for i := range t.c.Weak {
		w := &t.c.Weak[i]
		if w.Histogram() {
			w.Feature = number(w.Feature)
		}
		for k := range w.Nodes {
			w.Nodes[k].Feature = number(w.Nodes[k].Feature)
		}
	}
}

// goalMet reports whether the step's weak learners so far meet the goal of a
// stage, worked out with the cascade itself and with the validation windows.
func (t *trainer) goalMet(ctx context.Context, run *boost.Run) (bool, error) {
	if t.train == len(t.windows) {
		return true, nil // then the run's own scores say so
	}
	if err := t.take(run); err != nil {
		return false, err
	}
	st, err := t.evaluate(ctx)
	if err != nil {
		return false, err
	}
	threshold := st.threshold(t)
	passing := 0
	for _, s := range st.negatives {
		if s >= threshold {
			passing++
		}
	}
	return float64(passing) <= t.s.FalseAlarmRate*float64(len(st.negatives)), nil
}

// standing is where all windows stand behind the step's weak learners.
type standing struct {
	windows   []float64   // running scores
	answers   [][]float32 // of the windows
	negatives []float64
	low       [][]float32 // answers of the negatives
}

func (t *trainer) evaluate(ctx context.Context) (*standing, error) {
	st := &standing{windows: make([]float64, len(t.windows)), negatives: make([]float64, len(t.negatives))}
	var err error
	if st.answers, err = t.ask(ctx, t.windows, t.from); err != nil {
		return nil, err
	}
	negatives := make([]*image.Gray, len(t.negatives))
	for i := range t.negatives {
		negatives[i] = t.negatives[i].window
	}
	if st.low, err = t.ask(ctx, negatives, t.from); err != nil {
		return nil, err
	}
	for i := range st.windows {
		st.windows[i] = sum(t.score[i], st.answers[i])
		if st.answers[i] == nil {
			t.alive[i] = false // no contrast
		}
	}
	for i := range st.negatives {
		st.negatives[i] = sum(t.negatives[i].score, st.low[i])
	}
	return st, nil
}

func sum(score float64, answers []float32) float64 {
	for _, a := range answers {
		score += float64(a)
	}
	return score
}

// threshold returns a stage's threshold: the goal's share of the positives
// passes it, and of the validation windows.
func (st *standing) threshold(t *trainer) float64 {
	low := math.Inf(1)
	for _, r := range [2][2]int{{0, t.train}, {t.train, len(t.windows)}} {
		var scores []float64
		for i := r[0]; i < r[1]; i++ {
			if t.alive[i] {
				scores = append(scores, st.windows[i])
			}
		}
		if len(scores) == 0 {
			continue
		}
		slices.Sort(scores)
		low = min(low, scores[lost(t.s.HitRate, len(scores))])
	}
	return low
}

// place puts the exits of the step, and finds out who passes them.
func (t *trainer) place(ctx context.Context) error {
	t.tidy()
	st, err := t.evaluate(ctx)
	if err != nil {
		return err
	}
	if err := t.measure(ctx); err != nil {
		return err
	}
	if t.s.Shape == Soft {
		t.placeSoft(st)
	} else {
		threshold := st.threshold(t)
		t.c.Exits = append(t.c.Exits, cascade.Exit{After: len(t.c.Weak), Threshold: float32(threshold), Restart: t.s.Shape == Staged})
		for i, s := range st.windows {
			t.alive[i] = t.alive[i] && s >= threshold
		}
		for i, s := range st.negatives {
			t.negatives[i].fails = s < threshold
		}
	}
	for i, s := range st.windows {
		t.score[i] = s
		if t.s.Shape == Staged {
			t.score[i] = 0
		}
	}
	passing := 0
	for i, s := range st.negatives {
		t.negatives[i].score = s
		if t.s.Shape == Staged {
			t.negatives[i].score = 0
		}
		if !t.negatives[i].fails {
			passing++
		}
	}
	t.step.Weak = len(t.c.Weak)
	t.step.HitRate = share(t.alive[:t.train])
	t.step.Validation = share(t.alive[t.train:])
	t.step.FalseAlarm = float64(passing) / float64(len(t.negatives))
	t.rate *= t.step.FalseAlarm
	t.steps = append(t.steps, t.step)
	return nil
}

func share(yes []bool) float64 {
	n := 0
	for _, y := range yes {
		if y {
			n++
		}
	}
	return float64(n) / float64(len(yes))
}

// allowed returns the share of the positives that may be lost by the time the
// step is over: more and more of the budget, most of it early, where giving up
// the worst windows makes the cascade fast.
func (t *trainer) allowed() float64 {
	return LossBy(t.s.Loss, t.s.LossPower, t.softGoal(), t.s.Rounds)
}

// LossBy returns how much of a loss may be spent by the time there are n weak
// learners of all: the loss times (log(1+n/2) / log(1+all/2)) to that power.
func LossBy(loss, power float64, n, all int) float64 {
	now, end := math.Log1p(float64(n)/2), math.Log1p(float64(all)/2)
	if power == 1 {
		return loss * now / end
	}
	// Rounded, so that the last bits of Pow, which differ from machine to
	// machine, are gone.
	return loss * (math.Round(math.Pow(now/end, power)*(1<<20)) / (1 << 20))
}

// placeSoft places an exit behind every weak learner by direct backward
// pruning: first the last threshold, which says whose loss is accepted, then
// every other as high as those who are left allow.
//
// Zhang and Viola, Multiple-instance pruning for learning efficient cascade
// detectors, NIPS 2007.
func (t *trainer) placeSoft(st *standing) {
	n := len(t.c.Weak)
	for k := t.from; k < n; k++ {
		row := make([]float32, len(t.windows))
		for i, a := range st.answers {
			if a != nil {
				row[i] = a[k-t.from]
			}
		}
		t.answers = append(t.answers, row)
	}
	for _, r := range [2][2]int{{0, t.train}, {t.train, len(t.windows)}} {
		var scores []float64
		gone := 0
		for i := r[0]; i < r[1]; i++ {
			if t.alive[i] {
				scores = append(scores, st.windows[i])
			} else {
				gone++
			}
		}
		if len(scores) == 0 {
			continue
		}
		slices.Sort(scores)
		more := max(0, lost(1-t.allowed(), r[1]-r[0])-gone)
		threshold := scores[min(more, len(scores)-1)]
		for i := r[0]; i < r[1]; i++ {
			t.alive[i] = t.alive[i] && st.windows[i] >= threshold
		}
	}
	// Afresh from the first weak learner: whoever was given up since then held
	// thresholds down that may rise now.
	t.c.Exits = t.c.Exits[:0]
	running := make([]float64, len(t.windows))
	for k, row := range t.answers {
		least := math.Inf(1)
		for i, a := range row {
			running[i] += float64(a)
			if t.alive[i] {
				least = min(least, running[i])
			}
		}
		t.c.Exits = append(t.c.Exits, cascade.Exit{After: k + 1, Threshold: float32(least)})
	}
	for i := range t.negatives {
		score, fails := t.negatives[i].score, st.low[i] == nil
		for k, a := range st.low[i] {
			score += float64(a)
			fails = fails || score < float64(t.c.Exits[t.from+k].Threshold)
		}
		t.negatives[i].fails = fails
	}
}
