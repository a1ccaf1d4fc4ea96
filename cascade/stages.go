package cascade

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"haarlem/integral"
	"haarlem/internal/kernel/lanes"
)

// Classical stages stand in the order in which they were trained, and each was
// trained on what the ones before it let pass. For all windows that get so far
// a later stage is often the better question: it rejects nine of ten where the
// next one rejects half, for twice the work. A window has to pass all stages,
// so their order is free, and lanes go through them in one that takes fewer
// steps: a tenth to a quarter fewer on OpenCV's cascades.

// orderWindows is how many windows a picture must have to be worth an order, which
// takes as long to find as some hundred thousand windows take to be searched.
const orderWindows = 1 << 18

// stageOrder returns the order in which lanes look at the exits, from what the
// stages do to the windows of a drawn picture, or nil for the model's own. The
// first stage stays first, since OpenCV's way to leave out windows asks for
// it, and the last one last, since its score is the window's. It fails only if ctx ends.
func (d *Detector) stageOrder(ctx context.Context) ([]int, error) {
	exits := d.c.Exits
	for _, x := range exits {
		if !x.Restart {
			return nil, nil
		}
	}
	if d.solo || len(exits) < 4 || len(exits) > 64 || len(d.c.Weak) > 1<<14 {
		return nil, nil // looking for an order would cost more than it saves
	}
	sampler := &Detector{c: d.c, o: Options{Scale: 1.5, Stride: 1, Workers: 1}, rule: WindowsAll, gate: d.gate}
	g, err := heap(ctx, d.c.Width+264, d.c.Height+192)
	if err != nil {
		return nil, err
	}
	plan, err := sampler.newPlan(ctx, g.Width, g.Height)
	if err != nil {
		return nil, err
	}
	s := sampler.newScanner(plan)
	var o ordering
	s.look = func(b *band, from, to int) {
		for y := from; y < to; y += 6 {
			for x := 0; x+stripWidth <= b.nx && s.err == nil; x += stripWidth {
				o.sample(s, b, y-from, x, ((y*b.step)-b.top)*b.lay.stride+x)
			}
		}
	}
	if err := s.halves.make(ctx, &g, plan.halved); err != nil {
		return nil, err
	}
	for _, u := range plan.units {
		if err := s.do(ctx, &g, u); err != nil {
			return nil, err
		}
	}
	return o.greedy(plan.programs[0]), ctx.Err()
}

// An ordering collects what becomes of groups of windows.
type ordering struct {
	first  []uint16   // for each group: the windows that pass the first stage
	passed [][]uint16 // for each stage and group: those of them that pass it
	asked  []lanes.Group
}

// sample adds a strip of windows, row r of the band.
func (o *ordering) sample(s *scanner, b *band, r, x, at int) {
	i := r*s.plan.perRow + x
	in := ^uint64(0)
	if s.d.c.Kind == Haar {
		in = s.pass[i/64]
	}
	p := b.prog
	groups := s.group(b, in)
	s.lanes(p, groups, 0, p.first, s.tab, at, s.inv[i:])
	if o.passed == nil {
		o.passed = make([][]uint16, len(p.ends))
	}
	left := slices.DeleteFunc(groups, func(g lanes.Group) bool { return g.Alive == 0 })
	for _, g := range left {
		o.first = append(o.first, uint16(g.Alive))
	}
	for e := 1; e < len(p.ends); e++ {
		// Every stage is asked about all of them; it begins at zero by itself.
		o.asked = append(o.asked[:0], left...)
		s.lanes(p, o.asked, p.ends[e-1], p.ends[e], s.tab, at, s.inv[i:])
		for _, g := range o.asked {
			o.passed[e] = append(o.passed[e], uint16(g.Alive))
		}
	}
}

// greedy takes as the next stage, time after time, the one that rejects most
// for its work.
func (o *ordering) greedy(p *program) []int {
	last := len(p.ends) - 1
	order, used := []int{0}, make([]bool, last)
	for len(order) < last {
		best, next := -1.0, 0
		for e := 1; e < last; e++ {
			if used[e] {
				continue
			}
			have, left := 1, 1
			for i, alive := range o.first {
				have += bits.OnesCount16(alive)
				left += bits.OnesCount16(alive & o.passed[e][i])
			}
			if v := math.Log(float64(have)/float64(left)) / p.work(e); v > best {
				best, next = v, e
			}
		}
		order, used[next] = append(order, next), true
		for i := range o.first {
			o.first[i] &= o.passed[next][i]
		}
	}
	return append(order, last)
}

// work returns about what stage e, not the first, costs in lanes.
func (p *program) work(e int) (sum float64) {
	for _, s := range p.Segments[p.ends[e-1]:p.ends[e]] {
		shape, _ := lanes.Parts(s.Op)
		sum += 2 + float64(s.N)*costs[shape]
	}
	return sum
}

// reorder puts the stages' segments into an order.
func (p *program) reorder(order []int) {
	segments, ends := make([]lanes.Segment, 0, len(p.Segments)), make([]int, 0, len(p.ends))
	for _, e := range order {
		from := 0
		if e > 0 {
			from = p.ends[e-1]
		}
		segments = append(segments, p.Segments[from:p.ends[e]]...)
		ends = append(ends, len(segments))
	}
	p.Segments, p.ends, p.upTo = segments, ends, nil // others share p.upTo
	p.addUp()
}

// heap draws a picture like a heap of leaves: discs of all sizes, each with its
// own grey and shading, over one another. In edges and contrasts it is near
// enough to a photograph. (Package samples/texture draws such things too, and
// fifteen more; a detector should not carry them.)
func heap(ctx context.Context, width, height int) (integral.Grey, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	plane := make([]float64, width*height)
	for i := range width * height / 12 {
		if i&0xfff == 0 && ctx.Err() != nil {
			return integral.Grey{}, ctx.Err()
		}
		r := 1.5 / math.Sqrt(rng.Float64()+1e-3)
		cx, cy := rng.Float64()*float64(width), rng.Float64()*float64(height)
		grey, dx, dy := 30+rng.Float64()*190, 4*rng.NormFloat64()/r, 4*rng.NormFloat64()/r
		for y := max(int(cy-r), 0); y < min(int(cy+r)+1, height); y++ {
			for x := max(int(cx-r), 0); x < min(int(cx+r)+1, width); x++ {
				u, v := float64(x)-cx, float64(y)-cy
				if u*u+v*v < r*r {
					plane[y*width+x] = grey + u*dx + v*dy
				}
			}
		}
	}
	g := integral.Grey{Pix: make([]byte, width*height), Stride: width, Width: width, Height: height}
	for y := range height {
		if y&0xf == 0 && ctx.Err() != nil {
			return integral.Grey{}, ctx.Err()
		}
		for x := range width {
			sum, n := 0.0, 0.0
			for j := max(y-1, 0); j <= min(y+1, height-1); j++ {
				for i := max(x-1, 0); i <= min(x+1, width-1); i++ {
					sum += plane[j*width+i]
					n++
				}
			}
			g.Pix[y*width+x] = byte(min(max(sum/n, 0), 255))
		}
	}
	return g, nil
}
