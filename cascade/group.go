package cascade

import (
	"cmp"
	"image"
	"math"
	"slices"
)

// grouper joins candidates into detections as OpenCV's groupRectangles does.
type grouper struct {
	order  []int32 // candidates by left edge
	best   bool    // scores decide: of a group its best candidates, and of two groups the better, see suppress
	parent []int32
	class  []int32 // class of a root; -1: none yet
	groups []group
}

type group struct {
	x, y, w, h int64 // sums, then means
	n          int
	margin     float64
}

// eps is OpenCV's tolerance for rectangles that belong together.
const eps = 0.2

func similar(a, b image.Rectangle) bool {
	d := eps * float64(min(a.Dx(), b.Dx())+min(a.Dy(), b.Dy())) * 0.5
	near := func(p, q int) bool { return float64(max(p-q, q-p)) <= d }
	return near(a.Min.X, b.Min.X) && near(a.Min.Y, b.Min.Y) && near(a.Max.X, b.Max.X) && near(a.Max.Y, b.Max.Y)
}

func (g *grouper) root(i int32) int32 {
	for g.parent[i] != i {
		g.parent[i] = g.parent[g.parent[i]]
		i = g.parent[i]
	}
	return i
}

// group fills g.groups with the groups that have enough neighbors and, by
// OpenCV's rules, do not lie inside a stronger one.
//
// OpenCV's rules count candidates. A score that runs on tells faces from other
// things much better than their number or the sum of their scores does
// (models/EXPERIMENTS.md), so g.best has other rules: a group's score is the
// 4-norm of its candidates' scores, which is little more than the best one's.
func (g *grouper) group(cs []candidate, neighbors int) {
	n := len(cs)
	g.order = slices.Grow(g.order[:0], n)[:n]
	g.parent = slices.Grow(g.parent[:0], n)[:n]
	g.class = slices.Grow(g.class[:0], n)[:n]
	for i := range n {
		g.order[i], g.parent[i], g.class[i] = int32(i), int32(i), -1
	}
	slices.SortFunc(g.order, func(a, b int32) int {
		if c := cmp.Compare(cs[a].box.Min.X, cs[b].box.Min.X); c != 0 {
			return c
		}
		return cmp.Compare(a, b)
	})
	for i, a := range g.order {
		// Similar ones cannot be further to the right than half of a's own
		// tolerance allows.
		ra := cs[a].box
		reach := ra.Min.X + int(eps*float64(ra.Dx()+ra.Dy())*0.5)
		for _, b := range g.order[i+1:] {
			rb := cs[b].box
			if rb.Min.X > reach {
				break
			}
			if similar(ra, rb) {
				p, q := g.root(a), g.root(b)
				g.parent[max(p, q)] = min(p, q)
			}
		}
	}
	g.groups = g.groups[:0]
	for i := range cs {
		r := g.root(int32(i))
		if g.class[r] < 0 {
			g.class[r] = int32(len(g.groups))
			g.groups = append(g.groups, group{})
		}
		k := &g.groups[g.class[r]]
		b := cs[i].box
		k.x += int64(b.Min.X)
		k.y += int64(b.Min.Y)
		k.w += int64(b.Dx())
		k.h += int64(b.Dy())
		k.n++
		m := cs[i].margin
		if g.best {
			m = float64(m * m)
			m = float64(m * m)
		}
		k.margin += m
	}
	for i := range g.groups {
		k := &g.groups[i]
		f := float32(1) / float32(k.n)
		mean := func(sum int64) int64 { return int64(round(float64(float32(sum) * f))) }
		k.x, k.y, k.w, k.h = mean(k.x), mean(k.y), mean(k.w), mean(k.h)
		if g.best {
			k.margin = math.Sqrt(math.Sqrt(k.margin))
		}
	}
	// OpenCV's dropped groups still suppress others, so the ones kept are
	// marked, and packed only afterwards.
	g.order = g.order[:0]
	for i := range g.groups {
		if g.best && g.groups[i].n > neighbors || !g.best && !g.dropped(i, neighbors) {
			g.order = append(g.order, int32(i))
		}
	}
	for i, j := range g.order {
		g.groups[i] = g.groups[j]
	}
	g.groups = g.groups[:len(g.order)]
}

// covers reports whether two boxes share more than half of the smaller one, so
// that they cannot be two objects side by side.
func covers(a, b image.Rectangle) bool {
	return 2*area(a.Intersect(b)) > min(area(a), area(b))
}

func (k *group) box() image.Rectangle {
	x, y := int(k.x), int(k.y)
	return image.Rect(x, y, x+int(k.w), y+int(k.h))
}

// dropped reports whether group i is too weak or inside a stronger one.
func (g *grouper) dropped(i, neighbors int) bool {
	a := &g.groups[i]
	if a.n <= neighbors {
		return true
	}
	for j := range g.groups {
		b := &g.groups[j]
		if j == i || b.n <= neighbors || !(b.n > max(3, a.n) || a.n < 3) {
			continue
		}
		dx, dy := int64(round(float64(b.w)*eps)), int64(round(float64(b.h)*eps))
		if a.x >= b.x-dx && a.y >= b.y-dy && a.x+a.w <= b.x+b.w+dx && a.y+a.h <= b.y+b.h+dy {
			return true
		}
	}
	return false
}
