package boost

import (
	"context"
	"fmt"
)

// Cyclic fits an additive model: a round makes a Newton step on one column
// after the other, and then on one pair after the other, by a tree of only
// these. Small steps, with a Shrinkage of 0.05 or less, keep one column from
// taking the effect of another. The effect of each column on the score can then
// be drawn as a curve, and that of each pair as a map. Learners are [Trees], of
// few leaves, and [Stumps].
//
// Lou, Caruana and Gehrke, Intelligible models for classification and regression,
// KDD 2012; Lou, Caruana, Gehrke and Hooker, Accurate intelligible models with
// pairwise interactions, KDD 2013.
type Cyclic struct {
	// Newton is how steps are made.
	Newton

	// Pairs are pairs of columns with a joint effect.
	Pairs [][2]int
}

// Name returns "cyclic".
func (*Cyclic) Name() string { return "cyclic" }

func (b *Cyclic) begin(st *state) error {
	for _, p := range b.Pairs {
		for _, j := range p {
			if j < 0 || j >= st.Model.Columns || p[0] == p[1] {
				return fmt.Errorf("%w: pair %v, want two different columns below %d", ErrSettings, p, st.Model.Columns)
			}
		}
	}
	if b.Drop != 0 {
		return fmt.Errorf("%w: Drop %v of Cyclic, want 0", ErrSettings, b.Drop)
	}
	return b.Newton.begin(st)
}

func (b *Cyclic) advance(ctx context.Context, st *state) (Status, error) {
	terms := len(st.Model.Terms)
	scores := append([]float64(nil), st.Scores...)
	memory := len(b.Pairs) + st.Model.Columns
	sets := make([][]int32, 0, memory)
	for j := range st.Model.Columns {
		sets = append(sets, []int32{int32(j)})
	}
	for _, p := range b.Pairs {
		sets = append(sets, []int32{int32(min(p[0], p[1])), int32(max(p[0], p[1]))})
	}
	l := b.loss(st)
	for _, columns := range sets {
		status, err := b.step(ctx, st, columns, st.slopes(l), l)
		if err != nil { // nothing has changed
			st.Model.Terms = st.Model.Terms[:terms]
			copy(st.Scores, scores)
			return Stopped, err
		}
		if status == GoalMet {
			return GoalMet, nil
		}
	}
	if len(st.Model.Terms) == terms && st.settings.RowShare == 1 {
		return NoEdge, nil
	}
	return Going, nil
}
