package cascade

import (
	"cmp"
	"context"
	"math"
	"slices"

	"haarlem/internal/kernel/lanes"
	"haarlem/internal/longsort"
)

// A program is a cascade compiled for one layout: segments of records that
// vector lanes run through, and the exact evaluator that has the last word.
//
// Lanes add leaves in fixed point. Each sum is off by at most half a unit a
// weak learner, and limits lie that much lower than thresholds, so a lane is
// only ever rejected when the exact score is below the threshold. Where leaves
// lie on a grid that the unit divides, nothing is off.
//
// Between two exits the order of weak learners does not matter to such sums.
// They are sorted into runs of one operation, those with the most to say
// first, and behind each run stands a limit of its own: the exit's, less the
// most that the rest can add.
type program struct {
	lanes.Program
	values []compiled
	model  *Cascade
	stumps []stump // of the model, in its order, if lanes can do all it has

	ends      []int // segments up to each exit, in the order in which lanes look at them
	first     int   // segments up to the first exit
	swept     int   // segments that strips are swept through; 0: there is no sweep
	firstSure int32 // a score of this or more surely passes the first exit; MinInt32: all that are alive do

	// certain says that lanes leave nothing to decide: no leaf is rounded and
	// no weak learner left out, so a window that is alive in the end has
	// passed, and its score tells the margin.
	certain bool
	carried int64   // what belongs to the score in the end but is not in lanes
	grain   float64 // of one unit of it

	cost int   // of all weak learners for a window, see scanner.spend
	upTo []int // the same of segments, in lanes, up to each
}

// margin returns how far a score in lanes is above the last exit's threshold,
// if p is certain. Scores are whole numbers of units with less than 31 bits,
// so this is what exact returns, to the bit.
func (p *program) margin(score int32) float64 {
	return float64(float64(int64(score)+p.carried)*p.grain) - float64(p.model.Exits[len(p.model.Exits)-1].Threshold)
}

// start returns a level's score to begin with as lanes have it.
func (p *program) start(l *level) int32 { return int32(math.RoundToEven(l.start / p.grain)) }

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

// compile fails only if ctx ends.
func compile(ctx context.Context, c *Cascade, l layout) (*program, error) {
	p := &program{model: c, cost: c.work()}
	const some = 1 << 10 // weak learners, or features, between two looks at the context
	if c.Kind == LBP {
		for i, cell := range c.Cells {
			if i%some == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			p.values = append(p.values, l.compileCell(cell))
		}
	} else {
		for i := range c.Features {
			if i%some == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			v := l.compileHaar(&c.Features[i])
			v.record.Aux = int32(len(p.Pieces))
			p.Pieces = append(p.Pieces, v.pieces...)
			v.pieces = nil
			p.values = append(p.values, v)
		}
	}
	for i := range p.values {
		if v := &p.values[i]; v.shape == lanes.Wide {
			v.pieces = p.Pieces
		}
	}
	p.stumps = p.plainStumps()
	unit, sloppy := c.unit()
	p.certain, p.grain = !sloppy, 1/unit // which is a power of two
	from := 0
	carried, terms := int64(0), 0 // since the score was last zero
	reset := false
	ahead := c.HeadStart != HeadStart{}
	if ahead {
		terms = 1 // which may be rounded, as a leaf is
	}
	for e, x := range c.Exits {
		var items []item
		for w := from; w < x.After; w++ {
			if w%some == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			items = append(items, p.item(w, unit))
		}
		rest := int64(0)
		for _, it := range items {
			carried += it.constant
			rest += it.max
			p.certain = p.certain && !it.skip
		}
		p.carried = carried
		terms += len(items)
		limit := int64(math.Ceil(float64(x.Threshold)*unit)) - carried
		if sloppy {
			limit -= int64(terms)/2 + 2
		}
		if e == 0 {
			sure := limit
			switch {
			case slices.ContainsFunc(items, func(it item) bool { return it.skip }):
				sure = math.MaxInt32
			case sloppy:
				sure += int64(terms) + 4
				if least, ok := c.firstPass(unit); ok && !ahead { // whose sums begin with 0
					limit = least - carried
					sure = limit
				}
			}
			if sure == limit {
				sure = math.MinInt32
			}
			p.firstSure = clamp32(sure)
		}
		if err := p.emit(ctx, items, limit, rest, reset, unit); err != nil {
			return nil, err
		}
		p.ends = append(p.ends, len(p.Segments))
		if reset = x.Restart; reset {
			carried, terms = 0, 0
		}
		from = x.After
	}
	p.first = p.ends[0]
	p.addUp()
	for i := range p.Records {
		if i%some == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r := &p.Records[i]
		shape, _ := lanes.Parts(p.opOf(i))
		p.Reach = max(p.Reach, reach(r, shape))
	}
	for i := range p.Pieces {
		p.Reach = max(p.Reach, int(p.Pieces[i].Top), int(p.Pieces[i].Bottom))
	}
	return p, nil
}

// addUp sets p.upTo.
func (p *program) addUp() {
	p.upTo = append(p.upTo[:0], 0)
	sum := 0
	for i := range p.Segments {
		s := &p.Segments[i]
		for k := range p.Records[s.First:][:s.N] {
			sum += 2 + int(p.Records[int(s.First)+k].Count) // Count is 0 but for wide ones
		}
		p.upTo = append(p.upTo, sum)
	}
}

// firstPass returns the least sum of leaves, in fixed point, that passes the
// first exit, if every smaller one is rejected. A threshold is often exactly
// the score of some training sample, so many windows come within rounding of
// it; with few weak learners all sums can be looked at beforehand.
func (c *Cascade) firstPass(unit float64) (least int64, ok bool) {
	x := c.Exits[0]
	sums := []struct {
		fixed int64
		exact float64
	}{{}}
	for _, w := range c.Weak[:x.After] {
		if len(sums)*len(w.Leaves) > 1<<12 {
			return 0, false
		}
		n := len(sums)
		for range len(w.Leaves) - 1 {
			sums = append(sums, sums[:n]...)
		}
		for i := range sums {
			v := w.Leaves[i/n]
			sums[i].fixed += fixed(v, unit)
			sums[i].exact += float64(v)
		}
	}
	least, most := int64(math.MaxInt64), int64(math.MinInt64)
	for _, s := range sums {
		if s.exact < float64(x.Threshold) {
			most = max(most, s.fixed)
		} else {
			least = min(least, s.fixed)
		}
	}
	return least, most < least && least < math.MaxInt64
}

// opOf returns the operation of record i.
func (p *program) opOf(i int) int32 {
	j, _ := slices.BinarySearchFunc(p.Segments, int32(i), func(s lanes.Segment, i int32) int {
		switch {
		case s.First+s.N <= i:
			return -1
		case s.First > i:
			return 1
		}
		return 0
	})
	return p.Segments[j].Op
}

// reach returns the furthest element that a record looks at, or more.
func reach(r *lanes.Record, shape lanes.Shape) int {
	switch shape {
	case lanes.Grid:
		return int(slices.Max(r.Off[:4]) + slices.Max(r.Off[4:8]))
	case lanes.Edge:
		return int(r.Off[0] + max(0, r.Off[3]) + max(0, slices.Max(r.Off[1:3])))
	case lanes.Line:
		return int(r.Off[0] + max(0, r.Off[4]) + max(0, slices.Max(r.Off[1:4])))
	case lanes.Check:
		return int(r.Off[0] + max(0, slices.Max(r.Off[3:5])) + max(0, slices.Max(r.Off[1:3])))
	}
	return int(slices.Max(r.Off[:]))
}

func clamp32(v int64) int32 { return int32(min(max(v, math.MinInt32), math.MaxInt32)) }

// unit returns how many fixed-point units make 1, a power of two, and whether
// any leaf is rounded to them.
func (c *Cascade) unit() (unit float64, sloppy bool) {
	// The largest sum that can stand between two restarts. Lanes hold
	// differences of leaves, so twice that.
	largest, sum := 0.0, 0.0
	bits := -126 // the finest power of two that some leaf needs
	if c.HeadStart != (HeadStart{}) {
		sum, bits = c.HeadStart.Most+1, headStartBits
	}
	from := 0
	for _, x := range c.Exits {
		for _, w := range c.Weak[from:x.After] {
			top := 0.0
			for _, v := range w.Leaves {
				top = max(top, math.Abs(float64(v)))
				bits = max(bits, fraction(v))
			}
			sum += top
		}
		from = x.After
		largest = max(largest, sum, math.Abs(float64(x.Threshold)))
		if x.Restart {
			sum = 0
		}
	}
	room := 0 // the finest unit that leaves room for the largest sum
	for room < 24 && math.Ldexp(2*largest, room+1) < 1<<30 {
		room++
	}
	for room > -100 && math.Ldexp(2*largest, room) >= 1<<30 {
		room--
	}
	if bits <= room {
		return math.Ldexp(1, room), false
	}
	return math.Ldexp(1, room), true
}

// fraction returns the smallest n for which v is a multiple of 2^-n.
func fraction(v float32) int {
	if v == 0 {
		return -126
	}
	m, e := math.Frexp(float64(v)) // v = m * 2^e, m has 24 bits
	n := int64(m * (1 << 24))
	return 24 - e - trailingZeros(n)
}

func trailingZeros(n int64) (z int) {
	for n&1 == 0 {
		n >>= 1
		z++
	}
	return z
}

func fixed(v float32, unit float64) int64 { return int64(math.RoundToEven(float64(v) * unit)) }

// item looks at one weak learner.
func (p *program) item(w int, unit float64) item {
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
		switch root := &k.Nodes[0]; k.action(0) {
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

// treeSlots is how many nodes one tree may have in lanes: the root needs no
// slot of its own.
const treeSlots = lanes.Sink

// emit appends the segments of the weak learners between two exits. limit is
// the exit's, less constants; rest is the most that all of them can add. It fails
// only if ctx ends.
func (p *program) emit(ctx context.Context, items []item, limit, rest int64, reset bool, unit float64) error {
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
func (p *program) record(it item, unit float64) lanes.Record {
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
func (p *program) question(n *Node) lanes.Record {
	r := p.values[n.Feature].record
	r.Threshold = n.Threshold
	if p.model.Kind == LBP {
		r.Aux = int32(len(p.Subsets))
		p.Subsets = append(p.Subsets, n.Subset)
	}
	return r
}

// A place is a node of a tree on its way into records.
type place struct {
	weak   int
	node   int32
	slot   uint8 // of the lanes that reach it; 0: all
	action lanes.Action
}

// emitTrees appends a run of trees level by level, so that nodes of one
// operation stand together; all segments but the last are on hold.
func (p *program) emitTrees(run []item, unit float64) {
	for len(run) > 0 {
		var level []place
		slots, n := 0, 0 // roots need none
		for n < len(run) && slots+len(p.model.Weak[run[n].weak].Nodes)-1 < lanes.Sink {
			slots += len(p.model.Weak[run[n].weak].Nodes) - 1
			level = append(level, place{run[n].weak, 0, 0, p.model.Weak[run[n].weak].action(0)})
			n++
		}
		run = run[n:]
		next := uint8(1)
		for len(level) > 0 {
			op := func(q place) int32 {
				return lanes.Op(p.values[p.model.Weak[q.weak].Nodes[q.node].Feature].shape, q.action)
			}
			slices.SortStableFunc(level, func(a, b place) int { return int(op(a) - op(b)) })
			var below []place
			for i, q := range level {
				k := &p.model.Weak[q.weak]
				node := &k.Nodes[q.node]
				r := p.question(node)
				r.Self = q.slot
				child := func(c int32) (leaf int32, slot uint8) {
					if c <= 0 {
						return int32(fixed(k.Leaves[-c], unit)), lanes.Sink
					}
					below = append(below, place{q.weak, c, next, k.action(c)})
					if k.action(c) == lanes.Last {
						// What most of its lanes add, they add here.
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
						p.emitNode(lanes.Op(shape, lanes.RootYes), r, i == 0)
						continue
					}
				case lanes.Last:
					r.Left = left - right
				default:
					r.Left, r.Right, r.YesSlot, r.NoSlot = left, right, yes, no
				}
				p.emitNode(op(q), r, i == 0)
			}
			level = below
		}
	}
	// The limit stands behind the last tree.
	p.Segments[len(p.Segments)-1].Hold = 0
}

// emitNode appends a node to the segment at hand if that does the same, and
// else to a new one.
func (p *program) emitNode(op int32, r lanes.Record, fresh bool) {
	if fresh || p.Segments[len(p.Segments)-1].Op != op {
		p.Segments = append(p.Segments, lanes.Segment{
			First: int32(len(p.Records)), Op: op, Hold: 1, Limit: math.MinInt32})
	}
	p.Records = append(p.Records, r)
	p.Segments[len(p.Segments)-1].N++
}

// negate turns the question of r round, where a shape can: the feature is seen
// from its other side, which changes the value's sign, and x >= t is the same
// as -x < u with u the next number above -t.
func negate(r *lanes.Record, shape lanes.Shape) bool {
	o := &r.Off
	switch shape {
	case lanes.Edge:
		o[0], o[3] = o[0]+o[3], -o[3]
	case lanes.Line:
		o[0], o[4] = o[0]+o[4], -o[4]
	case lanes.Pair:
		o[0], o[1], o[2], o[3] = o[2], o[3], o[0], o[1]
		o[4], o[5], o[6], o[7] = o[6], o[7], o[4], o[5]
	default:
		return false
	}
	r.Threshold = math.Nextafter32(-r.Threshold, float32(math.Inf(1)))
	return true
}

// action returns what lanes do at a node of a tree.
func (w *Weak) action(node int32) lanes.Action {
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

// exact returns the cascade's own answer for the window at t, whose score begins
// at start: whether it passes every exit, and how far the score at the last one
// is above its threshold. Leaves are added in the model's order in float64, as OpenCV does.
func (p *program) exact(t []uint16, inv float32, start float64) (margin float64, pass bool) {
	return p.exactUpTo(t, inv, start, len(p.model.Exits))
}

// A stump is a weak learner with one node as the exact evaluator meets it most.
type stump struct {
	record      lanes.Record
	shape       lanes.Shape
	threshold   float32
	left, right float64
}

// plainStumps returns the model's weak learners as stumps, or nil if it has
// others too.
func (p *program) plainStumps() []stump {
	if p.model.Kind != Haar {
		return nil
	}
	stumps := make([]stump, 0, len(p.model.Weak))
	for i := range p.model.Weak {
		w := &p.model.Weak[i]
		if len(w.Nodes) != 1 || p.values[w.Nodes[0].Feature].general {
			return nil
		}
		n := &w.Nodes[0]
		v := &p.values[n.Feature]
		stumps = append(stumps, stump{v.record, v.shape, n.Threshold,
			float64(w.Leaves[-n.Left]), float64(w.Leaves[-n.Right])})
	}
	return stumps
}

// addStumps adds the leaves of stumps to a score.
func (p *program) addStumps(score float64, stumps []stump, t []uint16, inv float32) float64 {
	for i := range stumps {
		s := &stumps[i]
		if float32(s.record.Value(s.shape, t, p.Pieces))*inv < s.threshold {
			score += s.left
		} else {
			score += s.right
		}
	}
	return score
}

// exactUpTo looks at the first exits only.
func (p *program) exactUpTo(t []uint16, inv float32, start float64, exits int) (margin float64, pass bool) {
	score := start
	from := 0
	for _, x := range p.model.Exits[:exits] {
		if p.stumps != nil {
			score = p.addStumps(score, p.stumps[from:x.After], t, inv)
		} else {
			for w := from; w < x.After; w++ {
				score += float64(p.leaf(&p.model.Weak[w], t, inv))
			}
		}
		from = x.After
		margin = score - float64(x.Threshold)
		if margin < 0 {
			return margin, false
		}
		if x.Restart {
			score = 0
		}
	}
	return margin, true
}

// leaf returns what one weak learner adds for the window at t.
func (p *program) leaf(w *Weak, t []uint16, inv float32) float32 {
	if w.Histogram() {
		v := p.values[w.Feature].float(t, inv)
		return w.Leaves[w.bin(v)]
	}
	c := int32(0)
	for {
		n := &w.Nodes[c]
		var yes bool
		if p.model.Kind == LBP {
			code := p.values[n.Feature].code(t)
			yes = n.Subset[code>>5]>>(code&31)&1 != 0
		} else {
			yes = p.values[n.Feature].float(t, inv) < n.Threshold
		}
		if yes {
			c = n.Left
		} else {
			c = n.Right
		}
		if c <= 0 {
			return w.Leaves[-c]
		}
	}
}

// bin returns the bin that the value v falls into.
func (w *Weak) bin(v float32) int {
	b := float32(v-w.Low) * w.Scale
	top := float32(len(w.Leaves) - 1)
	switch {
	case !(b > 0):
		return 0
	case !(b < top):
		return int(top)
	}
	return int(b)
}
