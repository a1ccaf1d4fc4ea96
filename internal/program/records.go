package program

import (
	"cmp"
	"context"
	"math"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/longsort"
)

// maxRun bounds how many records may pass between two looks at the limit.
const maxRun = 16

// item is one weak learner between two exits, in fixed point.
type item struct {
	weak     int
	op       int32 // of a tree: of its root
	kind     int64 // items of one kind run together: stumps of one operation, or trees
	min, max int64 // the least and the most that lanes add for it
	constant int64 // added to all windows, so left out of the lanes
	skip     bool  // not for lanes: taken as its largest leaf
}

// item looks at one weak learner.
func (p *Program) item(w int, unit float64) item {
	k := &p.model.Weak[w]
	it := item{weak: w, min: math.MaxInt64, max: math.MinInt64}
	for _, v := range k.Leaves {
		it.min = min(it.min, fixed(v, unit))
		it.max = max(it.max, fixed(v, unit))
	}
	action := lanes.Node
	switch {
	case k.Histogram():
		action = lanes.Bins
		it.skip = p.values[k.Feature].general
		it.op = lanes.Op(p.values[k.Feature].shape, action)
		it.kind = int64(it.op)
		return it.skipped()
	case len(k.Nodes) == 1:
		action = lanes.Stump
		right := fixed(k.Leaves[-k.Nodes[0].Right], unit)
		it.constant = right
		it.min -= right
		it.max -= right
	case len(k.Nodes) > treeSlots:
		it.skip = true
	default:
		// A root's only leaf goes to all windows, and is taken back from those
		// that go on.
		switch root := &k.Nodes[0]; actionAt(k, 0) {
		case lanes.RootYes:
			it.constant = fixed(k.Leaves[-root.Right], unit)
		case lanes.RootNo:
			it.constant = fixed(k.Leaves[-root.Left], unit)
		}
		it.min -= it.constant
		it.max -= it.constant
	}
	for i := range k.Nodes {
		if p.values[k.Nodes[i].Feature].general {
			it.skip = true
		}
	}
	it.op = lanes.Op(p.values[k.Nodes[0].Feature].shape, action)
	it.kind = int64(it.op)
	if action == lanes.Node {
		it.kind = int64(lanes.Op(0, lanes.Node))
	}
	return it.skipped()
}

// skipped makes a weak learner that lanes cannot do a constant.
func (it item) skipped() item {
	if it.skip {
		it.constant += it.max
		it.min, it.max = 0, 0
	}
	return it
}

// costs are what records of a shape cost in lanes, about.
var costs = [...]float64{lanes.Edge: 3, lanes.Line: 4, lanes.Pair: 4, lanes.Check: 4, lanes.Wide: 8, lanes.Grid: 8}

// worth is how much a weak learner has to say for its cost.
func (it item) worth() float64 {
	shape, _ := lanes.Parts(it.op)
	return float64(it.max-it.min) / costs[shape]
}

// emit appends the segments of the weak learners between two exits. limit is
// the exit's, less constants; rest is the most that all of them can add. It fails
// only if ctx ends.
func (p *Program) emit(ctx context.Context, items []item, limit, rest int64, reset bool, unit float64) error {
	start := len(p.Segments)
	items = slices.DeleteFunc(items, func(it item) bool { return it.skip })
	all, err := runs(ctx, items)
	if err != nil {
		return err
	}
	for _, run := range all {
		for _, it := range run {
			rest -= it.max
		}
		if _, action := lanes.Parts(run[0].op); action == lanes.Node {
			p.emitTrees(run, unit)
		} else {
			first := len(p.Records)
			for _, it := range run {
				p.Records = append(p.Records, p.record(it, unit))
			}
			p.Segments = append(p.Segments, lanes.Segment{First: int32(first), N: int32(len(run)), Op: run[0].op})
		}
		p.Segments[len(p.Segments)-1].Limit = clamp32(limit - rest)
	}
	if len(items) == 0 {
		p.Segments = append(p.Segments, lanes.Segment{First: int32(len(p.Records)), Limit: clamp32(limit)})
	}
	first := &p.Segments[start]
	if reset {
		first.Reset = 1
	} else if shape, action := lanes.Parts(first.Op); action == lanes.Bins && first.N == 1 {
		first.Op = lanes.Op(shape, lanes.Soft)
	}
	return nil
}

// runs sorts items into runs of one kind, the worthiest first. It fails only if ctx
// ends.
func runs(ctx context.Context, items []item) ([][]item, error) {
	if _, err := longsort.Stable(ctx, items, nil, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(b.worth(), a.worth()))
	}); err != nil {
		return nil, err
	}
	var all [][]item
	for len(items) > 0 {
		n := 1
		for n < len(items) && n < maxRun && items[n].kind == items[0].kind {
			n++
		}
		all = append(all, items[:n])
		items = items[n:]
	}
	mean := func(run []item) (t float64) {
		for _, it := range run {
			t += it.worth()
		}
		return t / float64(len(run))
	}
	_, err := longsort.Stable(ctx, all, nil, func(a, b []item) int { return cmp.Compare(mean(b), mean(a)) })
	return all, err
}

// record compiles a stump or a histogram.
func (p *Program) record(it item, unit float64) lanes.Record {
	k := &p.model.Weak[it.weak]
	if k.Histogram() {
		r := p.values[k.Feature].record
		r.Threshold, r.Right = k.Low, int32(math.Float32bits(k.Scale))
		var t [16]int32
		for i := range t {
			t[i] = int32(fixed(k.Leaves[min(i, len(k.Leaves)-1)], unit))
		}
		r.Left = p.AddTable(t)
		return r
	}
	n := &k.Nodes[0]
	r := p.question(n)
	r.Left = int32(fixed(k.Leaves[-n.Left], unit) - fixed(k.Leaves[-n.Right], unit))
	return r
}

// question compiles what a node asks.
func (p *Program) question(n *cascade.Node) lanes.Record {
	r := p.values[n.Feature].record
	r.Threshold = n.Threshold
	if p.model.Kind == cascade.LBP {
		r.Aux = int32(len(p.Subsets))
		p.Subsets = append(p.Subsets, n.Subset)
	}
	return r
}
