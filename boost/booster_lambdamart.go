package boost

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// LambdaMART learns to rank the rows of each group: targets are grades from 0 to 31,
// and steps are those of [Newton] on the logistic loss of pairs of rows, each weighted
// by the [NDCG] that the exchange of the two would change. Only the order of scores
// within a group means anything. Gradients are LightGBM's, normalised per group.
//
// Burges, From RankNet to LambdaRank to LambdaMART: an overview, Microsoft Research
// MSR-TR-2010-82 (2010).
type LambdaMART struct {
	// Newton is how steps are made, and has no Loss. A MinWeight of 0 means 0.001.
	Newton

	// Truncation is the number of rows of the highest scores in a group of which
	// one must be in a pair. 0 means 30.
	Truncation int
}

// Name returns "lambdamart".
func (*LambdaMART) Name() string { return "lambdamart" }

func (*LambdaMART) defaultMetric(*state) Metric { return NDCG(10) }

func (b *LambdaMART) begin(st *state) error {
	switch d := st.problem.Data; {
	case b.Truncation < 0:
		return fmt.Errorf("%w: Truncation %d, want 0 or more", ErrSettings, b.Truncation)
	case d.Targets == nil || d.Groups == nil:
		return fmt.Errorf("%w: LambdaMART learns from Targets and Groups, and there are none", ErrData)
	}
	for i, y := range st.Labels {
		if v := gain(y); v != v {
			return fmt.Errorf("%w: target %v of row %d, want a grade: a whole number from 0 to %d", ErrData, y, i, maxGrade)
		}
	}
	return b.beginAt(st, 0, IdentityLink)
}

func (b *LambdaMART) advance(ctx context.Context, st *state) (Status, error) {
	if st.groups == nil {
		st.groups = byGroup(st.problem.Data.Groups, len(st.Labels))
	}
	n := b.Newton
	n.MinWeight = cmp.Or(n.MinWeight, 0.001)
	slope, curve := make([]float64, len(st.Labels)), make([]float64, len(st.Labels))
	each(st.settings.Workers, len(st.groups), func(k int) { b.pairs(st, st.groups[k], slope, curve) })
	return n.step(ctx, st, nil, given(slope, curve), nil)
}

// pairs sets the gradients and curvatures of the rows of a group.
func (b *LambdaMART) pairs(st *state, rows []int, slope, curve []float64) {
	best := gained(st.Labels, st.Labels, rows, b.truncation())
	gained(st.Labels, st.Scores, rows, 0)
	if best == 0 || len(rows) < 2 {
		return
	}
	ranks := make([]float64, len(rows))
	for r := range ranks {
		ranks[r] = discount(r)
	}
	spread := st.Scores[rows[0]] != st.Scores[rows[len(rows)-1]]
	sum := 0.0
	for r, i := range rows[:min(b.truncation(), len(rows))] {
		for s, j := range rows[r+1:] {
			if st.Labels[i] == st.Labels[j] {
				continue
			}
			high, low := i, j
			if st.Labels[i] < st.Labels[j] {
				high, low = j, i
			}
			apart := st.Scores[high] - st.Scores[low]
			change := (gain(st.Labels[high]) - gain(st.Labels[low])) * (ranks[r] - ranks[r+1+s]) / best
			if spread {
				change /= 0.01 + math.Abs(apart)
			}
			p := 1 / (1 + exp(apart))
			g, h := float64(p*change), float64(float64(p*(1-p))*change)
			slope[high] -= g
			slope[low] += g
			curve[high] += h
			curve[low] += h
			sum += 2 * g
		}
	}
	if sum > 0 {
		factor := log(1+sum) / log(2) / sum
		for _, i := range rows {
			slope[i] *= factor
			curve[i] *= factor
		}
	}
}

func (b *LambdaMART) truncation() int { return cmp.Or(b.Truncation, 30) }
