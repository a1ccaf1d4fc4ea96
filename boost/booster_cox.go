package boost

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
)

// Cox learns proportional hazards: a target is the time of an event, or, if it is
// negative, minus the time until which there was none. Steps are those of [Newton] on
// the partial likelihood, events of the same time as in Breslow's method. The score is
// the logarithm of the hazard, relative to others; its mean is the hazard. Targets are
// XGBoost's, and so are gradients where no two times are equal; curvatures leave out
// what rows have in common, as there.
//
// Cox, Regression models and life-tables, Journal of the Royal Statistical Society 34
// (1972); Breslow, Covariance analysis of censored survival data, Biometrics 30 (1974).
type Cox struct {
	Newton // how steps are made; it has no Loss
}

// Name returns "cox".
func (*Cox) Name() string { return "cox" }

func (*Cox) defaultMetric(*state) Metric { return CoxLoss }

func (b *Cox) begin(st *state) error {
	if st.problem.Data.Targets == nil {
		return fmt.Errorf("%w: Cox learns from Targets", ErrSettings)
	}
	for i, y := range st.Labels {
		if y == 0 || y-y != 0 {
			return fmt.Errorf("%w: target %v of row %d, want the time of an event, or minus the time without one", ErrData, y, i)
		}
	}
	err := b.beginAt(st, 0, LogLink)
	st.Memory = append(st.Memory, byTime(st.Labels)...)
	return err
}

// byTime returns the rows in the order of time.
func byTime(targets []float64) []float64 {
	order := make([]float64, len(targets))
	for i := range order {
		order[i] = float64(i)
	}
	slices.SortStableFunc(order, func(a, b float64) int {
		return cmp.Compare(math.Abs(targets[int(a)]), math.Abs(targets[int(b)]))
	})
	return order
}

func (b *Cox) advance(ctx context.Context, st *state) (Status, error) {
	slope, curve := make([]float64, len(st.Labels)), make([]float64, len(st.Labels))
	coxSlopes(&Predictions{Targets: st.Labels, Scores: st.Scores, Weights: st.Base}, st.Memory[1:], slope, curve)
	return b.Newton.step(ctx, st, nil, given(slope, curve), nil)
}

// coxSlopes sets gradients and curvatures, if not nil, of the rows in the order of time,
// and returns the loss of the events and their weight.
func coxSlopes(p *Predictions, order, slope, curve []float64) (loss, events float64) {
	n, top := len(order), slices.Max(p.Scores) // hazards are relative to the largest
	hazard, risk := make([]float64, n), make([]float64, n+1)
	for k := n - 1; k >= 0; k-- {
		i := int(order[k])
		hazard[i] = exp(p.Scores[i] - top)
		risk[k] = risk[k+1] + float64(p.weight(i)*hazard[i])
	}
	rate, square := 0.0, 0.0 // sums over the events so far
	for from, to := 0, 0; from < n; {
		for ; to < n && math.Abs(p.Targets[int(order[to])]) == math.Abs(p.Targets[int(order[from])]); to++ {
			i, left := int(order[to]), risk[from]
			if w := p.weight(i); p.Targets[i] > 0 && w > 0 {
				loss += float64(w * (log(left) + top - p.Scores[i]))
				events += w
				rate += w / left
				square += w / float64(left*left)
			}
		}
		for ; from < to; from++ {
			if i := int(order[from]); slope != nil {
				slope[i] = float64(hazard[i] * rate)
				curve[i] = max(0, slope[i]-float64(float64(hazard[i]*hazard[i])*float64(square*p.weight(i))))
				if p.Targets[i] > 0 {
					slope[i]--
				}
			}
		}
	}
	return loss, events
}

// CoxLoss is the mean over the events of minus the logarithm of the partial
// likelihood, and Concordance the share of pairs of rows whose order in time is known in
// which the earlier event has the higher score; ties of scores count half. Targets are
// those of [Cox].
var (
	CoxLoss = Metric{Name: "cox", Value: func(p *Predictions) float64 {
		loss, events := coxSlopes(p, byTime(p.Targets), nil, nil)
		return loss / events
	}}
	Concordance = Metric{Name: "concordance", Higher: true, Value: concordance}
)

func concordance(p *Predictions) float64 {
	order, ranked := byTime(p.Targets), slices.Clone(p.Scores)
	slices.Sort(ranked)
	ranked = slices.Compact(ranked)
	tree := make([]float64, len(ranked)+1) // Fenwick's, of weights by rank
	below := func(rank int) (sum float64) {
		for ; rank > 0; rank &= rank - 1 {
			sum += tree[rank]
		}
		return sum
	}
	right, pairs, total := 0.0, 0.0, 0.0
	waiting := len(order) // rows from there on are in the tree
	for k := len(order) - 1; k >= 0; k-- {
		i := int(order[k])
		time := math.Abs(p.Targets[i])
		for ; waiting > 0 && math.Abs(p.Targets[int(order[waiting-1])]) > time; waiting-- {
			j := int(order[waiting-1])
			total += p.weight(j)
			rank, _ := slices.BinarySearch(ranked, p.Scores[j])
			for rank++; rank < len(tree); rank += rank & -rank {
				tree[rank] += p.weight(j)
			}
		}
		if p.Targets[i] > 0 {
			rank, _ := slices.BinarySearch(ranked, p.Scores[i])
			w := p.weight(i)
			pairs += float64(w * total)
			right += float64(w * (below(rank) + below(rank+1)) / 2)
		}
	}
	return right / pairs
}
