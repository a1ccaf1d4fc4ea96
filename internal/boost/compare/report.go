package compare

import (
	"math"
	"slices"

	"haarlem/internal/boost/margins"
)

// Report is the result of an experiment.
type Report struct {
	Tables  []TableInfo
	Methods []string

	// Rounds are the numbers of rounds after which the error was measured.
	Rounds []int

	// Folds, Repeats, TrainRows and Seed are the experiment's. Where TrainRows
	// is above 0, Folds and Repeats are 0.
	Folds, Repeats, TrainRows int
	Seed                      uint64

	// Numbers says that errors are roots of mean squared errors.
	Numbers bool `json:",omitempty"`

	// Cells holds the results of each method on each table:
	// Cells[table][method].
	Cells [][]Cell

	// MarginRounds are the numbers of rounds after which margins were kept.
	MarginRounds []int `json:",omitempty"`
}

// TableInfo describes a table.
type TableInfo struct {
	Name                     string
	Rows, Positives, Columns int
}

// Cell is one method on one table.
type Cell struct {
	// At holds the measurements, by the report's Rounds.
	At []Measurement

	// RoundsMade is the mean number of rounds of the runs.
	RoundsMade float64

	// TrainCurve and TestCurve are the mean errors over the splits after round
	// 1, 2, and so on; nil without Curves. A run that ended early keeps its
	// last error.
	TrainCurve, TestCurve []float64 `json:",omitempty"`

	// SmallestMargin and HalfMargin are the smallest training margin and the
	// share of the training margins of at most 0.5, by the report's
	// MarginRounds.
	SmallestMargin, HalfMargin []float64 `json:",omitempty"`

	// TrainMargins and TestMargins hold the margins of all rows of all splits,
	// sorted, by the report's MarginRounds. They are left out of JSON for
	// their size.
	TrainMargins, TestMargins [][]float64 `json:"-"`
}

// Measurement is the error after some number of rounds.
type Measurement struct {
	// Errors are the test errors, one per split: fold after fold, repeat after
	// repeat.
	Errors []float64

	// Mean and Deviation are those of Errors. Deviation is that of a sample
	// (divided by n-1), and 0 where there is one split only.
	Mean, Deviation float64

	// Train is the mean training error.
	Train float64

	// Seconds is the mean time of a run so far, on one core.
	Seconds float64
}

func (e *Experiment) report(jobs []job, outcomes []*outcome) *Report {
	r := &Report{
		Rounds: e.Rounds, TrainRows: e.TrainRows, Seed: e.Seed,
		MarginRounds: e.Margins, Numbers: kindOf(e.Tables[0].Data) == "numbers", Cells: make([][]Cell, len(e.Tables)),
	}
	if e.TrainRows == 0 {
		r.Folds, r.Repeats = e.Folds, e.Repeats
	}
	for _, m := range e.Methods {
		r.Methods = append(r.Methods, m.Name)
	}
	of := make(map[[2]int][]*outcome)
	for i, j := range jobs {
		key := [2]int{j.table, j.method}
		of[key] = append(of[key], outcomes[i]) // in the order of the splits
	}
	last := e.Rounds[len(e.Rounds)-1]
	for t, table := range e.Tables {
		r.Tables = append(r.Tables, tableInfo(table))
		r.Cells[t] = make([]Cell, len(e.Methods))
		for m := range e.Methods {
			r.Cells[t][m] = newCell(of[[2]int{t, m}], last)
		}
	}
	return r
}

func tableInfo(t Table) TableInfo {
	info := TableInfo{Name: t.Name, Rows: t.Rows(), Columns: len(t.Columns)}
	for _, y := range t.Labels {
		if y > 0 {
			info.Positives++
		}
	}
	return info
}

func newCell(runs []*outcome, lastRound int) Cell {
	var c Cell
	n := float64(len(runs))
	c.At = make([]Measurement, len(runs[0].test))
	for i := range c.At {
		at := &c.At[i]
		for _, o := range runs {
			at.Errors = append(at.Errors, o.test[i])
			at.Train += o.train[i] / n
			at.Seconds += o.seconds[i] / n
		}
		at.Mean, at.Deviation = MeanAndDeviation(at.Errors)
	}
	for _, o := range runs {
		c.RoundsMade += float64(o.rounds) / n
	}
	if runs[0].curveTest != nil {
		c.TrainCurve, c.TestCurve = make([]float64, lastRound), make([]float64, lastRound)
		for _, o := range runs {
			addCurve(c.TrainCurve, o.curveTrain, n)
			addCurve(c.TestCurve, o.curveTest, n)
		}
	}
	for i := range runs[0].marginsTest {
		var train, test []float64
		for _, o := range runs {
			train = append(train, o.marginsTrain[i]...)
			test = append(test, o.marginsTest[i]...)
		}
		slices.Sort(train)
		slices.Sort(test)
		c.SmallestMargin = append(c.SmallestMargin, train[0])
		c.HalfMargin = append(c.HalfMargin, margins.Cumulative(train, []float64{0.5})[0])
		c.TrainMargins = append(c.TrainMargins, train)
		c.TestMargins = append(c.TestMargins, test)
	}
	return c
}

// MeanAndDeviation returns the mean, and the deviation of a sample: 0 for a
// single number.
func MeanAndDeviation(v []float64) (mean, deviation float64) {
	n := float64(len(v))
	for _, x := range v {
		mean += x / n
	}
	if len(v) < 2 {
		return mean, 0
	}
	for _, x := range v {
		deviation += float64((x - mean) * (x - mean))
	}
	return mean, math.Sqrt(deviation / (n - 1))
}

// addCurve adds a run's curve, extended to the length of sum, to sum.
func addCurve(sum, curve []float64, n float64) {
	for i := range sum {
		sum[i] += curve[min(i, len(curve)-1)] / n
	}
}

// Ranks summarises a method over all tables.
type Ranks struct {
	Method string

	// Best, Second and Worst count the tables on which the method had the
	// smallest error, had one smaller than it, and had the largest. Methods
	// that tie share a rank, and the next rank stays empty: two that are best
	// leave no second. If all tie, all are best and none is worst.
	Best, Second, Worst int

	// Mean is the mean rank, from 1; ties have the mean of their ranks.
	Mean float64

	// Error is the mean error over all tables, and Seconds the mean time of a
	// run.
	Error, Seconds float64
}

// tie is the largest difference of equal mean errors. Means of the same errors
// in another order differ by less, and means that differ by one row in ten
// million by more.
const tie = 1e-12

// Ranks returns each method's ranks after Rounds[at] rounds.
func (r *Report) Ranks(at int) []Ranks {
	ranks := make([]Ranks, len(r.Methods))
	for m := range ranks {
		ranks[m].Method = r.Methods[m]
	}
	n := float64(len(r.Cells))
	for _, row := range r.Cells {
		worst := math.Inf(-1)
		best := math.Inf(1)
		for _, c := range row {
			worst = max(worst, c.At[at].Mean)
			best = min(best, c.At[at].Mean)
		}
		for m, c := range row {
			mean := c.At[at].Mean
			smaller, equal := 0, 0
			for _, other := range row {
				switch d := other.At[at].Mean - mean; {
				case d < -tie:
					smaller++
				case d <= tie:
					equal++
				}
			}
			if smaller == 0 {
				ranks[m].Best++
			}
			if smaller == 1 {
				ranks[m].Second++
			}
			if worst-mean <= tie && worst-best > tie {
				ranks[m].Worst++
			}
			ranks[m].Mean += (float64(smaller) + float64(equal+1)/2) / n
			ranks[m].Error += mean / n
			ranks[m].Seconds += c.At[at].Seconds / n
		}
	}
	return ranks
}
