package engine

import (
	"context"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/luma"
	"haarlem/internal/program"
)

// Classical stages are in the order of their training, each trained on the false
// positives of those before. A later stage is often the better next one: it may reject
// 90 per cent where the next rejects half, for twice the work. A window has to pass all
// stages, so lanes are free to evaluate them in the order with the least work: 10 to
// 25 per cent less on OpenCV's cascades.

// stageOrder returns the order in which lanes evaluate exits, estimated on a synthetic
// image, or nil for the model's. The first stage stays first, since OpenCV's rule of
// windows needs it. The last stays last, since its score is the window's. It fails only
// if ctx ends.
func (s *setup) stageOrder(ctx context.Context) ([]int, error) {
	exits := s.c.Exits
	for _, x := range exits {
		if !x.Restart {
			return nil, nil
		}
	}
	if s.scalar || len(exits) < 4 || len(exits) > 64 || len(s.c.Weak) > 1<<14 {
		return nil, nil // finding an order would cost more than it saves
	}
	c := *s.c
	c.Search = cascade.Search{Stride: 1, PrefilterFrom: s.c.Search.PrefilterFrom}
	plain := newSetup(&c, Options{Scale: 1.5, Workers: 1, Enlarge: 1, Windows: WindowsAll})
	g, err := drawLeaves(ctx, s.c.Width+264, s.c.Height+192)
	if err != nil {
		return nil, err
	}
	plan, err := plain.planFor(ctx, g.Width, g.Height, nil, nil)
	if err != nil {
		return nil, err
	}
	var o ordering
	w := newWorker(plain, plan)
	w.visitWith(0, &sampler{ordering: &o, strips: &newFunnel(plain, plan, &w.tables, &w.contrasts).strips})
	var img source
	if err := img.set(ctx, g, plan.halved); err != nil {
		return nil, err
	}
	for _, u := range plan.units {
		if err := w.unit(ctx, &img, u, nil); err != nil {
			return nil, err
		}
	}
	return o.greedy(plan.grids[0].prog), ctx.Err()
}

// An ordering records which windows pass each stage, group by group.
type ordering struct {
	first  []uint16   // by group: the windows that pass the first stage
	passed [][]uint16 // by stage and group: those of them that pass
}

// A sampler is the visitor that evaluates every stage on some of the windows.
type sampler struct {
	*ordering
	strips *strips
	asked  []lanes.Group
}

// rows is part of visitor.
func (s *sampler) rows(b *band, from, to int) {
	for y := from; y < to; y += 6 {
		for x := 0; x+program.StripWidth <= b.nx && s.strips.err == nil; x += program.StripWidth {
			s.sample(b, y-from, x, ((y*b.step)-b.top)*b.lay.Stride+x)
		}
	}
}

// sample records a strip in row r of the band.
func (s *sampler) sample(b *band, r, x, at int) {
	i := r*b.perRow + x
	in := ^uint64(0)
	if s.strips.haar {
		in = s.strips.contrasts.pass[i/64]
	}
	p, tab, inv := b.prog, s.strips.tables.tab, s.strips.contrasts.inv[i:]
	groups := s.strips.group(b, []uint64{in})
	s.strips.lanes(p, groups, 0, p.First, tab, at, inv)
	if s.passed == nil {
		s.passed = make([][]uint16, len(p.Ends))
	}
	left := slices.DeleteFunc(groups, func(g lanes.Group) bool { return g.Alive == 0 })
	for _, g := range left {
		s.first = append(s.first, uint16(g.Alive))
	}
	for e := 1; e < len(p.Ends); e++ {
		// Every stage sees all survivors of the first. Each begins with a score of 0.
		s.asked = append(s.asked[:0], left...)
		s.strips.lanes(p, s.asked, p.Ends[e-1], p.Ends[e], tab, at, inv)
		for _, g := range s.asked {
			s.passed[e] = append(s.passed[e], uint16(g.Alive))
		}
	}
}

func (*sampler) window(*band, window, bool) {} // not needed: there are no probes
func (*sampler) flush(*band)                {}
func (*sampler) drop()                      {}

// greedy repeatedly takes as the next stage the one that rejects most for its
// work.
func (o *ordering) greedy(p *program.Program) []int {
	last := len(p.Ends) - 1
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
			if v := math.Log(float64(have)/float64(left)) / p.StageCost(e); v > best {
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

// drawLeaves draws dead leaves: discs of all sizes over one another, each with its own
// grey and shading. Its edges and contrasts are near enough to a photograph's. (Package
// internal/samples/synth/texture has this texture and fifteen more, which a detector should not
// carry.)
func drawLeaves(ctx context.Context, width, height int) (luma.Plane, error) {
	rng := rand.New(rand.NewPCG(1, 2))
	plane := make([]float64, width*height)
	for i := range width * height / 12 {
		if i&0xfff == 0 && ctx.Err() != nil {
			return luma.Plane{}, ctx.Err()
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
	g := luma.Plane{Pix: make([]byte, width*height), Stride: width, Width: width, Height: height}
	for y := range height {
		if y&0xf == 0 && ctx.Err() != nil {
			return luma.Plane{}, ctx.Err()
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
