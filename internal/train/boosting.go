package train

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"math"
	"math/rand/v2"

	"haarlem/boost"
	"haarlem/cascade"
)

// startRun quantizes the columns, and starts or resumes the step's boosting
// run.
func (t *trainer) startRun(ctx context.Context) (*boost.Run, error) {
	if err := t.codeColumns(ctx); err != nil {
		return nil, err
	}
	s := &t.s
	rows := t.train + len(t.negatives)
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
	p := &boost.Problem{Data: d, Columns: t.columns, Scores: scores}
	settings := &boost.Settings{
		Rounds: max(s.Stages.MaxWeak, s.Soft.Rounds), Trim: max(s.Trim, 0), ColumnShare: s.Share, Prior: 0.5, Cost: s.Cost,
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

// codeColumns quantizes the features of positives and negatives.
func (t *trainer) codeColumns(ctx context.Context) error {
	s := &t.s
	n := len(t.negatives)
	rows := t.train + n
	features, err := t.featureCount(rows)
	if err != nil {
		return err
	}
	positives, negatives := t.windows[:t.train], t.negativeWindows()
	same := false // the positives' codes are those of the step before
	if s.Shape == Staged {
		// Always the same features with the same bins, so that the positives
		// are quantized once. A resumed training does the same.
		same = t.columns != nil && t.columns.rows == rows
		if t.columns == nil {
			t.columns = newColumns(s, features, rows, t.train+s.Negatives, rand.New(rand.NewPCG(s.Seed, 1)))
		} else if !same {
			t.columns.reserve(rows)
		}
	} else {
		c := newColumns(s, features, 0, t.train+s.Negatives, t.rng(1))
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
			if with, err = t.plainNegatives(ctx); err != nil {
				return err
			}
		}
		if err := c.setRanges(ctx, s, [2][]*image.Gray{positives, with}); err != nil {
			return err
		}
	}
	if !same {
		if err := c.fill(ctx, s, positives, 0); err != nil {
			return err
		}
	}
	return c.fill(ctx, s, negatives, t.train)
}

// featureCount returns the number of features that the step searches:
// Settings.Features, as far as the first run's memory suffices.
func (t *trainer) featureCount(rows int) (int, error) {
	s := &t.s
	features := t.wanted()
	if largest := t.room(t.memory, rows); s.Kind == cascade.Haar && features > largest {
		if largest < minFeatures {
			return 0, fmt.Errorf("%w: the windows of %d positives and negatives take about %d MiB, which leaves too little of the %d MiB of memory: give more, or learn from fewer", ErrSettings, rows, t.held(rows)>>20, t.memory>>20)
		}
		features = largest
		if t.columns == nil {
			t.event(Event{Kind: Sampled, Features: features})
		}
	}
	if s.Shape == Staged && len(t.steps) > 0 { // which may have had fewer rows
		features = t.steps[0].Features
	}
	if largest := t.room(s.Memory, rows); s.Memory < t.memory && s.Kind == cascade.Haar && features > largest {
		return 0, fmt.Errorf("%w: the training searches %d features, and %d bytes of memory have room for %d: give it more, up to the %d bytes that it began with", ErrState, features, s.Memory, largest, t.memory)
	}
	return features, nil
}

// balance shifts all scores by a constant so that both classes have equal
// weight under the exponential loss. The order does not change, and thresholds
// are set later.
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
	// Rounded, since the last bits of Exp differ between machines.
	shift := math.Round(math.Log(pos/npos/(neg/nneg))/2*64) / 64
	for i := range scores {
		scores[i] += shift
	}
}

// learner returns the weak learner that boosting fits.
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

// booster returns the algorithm.
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
