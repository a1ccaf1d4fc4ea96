package boost

import (
	"cmp"
	"context"
	"fmt"
)

// A MultiBooster learns one of several classes. It is a set of settings, like a
// [Booster].
type MultiBooster interface {
	// Name is a short word for files and tables.
	Name() string

	// begin prepares a run on data that were checked.
	begin(p *multiProblem) (multiRun, error)
}

// A multiProblem is the input of a run for several classes.
type multiProblem struct {
	data     *Data
	columns  *byteColumns
	learner  Learner
	settings Settings
	classes  []int     // of the rows
	weights  []float64 // of the rows, with sum 1
	k        int       // number of classes
}

// A multiRun makes rounds that append at most a term to the model of each class.
type multiRun interface {
	round(ctx context.Context) (Status, error)
	model() *MultiModel
	scores() [][]float64 // of the rows, by class
}

// A MultiResult is a model of several classes and how its run ended.
type MultiResult struct {
	Model  *MultiModel
	Status Status
	Rounds int
}

// FitMulti learns one of several classes: Targets of d are the indices of the
// classes, which Schema.Classes names. Settings.Metric may be [ErrorRate], the
// default but for [Softmax], or [LogLoss]; Prior, Cost and Trim do not apply.
func FitMulti(ctx context.Context, d *Data, b MultiBooster, l Learner, s *Settings) (*MultiResult, error) {
	p, err := newMultiProblem(d, b, l, s)
	if err != nil {
		return nil, err
	}
	if p.settings.finds() {
		if p.settings.Rounds, _, _, err = p.findRounds(ctx, b); err != nil {
			return nil, err
		}
		p.settings.Patience = 0
	}
	settings, v := p.settings, p.settings.Validation
	run, err := b.begin(p)
	if err != nil {
		return nil, err
	}
	m := run.model()
	res := &MultiResult{Model: m}
	var table [][]float64 // scores of Validation, by class
	if v != nil {
		if table, err = m.table(v); err != nil {
			return nil, err
		}
		if _, err := m.evaluate(v, settings.Metric); err != nil {
			return nil, err
		}
	}
	seen := make([]int, p.k)  // terms that table has
	rest, _ := run.(*restRun) // whose boosters may change old terms
	best := newBest(settings.Metric)
	for res.Status == Going {
		if err := ctx.Err(); err != nil {
			return res, err
		}
		status, err := run.round(ctx)
		if err != nil {
			return res, err
		}
		res.Rounds++
		settings.progress(res.Rounds, settings.Rounds)
		if res.Status = status; v != nil {
			for k, one := range m.Models {
				one.follow(v, table[k], seen[k], rest != nil && rest.runs[k].st.rewrote)
				seen[k] = len(one.Terms)
			}
			best.offer(settings.Metric, m.measure(v, table, settings.Metric), res.Rounds, m.Models...)
			if status == Going && settings.Patience > 0 && res.Rounds-best.at >= settings.Patience {
				res.Status = Patience
				for k, one := range m.Models {
					*one = best.models[k]
				}
			}
		}
		if res.Status == Going && res.Rounds >= settings.Rounds {
			res.Status = RoundsDone
		}
	}
	return res, nil
}

// newMultiProblem checks data and settings.
func newMultiProblem(d *Data, b MultiBooster, l Learner, s *Settings) (*multiProblem, error) {
	settings, err := s.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := d.Check(); err != nil {
		return nil, err
	}
	if d.Targets == nil || len(d.Classes) < 2 {
		return nil, fmt.Errorf("%w: want Targets that are indices into at least two Classes", ErrData)
	}
	if settings.Prior != 0 || settings.Cost != 1 || settings.Trim != 0 {
		return nil, fmt.Errorf("%w: Prior, Cost and Trim are for two classes", ErrSettings)
	}
	if settings.Metric != nil && settings.Metric.Name != LogLoss.Name && settings.Metric.Name != ErrorRate.Name {
		return nil, fmt.Errorf("%w: Metric %q is for two classes; there are %s and %s", ErrSettings, settings.Metric.Name, ErrorRate.Name, LogLoss.Name)
	}
	if _, ok := b.(*Softmax); ok {
		settings.Metric = cmp.Or(settings.Metric, &LogLoss)
	}
	settings.Metric = cmp.Or(settings.Metric, &ErrorRate)
	if v := settings.Validation; v != nil {
		if v.Targets == nil {
			return nil, fmt.Errorf("%w: Validation has no Targets", ErrSettings)
		}
		if err := (&Model{Schema: d.Schema, Columns: len(d.Columns)}).checkLabelled(v); err != nil {
			return nil, fmt.Errorf("%w: Validation: %w", ErrSettings, err)
		}
	}
	p := &multiProblem{data: d, learner: l, settings: settings, k: len(d.Classes), classes: make([]int, d.Rows())}
	for i, c := range d.Targets {
		p.classes[i] = int(c)
	}
	p.weights = baseWeights(d, &settings)
	bins, rule := binsOf(l)
	if p.columns, err = quantize(d, bins, rule); err != nil {
		return nil, err
	}
	return p, nil
}

// binsOf returns a learner's quantisation of columns.
func binsOf(l Learner) (int, Binning) {
	switch k := l.(type) {
	case *Stumps:
		return k.Bins, k.Binning
	case *Trees:
		return k.Bins, k.Binning
	case *Histograms:
		return cmp.Or(k.Bins, 16), k.Binning
	}
	return 0, EqualFrequency
}

// inner returns the settings of runs of two classes within.
func (p *multiProblem) inner() Settings {
	s := p.settings
	s.Validation, s.Patience, s.Metric, s.Recorder = nil, 0, nil, nil
	return s
}

// binary returns the data of class k against all others.
func (p *multiProblem) binary(k int) *Data {
	d := *p.data
	d.Schema = p.data.Schema.clone()
	d.Targets, d.Classes = nil, nil
	d.Labels = make([]int8, len(p.classes))
	for i, c := range p.classes {
		d.Labels[i] = -1
		if c == k {
			d.Labels[i] = 1
		}
	}
	return &d
}

// empty returns a model without terms.
func (p *multiProblem) empty(method string) *MultiModel {
	m := &MultiModel{Schema: p.data.Schema.clone(), Columns: len(p.data.Columns), Method: method}
	for range p.k {
		one := &Model{Booster: method, Columns: m.Columns, Schema: m.Schema.clone()}
		one.Classes = nil
		m.Models = append(m.Models, one)
	}
	return m
}
