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

// Compile compiles c. It fails only if ctx ends.
func Compile(ctx context.Context, c *cascade.Cascade, l Layout) (*Program, error) {
	p := &Program{model: c, Cost: c.Work()}
	if err := p.place(ctx, &l); err != nil {
		return nil, err
	}
	p.stumps = p.plainStumps()
	unit, sloppy := unitOf(c)
	p.Certain, p.grain = !sloppy, 1/unit // which is a power of two
	from := 0
	carried, terms := int64(0), 0 // since the last restart
	reset, left := false, false   // left: lanes leave something out
	var sure []int32              // by exit: scores from here on certainly pass it
	ahead := c.Search.ScaleBias != cascade.ScaleBias{}
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
		rest, skips := int64(0), false
		for _, it := range items {
			carried += it.constant
			rest += it.max
			skips = skips || it.skip
		}
		p.Certain, left = p.Certain && !skips, left || skips
		p.carried = carried
		terms += len(items)
		limit := int64(math.Ceil(float64(x.Threshold)*unit)) - carried
		passes := limit
		if sloppy {
			limit -= int64(terms)/2 + 2
			passes += int64(terms)/2 + 2
		}
		if left {
			passes = math.MaxInt32
		}
		sure = append(sure, clamp32(passes))
		if e == 0 {
			if lowest, ok := firstPass(c, unit); sloppy && !skips && ok && !ahead { // whose sums begin with 0
				limit = lowest - carried
				passes = limit
			}
			if passes == limit {
				passes = math.MinInt32
			}
			p.FirstSure = clamp32(passes)
		}
		begin := len(p.Segments)
		if err := p.emit(ctx, items, limit, rest, reset, unit); err != nil {
			return nil, err
		}
		if x.Restart && e < len(c.Exits)-1 && len(p.Segments) == begin+1 && !(e == 0 && ahead) {
			p.Tabulate(begin) // its score is not needed
		}
		p.Ends = append(p.Ends, len(p.Segments))
		if reset = x.Restart; reset {
			carried, terms, left = 0, 0, false
		}
		from = x.After
	}
	p.First = p.Ends[0]
	p.addUp()
	p.sure = p.Program
	p.sure.Segments = slices.Clone(p.Segments)
	for e, end := range p.Ends {
		p.sure.Segments[end-1].Limit = sure[e]
	}
	return p, p.measure(ctx)
}

// firstPass returns the smallest sum of leaves, in fixed point, that passes the first
// exit, if every smaller one is rejected. A threshold is often exactly the score of
// some training sample, so many windows are within rounding of it. With few weak
// classifiers all sums can be checked here.
func firstPass(c *cascade.Cascade, unit float64) (lowest int64, ok bool) {
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
	lowest, upper := int64(math.MaxInt64), int64(math.MinInt64)
	for _, s := range sums {
		if s.exact < float64(x.Threshold) {
			upper = max(upper, s.fixed)
		} else {
			lowest = min(lowest, s.fixed)
		}
	}
	return lowest, upper < lowest && lowest < math.MaxInt64
}

// emit appends the segments of the weak classifiers between two exits. limit is the
// exit's, less constants; rest is the maximum that all of them can add. It fails only if
// ctx ends.
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
				r, source := p.record(it, unit)
				p.Records, p.sources = append(p.Records, r), append(p.sources, source)
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

// runs sorts items into runs of one kind, by worth. It fails only if ctx ends.
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
