package detector

import (
	"cmp"
	"context"
	"image"
	"math"
	"slices"

	"haarlem/internal/boxtree"
	"haarlem/internal/engine"
	"haarlem/internal/longsort"
)

// A grouper groups candidates as OpenCV's groupRectangles does: a group is a connected
// component of pairs that are similar. OpenCV compares all pairs, which takes hours for
// a million candidates. Here each candidate takes those that are similar, and in no
// group yet, out of a tree.
type grouper struct {
	best   bool // rank by score instead of the number of candidates
	tree   boxtree.Tree
	class  []int32 // group of each candidate; -1 means none yet
	todo   []int32 // candidates whose neighbours are still to be found
	groups []group

	order          []int32           // groups that may drop others, the smallest first
	buf            []int32           // for sorting it
	dropped        []bool            // groups
	around         []image.Rectangle // of each in order: groups inside are dropped
	similarQuery   similarQuery
	enclosingQuery enclosingQuery
}

type group struct {
	x, y, w, h int64 // sums, then means
	n          int
	margin     float64
	upper      float64 // the largest margin of a candidate
}

// eps is OpenCV's relative tolerance of similar rectangles.
const eps = 0.2

// tolerance is the largest distance of the sides of similar boxes, from the smaller
// width and height of both.
func tolerance(width, height int) float64 { return eps * float64(width+height) * 0.5 }

func similar(a, b image.Rectangle) bool {
	d := tolerance(min(a.Dx(), b.Dx()), min(a.Dy(), b.Dy()))
	near := func(p, q int) bool { return float64(max(p-q, q-p)) <= d }
	return near(a.Min.X, b.Min.X) && near(a.Min.Y, b.Min.Y) && near(a.Max.X, b.Max.X) && near(a.Max.Y, b.Max.Y)
}

// A similarQuery finds the boxes that are similar to one.
type similarQuery struct{ box image.Rectangle }

// within returns bounds of these boxes.
func (k *similarQuery) within() boxtree.Bounds {
	largest := int(tolerance(k.box.Dx(), k.box.Dy()))
	d := image.Pt(largest, largest)
	b := boxtree.All()
	b.Low, b.High = k.box.Sub(d), k.box.Add(d)
	return b
}

// Is is part of [boxtree.Query].
func (k *similarQuery) Is(_ int32, b image.Rectangle) bool { return similar(k.box, b) }

// group sets g.groups to the groups that have enough neighbors and, by OpenCV's
// rules, are not inside a stronger one.
//
// OpenCV's rules count candidates. A score that runs on separates objects from false
// positives much better than the number of candidates or the sum of their scores
// (models/EXPERIMENTS.md). So g.best has other rules: a group's score is the 4-norm of
// its candidates' scores, which is little more than the best of them.
func (g *grouper) group(ctx context.Context, cs []engine.Candidate, neighbors int) error {
	if err := g.all(ctx, cs); err != nil {
		return err
	}
	g.dropped = slices.Grow(g.dropped[:0], len(g.groups))[:len(g.groups)]
	for i := range g.groups {
		g.dropped[i] = g.groups[i].n <= neighbors
	}
	if !g.best {
		if err := g.drop(ctx); err != nil {
			return err
		}
	}
	kept := g.groups[:0]
	for i, k := range g.groups {
		if !g.dropped[i] {
			kept = append(kept, k)
		}
	}
	g.groups = kept
	return nil
}

// all sets g.groups to all groups, in the order of their first candidates, and
// g.class to the group of each candidate.
func (g *grouper) all(ctx context.Context, cs []engine.Candidate) error {
	if err := g.join(ctx, cs); err != nil {
		return err
	}
	for i := range g.groups {
		k := &g.groups[i]
		f := float32(1) / float32(k.n)
		mean := func(sum int64) int64 { return int64(engine.Round(float64(float32(sum) * f))) }
		k.x, k.y, k.w, k.h = mean(k.x), mean(k.y), mean(k.w), mean(k.h)
		if g.best {
			k.margin = math.Sqrt(math.Sqrt(k.margin))
		}
	}
	return nil
}

// join makes the groups of cs, in the order of their first candidates, and sums the
// boxes and scores of each.
func (g *grouper) join(ctx context.Context, cs []engine.Candidate) error {
	n := len(cs)
	if err := g.tree.Set(ctx, n, func(i int) image.Rectangle { return cs[i].Box }); err != nil {
		return err
	}
	g.class = slices.Grow(g.class[:0], n)[:n]
	for i := range g.class {
		g.class[i] = -1
	}
	g.groups = g.groups[:0]
	g.tree.Work = 0
	for i := range cs {
		if g.class[i] >= 0 {
			continue
		}
		c := int32(len(g.groups))
		g.groups = append(g.groups, group{})
		g.class[i] = c
		g.tree.Remove(int32(i))
		g.todo = append(g.todo[:0], int32(i))
		for len(g.todo) > 0 {
			last := len(g.todo) - 1
			g.similarQuery.box = cs[g.todo[last]].Box
			within := g.similarQuery.within()
			g.todo = g.tree.Take(g.todo[:last], &within, &g.similarQuery)
			for _, k := range g.todo[last:] {
				g.class[k] = c
			}
			if g.tree.Work > checkEvery {
				if err := ctx.Err(); err != nil {
					return err
				}
				g.tree.Work = 0
			}
		}
	}
	for i := range cs { // in this order, since sums of scores depend on it
		if i%(checkEvery/16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		k := &g.groups[g.class[i]]
		b := cs[i].Box
		k.x += int64(b.Min.X)
		k.y += int64(b.Min.Y)
		k.w += int64(b.Dx())
		k.h += int64(b.Dy())
		k.n++
		m := cs[i].Margin
		k.upper = max(k.upper, m)
		if g.best {
			m = float64(m * m)
			m = float64(m * m)
		}
		k.margin += m
	}
	return nil
}

func (k *group) box() image.Rectangle {
	x, y := int(k.x), int(k.y)
	return image.Rect(x, y, x+int(k.w), y+int(k.h))
}

// drop marks groups inside a stronger one, which has more candidates and more than
// three, or any number if the group itself has less than three. Groups that are marked
// already drop none.
func (g *grouper) drop(ctx context.Context) error {
	g.order, g.around = g.order[:0], g.around[:0]
	for i := range g.groups {
		if !g.dropped[i] {
			g.order = append(g.order, int32(i))
		}
	}
	var err error
	if g.buf, err = longsort.Stable(ctx, g.order, g.buf, func(a, b int32) int { return cmp.Compare(g.groups[a].n, g.groups[b].n) }); err != nil {
		return err
	}
	for _, i := range g.order {
		b := &g.groups[i]
		dx, dy := int64(engine.Round(float64(b.w)*eps)), int64(engine.Round(float64(b.h)*eps))
		g.around = append(g.around, image.Rect(int(b.x-dx), int(b.y-dy), int(b.x+b.w+dx), int(b.y+b.h+dy)))
	}
	if err := g.tree.Set(ctx, len(g.order), func(i int) image.Rectangle { return g.around[i] }); err != nil {
		return err
	}
	g.tree.Work = 0
	gone := 0 // groups that were taken out of the tree
	for k, i := range g.order {
		a := &g.groups[i]
		if a.n >= 3 {
			for ; gone < len(g.order) && g.groups[g.order[gone]].n <= max(3, a.n); gone++ {
				g.tree.Remove(int32(gone))
			}
		}
		g.enclosingQuery = enclosingQuery{a.box(), int32(k)}
		within := g.enclosingQuery.within()
		g.dropped[i] = g.tree.Any(&within, &g.enclosingQuery)
		if g.tree.Work > checkEvery {
			if err := ctx.Err(); err != nil {
				return err
			}
			g.tree.Work = 0
		}
	}
	return nil
}

// An enclosingQuery finds the other boxes that enclose one.
type enclosingQuery struct {
	box  image.Rectangle
	self int32
}

// within returns bounds of the boxes that enclose h.box.
func (h *enclosingQuery) within() boxtree.Bounds {
	b := boxtree.All()
	b.High.Min, b.Low.Max = h.box.Min, h.box.Max
	return b
}

// Is is part of [boxtree.Query].
func (h *enclosingQuery) Is(i int32, _ image.Rectangle) bool { return i != h.self }
