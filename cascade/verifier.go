package cascade

import (
	"context"
	"errors"
	"fmt"
	"math"

	"haarlem/channels"
	"haarlem/integral"
)

// A Verifier looks again, and closer, at each place where the cascade has found
// something: at a square of the picture around the detection, and at more of it
// than Haar features can see. See package channels. What its trees add up to,
// times Weight, is added to the detection's margin, which may become negative.
// It sees places, not windows, so that it may take its time.
type Verifier struct {
	Sides  float64 // side of the square, in sides of the detection's box
	Weight float64
	Trees  []Weak // nodes ask about the columns of package channels; no histograms
}

// Bounds of every verifier.
const (
	minSides          = 0.5
	maxSides          = 4
	maxVerifierWeight = 1 << 16
)

func (v *Verifier) clone() *Verifier {
	if v == nil {
		return nil
	}
	w := *v
	w.Trees = cloneWeak(v.Trees)
	return &w
}

// check reports what is wrong with v, or nil.
func (v *Verifier) check(seen *marks) error {
	if err := v.checkHead(); err != nil {
		return err
	}
	for i := range v.Trees {
		if err := v.checkTree(i, seen); err != nil {
			return err
		}
	}
	if len(v.Trees) == 0 {
		return errors.New("verifier: no trees")
	}
	return nil
}

func (v *Verifier) checkHead() error {
	if !(v.Sides >= minSides && v.Sides <= maxSides) {
		return fmt.Errorf("verifier: a square of %v sides, want %v to %v", v.Sides, minSides, maxSides)
	}
	if !(v.Weight > 0 && v.Weight <= maxVerifierWeight) {
		return fmt.Errorf("verifier: weight %v, want more than 0 and at most %d", v.Weight, maxVerifierWeight)
	}
	return nil
}

func (v *Verifier) checkTree(i int, seen *marks) error {
	err := errors.New("a histogram, want trees only")
	if !v.Trees[i].Histogram() {
		err = v.Trees[i].check(channelQuestions, seen)
	}
	if err != nil {
		return fmt.Errorf("verifier: tree %d: %w", i, err)
	}
	return nil
}

// mirror returns the verifier that sees in a mirror image what v sees.
func (v *Verifier) mirror() *Verifier {
	m := v.clone()
	if m == nil {
		return nil
	}
	for i := range m.Trees {
		for k := range m.Trees[i].Nodes {
			n := &m.Trees[i].Nodes[k]
			n.Feature = int32(channels.Mirror(int(n.Feature)))
		}
	}
	return m
}

// A second is a verifier compiled: the nodes of all trees in one piece.
type second struct {
	sides, weight float64
	roots         []int32 // of the trees; like children
	nodes         []secondNode
	leaves        []float32
}

// A secondNode goes to next[1] if the column is below the threshold, otherwise
// to next[0]: a node, or a leaf that stands there bit by bit inverted.
type secondNode struct {
	column, below int32
	next          [2]int32
}

func (v *Verifier) compile() *second {
	if v == nil {
		return nil
	}
	s := &second{sides: v.Sides, weight: v.Weight}
	for i := range v.Trees {
		t := &v.Trees[i]
		node, leaf := int32(len(s.nodes)), int32(len(s.leaves))
		to := func(child int32) int32 {
			if child > 0 {
				return node + child
			}
			return ^(leaf - child)
		}
		s.roots = append(s.roots, node)
		for _, n := range t.Nodes {
			// Columns are integers of less than 24 bits, so this is the
			// comparison as float32 that the model means.
			below := int32(min(max(math.Ceil(float64(n.Threshold)), math.MinInt32), math.MaxInt32))
			s.nodes = append(s.nodes, secondNode{n.Feature, below, [2]int32{to(n.Right), to(n.Left)}})
		}
		s.leaves = append(s.leaves, t.Leaves...)
	}
	return s
}

// score returns what the trees say of the columns of a square.
func (s *second) score(columns []int32) float64 {
	sum := 0.0
	for _, at := range s.roots {
		for at >= 0 {
			n := &s.nodes[at]
			// No branch: which way it goes is anybody's guess.
			way := 0
			if columns[n.column] < n.below {
				way = 1
			}
			at = n.next[way]
		}
		sum += float64(s.leaves[^at])
	}
	return sum
}

// A looker is a worker's memory for second looks.
type looker struct {
	channels.Looker
	job *job
	run func()
}

// verify adds to the margins of j.finds what a second look at them in j.g
// says.
func (j *job) verify(ctx context.Context, g integral.Grey) error {
	const each = 8 // looks that are worth a goroutine
	if j.d.second == nil {
		return ctx.Err()
	}
	n := min(j.d.workers(), (len(j.finds)+each-1)/each)
	for len(j.lookers) < n {
		l := &looker{job: j}
		l.run = l.work
		j.lookers = append(j.lookers, l)
	}
	if n > 0 {
		share(j, ctx, g, j.lookers[:n])
	}
	return ctx.Err()
}

func (l *looker) start() { go l.run() }

// work looks at finds until none is left.
func (l *looker) work() {
	j := l.job
	defer j.wg.Done()
	for s := j.d.second; j.ctx.Err() == nil; {
		i := int(j.next.Add(1)) - 1
		if i >= len(j.finds) {
			return
		}
		p := &j.finds[i]
		p.margin += float64(s.weight * s.score(l.Look(&j.g, p.box, s.sides)))
	}
}
