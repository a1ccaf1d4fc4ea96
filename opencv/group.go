package opencv

import (
	"image"
	"slices"

	"haarlem/internal/engine"
)

// GroupRectangles returns the mean of each group of similar rectangles that has more
// than groupThreshold members and is not inside a stronger group. Sides of similar
// rectangles differ by at most eps of their size. With a groupThreshold of 0 or less it
// returns all rectangles.
func GroupRectangles(rects []image.Rectangle, groupThreshold int, eps float64) []image.Rectangle {
	if groupThreshold <= 0 {
		return slices.Clone(rects)
	}
	var groups []group
	for i, class := range partition(rects, eps) {
		if class == len(groups) {
			groups = append(groups, group{})
		}
		groups[class].add(rects[i])
	}
	groups = slices.DeleteFunc(groups, func(g group) bool { return g.n <= groupThreshold })
	for i := range groups {
		groups[i].average()
	}
	var kept []image.Rectangle
	for i, g := range groups {
		inside := false
		for j := range groups {
			inside = inside || i != j && groups[j].drops(g, eps)
		}
		if !inside {
			kept = append(kept, image.Rect(g.x, g.y, g.x+g.width, g.y+g.height))
		}
	}
	return kept
}

// partition returns the class of each rectangle: similar ones are in the same, and so
// are those that others connect. Classes are numbered by their first rectangle.
func partition(rects []image.Rectangle, eps float64) []int {
	class := slices.Repeat([]int{-1}, len(rects))
	var todo []int
	classes := 0
	for i := range rects {
		if class[i] >= 0 {
			continue
		}
		class[i] = classes
		for todo = append(todo, i); len(todo) > 0; {
			a := rects[todo[len(todo)-1]]
			todo = todo[:len(todo)-1]
			for k, b := range rects {
				if class[k] < 0 && similar(a, b, eps) {
					class[k] = classes
					todo = append(todo, k)
				}
			}
		}
		classes++
	}
	return class
}

func similar(a, b image.Rectangle, eps float64) bool {
	d := eps * float64(min(a.Dx(), b.Dx())+min(a.Dy(), b.Dy())) * 0.5
	near := func(p, q int) bool { return float64(max(p-q, q-p)) <= d }
	return near(a.Min.X, b.Min.X) && near(a.Min.Y, b.Min.Y) && near(a.Max.X, b.Max.X) && near(a.Max.Y, b.Max.Y)
}

// A group is the sum, and then the mean, of n rectangles.
type group struct{ x, y, width, height, n int }

func (g *group) add(r image.Rectangle) {
	g.x += r.Min.X
	g.y += r.Min.Y
	g.width += r.Dx()
	g.height += r.Dy()
	g.n++
}

func (g *group) average() {
	f := float32(1) / float32(g.n)
	for _, v := range []*int{&g.x, &g.y, &g.width, &g.height} {
		*v = engine.Round(float64(float32(*v) * f))
	}
}

// drops says whether a group is inside g, which is stronger.
func (g *group) drops(a group, eps float64) bool {
	dx, dy := engine.Round(float64(g.width)*eps), engine.Round(float64(g.height)*eps)
	return a.x >= g.x-dx && a.y >= g.y-dy && a.x+a.width <= g.x+g.width+dx && a.y+a.height <= g.y+g.height+dy &&
		(g.n > max(3, a.n) || a.n < 3)
}
