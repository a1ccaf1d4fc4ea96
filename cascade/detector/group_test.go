package detector

import (
	"context"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/drawn"
	"haarlem/internal/engine"
	"haarlem/internal/luma"
	"haarlem/internal/must"
)

// groupPairs is the oracle for grouper.group: it compares all pairs.
func groupPairs(cs []engine.Candidate, neighbors int, best bool) []group {
	parent := make([]int, len(cs))
	for i := range parent {
		parent[i] = i
	}
	root := func(i int) int {
		for parent[i] != i {
			i = parent[i]
		}
		return i
	}
	for i := range cs {
		for k := range i {
			if similar(cs[i].Box, cs[k].Box) {
				p, q := root(i), root(k)
				parent[max(p, q)] = min(p, q)
			}
		}
	}
	class := map[int]int{}
	var all []group
	for i := range cs {
		r := root(i)
		if _, ok := class[r]; !ok {
			class[r] = len(all)
			all = append(all, group{})
		}
		k, b, m := &all[class[r]], cs[i].Box, cs[i].Margin
		k.x, k.y, k.w, k.h = k.x+int64(b.Min.X), k.y+int64(b.Min.Y), k.w+int64(b.Dx()), k.h+int64(b.Dy())
		k.n++
		k.upper = max(k.upper, m)
		if best {
			m = float64(m * m)
			m = float64(m * m)
		}
		k.margin += m
	}
	for i := range all {
		k := &all[i]
		f := float32(1) / float32(k.n)
		mean := func(sum int64) int64 { return int64(engine.Round(float64(float32(sum) * f))) }
		k.x, k.y, k.w, k.h = mean(k.x), mean(k.y), mean(k.w), mean(k.h)
		if best {
			k.margin = math.Sqrt(math.Sqrt(k.margin))
		}
	}
	inside := func(i int) bool {
		a := &all[i]
		for j := range all {
			b := &all[j]
			if j == i || b.n <= neighbors || !(b.n > max(3, a.n) || a.n < 3) {
				continue
			}
			dx, dy := int64(engine.Round(float64(b.w)*eps)), int64(engine.Round(float64(b.h)*eps))
			if a.x >= b.x-dx && a.y >= b.y-dy && a.x+a.w <= b.x+b.w+dx && a.y+a.h <= b.y+b.h+dy {
				return true
			}
		}
		return false
	}
	var kept []group
	for i := range all {
		if all[i].n > neighbors && (best || !inside(i)) {
			kept = append(kept, all[i])
		}
	}
	return kept
}

// boxes are kinds of sets of n boxes: as from searches, and worse.
var boxes = map[string]func(rng *rand.Rand, n int) []image.Rectangle{
	"random": func(rng *rand.Rand, n int) (all []image.Rectangle) {
		for range n {
			x, y, w := rng.IntN(20*n), rng.IntN(40), 10+rng.IntN(60)
			all = append(all, image.Rect(x, y, x+w, y+w))
		}
		return all
	},
	"any": func(rng *rand.Rand, n int) (all []image.Rectangle) {
		for range n {
			x, y := rng.IntN(300)-50, rng.IntN(300)-50
			all = append(all, image.Rect(x, y, x+rng.IntN(200), y+rng.IntN(200)))
		}
		return all
	},
	"tiles": func(rng *rand.Rand, n int) (all []image.Rectangle) {
		side := 1 + int(math.Sqrt(float64(n)/3))
		for range n {
			x, y, w := 30*rng.IntN(side)+rng.IntN(3), 30*rng.IntN(side)+rng.IntN(3), 24+2*rng.IntN(2)
			all = append(all, image.Rect(x, y, x+w, y+w))
		}
		return all
	},
	"equal": func(_ *rand.Rand, n int) []image.Rectangle {
		return slices.Repeat([]image.Rectangle{image.Rect(5, 6, 29, 30)}, n)
	},
	"empty": func(rng *rand.Rand, n int) (all []image.Rectangle) {
		for range n {
			x := rng.IntN(5)
			all = append(all, image.Rect(x, 0, x, rng.IntN(3)))
		}
		return all
	},
	"column": func(rng *rand.Rand, n int) (all []image.Rectangle) {
		for i := range n {
			all = append(all, image.Rect(7, i, 31, i+24))
		}
		rng.Shuffle(n, func(i, k int) { all[i], all[k] = all[k], all[i] })
		return all
	},
	"row": func(_ *rand.Rand, n int) (all []image.Rectangle) {
		for i := range n {
			all = append(all, image.Rect(3*i, 7, 3*i+24, 31))
		}
		return all
	},
	"chain": func(rng *rand.Rand, n int) (all []image.Rectangle) {
		x, y, w := 0, 0, 24.0
		for range n {
			x, y, w = x+rng.IntN(6), y+rng.IntN(6), min(max(w*(0.95+0.11*rng.Float64()), 20), 4000)
			all = append(all, image.Rect(x, y, x+int(w), y+int(w)))
		}
		rng.Shuffle(n, func(i, k int) { all[i], all[k] = all[k], all[i] })
		return all
	},
	"everything": func(_ *rand.Rand, n int) (all []image.Rectangle) {
		for f := 1.0; ; f *= 1.1 {
			for y := range 40 {
				for x := range 40 {
					if len(all) == n {
						return all
					}
					p, q := engine.Round(f*float64(x)), engine.Round(f*float64(y))
					w := engine.Round(24 * f)
					all = append(all, image.Rect(p, q, p+w, q+w))
				}
			}
		}
	},
	"two fronts": func(rng *rand.Rand, n int) (all []image.Rectangle) { // everywhere just too far apart
		for i := range n {
			x := 5*i + rng.IntN(2)
			y := -5 * i
			if i%2 == 0 {
				x, y = x+5, y+5
			}
			all = append(all, image.Rect(x, y, x+24, y+24))
		}
		return all
	},
	"nested": func(_ *rand.Rand, n int) (all []image.Rectangle) {
		for i := range n {
			all = append(all, image.Rect(-i, -i, i, i))
		}
		return all
	},
}

func TestGroupLikePairs(t *testing.T) {
	var g grouper
	rng := rand.New(rand.NewPCG(33, 1))
	found, dropped := 0, 0
	for name, draw := range boxes {
		for _, n := range []int{0, 1, 2, 3, 7, 8, 9, 20, 64, 65, 200, 500} {
			for range 6 {
				var cs []engine.Candidate
				for _, b := range draw(rng, n) {
					cs = append(cs, engine.Candidate{Box: b, Margin: rng.ExpFloat64()})
				}
				for _, neighbors := range []int{0, 1, 3} {
					for _, g.best = range []bool{false, true} {
						must.Do(g.group(context.Background(), cs, neighbors))
						want := groupPairs(cs, neighbors, g.best)
						if !slices.Equal(g.groups, want) {
							t.Fatalf("%d boxes of kind %q, %d neighbors, best %v: groups %v, want %v", n, name, neighbors, g.best, g.groups, want)
						}
						found += len(want)
						if !g.best {
							dropped += len(groupPairs(cs, neighbors, true)) - len(want)
						}
					}
				}
			}
		}
	}
	t.Logf("%d groups, %d dropped as inside others", found, dropped)
	if found < 10000 || dropped < 1000 {
		t.Errorf("%d groups, %d dropped as inside others: too few to test anything", found, dropped)
	}
}

// SuppressPairs is the oracle for ranking.suppress: it compares all pairs.
func SuppressPairs(ds []Detection) (kept []Detection) {
	ds = slices.Clone(ds)
	slices.SortStableFunc(ds, better)
	area := func(r image.Rectangle) int { return r.Dx() * r.Dy() }
	for _, d := range ds {
		if !slices.ContainsFunc(kept, func(k Detection) bool { return 2*area(k.Box.Intersect(d.Box)) > min(area(k.Box), area(d.Box)) }) {
			kept = append(kept, d)
		}
	}
	return kept
}

func TestSuppressLikePairs(t *testing.T) {
	var r ranking
	rng := rand.New(rand.NewPCG(33, 2))
	left, all := 0, 0
	for name, draw := range boxes {
		for _, n := range []int{0, 1, 2, 8, 9, 64, 300, 1000} {
			for range 4 {
				var ds []Detection
				for _, b := range draw(rng, n) {
					ds = append(ds, Detection{Box: b, Score: float64(rng.IntN(20)), Neighbors: rng.IntN(3)})
				}
				want := SuppressPairs(ds)
				got, err := r.suppress(context.Background(), ds, 0)
				if err != nil || !slices.EqualFunc(got, want, Detection.Equal) {
					t.Fatalf("%d boxes of kind %q: %v %v, want %v", n, name, got, err, want)
				}
				left, all = left+len(got), all+n
			}
		}
	}
	if left < all/20 || left > all*2/3 {
		t.Errorf("%d of %d boxes stay: too few to test anything", left, all)
	}
}

// TestWeightsThatCancel: a feature whose weights cancel out compiles to
// something that terminates.
func TestWeightsThatCancel(t *testing.T) {
	c := &cascade.Cascade{
		Kind: cascade.Haar, Width: 40, Height: 40,
		Features: []haar.Feature{{Rects: [3]haar.Rect{{W: 40, H: 40, Weight: -1}, {W: 40, H: 20, Weight: 1}, {Y: 20, W: 40, H: 20, Weight: 1}}}},
		Weak:     []cascade.Weak{{Nodes: []cascade.Node{{Left: 0, Right: -1}}, Leaves: []float32{-1, 1}}},
		Exits:    []cascade.Exit{{After: 1, Threshold: 0, Restart: true}},
	}
	d := must.Get(New(&Options{Ungrouped: true}, c))
	g := image.NewGray(image.Rect(0, 0, 60, 60))
	for i := range g.Pix {
		g.Pix[i] = byte(i * 7)
	}
	found := must.Get(d.AppendDetect(context.Background(), nil, g))
	// The value is 0 everywhere, which is not below the threshold 0.
	if len(found) < 100 {
		t.Errorf("%d windows pass, want all", len(found))
	}
}

// TestTurnBox: a box that is turned by quarters is where the rotated image has it.
func TestTurnBox(t *testing.T) {
	size := image.Pt(37, 23)
	box := image.Rect(5, 3, 22, 20)
	for quarters := 1; quarters < 4; quarters++ {
		r := newTurn(float64(90*quarters), size.X, size.Y)
		at := turnBox(box, size, 4-quarters)
		if back := r.back(at); back != box {
			t.Errorf("%d quarters: %v is at %v of the rotated image, and from there at %v", quarters, box, at, back)
		}
		other := image.Rect(2, 1, 9, 7)
		there := turnBox(other, size, 4-quarters)
		if back := turnBox(there, image.Pt(r.width, r.height), quarters); back != other {
			t.Errorf("%d quarters: %v becomes %v and then %v", quarters, other, there, back)
		}
	}
}

// TestRotatedPicture: the rotated image is the image sampled bilinearly where it is
// inside, and its nearest pixel elsewhere.
func TestRotatedPicture(t *testing.T) {
	g, _ := luma.Of(drawn.Picture("noise", 41, 29, 2), nil)
	near := func(u float64) bool { return math.Abs(math.Abs(u-math.Floor(u))-0.5) < 0.01 }
	for _, degrees := range []float64{0.5, 30, 60, 89, 110, 200, 300} {
		r := newTurn(degrees, g.Width, g.Height)
		p, _ := must.Get2(r.apply(t.Context(), &g, nil))
		inner, outer := 0, 0
		for y := range p.Height {
			for x := range p.Width {
				u, v := r.source(float64(x)+0.5, float64(y)+0.5)
				u, v = u-0.5, v-0.5
				if u < 0.01 || v < 0.01 || u > float64(g.Width)-1.01 || v > float64(g.Height)-1.01 {
					if min(u, v) > -0.01 && u < float64(g.Width)-0.99 && v < float64(g.Height)-0.99 || near(u) || near(v) {
						continue // it may be inside, or between two pixels
					}
					i, j := min(max(int(math.Floor(u+0.5)), 0), g.Width-1), min(max(int(math.Floor(v+0.5)), 0), g.Height-1)
					if p.Row(y)[x] != g.Row(j)[i] {
						t.Fatalf("%v degrees: pixel (%d, %d) beyond the edge is %d, want %d", degrees, x, y, p.Row(y)[x], g.Row(j)[i])
					}
					outer++
					continue
				}
				inner++
				i, j := int(u), int(v)
				a, b := u-float64(i), v-float64(j)
				want := (1-b)*((1-a)*float64(g.Row(j)[i])+a*float64(g.Row(j)[i+1])) + b*((1-a)*float64(g.Row(j + 1)[i])+a*float64(g.Row(j + 1)[i+1]))
				if d := float64(p.Row(y)[x]) - want; d < -3 || d > 3 {
					t.Fatalf("%v degrees: pixel (%d, %d) is %d, want %.1f", degrees, x, y, p.Row(y)[x], want)
				}
			}
		}
		if inner < g.Width*g.Height*8/10 {
			t.Errorf("%v degrees: only %d pixels inside", degrees, inner)
		}
		if outer < (r.width*r.height-g.Width*g.Height)/2 {
			t.Errorf("%v degrees: only %d pixels outside", degrees, outer)
		}
	}
}
