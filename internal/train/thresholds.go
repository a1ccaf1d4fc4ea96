package train

import (
	"context"
	"math"
	"slices"

	"haarlem/boost"
	"haarlem/cascade"
)

// setThresholds adds the step's exits, and determines which windows pass them.
func (t *trainer) setThresholds(ctx context.Context) error {
	t.tidy()
	st, err := t.evaluate(ctx)
	if err != nil {
		return err
	}
	if err := t.measure(ctx); err != nil {
		return err
	}
	if t.s.Shape == Soft {
		t.setSoftThresholds(st)
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
	t.step.HitRate = fraction(t.alive[:t.train])
	t.step.Validation = fraction(t.alive[t.train:])
	t.step.FalsePositiveRate = float64(passing) / float64(len(t.negatives))
	t.rate *= t.step.FalsePositiveRate
	t.steps = append(t.steps, t.step)
	return nil
}

// goals are the ranges of the windows on each of which the goals are to be met: the
// positives, and the validation windows.
func (t *trainer) goals() [][2]int {
	all := [][2]int{{0, t.train}, {t.train, len(t.windows)}}
	if t.data.MeasureOnly {
		return all[:1]
	}
	return all
}

// sorted returns the scores of the windows of a range that still pass, the lowest first.
func (st *standing) sorted(t *trainer, r [2]int) []float64 {
	var scores []float64
	for i := r[0]; i < r[1]; i++ {
		if t.alive[i] {
			scores = append(scores, st.windows[i])
		}
	}
	slices.Sort(scores)
	return scores
}

// threshold returns a stage's threshold: the required hit rate is met on the
// positives and on the validation windows.
func (st *standing) threshold(t *trainer) float64 {
	low := math.Inf(1)
	for _, r := range t.goals() {
		scores := st.sorted(t, r)
		if len(scores) == 0 {
			continue
		}
		low = min(low, scores[lost(t.s.Stages.HitRate, len(scores))])
	}
	return low
}

// setSoftThresholds sets an exit after every weak classifier by direct backward
// pruning: first the last threshold, which determines what is lost, then every
// other one as high as the remaining windows allow.
//
// Zhang and Viola, Multiple-instance pruning for learning efficient cascade
// detectors, NIPS 2007.
func (t *trainer) setSoftThresholds(st *standing) {
	t.leaves = append(t.leaves, st.leaves...)
	for _, r := range t.goals() {
		scores := st.sorted(t, r)
		if len(scores) == 0 {
			continue
		}
		all := r[1] - r[0]
		more := max(0, lost(1-t.allowed(), all)-(all-len(scores)))
		threshold := scores[min(more, len(scores)-1)]
		for i := r[0]; i < r[1]; i++ {
			t.alive[i] = t.alive[i] && st.windows[i] >= threshold
		}
	}
	// From the first weak classifier on: thresholds may rise now that windows
	// that kept them low are given up.
	t.c.Exits = t.c.Exits[:0]
	running := make([]float64, len(t.windows))
	goals := t.goals()
	decide := goals[len(goals)-1][1] // the windows before it decide, the others are measured
	for k, row := range t.leaves {
		smallest := math.Inf(1)
		outputs := t.c.Weak[k].Leaves
		for i, leaf := range row {
			running[i] += float64(outputs[leaf])
			if t.alive[i] && i < decide {
				smallest = min(smallest, running[i])
			}
		}
		t.c.Exits = append(t.c.Exits, cascade.Exit{After: k + 1, Threshold: float32(smallest)})
		for i := decide; i < len(t.alive); i++ {
			t.alive[i] = t.alive[i] && running[i] >= float64(float32(smallest))
		}
	}
	for i := range t.negatives {
		score, fails := t.negatives[i].score, st.flat[i]
		for k, row := range st.negativeLeaves {
			score += float64(t.c.Weak[t.from+k].Leaves[row[i]])
			fails = fails || score < float64(t.c.Exits[t.from+k].Threshold)
		}
		t.negatives[i].fails = fails
	}
}

// goalMet reports whether the step's weak classifiers so far meet the goal of a
// stage, according to the cascade itself and on the validation windows too.
func (t *trainer) goalMet(ctx context.Context, run *boost.Run) (bool, error) {
	if len(t.goals()) == 1 || t.train == len(t.windows) {
		return true, nil // by the run's own scores
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
	return float64(passing) <= t.s.Stages.FalsePositiveRate*float64(len(st.negatives)), nil
}

// rates returns the fractions of the positives and of the negatives that pass
// the threshold of the required hit rate, by the run's scores.
func (t *trainer) rates(scores []float64) (hit, falsePositive float64) {
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
	rate := t.s.Stages.HitRate
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
	// Slightly more than rounding errors, so that 0.995 of 1000 may lose 5.
	return min(int(float64((1-rate)*float64(n))+1e-9), n-1)
}

// softGoal is the number of weak classifiers of a soft cascade after the step:
// it mines negatives again whenever it has grown by a quarter.
func (t *trainer) softGoal() int {
	n := t.from
	return min(t.s.Soft.Rounds, n+max(2, min(n/4, 64)))
}

// allowed returns the fraction of the positives that may be lost by the end of
// the step. Most of it is spent early, where rejecting the worst windows makes
// the cascade fast.
func (t *trainer) allowed() float64 {
	return LossBy(t.s.Soft.Loss, t.s.Soft.LossPower, t.softGoal(), t.s.Soft.Rounds)
}

// LossBy returns how much of a loss may be spent by weak classifier n of all:
// loss times (log(1+n/2) / log(1+all/2)) to the power.
func LossBy(loss, power float64, n, all int) float64 {
	now, end := math.Log1p(float64(n)/2), math.Log1p(float64(all)/2)
	if power == 1 {
		return loss * now / end
	}
	// Rounded, since the last bits of Pow differ between machines.
	return loss * (math.Round(math.Pow(now/end, power)*(1<<20)) / (1 << 20))
}

func fraction(yes []bool) float64 {
	n := 0
	for _, y := range yes {
		if y {
			n++
		}
	}
	return float64(n) / float64(len(yes))
}
