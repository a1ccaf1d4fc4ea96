package program

import (
	"math"
	"slices"

	"haarlem/internal/kernel/lanes"
)

// A position is a node of a tree that becomes a record.
type position struct {
	weak   int
	node   int32
	slot   uint8 // of the lanes that reach it; 0 means all
	action lanes.Action
}

// emitTrees appends a run of trees level by level, so that nodes of one operation are
// together. All segments but the last hold back the limit.
func (p *Program) emitTrees(run []item, unit float64) {
	for len(run) > 0 {
		var level []position
		slots, n := 0, 0 // roots need none
		for n < len(run) && slots+len(p.model.Weak[run[n].weak].Nodes)-1 < lanes.Sink {
			slots += len(p.model.Weak[run[n].weak].Nodes) - 1
			level = append(level, position{run[n].weak, 0, 0, actionAt(&p.model.Weak[run[n].weak], 0)})
			n++
		}
		run = run[n:]
		next := uint8(1)
		for len(level) > 0 {
			op := func(q position) int32 {
				return lanes.Op(p.values[p.model.Weak[q.weak].Nodes[q.node].Feature].shape, q.action)
			}
			slices.SortStableFunc(level, func(a, b position) int { return int(op(a) - op(b)) })
			var below []position
			for i, q := range level {
				k := &p.model.Weak[q.weak]
				node := &k.Nodes[q.node]
				r := p.question(node)
				r.Self = q.slot
				child := func(c int32) (leaf int32, slot uint8) {
					if c <= 0 {
						return int32(fixed(k.Leaves[-c], unit)), lanes.Sink
					}
					below = append(below, position{q.weak, c, next, actionAt(k, c)})
					if actionAt(k, c) == lanes.Last {
						// Its more frequent leaf is added here.
						leaf = int32(fixed(k.Leaves[-k.Nodes[c].Right], unit))
					}
					next++
					return leaf, next - 1
				}
				left, yes := child(node.Left)
				right, no := child(node.Right)
				switch q.action {
				case lanes.RootYes: // right is left out of the lanes
					r.Left, r.YesSlot = left-right, yes
				case lanes.RootNo: // left is
					r.Left, r.YesSlot = right-left, no
					if shape := p.values[node.Feature].shape; negate(&r, shape) {
						p.emitNode(lanes.Op(shape, lanes.RootYes), r, source{node.Feature, true}, i == 0)
						continue
					}
				case lanes.Last:
					r.Left = left - right
				default:
					r.Left, r.Right, r.YesSlot, r.NoSlot = left, right, yes, no
				}
				p.emitNode(op(q), r, source{feature: node.Feature}, i == 0)
			}
			level = below
		}
	}
	// The limit is checked after the last tree.
	p.Segments[len(p.Segments)-1].Hold = 0
}

// emitNode appends a node to the current segment if it has the same operation, and
// otherwise to a new one.
func (p *Program) emitNode(op int32, r lanes.Record, from source, fresh bool) {
	if fresh || p.Segments[len(p.Segments)-1].Op != op {
		p.Segments = append(p.Segments, lanes.Segment{
			First: int32(len(p.Records)), Op: op, Hold: 1, Limit: math.MinInt32})
	}
	p.Records, p.sources = append(p.Records, r), append(p.sources, from)
	p.Segments[len(p.Segments)-1].N++
}

// negate reverses the test of r where its shape allows: x >= t is the same as -x < u
// with u the next number above -t.
func negate(r *lanes.Record, shape lanes.Shape) bool {
	if !turn(r, shape) {
		return false
	}
	r.Threshold = math.Nextafter32(-r.Threshold, float32(math.Inf(1)))
	return true
}
