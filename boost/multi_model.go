package boost

import (
	"fmt"
	"haarlem/internal/quote"
	"io"
	"slices"
)

// A MultiModel predicts one of several classes: a score for each, and the
// largest one is the class, the first of equals.
type MultiModel struct {
	Schema           // of the data that it was fitted on; Classes has a name a score
	Columns int      // number of columns that a row must have
	Method  string   // name of the booster
	Softmax bool     // probabilities are the softmax of the scores, not the models' own divided by their sum
	Models  []*Model // one per class
}

// Scores sets dst to the scores of row x, one per class. It panics unless x has
// Columns values.
func (m *MultiModel) Scores(dst, x []float64) []float64 {
	dst = dst[:0]
	for _, one := range m.Models {
		dst = append(dst, one.Score(x))
	}
	return dst
}

// Class returns the class of row x. It panics as Scores does.
func (m *MultiModel) Class(x []float64) int {
	return top(m.Scores(make([]float64, 0, len(m.Models)), x))
}

// top returns the index of the largest score, the first of equals.
func top(scores []float64) int {
	best := 0
	for k, s := range scores {
		if s > scores[best] {
			best = k
		}
	}
	return best
}

// Probabilities sets dst to the probabilities of the classes of row x. It panics
// as Scores does.
func (m *MultiModel) Probabilities(dst, x []float64) []float64 {
	dst = m.Scores(dst, x)
	m.probabilities(dst)
	return dst
}

// probabilities replaces scores with probabilities.
func (m *MultiModel) probabilities(scores []float64) {
	if m.Softmax {
		softmax(scores)
		return
	}
	sum := 0.0
	for k, s := range scores {
		scores[k] = m.Models[k].probability(s)
		sum += scores[k]
	}
	for k := range scores {
		if sum > 0 {
			scores[k] /= sum
		} else {
			scores[k] = 1 / float64(len(scores))
		}
	}
}

// softmax replaces scores with exp(s)/sum exp(s).
func softmax(scores []float64) {
	top, sum := slices.Max(scores), 0.0
	for k, s := range scores {
		scores[k] = exp(s - top)
		sum += scores[k]
	}
	for k := range scores {
		scores[k] /= sum
	}
}

// Check reports how d differs from the data that the model was fitted on; see
// [Model.Check].
func (m *MultiModel) Check(d *Data) error {
	return m.Shape().Check(d)
}

// Shape returns a model of the same columns without terms, whose Align is for m too.
func (m *MultiModel) Shape() *Model { return &Model{Schema: m.Schema, Columns: m.Columns} }

// table returns the scores of all rows of d: a list for each class.
func (m *MultiModel) table(d *Data) ([][]float64, error) {
	if err := m.Check(d); err != nil {
		return nil, err
	}
	scores := make([][]float64, len(m.Models))
	for k, one := range m.Models {
		var err error
		if scores[k], err = one.scored(d); err != nil {
			return nil, err
		}
	}
	return scores, nil
}

// scored is Scores of checked data, whatever their classes.
func (m *Model) scored(d *Data) ([]float64, error) {
	bare := *d
	bare.Classes = nil
	return m.Scores(&bare)
}

// Error returns the weighted fraction of the rows of d that m gets wrong.
func (m *MultiModel) Error(d *Data) (float64, error) { return m.evaluate(d, &ErrorRate) }

func (m *MultiModel) evaluate(d *Data, metric *Metric) (float64, error) {
	if m.Classes != nil && d.Classes != nil && !slices.Equal(m.Classes, d.Classes) {
		return 0, fmt.Errorf("%w: the classes are %s, want %s", ErrSchema, quote.Some(d.Classes), quote.Some(m.Classes))
	}
	if d.Targets == nil {
		return 0, fmt.Errorf("%w: no Targets", ErrData)
	}
	table, err := m.table(d)
	if err != nil {
		return 0, err
	}
	for i, y := range d.Targets {
		if !isLevel(y, len(table)) || y != y {
			return 0, fmt.Errorf("%w: target %v of row %d, want the index of one of %d classes", ErrData, y, i, len(table))
		}
	}
	return m.measure(d, table, metric), nil
}

// measure returns a metric of scores.
func (m *MultiModel) measure(d *Data, table [][]float64, metric *Metric) float64 {
	return metric.Value(m.predictions(d, table).Own())
}

// MultiPredictions are classes and probabilities of rows, and their targets.
type MultiPredictions struct {
	Targets       []float64   // indices of classes
	Predicted     []int       // indices of classes
	Probabilities [][]float64 // a list for each class
	Weights       []float64   // nil means equal weights
}

// Predict returns the classes and probabilities of all rows of d with its targets.
func (m *MultiModel) Predict(d *Data) (*MultiPredictions, error) {
	table, err := m.table(d)
	if err != nil {
		return nil, err
	}
	return m.predictions(d, table), nil
}

// predictions returns those of the rows of d with these scores.
func (m *MultiModel) predictions(d *Data, table [][]float64) *MultiPredictions {
	p := &MultiPredictions{Targets: d.Targets, Predicted: make([]int, d.Rows()), Weights: d.Weights}
	for range table {
		p.Probabilities = append(p.Probabilities, make([]float64, d.Rows()))
	}
	row := make([]float64, len(table))
	for i := range p.Predicted {
		for k := range table {
			row[k] = table[k][i]
		}
		p.Predicted[i] = top(row)
		m.probabilities(row)
		for k, v := range row {
			p.Probabilities[k][i] = v
		}
	}
	return p
}

// Own returns the predictions as those of two classes: a row is right, or not, with the
// probability of its own class.
func (p *MultiPredictions) Own() *Predictions {
	own := &Predictions{Weights: p.Weights}
	for i, y := range p.Targets {
		score := -1.0
		if p.Predicted[i] == int(y) {
			score = 1
		}
		own.Targets, own.Scores, own.Means = append(own.Targets, 1), append(own.Scores, score), append(own.Means, p.Probabilities[int(y)][i])
	}
	return own
}

// Confusion returns the weights of the rows by their class, and then by the
// predicted one.
func (p *MultiPredictions) Confusion() [][]float64 {
	out := make([][]float64, len(p.Probabilities))
	for k := range out {
		out[k] = make([]float64, len(out))
	}
	for i, y := range p.Targets {
		out[int(y)][p.Predicted[i]] += weightOf(p.Weights, i)
	}
	return out
}

// AUC returns the mean of the [AUC] of each class against the rest, weighted by
// the weight of the class. Classes without rows do not count.
func (p *MultiPredictions) AUC() float64 {
	sum, total := 0.0, 0.0
	for k, scores := range p.Probabilities {
		one := &Predictions{Scores: scores, Targets: make([]float64, len(scores)), Weights: p.Weights}
		weight := 0.0
		for i, y := range p.Targets {
			one.Targets[i] = -1
			if int(y) == k {
				one.Targets[i] = 1
				weight += one.weight(i)
			}
		}
		if weight > 0 {
			sum += float64(weight * AUC.Value(one))
			total += weight
		}
	}
	return sum / total
}

// maxClasses bounds what a file may claim.
const maxClasses = 1 << 16

// Save writes m as text: a model per class.
func (m *MultiModel) Save(w io.Writer) error {
	if len(m.Classes) != len(m.Models) {
		return fmt.Errorf("%w: %d names for %d classes", ErrUnsaved, len(m.Classes), len(m.Models))
	}
	return save(w, func(f *form) { f.multi(m) })
}

// LoadMulti reads a model that MultiModel.Save wrote.
func LoadMulti(r io.Reader) (*MultiModel, error) {
	m := &MultiModel{}
	if err := load(r, func(f *form) { f.multi(m) }); err != nil {
		return nil, err
	}
	classes := m.Classes
	m.Schema, m.Columns = m.Models[0].Schema.clone(), m.Models[0].Columns
	m.Classes = classes
	if err := m.Schema.check(m.Columns); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrFormat, err)
	}
	return m, nil
}

func (f *form) multi(m *MultiModel) {
	n := len(m.Classes)
	f.line("haarlem-boost-multi", exactly("1"))
	f.line("method", (*token)(&m.Method))
	f.line("probabilities", either{&m.Softmax, "softmax", "own"})
	f.line("classes", upTo{&n, maxClasses})
	if f.quotes(&m.Classes, n); n < 2 {
		f.fail("%d classes, want at least two", n)
	}
	items(f, &m.Models, n, func(k int, one **Model) {
		if f.reads() {
			*one = &Model{}
		}
		if f.model(*one); f.ok() {
			if err := m.Models[0].Schema.differs(m.Models[0].Columns, &(*one).Schema, (*one).Columns); err != nil {
				f.fail("the models of two classes are of different columns: %v", err)
			}
		}
	})
}
