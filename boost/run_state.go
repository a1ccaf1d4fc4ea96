package boost

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"haarlem/internal/numeric"
)

// A state is the state of a run. A [Booster] reads and changes it.
type state struct {
	// Labels are the classes of the rows, -1 and +1, as numbers, or the targets
	// of a regression.
	Labels []float64

	// Base is the base weight of each row: the data's weights after Prior and
	// Cost. It sums to 1.
	Base []float64

	// Weights are the booster's weights, which sum to 1; those of Newton and Cyclic are
	// curvatures of the loss. A run starts with a copy of Base.
	Weights []float64

	// Scores are the model's scores of the rows.
	Scores []float64

	// Memory is the booster's own state.
	Memory []float64

	// Model is the model so far.
	Model *Model

	// Rounds is the number of completed rounds.
	Rounds int

	// Edge and Z are the booster's results of the round; see [Round].
	Edge, Z float64

	// Out are the outputs for the rows of the last weak learner from Find.
	Out []float64

	problem  *Problem
	settings Settings
	search   searcher
	loss     float64 // mean loss at the start: where the bound starts
	metric   *Metric // of a regression
	scratch  []float64
	targets  []float64
	groups   [][]int // the rows of each group, for rankings

	rewrote   bool // the round changed old terms
	restarted bool // the round dropped all terms that there were
	whole     bool // this round does without trimming
}

// Find finds the best weak learner for st.Weights, and puts its outputs into
// st.Out. The query's Weights are filled in, and Targets, if nil, are the
// labels; Rows, Columns and Seed are filled in from the settings. It returns
// nil if there is none.
func (st *state) Find(ctx context.Context, q query) (Weak, error) {
	if q.Weights == nil {
		q.Weights = st.Weights
	}
	if q.Targets == nil {
		q.Targets = st.Labels
	}
	q.Seed = st.lot(0)
	if st.settings.ColumnShare < 1 && q.Columns == nil {
		q.Columns = st.drawColumns()
	}
	if st.settings.Trim > 0 && q.Rows == nil && !st.whole {
		q.Rows = st.trim(q.Weights, st.settings.Trim)
	}
	if st.settings.RowShare < 1 {
		q.Rows = st.drawRows(q.Rows)
	}
	w, err := st.search.Find(ctx, &q)
	if err != nil || w == nil {
		return nil, err
	}
	return w, st.Outputs(w, st.Out)
}

// Outputs sets out to the values of w for the rows.
func (st *state) Outputs(w Weak, out []float64) error {
	if err := st.search.Outputs(w, out); err != nil {
		return err
	}
	if t, ok := w.(*Tree); ok && !slices.ContainsFunc(t.Leaves, math.IsNaN) {
		return nil
	}
	for i, h := range out {
		if h != h {
			return fmt.Errorf("boost: weak learner says NaN for row %d", i)
		}
	}
	return nil
}

// Append adds w, whose outputs are in st.Out, to the model, with the
// coefficient coef times the settings' shrinkage, and updates the scores. It
// returns the coefficient of the term.
func (st *state) Append(w Weak, coef float64) float64 {
	coef *= st.settings.Shrinkage
	st.Model.Terms = append(st.Model.Terms, Term{coef, w})
	inParts(st.settings.Workers, len(st.Scores), func(_, from, to int) {
		scores := st.Scores[from:to]
		for i, h := range st.Out[from:to] {
			scores[i] = st.Model.add(scores[i], coef, h)
		}
	})
	return coef
}

// Rescore recomputes the scores; a booster calls it after changing terms other
// than by Append.
func (st *state) Rescore() error {
	st.rewrote = true
	for i := range st.Scores {
		st.Scores[i] = st.start(i)
	}
	st.scratch = grow(st.scratch, len(st.Scores))
	for _, t := range st.Model.Terms {
		if err := st.Outputs(t.Weak, st.scratch); err != nil {
			return err
		}
		for i, h := range st.scratch {
			st.Scores[i] = st.Model.add(st.Scores[i], t.Coef, h)
		}
	}
	return nil
}

// restart removes all terms: weights, scores and bound are the initial ones.
func (st *state) restart() error {
	st.Model.Terms = nil
	st.restarted, st.Z = true, 1
	if err := st.Rescore(); err != nil {
		return err
	}
	copy(st.Weights, st.Base)
	if st.problem.Scores != nil {
		st.reweigh()
	}
	return nil
}

// start returns the initial score of row i.
func (st *state) start(i int) float64 {
	s := st.Model.Bias
	if st.problem.Scores != nil {
		s += st.problem.Scores[i]
	}
	return s
}

// Rand returns a random source for this round; streams are independent. It
// depends only on the seed, the round and the stream, so that a resumed run
// draws the same.
func (st *state) Rand(stream uint64) *rand.Rand {
	return rand.New(rand.NewPCG(st.lot(stream), st.settings.Seed))
}

func (st *state) lot(stream uint64) uint64 {
	return uint64(st.Rounds+1)*0x9e3779b97f4a7c15 ^ (stream+1)*0xd1342543de82ef95
}

// drawColumns samples the round's columns, in ascending order.
func (st *state) drawColumns() []int32 {
	return st.choose(nil, st.Model.Columns, st.settings.ColumnShare, 1)
}

// drawRows samples a fraction of the listed rows, nil meaning all with weight, in
// ascending order.
func (st *state) drawRows(from []int32) []int32 {
	if from == nil && slices.Contains(st.Base, 0) {
		for i, v := range st.Base {
			if v > 0 {
				from = append(from, int32(i))
			}
		}
	}
	return st.choose(from, listed(from, len(st.Labels)), st.settings.RowShare, 3)
}

// choose samples a share of n numbers, of a list or all below n, and at least one.
func (st *state) choose(from []int32, n int, share float64, stream uint64) []int32 {
	k, r := max(1, int(math.Round(float64(n)*share))), st.Rand(stream)
	drawn := make([]int32, 0, k)
	for j := range n { // selection sampling: all subsets of k are equally likely
		if r.IntN(n-j) < k-len(drawn) {
			drawn = append(drawn, int32(column(from, j)))
		}
	}
	return drawn
}

// trim returns the rows without those of the smallest weights, whose sum is at
// most the given fraction of all. Rows of equal weight are treated alike.
func (st *state) trim(weights []float64, share float64) []int32 {
	sorted := append(st.scratch[:0], weights...)
	st.scratch = sorted
	slices.Sort(sorted)
	total := 0.0
	for _, w := range sorted {
		total += w
	}
	below, sum := 0.0, 0.0
	for _, w := range sorted {
		sum += w
		if sum > share*total {
			below = w
			break
		}
	}
	rows := make([]int32, 0, len(weights))
	for i, w := range weights {
		if w >= below && w > 0 {
			rows = append(rows, int32(i))
		}
	}
	return rows
}

// trainError returns the weighted fraction of wrong rows under the initial
// weights.
func (st *state) trainError() float64 {
	if st.metric != nil {
		return st.metric.Value(&Predictions{Targets: st.Labels, Upper: st.problem.Data.Upper, Scores: st.Scores, Weights: st.Base, Groups: st.problem.Data.Groups})
	}
	wrong := 0.0
	for i, s := range st.Scores {
		if (s < 0) != (st.Labels[i] < 0) {
			wrong += st.Base[i]
		}
	}
	return wrong
}

// reweigh sets the weights to Base exp(-y score), normalised: the weights of
// every booster that minimises the exponential loss. It returns the mean loss,
// sum Base exp(-y score).
func (st *state) reweigh() float64 {
	steepest := math.Inf(-1)
	for i, s := range st.Scores {
		if st.Base[i] > 0 {
			steepest = max(steepest, -st.Labels[i]*s)
		}
	}
	sum := 0.0
	for i, s := range st.Scores {
		st.Weights[i] = -st.Labels[i]*s - steepest
	}
	numeric.ExpAll(st.Weights)
	for i, w := range st.Weights {
		w = float64(st.Base[i] * w)
		st.Weights[i] = w
		sum += w
	}
	if sum < 1e-250 {
		// The relevant rows have weights that underflow beside the others'
		// scores: repeat in logarithms.
		return st.exponents(func(i int) float64 { return -float64(st.Labels[i] * st.Scores[i]) })
	}
	normalise(st.Weights)
	return exp(log(sum) + steepest)
}

// normalise divides w by its sum and returns the sum. A sum of zero, or NaN,
// leaves w unchanged.
func normalise(w []float64) float64 {
	sum := 0.0
	for _, v := range w {
		sum += v
	}
	if sum > 0 && !math.IsInf(sum, 0) {
		for i := range w {
			w[i] /= sum
		}
	}
	return sum
}
