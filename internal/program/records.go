package program

import (
	"math"

	"haarlem/cascade"
	"haarlem/internal/kernel/lanes"
)

// maxRun is the largest number of records between two checks of the limit.
const maxRun = 16

// An item is a weak classifier between two exits, in fixed point.
type item struct {
	weak     int
	op       int32 // of a tree: of its root
	kind     int64 // items of one kind run together: stumps of one operation, or trees
	min, max int64 // smallest and largest sum that lanes add for it
	constant int64 // added to all windows, so left out of the lanes
	skip     bool  // lanes cannot evaluate it, and count its largest leaf
}

// item prepares a weak classifier.
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
		// A root's only leaf is added to all windows, and subtracted from those
		// that go to the other child.
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

// skipped makes a constant of an item that lanes cannot evaluate.
func (it item) skipped() item {
	if it.skip {
		it.constant += it.max
		it.min, it.max = 0, 0
	}
	return it
}

// worth is the influence of a weak classifier for its cost.
func (it item) worth() float64 {
	shape, _ := lanes.Parts(it.op)
	return float64(it.max-it.min) / costs[shape]
}

// record compiles a stump or a histogram.
func (p *Program) record(it item, unit float64) (lanes.Record, source) {
	k := &p.model.Weak[it.weak]
	if k.Histogram() {
		r := p.values[k.Feature].record
		r.Threshold, r.Right = k.Low, int32(math.Float32bits(k.Scale))
		var t [16]int32
		for i := range t {
			t[i] = int32(fixed(k.Leaves[min(i, len(k.Leaves)-1)], unit))
		}
		r.Left = p.AddTable(t)
		return r, source{feature: k.Feature}
	}
	n := &k.Nodes[0]
	r := p.question(n)
	r.Left = int32(fixed(k.Leaves[-n.Left], unit) - fixed(k.Leaves[-n.Right], unit))
	return r, source{feature: n.Feature}
}

// question compiles the test of a node.
func (p *Program) question(n *cascade.Node) lanes.Record {
	r := p.values[n.Feature].record
	r.Threshold = n.Threshold
	if p.model.Kind == cascade.LBP {
		r.Aux = int32(len(p.Subsets))
		p.Subsets = append(p.Subsets, n.Subset)
	}
	return r
}

// actionAt returns the action of lanes at a node of a tree.
func actionAt(w *cascade.Weak, node int32) lanes.Action {
	n := &w.Nodes[node]
	switch {
	case node == 0 && n.Left > 0 && n.Right <= 0:
		return lanes.RootYes
	case node == 0 && n.Left <= 0 && n.Right > 0:
		return lanes.RootNo
	case node > 0 && n.Left <= 0 && n.Right <= 0:
		return lanes.Last
	}
	return lanes.Node
}

// treeSlots is the largest number of nodes of a tree in lanes. The root needs no slot.
const treeSlots = lanes.Sink
