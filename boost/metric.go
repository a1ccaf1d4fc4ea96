package boost

import (
	"cmp"
	"fmt"
	"haarlem/internal/quote"
	"math"
	"math/rand/v2"
	"slices"
)

// A Metric evaluates a model's scores of a table.
type Metric struct {
	Name   string
	Higher bool // higher is better
	Value  func(p *Predictions) float64
}

// better reports whether a value is better than another. NaN never is.
func (m *Metric) better(v, than float64) bool {
	if m.Higher {
		return v > than
	}
	return v < than
}

// Predictions are the input of a metric: scores and targets.
type Predictions struct {
	Targets []float64 // the labels -1 and +1, or numbers
	Upper   []float64 // of the targets, as in Data; nil means none
	Scores  []float64
	Means   []float64 // the probabilities of class +1, or the predicted numbers; NaN without a link
	Weights []float64 // nil means equal weights
	Groups  []int     // of the rows; nil means one group
}

// average returns the weighted mean of f over all rows.
func (p *Predictions) average(f func(i int) float64) float64 {
	sum, total := 0.0, 0.0
	for i := range p.Targets {
		w := p.weight(i)
		if w > 0 {
			sum += float64(w * f(i))
			total += w
		}
	}
	return sum / total
}

func (p *Predictions) weight(i int) float64 { return weightOf(p.Weights, i) }

// weightOf is the weight of a row, nil meaning equal weights.
func weightOf(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// Metrics of two classes.
var (
	// ErrorRate is the weighted fraction of wrong rows. A score of zero is
	// class +1.
	ErrorRate = Metric{Name: "error", Value: func(p *Predictions) float64 {
		return p.average(func(i int) float64 {
			if (p.Scores[i] < 0) != (p.Targets[i] < 0) {
				return 1
			}
			return 0
		})
	}}

	// Accuracy is the weighted fraction of right rows.
	Accuracy = Metric{Name: "accuracy", Higher: true, Value: func(p *Predictions) float64 { return 1 - ErrorRate.Value(p) }}

	// AUC is the area under the ROC curve: the probability that a positive row
	// has a higher score than a negative one, ties counting half. It is NaN if
	// there is only one class.
	AUC = Metric{Name: "auc", Higher: true, Value: auc}

	// AveragePrecision is the area under the precision-recall curve: the mean of
	// the precision at every gain of recall. It is NaN without a positive row.
	AveragePrecision = Metric{Name: "ap", Higher: true, Value: averagePrecision}

	// LogLoss is the mean of -ln of the probability of a row's own class, which
	// is clipped at 1e-15.
	LogLoss = Metric{Name: "logloss", Value: func(p *Predictions) float64 {
		return p.average(func(i int) float64 {
			q := p.Means[i]
			if p.Targets[i] < 0 {
				q = 1 - q
			}
			return -log(max(1e-15, q))
		})
	}}

	// Brier is the mean squared difference of probability and label.
	Brier = Metric{Name: "brier", Value: func(p *Predictions) float64 {
		return p.average(func(i int) float64 {
			d := p.Means[i] - (1+p.Targets[i])/2
			return float64(d * d)
		})
	}}
)

// Metrics of regressions.
var (
	// RMSE is the root of the mean squared error.
	RMSE = Metric{Name: "rmse", Value: func(p *Predictions) float64 {
		return math.Sqrt(p.average(func(i int) float64 { d := p.Means[i] - p.Targets[i]; return float64(d * d) }))
	}}

	// MAE is the mean absolute error.
	MAE = Metric{Name: "mae", Value: func(p *Predictions) float64 {
		return p.average(func(i int) float64 { return math.Abs(p.Means[i] - p.Targets[i]) })
	}}
)

// MeanLoss is the mean of a loss.
func MeanLoss(l Loss) Metric {
	return Metric{Name: l.Name(), Value: func(p *Predictions) float64 {
		return p.average(func(i int) float64 { return l.Value(p.Targets[i], p.Scores[i]) })
	}}
}

// MetricByName returns error, accuracy, auc, ap, logloss, brier, rmse, mae or ndcg@10.
func MetricByName(name string) (Metric, error) {
	all := []Metric{ErrorRate, Accuracy, AUC, AveragePrecision, LogLoss, Brier, RMSE, MAE, NDCG(10)}
	var names []string
	for _, m := range all {
		if m.Name == name {
			return m, nil
		}
		names = append(names, m.Name)
	}
	return Metric{}, fmt.Errorf("%w: no metric is called %q; there are %s", ErrSettings, name, quote.Some(names))
}

// byScore returns the rows by decreasing score.
func (p *Predictions) byScore() []int {
	order := seq(len(p.Scores))
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(p.Scores[b], p.Scores[a]), cmp.Compare(a, b))
	})
	return order
}

// A ROCPoint is the result of a threshold on the score.
type ROCPoint struct {
	Threshold float64 // rows of at least this score are positive
	FalsePositiveRate,
	TruePositiveRate float64
}

// ROC returns the ROC curve, from no positive row to all: a point for each
// distinct score. The threshold of no row is +Inf. Rows must have labels.
func (p *Predictions) ROC() []ROCPoint {
	total, sum := p.byClass(), [2]float64{}
	points := []ROCPoint{{Threshold: math.Inf(1)}}
	if p.Targets == nil {
		return points
	}
	order := p.byScore()
	for k, i := range order {
		sum[class(p.Targets[i])] += p.weight(i)
		if k+1 == len(order) || p.Scores[order[k+1]] != p.Scores[i] {
			points = append(points, ROCPoint{p.Scores[i], sum[0] / total[0], sum[1] / total[1]})
		}
	}
	return points
}

// byClass returns the weights of the classes.
func (p *Predictions) byClass() (total [2]float64) {
	for i, y := range p.Targets {
		total[class(y)] += p.weight(i)
	}
	return total
}

// class returns the index of a label.
func class(y float64) int {
	if y < 0 {
		return 0
	}
	return 1
}

func auc(p *Predictions) float64 {
	area, before := 0.0, ROCPoint{}
	for _, q := range p.ROC() {
		area += float64((q.FalsePositiveRate - before.FalsePositiveRate) * (q.TruePositiveRate + before.TruePositiveRate) / 2)
		before = q
	}
	return area
}

func averagePrecision(p *Predictions) float64 {
	total := p.byClass()
	area, before := 0.0, 0.0
	for _, q := range p.ROC() {
		hits := q.TruePositiveRate * total[1]
		alarms := 0.0
		if total[0] > 0 {
			alarms = q.FalsePositiveRate * total[0]
		}
		if gain := q.TruePositiveRate - before; gain != 0 {
			area += float64(gain * hits / (hits + alarms))
		}
		before = q.TruePositiveRate
	}
	return area
}

// Confusion returns the weights of the rows by their class, and then by the
// predicted one, which is +1 if the score is at least a threshold.
func (p *Predictions) Confusion(threshold float64) [2][2]float64 {
	var out [2][2]float64
	for i, y := range p.Targets {
		out[class(y)][class(p.Scores[i]-threshold)] += p.weight(i)
	}
	return out
}

// BestThreshold returns the threshold on the score whose [Predictions.Confusion]
// has the largest value, the largest of equals, and +Inf for no positive row.
func (p *Predictions) BestThreshold(value func(confusion [2][2]float64) float64) float64 {
	all := p.Confusion(math.Inf(-1))
	best, at := math.Inf(-1), math.Inf(1)
	for _, q := range p.ROC() {
		var c [2][2]float64
		for k, share := range []float64{q.FalsePositiveRate, q.TruePositiveRate} {
			if all[k][1] > 0 {
				c[k][1] = float64(share * all[k][1])
			}
			c[k][0] = all[k][1] - c[k][1]
		}
		if v := value(c); v > best {
			best, at = v, q.Threshold
		}
	}
	return at
}

// F1 returns the harmonic mean of precision and recall of a confusion matrix, 0
// if there is no true positive.
func F1(confusion [2][2]float64) float64 {
	hits := 2 * confusion[1][1]
	if hits == 0 {
		return 0
	}
	return hits / (hits + confusion[0][1] + confusion[1][0])
}

// A CalibrationBin is rows of similar probabilities.
type CalibrationBin struct {
	Rows   int
	Weight float64
	Mean   float64 // of the probabilities
	Share  float64 // fraction of class +1
}

// CalibrationCurve divides the rows into bins of about equally many rows, by
// their probabilities: if these are right, Mean and Share agree. This is the
// reliability diagram.
func (p *Predictions) CalibrationCurve(bins int) []CalibrationBin {
	order := seq(len(p.Means))
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(p.Means[a], p.Means[b]) })
	var out []CalibrationBin
	for b := range bins {
		from, to := b*len(order)/bins, (b+1)*len(order)/bins
		if from == to {
			continue
		}
		c := CalibrationBin{Rows: to - from}
		for _, i := range order[from:to] {
			w := p.weight(i)
			c.Weight += w
			c.Mean += float64(w * p.Means[i])
			if p.Targets[i] > 0 {
				c.Share += w
			}
		}
		c.Mean /= c.Weight
		c.Share /= c.Weight
		out = append(out, c)
	}
	return out
}

// Subset returns the predictions of some rows, which are of these groups.
func (p *Predictions) Subset(rows, groups []int) *Predictions {
	return &Predictions{pick(p.Targets, rows), pick(p.Upper, rows), pick(p.Scores, rows), pick(p.Means, rows), pick(p.Weights, rows), groups}
}

// Sampler returns a function that draws bootstrap samples: rows with replacement, or
// groups of them, and a group for each that was drawn.
func (p *Predictions) Sampler(r *rand.Rand) func() (rows, groups []int) {
	units := byGroup(p.Groups, len(p.Targets))
	if p.Groups == nil {
		units = slices.Collect(slices.Chunk(units[0], 1))
	}
	return func() (rows, groups []int) {
		for g := range units {
			drawn := units[r.IntN(len(units))]
			rows, groups = append(rows, drawn...), append(groups, slices.Repeat([]int{g}, len(drawn))...)
		}
		return rows, groups
	}
}

// Bootstrap returns a confidence interval of a metric: the interval that
// contains the given fraction, such as 0.95, of its values on bootstrap samples
// of the rows, or of the groups.
//
// Efron, Bootstrap methods: another look at the jackknife, Annals of Statistics 7
// (1979); this is the percentile interval.
func (p *Predictions) Bootstrap(m Metric, samples int, share float64, seed uint64) (low, high float64, err error) {
	if samples < 2 || !(share > 0 && share < 1) || len(p.Targets) == 0 {
		return 0, 0, fmt.Errorf("%w: %d samples of %d rows, share %v; want at least 2, some, and a share between 0 and 1", ErrSettings, samples, len(p.Targets), share)
	}
	draw := p.Sampler(rand.New(rand.NewPCG(seed, 0xda942042e4dd58b5)))
	var values []float64
	for range samples {
		if v := m.Value(p.Subset(draw())); v == v { // a sample may have one class only
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return math.NaN(), math.NaN(), nil
	}
	slices.Sort(values)
	at := func(q float64) float64 { return values[min(len(values)-1, int(q*float64(len(values))))] }
	return at((1 - share) / 2), at((1 + share) / 2), nil
}
