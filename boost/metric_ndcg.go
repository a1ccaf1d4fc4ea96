package boost

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// NDCG is the normalised discounted cumulative gain of the k rows of the highest
// scores of each group: of targets 0, 1 and so on, by the gain 2^target - 1. The mean
// over the groups weighs them by their first row. A group whose targets are all 0
// counts as 1, as in LightGBM and XGBoost.
//
// Järvelin and Kekäläinen, Cumulated gain-based evaluation of IR techniques, TOIS 20
// (2002).
func NDCG(k int) Metric {
	return Metric{Name: fmt.Sprintf("ndcg@%d", k), Higher: true, Value: func(p *Predictions) float64 {
		sum, total := 0.0, 0.0
		for _, rows := range byGroup(p.Groups, len(p.Targets)) {
			w := p.weight(rows[0])
			best, got := gained(p.Targets, p.Targets, rows, k), 1.0
			if best != 0 { // or NaN
				got = gained(p.Targets, p.Scores, rows, k) / best
			}
			sum += float64(w * got)
			total += w
		}
		return sum / total
	}}
}

// byGroup returns the rows of each group; without groups, all n as one.
func byGroup(groups []int, n int) [][]int {
	if groups == nil {
		return [][]int{seq(n)}
	}
	var out [][]int
	at := map[int]int{}
	for i, g := range groups {
		k, ok := at[g]
		if !ok {
			k = len(out)
			at[g], out = k, append(out, nil)
		}
		out[k] = append(out[k], i)
	}
	return out
}

// gained sorts rows by decreasing score, and returns the discounted gain of the first k.
func gained(targets, scores []float64, rows []int, k int) (sum float64) {
	slices.SortFunc(rows, func(a, b int) int { return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(a, b)) })
	for r, i := range rows[:min(k, len(rows))] {
		sum += float64(gain(targets[i]) * discount(r))
	}
	return sum
}

// maxGrade is the largest target of a ranking.
const maxGrade = 31

// gain returns 2^target - 1, NaN of what is no grade.
func gain(target float64) float64 {
	if target != math.Trunc(target) || !(target >= 0 && target <= maxGrade) {
		return math.NaN()
	}
	return math.Ldexp(1, int(target)) - 1
}

// discount is that of a rank, from 0.
func discount(rank int) float64 { return log(2) / log(float64(2+rank)) }
