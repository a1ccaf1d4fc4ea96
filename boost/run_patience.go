package boost

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// A trial is a run in which some rows have no weight: they are held out.
type trial interface {
	round(ctx context.Context) (Status, error)
	scores() [][]float64 // of all rows, a list for each class or one
	// predictions are those of rows held out by their scores, and by is their metric.
	predictions(held *Data, scores [][]float64) *Predictions
	by() *Metric
}

func (r *Run) round(ctx context.Context) (Status, error) {
	_, err := r.next(ctx, false)
	return r.status, err
}

func (r *Run) scores() [][]float64 { return [][]float64{r.st.Scores} }

func (r *Run) predictions(held *Data, scores [][]float64) *Predictions {
	return r.st.Model.predictions(held, scores[0])
}

func (r *Run) by() *Metric { return r.metric }

// finds reports whether the number of rounds is to be found.
func (s *Settings) finds() bool { return s.Patience > 0 && s.Validation == nil }

// heldParts returns in how many parts a table is divided to find the number of
// rounds, and how many of these are held out, one after the other. One part of a
// small table is too noisy.
func heldParts(rows, classes int) (parts, held int) {
	switch n := rows * max(1, classes); {
	case n <= 5_000:
		return 5, 5
	case n <= 20_000:
		return 5, 2
	}
	return 10, 1
}

// findRounds finds the number of rounds for a problem, and its metric, by trials.
func (p *Problem) findRounds(ctx context.Context, b Booster, l Learner, s *Settings) (int, float64, []trial, error) {
	return s.chooseRounds(ctx, p.Data, func(weights []float64, s *Settings) (trial, error) {
		part, d := *p, *p.Data
		part.Data, d.Weights = &d, weights
		return Start(&part, b, l, s)
	})
}

// findRounds is findRounds for several classes.
func (p *multiProblem) findRounds(ctx context.Context, b MultiBooster) (int, float64, []trial, error) {
	return p.settings.chooseRounds(ctx, p.data, func(weights []float64, s *Settings) (trial, error) {
		part, d := *p, *p.data
		d.Weights = weights
		part.data, part.settings, part.weights = &d, *s, slices.Clone(weights)
		normalise(part.weights)
		run, err := b.begin(&part)
		return &multiTrial{run, s.Metric}, err
	})
}

// A multiTrial is a run that is measured.
type multiTrial struct {
	multiRun
	metric *Metric
}

func (t *multiTrial) predictions(held *Data, scores [][]float64) *Predictions {
	return t.model().predictions(held, scores).Own()
}

func (t *multiTrial) by() *Metric { return t.metric }

func (s *Settings) progress(done, total int) {
	if s.Progress != nil {
		s.Progress(done, total)
	}
}

// chooseRounds returns the number of rounds that has the best metric on rows held
// out, and the metric. Each part of a small table is held out once, of a large one
// one part. start starts a trial with weights of the rows. If the context ends, the
// best so far comes with its error.
func (s *Settings) chooseRounds(ctx context.Context, d *Data, start func(weights []float64, s *Settings) (trial, error)) (rounds int, best float64, trials []trial, err error) {
	all := slices.DeleteFunc(seq(d.Rows()), func(i int) bool { return !d.weighs(i) })
	units := len(all)
	if d.Groups != nil {
		units = len(byGroup(pick(d.Groups, all), 0))
	}
	if units < 2 {
		return 0, 0, nil, fmt.Errorf("%w: Patience without Validation wants at least two rows or groups", ErrSettings)
	}
	parts, n := heldParts(len(all), len(d.Classes))
	parts = min(parts, units)
	n = min(n, parts)
	folds := deal(d, all, parts, s.Seed)
	var rows []int // held out, and those without weight
	for i, f := range folds {
		if f < n {
			rows = append(rows, i)
		}
	}
	held := (&Data{Schema: d.Schema, Labels: d.Labels, Targets: d.Targets, Upper: d.Upper, Weights: d.Weights, Groups: d.Groups}).Subset(rows)
	mine := *s
	mine.Patience, mine.Recorder, mine.Progress = 0, nil, nil
	if n > 1 {
		mine.Workers = 1
	}
	trials = make([]trial, n)
	status, errs := make([]Status, n), make([]error, n)
	each(s.Workers, n, func(f int) {
		weights := make([]float64, d.Rows())
		for i, g := range folds {
			if g != f {
				weights[i] = weightOf(d.Weights, i)
			}
		}
		trials[f], errs[f] = start(weights, &mine)
	})
	if err := cmp.Or(errs...); err != nil { // all parts have the same faults
		return 0, 0, nil, err
	}
	now := make([][][]float64, n) // by part, class and row
	scores := make([][]float64, len(trials[0].scores()))
	for k := range scores {
		scores[k] = make([]float64, len(rows))
	}
	metric := trials[0].by()
	for round := 1; round <= s.Rounds && round-rounds <= s.Patience && slices.Contains(status, Going); round++ {
		each(s.Workers, n, func(f int) {
			if status[f] == Going {
				status[f], errs[f] = trials[f].round(ctx)
			}
		})
		if err := cmp.Or(errs...); err != nil {
			return rounds, best, nil, err
		}
		for f, t := range trials {
			now[f] = t.scores()
		}
		for k := range scores {
			for j, i := range rows {
				scores[k][j] = now[folds[i]][k][i]
			}
		}
		v := metric.Value(trials[0].predictions(held, scores))
		if v != v {
			return 0, 0, nil, fmt.Errorf("%w: the metric of the rows held out is no number, and Patience waits for it", ErrSettings)
		}
		if round == 1 || metric.better(v, best) {
			best, rounds = v, round
		}
		s.progress(round, s.Rounds)
	}
	return max(1, rounds), best, trials, nil
}

// keptRows is the number of rows above which trees are kept.
const keptRows = 20_000

// kept returns a learner of the trees of a trial, whose leaves alone are fitted again:
// the only trial of a large table has seen nearly all rows. It returns l if trees are to
// be grown anew.
func kept(trials []trial, rounds int, b Booster, l Learner) Learner {
	r, _ := trials[0].(*Run)
	n, _ := b.(*Newton)
	if len(trials) > 1 || r == nil || n == nil || len(r.st.Labels) <= keptRows || n.Monotone != nil || n.Drop != 0 {
		return l
	}
	f, ok := r.st.search.(*treeSearch)
	if s := &r.st.settings; !ok || s.RowShare < 1 || s.Trim > 0 || len(r.st.Model.Terms) != r.st.Rounds {
		return l
	}
	for _, t := range r.st.Model.Terms[:rounds] {
		f.given = append(f.given, t.Weak.(*Tree))
	}
	return &prepared{l, f}
}
