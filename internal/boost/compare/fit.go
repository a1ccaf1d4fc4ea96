package compare

import (
	"context"
	"math"
	"time"

	"haarlem/boost"
)

// outcome is the result of one run.
type outcome struct {
	train, test []float64 // errors, by Experiment.Rounds
	seconds     []float64 // spent up to there, by Experiment.Rounds
	rounds      int       // completed
	status      boost.Status

	curveTrain, curveTest []float64 // errors after round 1, 2, ...

	marginsTrain, marginsTest [][]float64 // by Experiment.Margins
}

// run makes one run.
func (e *Experiment) run(ctx context.Context, j *job) (*outcome, error) {
	m := &e.Methods[j.method]
	if m.Multi != nil {
		return e.runMulti(ctx, j)
	}
	s := m.Settings
	s.Rounds = e.Rounds[len(e.Rounds)-1]
	s.Workers = 1
	s.Seed = j.seed
	s.Recorder = nil
	s.Validation = nil
	if e.Curves {
		s.Validation = j.test
	}
	begin := time.Now()
	r, err := boost.Start(&boost.Problem{Data: j.train}, m.Booster, m.Learner, &s)
	if err != nil {
		return nil, err
	}
	spent := time.Since(begin).Seconds()
	o := &outcome{}
	trainError := 0.0
	// due measures what is wanted after n rounds.
	due := func(n int) error {
		for len(o.test) < len(e.Rounds) && e.Rounds[len(o.test)] <= n {
			if err := o.measure(r, j, trainError, spent); err != nil {
				return err
			}
		}
		for len(o.marginsTest) < len(e.Margins) && e.Margins[len(o.marginsTest)] <= n {
			if err := o.keepMargins(r.Result().Model, j); err != nil {
				return err
			}
		}
		return nil
	}
	for r.Status() == boost.Going {
		begin := time.Now()
		round, err := r.Next(ctx)
		spent += time.Since(begin).Seconds()
		if err != nil {
			return nil, err
		}
		o.rounds = round.Number
		trainError = round.TrainError
		if e.Curves {
			o.curveTrain = append(o.curveTrain, round.TrainError)
			o.curveTest = append(o.curveTest, round.ValidError)
		}
		if r.Status() == boost.Going {
			if err := due(round.Number); err != nil {
				return nil, err
			}
		}
	}
	if err := due(s.Rounds); err != nil { // what the run has not come to is as its end
		return nil, err
	}
	o.status = r.Status()
	return o, nil
}

// runMulti makes one run of several classes for each number of rounds.
func (e *Experiment) runMulti(ctx context.Context, j *job) (*outcome, error) {
	m := &e.Methods[j.method]
	s, o := m.Settings, &outcome{}
	s.Workers, s.Seed, s.Recorder, s.Validation = 1, j.seed, nil, nil
	for _, s.Rounds = range e.Rounds {
		begin := time.Now()
		r, err := boost.FitMulti(ctx, j.train, m.Multi, m.Learner, &s)
		if err != nil {
			return nil, err
		}
		o.rounds, o.status = r.Rounds, r.Status
		if err := o.add(j, r.Model.Error, time.Since(begin).Seconds()); err != nil {
			return nil, err
		}
	}
	return o, nil
}

func (o *outcome) measure(r *boost.Run, j *job, trainError, spent float64) error {
	model := r.Result().Model
	if j.test.Labels == nil {
		return o.add(j, func(d *boost.Data) (float64, error) {
			p, err := model.Predict(d)
			if err != nil {
				return 0, err
			}
			return boost.RMSE.Value(p), nil
		}, spent)
	}
	wrong, err := model.Error(j.test)
	o.train, o.test, o.seconds = append(o.train, trainError), append(o.test, wrong), append(o.seconds, spent)
	return err
}

// add measures a model on the training and on the test rows.
func (o *outcome) add(j *job, measure func(*boost.Data) (float64, error), spent float64) error {
	train, err := measure(j.train)
	if err != nil {
		return err
	}
	test, err := measure(j.test)
	o.train, o.test, o.seconds = append(o.train, train), append(o.test, test), append(o.seconds, spent)
	return err
}

func (o *outcome) keepMargins(m *boost.Model, j *job) error {
	norm := marginNorm(m, j.train)
	train, err := normalised(m, j.train, norm)
	if err != nil {
		return err
	}
	test, err := normalised(m, j.test, norm)
	o.marginsTrain = append(o.marginsTrain, train)
	o.marginsTest = append(o.marginsTest, test)
	return err
}

// marginNorm is the largest score that the model could reach if its weak
// learners agreed: the sum of their coefficients, each times the largest output
// of the weak learner on the training rows. For outputs -1 and +1 it is the sum
// of the coefficients, as in Schapire, Freund, Bartlett and Lee, "Boosting the
// Margin" (1998).
func marginNorm(m *boost.Model, d *boost.Data) float64 {
	norm := math.Abs(m.Bias)
	largest := make([]float64, len(m.Terms))
	var x []float64
	for i := range d.Rows() {
		x = d.Row(x, i)
		for t := range m.Terms {
			largest[t] = max(largest[t], math.Abs(m.Terms[t].Weak.Value(x)))
		}
	}
	for t := range m.Terms {
		norm += math.Abs(m.Terms[t].Coef * largest[t])
	}
	return norm
}

// normalised returns the margins of all rows, -1 to 1.
func normalised(m *boost.Model, d *boost.Data, norm float64) ([]float64, error) {
	margins, err := m.Scores(d)
	if err != nil {
		return nil, err
	}
	for i, y := range d.Labels {
		margins[i] *= float64(y)
		if norm > 0 {
			margins[i] /= norm
		}
	}
	return margins, nil
}
