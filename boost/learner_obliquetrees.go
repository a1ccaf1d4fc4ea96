package boost

import (
	"cmp"
	"context"
	"fmt"
	"slices"
)

// ObliqueTrees are decision trees whose nodes are found by boosting: in each
// leaf [ULS] learns a vote of the rows there, the cut through its sums that
// lowers the loss most divides them, and the leaf where that gains most is
// split next. So one algorithm makes the nodes and the tree; and as the weak
// learners of the votes may be ObliqueTrees, and the trees boosted, it can make
// every level of a model.
//
// They are for boosters whose targets are labels.
//
// Henry, Nock and Nielsen, Real boosting à la carte with an application to
// boosting oblique decision trees, IJCAI 2007; Nock and Nielsen, Bregman
// divergences and surrogates for learning, PAMI 31 (2009).
type ObliqueTrees struct {
	// Loss is the loss that votes and tree minimise. nil means [LogisticLoss].
	Loss MarginLoss
	// Leaves is the largest number of leaves, from 2. 0 means 4.
	Leaves int
	// Learner makes the weak learners of the votes. nil means [Coordinates]:
	// the nodes are hyperplanes.
	Learner Learner
	// Rounds is the number of terms of a vote. 0 means 5.
	Rounds int
}

// Name returns "obliquetrees".
func (*ObliqueTrees) Name() string { return "obliquetrees" }

func (l *ObliqueTrees) prepare(p *Problem, s *Settings) (searcher, error) {
	f := &obliqueSearch{problem: p, leaves: cmp.Or(l.Leaves, 4), loss: cmp.Or[MarginLoss](l.Loss, LogisticLoss), settings: Settings{Rounds: cmp.Or(l.Rounds, 5), Workers: s.Workers}}
	if f.leaves < 2 || f.leaves > maxLeaves || l.Rounds < 0 || p.Data.Labels == nil {
		return nil, fmt.Errorf("%w: ObliqueTrees learn two classes; Leaves %d, want 2 to %d; Rounds %d, want 0 or more", ErrSettings, l.Leaves, maxLeaves, l.Rounds)
	}
	err := checkShared(f.loss)
	if err == nil {
		f.learner, err = shared(cmp.Or[Learner](l.Learner, Coordinates{}), p, s)
	}
	return f, err
}

type obliqueSearch struct {
	problem  *Problem
	loss     MarginLoss
	leaves   int
	learner  *prepared
	settings Settings
}

// obliqueLeaf is a leaf that may yet be split.
type obliqueLeaf struct {
	rows  []int32
	split *vote // nil if there is none
	sums  []float64
	gain  float64
	up    *int32 // the place of the leaf in its parent
}

func (f *obliqueSearch) Find(ctx context.Context, q *query) (Weak, error) {
	if q.Real || q.Newton != nil {
		return nil, fmt.Errorf("%w: ObliqueTrees need targets that are labels", ErrSettings)
	}
	t := &obliqueTree{Nodes: make([]obliqueNode, 0, min(f.leaves, len(q.Weights)))} // never moved: leaves point into it
	rows := slices.DeleteFunc(slices.Clone(orAll(q.Rows, len(q.Weights))), func(r int32) bool { return !(q.Weights[r] > 0) })
	leaves := []obliqueLeaf{{rows: rows}}
	if err := f.look(ctx, q, &leaves[0]); err != nil {
		return nil, err
	}
	for len(leaves) < f.leaves {
		best := -1
		for k := range leaves {
			if leaves[k].split != nil && (best < 0 || leaves[k].gain > leaves[best].gain) {
				best = k
			}
		}
		if best < 0 {
			break
		}
		l := leaves[best]
		if l.up != nil {
			*l.up = int32(len(t.Nodes))
		}
		t.Nodes = append(t.Nodes, obliqueNode{vote: l.split, Left: int32(-best), Right: int32(-len(leaves))})
		n := &t.Nodes[len(t.Nodes)-1]
		left, right := obliqueLeaf{up: &n.Left}, obliqueLeaf{up: &n.Right}
		for k, r := range l.rows {
			if l.sums[k] < 0 {
				left.rows = append(left.rows, r)
			} else {
				right.rows = append(right.rows, r)
			}
		}
		leaves[best] = left
		leaves = append(leaves, right)
		if len(leaves) == f.leaves {
			break
		}
		for _, k := range []int{best, len(leaves) - 1} {
			if err := f.look(ctx, q, &leaves[k]); err != nil {
				return nil, err
			}
		}
	}
	for k := range leaves {
		t.Leaves = append(t.Leaves, q.Leaf.value(leafSums(q, leaves[k].rows)))
	}
	return t, nil
}

// look finds the split of a leaf.
func (f *obliqueSearch) look(ctx context.Context, q *query, l *obliqueLeaf) error {
	block := shareLoss(phiOf(f.loss))
	t0, t1 := leafSums(q, l.rows)
	if len(l.rows) < 2 || !(t0 > tiny) || t0-t1 <= tiny*t0 || t0+t1 <= tiny*t0 {
		return nil
	}
	m, err := inner(ctx, f.problem, &ULS{Loss: f.loss}, f.learner, &f.settings, q, l.rows)
	if err != nil || len(m.Terms) == 0 {
		return err
	}
	v := &vote{Terms: m.Terms, Bias: m.Bias}
	out := make([]float64, len(q.Weights))
	if err := voteScores(f.learner.search, v, out); err != nil {
		return err
	}
	order := slices.Clone(l.rows)
	slices.SortFunc(order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(out[a], out[b]), cmp.Compare(a, b))
	})
	step := settling(t0) // equally good cuts must be equal: the first wins
	whole := float64(block(t0, t1)+step) - step
	smallest, cut := whole, 0.0
	s0, s1 := 0.0, 0.0
	for k, r := range order[:len(order)-1] {
		s0 += q.Weights[r]
		s1 += float64(q.Weights[r] * q.Targets[r])
		lo, hi := out[r], out[order[k+1]]
		if lo == hi {
			continue
		}
		loss := block(s0, s1) + block(t0-s0, t1-s1)
		if loss = float64(loss+step) - step; loss < smallest {
			smallest, cut = loss, lo/2+hi/2
			if !(cut > lo) {
				cut = hi
			}
		}
	}
	if !(whole-smallest > tiny*t0) {
		return nil
	}
	v.Bias -= cut
	if err := voteScores(f.learner.search, v, out); err != nil {
		return err
	}
	l.sums = make([]float64, len(l.rows))
	left := 0
	for k, r := range l.rows {
		l.sums[k] = out[r]
		if out[r] < 0 {
			left++
		}
	}
	if left > 0 && left < len(l.rows) { // which rounding could undo
		l.split, l.gain = v, whole-smallest
	}
	return nil
}

func (f *obliqueSearch) Outputs(w Weak, out []float64) error {
	t, ok := w.(*obliqueTree)
	if !ok {
		return f.learner.search.Outputs(w, out)
	}
	at := make([]int32, len(out))
	sums := make([]float64, len(out))
	for k := range t.Nodes {
		n := &t.Nodes[k]
		if err := voteScores(f.learner.search, n.vote, sums); err != nil {
			return err
		}
		for i := range at {
			if k == 0 || at[i] == int32(k) { // at the root 0 means the root, later a leaf
				at[i] = n.child(sums[i])
			}
		}
	}
	for i, c := range at {
		out[i] = t.Leaves[-c]
	}
	return nil
}
