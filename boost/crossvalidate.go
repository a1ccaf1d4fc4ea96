package boost

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"haarlem/internal/par"
)

// CrossValidation are the settings of a cross-validation. nil and the zero
// value mean the same: every field's default.
type CrossValidation struct {
	// Folds is the number of parts, each of which is the test data once. 0 means 10.
	Folds int

	// Seed assigns rows to folds, and selects the held-out training rows.
	Seed uint64

	// HoldOut is the fraction of the training rows of each fold, in [0, 1),
	// that become its Settings.Validation, for Patience. 0 means none.
	HoldOut float64

	// Workers is the number of folds fitted at the same time. 0 means
	// GOMAXPROCS. The result does not depend on it.
	Workers int
}

// CrossValidated is the result of a cross-validation: a prediction for each row
// by a model that was not fitted on it.
type CrossValidated struct {
	*Predictions
	Folds  []int    // the fold of each row
	Models []*Model // by fold
}

// CrossValidate fits a model for each fold to the rows of all others, and scores
// the rows of the fold with it. Each class, or each part of the range of targets,
// has its share of every fold.
func CrossValidate(ctx context.Context, d *Data, b Booster, l Learner, s *Settings, cv *CrossValidation) (*CrossValidated, error) {
	c, err := cv.withDefaults(d, s)
	if err != nil {
		return nil, err
	}
	out := &CrossValidated{Predictions: &Predictions{
		Scores: make([]float64, d.Rows()), Means: make([]float64, d.Rows()), Targets: make([]float64, d.Rows()), Upper: d.Upper, Weights: d.Weights, Groups: d.Groups,
	}, Folds: deal(d, nil, c.Folds, c.Seed), Models: make([]*Model, c.Folds)}
	for i := range out.Targets {
		out.Targets[i] = d.target(i)
	}
	err = c.run(ctx, d, out.Folds, s, func(f int, train *Data, mine *Settings, test []int) error {
		res, err := Fit(ctx, train, b, l, mine)
		if err != nil {
			return err
		}
		p, err := res.Model.Predict(d.Subset(test))
		if err != nil {
			return err
		}
		out.Models[f] = res.Model
		for k, i := range test {
			out.Scores[i], out.Means[i] = p.Scores[k], p.Means[k]
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// withDefaults returns a checked copy.
func (cv *CrossValidation) withDefaults(d *Data, s *Settings) (*CrossValidation, error) {
	var c CrossValidation
	if cv != nil {
		c = *cv
	}
	c.Folds = cmp.Or(c.Folds, 10)
	if err := d.Check(); err != nil {
		return nil, err
	}
	switch {
	case c.Folds < 2 || c.Folds > d.Rows():
		return nil, fmt.Errorf("%w: %d folds of %d rows", ErrSettings, c.Folds, d.Rows())
	case d.Groups != nil && c.Folds > len(byGroup(d.Groups, 0)):
		return nil, fmt.Errorf("%w: %d folds of %d groups", ErrSettings, c.Folds, len(byGroup(d.Groups, 0)))
	case !(c.HoldOut >= 0 && c.HoldOut < 1):
		return nil, fmt.Errorf("%w: HoldOut %v, want 0 or more, less than 1", ErrSettings, c.HoldOut)
	case s != nil && s.Validation != nil:
		return nil, fmt.Errorf("%w: Validation is the same for all folds: use HoldOut", ErrSettings)
	}
	return &c, nil
}

// run calls fit for every fold, with its training data and the rows to score.
func (c *CrossValidation) run(ctx context.Context, d *Data, folds []int, s *Settings, fit func(f int, train *Data, s *Settings, test []int) error) error {
	var settings Settings
	if s != nil {
		settings = *s
	}
	return par.Each(ctx, c.Folds, c.Workers, func(_ *struct{}, f int) error {
		var train, test []int
		for i, g := range folds {
			if g == f {
				test = append(test, i)
			} else {
				train = append(train, i)
			}
		}
		mine := settings
		mine.Recorder, mine.Progress, mine.Workers = nil, nil, 1
		if c.HoldOut > 0 {
			train, mine.Validation = holdOut(d, train, c.HoldOut, c.Seed+uint64(f)+1)
		}
		if err := fit(f, d.Subset(train), &mine, test); err != nil {
			return fmt.Errorf("fold %d: %w", f, err)
		}
		return nil
	}, settings.Progress)
}

// MultiCrossValidated is the result of a cross-validation of several classes.
type MultiCrossValidated struct {
	*MultiPredictions       // of each row by a model that has not seen it
	Folds             []int // the fold of each row
}

// CrossValidateMulti is [CrossValidate] for several classes.
func CrossValidateMulti(ctx context.Context, d *Data, b MultiBooster, l Learner, s *Settings, cv *CrossValidation) (*MultiCrossValidated, error) {
	c, err := cv.withDefaults(d, s)
	if err != nil {
		return nil, err
	}
	all := &MultiPredictions{Targets: d.Targets, Predicted: make([]int, d.Rows()), Weights: d.Weights}
	for range d.Classes {
		all.Probabilities = append(all.Probabilities, make([]float64, d.Rows()))
	}
	out := &MultiCrossValidated{all, deal(d, nil, c.Folds, c.Seed)}
	err = c.run(ctx, d, out.Folds, s, func(f int, train *Data, mine *Settings, test []int) error {
		res, err := FitMulti(ctx, train, b, l, mine)
		if err != nil {
			return err
		}
		p, err := res.Model.Predict(d.Subset(test))
		if err != nil {
			return err
		}
		for n, i := range test {
			all.Predicted[i] = p.Predicted[n]
			for k := range all.Probabilities {
				all.Probabilities[k][i] = p.Probabilities[k][n]
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// ByFold returns a metric of each fold.
func (c *CrossValidated) ByFold(m Metric) []float64 { return c.byFold(c.Folds, m) }

// ByFold returns a metric of each fold, as Own has it.
func (c *MultiCrossValidated) ByFold(m Metric) []float64 { return c.Own().byFold(c.Folds, m) }

func (p *Predictions) byFold(folds []int, m Metric) []float64 {
	rows := make([][]int, slices.Max(folds)+1)
	for i, f := range folds {
		rows[f] = append(rows[f], i)
	}
	values := make([]float64, len(rows))
	for f, rows := range rows {
		values[f] = m.Value(p.Subset(rows, pick(p.Groups, rows)))
	}
	return values
}

// SplitData splits a table into two, of which the second has the given fraction
// of the rows, stratified by class or by range of targets.
func SplitData(d *Data, share float64, seed uint64) (first, second *Data, err error) {
	if err := d.Check(); err != nil {
		return nil, nil, err
	}
	if !(share > 0 && share < 1) || int(share*float64(d.Rows())+0.5) == 0 || int(share*float64(d.Rows())+0.5) == d.Rows() {
		return nil, nil, fmt.Errorf("%w: a share of %v of %d rows, want some rows in either part", ErrSettings, share, d.Rows())
	}
	train, held := holdOut(d, seq(d.Rows()), share, seed)
	return d.Subset(train), held, nil
}

// seq returns the numbers from 0 to n-1.
func seq(n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// holdOut splits rows, and returns those that stay and a table of the others.
func holdOut(d *Data, rows []int, share float64, seed uint64) (stay []int, held *Data) {
	var out []int
	eachLot(d, rows, seed, func(k, i int) {
		if int(share*float64(k+1)+0.5) > int(share*float64(k)+0.5) {
			out = append(out, i)
		} else {
			stay = append(stay, i)
		}
	})
	slices.Sort(stay)
	slices.Sort(out)
	return stay, d.Subset(out)
}

// deal assigns rows, nil meaning all, to k folds.
func deal(d *Data, rows []int, k int, seed uint64) []int {
	if rows == nil {
		rows = seq(d.Rows())
	}
	folds := make([]int, d.Rows())
	eachLot(d, rows, seed, func(n, i int) { folds[i] = n % k })
	return folds
}

// eachLot calls f for some rows with their lots: the number of a row in their
// shuffled order, or that of its group among the groups.
func eachLot(d *Data, rows []int, seed uint64, f func(lot, row int)) {
	lots := map[int]int{}
	for n, i := range shuffled(d, rows, seed) {
		if d.Groups != nil {
			lot, ok := lots[d.Groups[i]]
			if !ok {
				lot = len(lots)
				lots[d.Groups[i]] = lot
			}
			n = lot
		}
		f(n, i)
	}
}

// shuffled returns rows sorted by class, or by range of targets, and otherwise
// shuffled.
func shuffled(d *Data, rows []int, seed uint64) []int {
	order := slices.Clone(rows)
	r := rand.New(rand.NewPCG(seed, 0x5851f42d4c957f2d))
	r.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(d.target(i), d.target(j)) })
	return order
}

// each calls f for the numbers from 0 to n-1 from as many goroutines as workers
// says, 0 meaning GOMAXPROCS.
func each(workers, n int, f func(i int)) {
	_ = par.Chunks(context.Background(), n, 1, workers, func(i, _ int) { f(i) })
}
