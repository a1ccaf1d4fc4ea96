package detector_test

import (
	"image"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/channels"
	"haarlem/internal/channels/columns"
	"haarlem/internal/engine"
	"haarlem/internal/luma"
	"haarlem/internal/must"
)

// randomVerifier returns a verifier of a few trees of one to five nodes.
func randomVerifier(r *rand.Rand) *cascade.Verifier {
	v := &cascade.Verifier{Sides: 0.5 + 2*r.Float64(), Weight: 0.1 + 3*r.Float64()}
	for range 1 + r.IntN(20) {
		n := 1 + r.IntN(12)
		t := cascade.Weak{Nodes: make([]cascade.Node, n)}
		// A tree of any shape: each node takes a free child.
		var free []*int32
		for i := range t.Nodes {
			o := &t.Nodes[i]
			o.Feature, o.Threshold = int32(r.IntN(channels.Count)), float32(r.IntN(2000)-500)
			if i > 0 {
				k := r.IntN(len(free))
				*free[k] = int32(i)
				free = slices.Delete(free, k, k+1)
			}
			free = append(free, &o.Left, &o.Right)
		}
		for i, k := range r.Perm(len(free)) {
			*free[k] = -int32(i)
		}
		for range n + 1 {
			t.Leaves = append(t.Leaves, float32(r.IntN(2000)-1000)/1024)
		}
		v.Trees = append(v.Trees, t)
	}
	return v
}

// verifierScore sums the trees' outputs as the documentation says.
func verifierScore(v *cascade.Verifier, columns []int32) (sum float64) {
	for _, t := range v.Trees {
		answer := func(child int32) float64 {
			if child <= 0 && child > -int32(len(t.Leaves)) {
				return float64(t.Leaves[-child])
			}
			panic("no leaf")
		}
		next := func(at int32) (child int32) {
			if n := t.Nodes[at]; float64(columns[n.Feature]) < float64(n.Threshold) {
				return n.Left
			} else {
				return n.Right
			}
		}
		child := next(0)
		for child > 0 {
			child = next(child)
		}
		sum += answer(child)
	}
	return sum
}

// verified returns the margin of a box after verification, and the number of squares.
func verified(v *cascade.Verifier, g *luma.Plane, box image.Rectangle, margin float64) (float64, int) {
	var l channels.Extractor
	var all []float64
	look := func(b image.Rectangle, sides float64) {
		all = append(all, margin+float64(v.Weight*verifierScore(v, l.Extract(g, b, sides))))
	}
	look(box, v.Sides)
	if a := v.MultiCrop; all[0] > a.Low && all[0] < a.High {
		dx, dy := int(math.RoundToEven(a.Shift*float64(box.Dx()))), int(math.RoundToEven(a.Shift*float64(box.Dy())))
		for _, p := range []image.Point{{dx, 0}, {0, dy}} {
			look(box.Add(p), v.Sides)
			look(box.Sub(p), v.Sides)
		}
		look(box, v.Sides*(1+a.Grow))
		look(box, v.Sides*(1-a.Grow))
	}
	n := len(all)
	if n == 1 {
		return all[0], n
	}
	slices.Sort(all)
	return (all[n-1] + all[n-2]) / 2, n
}

func byBox(ds []detector.Detection) map[image.Rectangle][]float64 {
	all := map[image.Rectangle][]float64{}
	for _, d := range ds {
		all[d.Box] = append(all[d.Box], d.Score)
	}
	for _, s := range all {
		slices.Sort(s)
	}
	return all
}

// A verifier changes scores, and nothing else.
func TestVerifier(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 0))
	grouped, single, raised, lowered, dropped, beyond, once, again := 0, 0, 0, 0, 0, 0, 0, 0
	runs := 60
	if testing.Short() {
		runs = 30
	}
	for i := range runs {
		s := randomSoft(rng)
		c := randomCascade(rng, s)
		g := randomPicture(rng, s).draw()
		o := detector.Options{Scale: 1.3, MinNeighbors: 1, Ungrouped: i%3 == 0, Overlapping: true, Workers: 1 + i%2}
		if i%4 == 1 {
			o.Region = image.Rect(3, 5, g.Rect.Max.X-2, g.Rect.Max.Y)
		}
		if i%5 < 2 {
			o.Search = with(c, func(s *cascade.Search) { s.Pad = rng.Float64() / 2 })
		}
		seen := g.Rect
		if !o.Region.Empty() {
			seen = seen.Intersect(o.Region)
		}
		// Groups beyond the edge cannot be compared.
		inside := func(ds []detector.Detection) []detector.Detection {
			return slices.DeleteFunc(ds, func(d detector.Detection) bool { return !d.Box.In(seen.Inset(1)) })
		}
		searched := g.SubImage(seen).(*image.Gray)
		plain := must.Get(detector.New(&o, c))
		before := detectIn(t, plain, g)
		var whole []image.Rectangle // of each
		var margins []float64       // before verification
		if o.Ungrouped {            // the candidate's group is verified
			windows := must.Get(plain.Engine().AppendWindows(t.Context(), nil, searched))
			before = before[:0]
			var raw []image.Rectangle
			for _, w := range windows {
				raw = append(raw, w.Box.Sub(seen.Min))
			}
			class, mean, _ := refClasses(raw)
			sum := make([]float64, len(mean))
			for k, w := range windows {
				m := w.Margin
				if !c.Exits[0].Restart {
					m = float64(m * m)
					m = float64(m * m)
				}
				sum[class[k]-1] += m
			}
			for k, w := range windows {
				if in := w.Box.Intersect(seen); !in.Empty() {
					before = append(before, detector.Detection{Box: in, Score: w.Margin, Neighbors: 1})
					whole = append(whole, mean[class[k]-1].Add(seen.Min))
					m := sum[class[k]-1]
					if !c.Exits[0].Restart {
						m = math.Sqrt(math.Sqrt(m))
					}
					margins = append(margins, m)
				}
			}
		} else {
			before = inside(before)
			for _, d := range before {
				whole, margins = append(whole, d.Box), append(margins, d.Score)
			}
		}
		c.Verifier = randomVerifier(rng)
		if i%4 > 1 && len(before) > 0 {
			m := before[rng.IntN(len(before))].Score
			c.Verifier.MultiCrop = cascade.MultiCrop{Low: m - rng.ExpFloat64(), High: m + 3*rng.Float64(), Shift: rng.Float64() / 2, Grow: rng.Float64() / 2}
		}
		after := detectIn(t, must.Get(detector.New(&o, c)), g)
		if !o.Ungrouped {
			after = inside(after)
		}

		p, _ := luma.Of(searched, nil)
		want := slices.Clone(before)
		for k := range want {
			score, looks := verified(c.Verifier, &p, whole[k].Sub(seen.Min), margins[k])
			more := score - margins[k]
			if want[k].Score = score; o.Ungrouped {
				want[k].Score = before[k].Score + more
			}
			if !whole[k].In(seen) {
				beyond++
			}
			if looks == 1 {
				once++
			} else {
				again++
			}
			if more > 0 {
				raised++
			} else {
				lowered++
			}
		}
		if !reflect.DeepEqual(byBox(after), byBox(want)) {
			t.Fatalf("%d: got %v, want %v", i, after, want)
		}
		if !slices.IsSortedFunc(after, func(a, b detector.Detection) int {
			if a.Score > b.Score {
				return -1
			}
			return 0
		}) {
			t.Fatalf("%d: %v is not best first", i, after)
		}
		if o.Ungrouped {
			single += len(after)
			continue
		}
		grouped += len(after)
		if len(after) == 0 {
			continue
		}
		// MinScore applies to the score after verification.
		o.MinScore = max(after[len(after)/2].Score, 1e-9)
		left := inside(detectIn(t, must.Get(detector.New(&o, c)), g))
		keep := slices.DeleteFunc(slices.Clone(after), func(d detector.Detection) bool { return d.Score < o.MinScore })
		if !slices.EqualFunc(left, keep, detector.Detection.Equal) {
			t.Fatalf("%d: with scores from %v on %v, want %v", i, o.MinScore, left, keep)
		}
		dropped += len(after) - len(left)
	}
	if lowest := 5 * runs / 6; grouped < lowest || single < 4*lowest || raised < lowest || lowered < lowest || dropped < lowest/5 || beyond < lowest || once < lowest || again < lowest {
		t.Errorf("%d groups, %d candidates, %d raised, %d lowered, %d dropped, %d beyond the edge, %d seen once, %d again: too little is tested", grouped, single, raised, lowered, dropped, beyond, once, again)
	}
}

// Of overlapping groups, the one with the best score after verification stays,
// not the one with the best score of the cascade.
func TestVerifierDecides(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 0))
	left, other := 0, 0
	for i := range 40 {
		c := randomCascade(rng, randomSoft(rng))
		c.Exits = []cascade.Exit{{After: len(c.Weak)}} // no restart: a score that runs on
		g := noise(rng, image.Rect(0, 0, 200, 150))
		var ws []engine.Window
		for range 40 { // away from the edge, which clips boxes
			side := 20 + rng.IntN(20)
			x, y := 1+rng.IntN(198-side), 1+rng.IntN(148-side)
			ws = append(ws, engine.Window{Box: image.Rect(x, y, x+side, y+side), Margin: rng.ExpFloat64()})
		}
		groups := func(overlapping bool) []detector.Detection {
			return must.Get(detector.New(&detector.Options{Search: with(c, func(s *cascade.Search) { s.MinCandidates = 1 }), Overlapping: overlapping}, c)).GroupsOf(ws, g)
		}
		first := byBox(groups(false))
		c.Verifier = randomVerifier(rng)
		all, got := groups(true), groups(false)
		if want := detector.SuppressPairs(all); !slices.EqualFunc(got, want, detector.Detection.Equal) {
			t.Fatalf("%d: got %v, want %v (all: %v)", i, got, want, all)
		}
		left += len(all) - len(got)
		for _, d := range got {
			if first[d.Box] == nil {
				other++
			}
		}
	}
	if left < 200 || other < 100 {
		t.Errorf("%d groups are left out, and %d stay that the cascade likes less than another: too little is tested", left, other)
	}
}

// Detections in an image rotated by 90 degrees have the scores of the original:
// verifiers see the upright image.
func TestVerifierOfTurned(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 0))
	total := 0
	for range 20 {
		s := randomSoft(rng)
		c := randomCascade(rng, s)
		c.Verifier = randomVerifier(rng)
		g := randomPicture(rng, s).draw()
		g = g.SubImage(g.Rect).(*image.Gray)
		o := detector.Options{Scale: 1.3, MinNeighbors: 1}
		want := detectIn(t, must.Get(detector.New(&o, c)), g)
		o.Angles = []float64{90}
		got := detectIn(t, must.Get(detector.New(&o, c)), quarterTurned(g))
		// Of two that overlap only the better is reported.
		scores := map[float64]bool{}
		for _, d := range want {
			scores[d.Score] = true
		}
		for _, d := range got {
			if !scores[d.Score] {
				t.Fatalf("a score of %v, want one of %v", d.Score, scores)
			}
		}
		if len(want) > 0 && (len(got) == 0 || got[0].Score != want[0].Score) {
			t.Fatalf("%v, want the best of %v", got, want)
		}
		total += len(got)
	}
	if total < 15 {
		t.Errorf("%d detections: too little is tested", total)
	}
}

// randomChain returns n chained verifiers with box correction, second squares and mirror
// images.
func randomChain(r *rand.Rand, n int) *cascade.Verifier {
	v := randomVerifier(r)
	v.Mirror = len(v.Trees)%2 == 0
	trees := func() []cascade.Weak {
		all := randomVerifier(r).Trees
		for i := range all {
			for k := range all[i].Leaves {
				all[i].Leaves[k] /= 8
			}
		}
		return all
	}
	if r.IntN(2) == 0 {
		v.Context = 0.5 + 3*r.Float64()
		for i := range v.Trees {
			v.Trees[i].Nodes[0].Feature += channels.Count
		}
	}
	if r.IntN(3) > 0 {
		v.Boxes = &cascade.Boxes{Left: trees(), Right: trees()}
		if r.IntN(2) == 0 {
			v.Boxes.Top = trees()
		}
	}
	if n > 1 {
		v.Next = randomChain(r, n-1)
	}
	return v
}

// chained applies a chain to a box and its margin as the documentation says.
func chained(v *cascade.Verifier, g *luma.Plane, box image.Rectangle, margin float64) (image.Rectangle, float64, bool) {
	var l channels.Extractor
	for ; v != nil; v = v.Next {
		cols := append([]int32(nil), l.Extract(g, box, v.Sides)...)
		if v.Context != 0 {
			cols = append(cols, l.Extract(g, box, v.Context)...)
		}
		score := func(trees []cascade.Weak, cols []int32) float64 {
			return verifierScore(&cascade.Verifier{Trees: trees}, cols)
		}
		seen := mirroredColumns(cols)
		sum := score(v.Trees, cols)
		both := v.Mirror && margin+float64(v.Weight*sum) >= 0
		if both {
			sum = (sum + score(v.Trees, seen)) / 2
		}
		margin += float64(v.Weight * sum)
		if v.Next != nil && margin < 0 {
			return box, margin, false
		}
		if b := v.Boxes; b != nil {
			side := float64(box.Dx()+box.Dy()) / 2
			// In the mirror, an edge is the one in seenTrees, and moves by sign.
			move := func(at int, trees, seenTrees []cascade.Weak, sign float64) int {
				by := score(trees, cols)
				if both {
					by = (by + sign*score(seenTrees, seen)) / 2
				}
				return at + int(math.RoundToEven(float64(side*math.Max(-1, math.Min(1, by)))))
			}
			r := image.Rectangle{
				Min: image.Pt(move(box.Min.X, b.Left, b.Right, -1), move(box.Min.Y, b.Top, b.Top, 1)),
				Max: image.Pt(move(box.Max.X, b.Right, b.Left, -1), move(box.Max.Y, b.Bottom, b.Bottom, 1)),
			}
			if !r.Empty() {
				box = r
			}
		}
	}
	return box, margin, true
}

// mirroredColumns returns the columns that the mirror image of one or two squares has.
func mirroredColumns(of []int32) []int32 {
	all := make([]int32, len(of))
	for i := range of {
		first := i / channels.Count * channels.Count
		all[first+columns.Mirror(i-first)] = of[i]
	}
	return all
}

func TestSeveralVerifiers(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 0))
	dropped, moved, same := 0, 0, 0
	for i := range 40 {
		s := randomSoft(rng)
		c := randomCascade(rng, s)
		g := randomPicture(rng, s).draw()
		o := detector.Options{Scale: 1.3, MinNeighbors: 1, Overlapping: true, Workers: 1 + i%2}
		before := detectIn(t, must.Get(detector.New(&o, c)), g)
		c.Verifier = randomChain(rng, 1+i%3)
		after := detectIn(t, must.Get(detector.New(&o, c)), g)
		p, _ := luma.Of(g, nil)
		want := []detector.Detection{}
		for _, d := range before {
			box, score, ok := chained(c.Verifier, &p, d.Box.Sub(g.Rect.Min), d.Score)
			switch {
			case !ok:
				dropped++
				continue
			case box == d.Box.Sub(g.Rect.Min):
				same++
			default:
				moved++
			}
			if box = box.Add(g.Rect.Min).Intersect(g.Rect); !box.Empty() {
				want = append(want, detector.Detection{Box: box, Score: score, Neighbors: d.Neighbors})
			}
		}
		if !reflect.DeepEqual(byBox(after), byBox(want)) {
			t.Fatalf("%d: got %v, want %v", i, after, want)
		}
	}
	if dropped < 10 || moved < 10 || same < 5 {
		t.Errorf("%d dropped, %d boxes moved, %d not: too few to tell", dropped, moved, same)
	}
}
