package detector

import (
	"context"
	"image"
	"math"
	"runtime"

	"haarlem/cascade"
	"haarlem/integral"
	"haarlem/internal/channels"
	"haarlem/internal/engine"
	"haarlem/internal/par"
)

// A verifier is one of a cascade, compiled.
type verifier struct {
	sides, weight float64
	again         cascade.MultiCrop
	trees         []verifierTree
}

// A verifierTree is a tree of three levels: node i asks before nodes 2i+1 and
// 2i+2, and these before the leaves. A tree with more levels goes on where it
// would end.
type verifierTree struct {
	nodes  [7]verifierNode
	leaves [8]float32
	below  *[8]*verifierTree // what stands in place of leaves, if anything does
}

// A verifierNode goes the second way if the column is below the threshold.
type verifierNode struct{ column, below int32 }

// compile returns nil for no verifier.
func compile(v *cascade.Verifier) *verifier {
	if v == nil {
		return nil
	}
	s := &verifier{sides: v.Sides, weight: v.Weight, again: v.MultiCrop, trees: make([]verifierTree, len(v.Trees))}
	for i := range v.Trees {
		s.trees[i].set(&v.Trees[i], 0)
	}
	return s
}

// set makes t of w from node root on.
func (t *verifierTree) set(w *cascade.Weak, root int32) {
	var put func(at int, child int32)
	put = func(at int, child int32) {
		leaf := at - len(t.nodes)
		switch {
		case leaf >= 0 && child <= 0:
			t.leaves[leaf] = w.Leaves[-child]
		case leaf >= 0:
			if t.below == nil {
				t.below = new([8]*verifierTree)
			}
			t.below[leaf] = new(verifierTree)
			t.below[leaf].set(w, child)
		case child <= 0 && at > 0: // whatever this node asks
			put(2*at+1, child)
			put(2*at+2, child)
		default:
			n := &w.Nodes[child]
			// Columns are integers of less than 24 bits, so this is the
			// comparison as float32 that the model means.
			t.nodes[at] = verifierNode{n.Feature, int32(min(max(math.Ceil(float64(n.Threshold)), math.MinInt32), math.MaxInt32))}
			put(2*at+1, n.Right)
			put(2*at+2, n.Left)
		}
	}
	put(0, root)
}

// score returns what the trees say of the columns of a square.
func (s *verifier) score(columns []int32) float64 {
	sum := 0.0
	for i := range s.trees {
		sum += float64(s.trees[i].leaf(columns))
	}
	return sum
}

// leaf returns the leaf that t comes to.
func (t *verifierTree) leaf(columns []int32) float32 {
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

func (n *verifierNode) way(columns []int32) int {
	if columns[n.column] < n.below {
		return 1
	}
	return 0
}

// A verifying is the memory for looking at finds again.
type verifying struct {
	crew    par.Group
	lookers []*looker
	look    func(ctx context.Context, worker, task int) error // lookAt, as a value

	// What the workers share.
	v     *verifier
	g     integral.Grey
	finds []find
}

// A looker is a worker's memory for second looks.
type looker struct {
	channels.Looker
	ctx context.Context
	g   *integral.Grey
}

// verify adds to the margins of finds what a second look of v at them in g says. It
// is shared by so many goroutines; 0 means GOMAXPROCS.
func (f *verifying) verify(ctx context.Context, v *verifier, g integral.Grey, finds []find, workers int) error {
	const each = 8 // looks that are worth a goroutine
	if v == nil {
		return ctx.Err()
	}
	if f.look == nil {
		f.look = f.lookAt
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	n := min(workers, (len(finds)+each-1)/each)
	for len(f.lookers) < n {
		f.lookers = append(f.lookers, &looker{g: &f.g})
	}
	f.v, f.g, f.finds = v, g, finds
	err := f.crew.Run(ctx, len(finds), n, f.look)
	f.g, f.finds = integral.Grey{}, nil
	if err == nil {
		err = ctx.Err() // while the last were looked at
	}
	return err
}

// lookAt looks at one of the finds.
func (f *verifying) lookAt(ctx context.Context, worker, task int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	l, p := f.lookers[worker], &f.finds[task]
	l.ctx = ctx
	p.margin = l.look(f.v, p.margin, p.box)
	return nil
}

// look returns what a margin becomes by looking at a box.
func (l *looker) look(s *verifier, margin float64, box image.Rectangle) float64 {
	a := &s.again
	at := func(b image.Rectangle, sides float64) float64 {
		return margin + float64(s.weight*s.score(l.Look(l.g, b, sides)))
	}
	best := at(box, s.sides)
	if !(best > a.Low && best < a.High) {
		return best
	}
	next := math.Inf(-1)
	see := func(m float64) { best, next = max(best, m), max(next, min(best, m)) }
	x, y := engine.Round(float64(a.Shift*float64(box.Dx()))), engine.Round(float64(a.Shift*float64(box.Dy())))
	for _, by := range [...]image.Point{{-x, 0}, {x, 0}, {0, -y}, {0, y}} {
		if l.ctx.Err() != nil {
			return best // which nobody will see
		}
		see(at(box.Add(by), s.sides))
	}
	see(at(box, float64(s.sides*(1+a.Grow))))
	see(at(box, float64(s.sides*(1-a.Grow))))
	return (best + next) / 2
}
