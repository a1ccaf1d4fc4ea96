package cascade

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"

	"haarlem/integral"
	"haarlem/internal/channels"
)

// A Verifier looks again, and closer, at each place where the cascade has found
// something: at a square of the picture around the detection, and at more of it
// than Haar features can see. See package channels. What its trees add up to,
// times Weight, is added to the detection's margin, which may become negative.
// It sees places, not windows, so that it may take its time.
type Verifier struct {
	Sides  float64 // side of the square, in sides of the detection's box
	Weight float64
	Again  Again
	Trees  []Weak // nodes ask about the columns of package channels; no histograms
}

// Again says which places a verifier looks at more than once: those about which
// it is in doubt. A place whose margin is more than Low after the look, and less
// than High, is looked at in six more squares: to the left and right, above and
// below, by Shift of the box's size, rounded to whole pixels, and with squares
// that are larger and smaller by a share of Grow. Of what the seven make of the
// margin the mean of the best two counts. Boxes stay where they are. Zero means
// nowhere.
type Again struct {
	Low, High   float64 // High is larger
	Shift, Grow float64 // 0 to 0.5
}

// Bounds of every verifier.
const (
	minSides          = 0.5
	maxSides          = 4
	maxVerifierWeight = 1 << 16
	maxAgain          = 0.5
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
	if a := v.Again; a != (Again{}) {
		if !(a.Low < a.High && isFinite(a.Low) && isFinite(a.High)) {
			return fmt.Errorf("verifier: again between margins of %v and %v, want finite numbers, the larger behind", a.Low, a.High)
		}
		if !(a.Shift >= 0 && a.Shift <= maxAgain && a.Grow >= 0 && a.Grow <= maxAgain) {
			return fmt.Errorf("verifier: again %v of a side away and %v larger or smaller, want 0 to %v", a.Shift, a.Grow, maxAgain)
		}
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

// A second is a verifier compiled.
type second struct {
	sides, weight float64
	again         Again
	trees         []secondTree
}

// A secondTree is a tree of three levels: node i asks before nodes 2i+1 and
// 2i+2, and these before the leaves. A tree with more levels goes on where it
// would end.
type secondTree struct {
	nodes  [7]secondNode
	leaves [8]float32
	below  *[8]*secondTree // what stands in place of leaves, if anything does
}

// A secondNode goes the second way if the column is below the threshold.
type secondNode struct{ column, below int32 }

func (v *Verifier) compile() *second {
	if v == nil {
		return nil
	}
	s := &second{sides: v.Sides, weight: v.Weight, again: v.Again, trees: make([]secondTree, len(v.Trees))}
	for i := range v.Trees {
		s.trees[i].set(&v.Trees[i], 0)
	}
	return s
}

// set makes t of w from node root on.
func (t *secondTree) set(w *Weak, root int32) {
	var put func(at int, child int32)
	put = func(at int, child int32) {
		leaf := at - len(t.nodes)
		switch {
		case leaf >= 0 && child <= 0:
			t.leaves[leaf] = w.Leaves[-child]
		case leaf >= 0:
			if t.below == nil {
				t.below = new([8]*secondTree)
			}
			t.below[leaf] = new(secondTree)
			t.below[leaf].set(w, child)
		case child <= 0 && at > 0: // whatever this node asks
			put(2*at+1, child)
			put(2*at+2, child)
		default:
			n := &w.Nodes[child]
			// Columns are integers of less than 24 bits, so this is the
			// comparison as float32 that the model means.
			t.nodes[at] = secondNode{n.Feature, int32(min(max(math.Ceil(float64(n.Threshold)), math.MinInt32), math.MaxInt32))}
			put(2*at+1, n.Right)
			put(2*at+2, n.Left)
		}
	}
	put(0, root)
}

// score returns what the trees say of the columns of a square.
func (s *second) score(columns []int32) float64 {
	sum := 0.0
	for i := range s.trees {
		sum += float64(s.trees[i].leaf(columns))
	}
	return sum
}

// leaf returns the leaf that t comes to.
func (t *secondTree) leaf(columns []int32) float32 {
	for {
		// No branches: which way it goes is anybody's guess.
		a := t.nodes[0].way(columns)
		b := 2*a + t.nodes[1+a].way(columns)
		c := 2*b + t.nodes[3+b].way(columns)
		if t.below == nil || t.below[c] == nil {
			return t.leaves[c]
		}
		t = t.below[c]
	}
}

func (n *secondNode) way(columns []int32) int {
	if columns[n.column] < n.below {
		return 1
	}
	return 0
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
		j.share(ctx, g, n, func(k int) func() { return j.lookers[k].run })
	}
	return ctx.Err()
}

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
		p.margin = l.look(s, p.margin, p.box)
	}
}

// look returns what a margin becomes by looking at a box.
func (l *looker) look(s *second, margin float64, box image.Rectangle) float64 {
	a := &s.again
	at := func(b image.Rectangle, sides float64) float64 {
		return margin + float64(s.weight*s.score(l.Look(&l.job.g, b, sides)))
	}
	best := at(box, s.sides)
	if !(best > a.Low && best < a.High) {
		return best
	}
	next := math.Inf(-1)
	see := func(m float64) { best, next = max(best, m), max(next, min(best, m)) }
	x, y := round(float64(a.Shift*float64(box.Dx()))), round(float64(a.Shift*float64(box.Dy())))
	for _, by := range [...]image.Point{{-x, 0}, {x, 0}, {0, -y}, {0, y}} {
		if l.job.ctx.Err() != nil {
			return best // which nobody will see
		}
		see(at(box.Add(by), s.sides))
	}
	see(at(box, float64(s.sides*(1+a.Grow))))
	see(at(box, float64(s.sides*(1-a.Grow))))
	return (best + next) / 2
}
