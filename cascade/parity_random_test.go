package cascade_test

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"

	"haarlem/cascade"
	"haarlem/haar"
)

// shape says what kind of cascade [randomCascade] draws.
type shape struct {
	kind          cascade.Kind
	width, height int
	stages        int
	weak          int // most weak learners a stage
	nodes         int // most nodes a tree; 1: stumps
	tilted        int // percentage of tilted features
}

// randomShape draws a shape.
func randomShape(r *rand.Rand) shape {
	s := shape{
		kind:   cascade.Haar,
		width:  4 + r.IntN(28),
		height: 4 + r.IntN(28),
		stages: 1 + r.IntN(5),
		weak:   1 + r.IntN(6),
		nodes:  1,
	}
	if r.IntN(6) == 0 { // rectangle sums far beyond 16 bits
		s.width, s.height = 32+r.IntN(90), 32+r.IntN(90)
	}
	switch r.IntN(3) {
	case 0:
		s.kind = cascade.LBP
	case 1:
		s.tilted = r.IntN(100)
	}
	if r.IntN(2) == 0 {
		s.nodes = 2 + r.IntN(6)
	}
	return s
}

// place is a window on a level.
type place struct {
	level *refLevel
	x, y  int
	inv   float32
}

// randomCascade draws a cascade of the given shape whose stages each pass a
// fair share of the windows of pictures that pass the stages before. Many
// thresholds are the exact value of some window, and many leaves lie on a
// coarse grid, so that ties are common.
func randomCascade(r *rand.Rand, s shape) *cascade.Cascade {
	c := &cascade.Cascade{Kind: s.kind, Width: s.width, Height: s.height}
	if s.kind == cascade.Haar {
		c.MinStdDev = 10
	}
	places := randomPlaces(r, c, 300)
	grid, magnitude := r.IntN(2) == 0, 1+r.IntN(4)
	for range s.stages {
		from := len(c.Weak)
		for range 1 + r.IntN(s.weak) {
			c.Weak = append(c.Weak, randomTree(r, c, s, places, grid, magnitude))
		}
		sums := make([]float64, len(places))
		for i, p := range places {
			for k := from; k < len(c.Weak); k++ {
				sums[i] += float64(refLeaf(c, &c.Weak[k], p.level, p.x, p.y, p.inv))
			}
		}
		threshold := float32(-0.5)
		if len(sums) > 0 {
			sorted := slices.Sorted(slices.Values(sums))
			threshold = float32(sorted[len(sorted)*(10+r.IntN(50))/100])
		}
		// OpenCV subtracts 1e-5 from what a file says: this is one of the
		// thresholds that a file can express.
		exit := cascade.Exit{After: len(c.Weak), Threshold: threshold - float32(1e-5), Restart: true}
		c.Exits = append(c.Exits, exit)
		var kept []place
		for i, p := range places {
			if sums[i] >= float64(exit.Threshold) {
				kept = append(kept, p)
			}
		}
		places = kept
	}
	return c
}

// randomPlaces picks windows that pass the contrast gate.
func randomPlaces(r *rand.Rand, c *cascade.Cascade, n int) []place {
	var places []place
	for k := range 6 {
		p := picture{pictureKinds[(k+int(r.Uint32()%8))%len(pictureKinds)], c.Width + 20 + r.IntN(60), c.Height + 20 + r.IntN(60), r.Uint64() % 1000}
		l := newRefLevel(p.draw(), 1+float32(k)*0.05, true)
		if l.w < c.Width || l.h < c.Height {
			continue
		}
		for range n / 6 {
			at := place{level: l, x: r.IntN(l.w + 1 - c.Width), y: r.IntN(l.h + 1 - c.Height)}
			if c.Kind == cascade.Haar {
				g := refGate(c, l, at.x, at.y)
				if !g.open {
					continue
				}
				at.inv = g.inv
			}
			places = append(places, at)
		}
	}
	return places
}

// randomTree draws one weak learner and appends its features to c.
func randomTree(r *rand.Rand, c *cascade.Cascade, s shape, places []place, grid bool, magnitude int) cascade.Weak {
	var w cascade.Weak
	type slot struct {
		node int
		left bool
	}
	var open []slot
	for n := range 1 + r.IntN(s.nodes) {
		if n > 0 { // hang the new node below a random open end
			k := r.IntN(len(open))
			if o := open[k]; o.left {
				w.Nodes[o.node].Left = int32(n)
			} else {
				w.Nodes[o.node].Right = int32(n)
			}
			open = slices.Delete(open, k, k+1)
		}
		w.Nodes = append(w.Nodes, randomNode(r, c, s, places))
		open = append(open, slot{n, true}, slot{n, false})
	}
	for k, o := range open {
		if o.left {
			w.Nodes[o.node].Left = int32(-k)
		} else {
			w.Nodes[o.node].Right = int32(-k)
		}
		leaf := float32(r.NormFloat64())
		if grid {
			leaf = float32(math.Round(float64(leaf)*8) / 8)
		}
		for range r.IntN(magnitude) {
			leaf *= 37
		}
		w.Leaves = append(w.Leaves, leaf)
	}
	return w
}

// randomNode draws a question and appends its feature to c.
func randomNode(r *rand.Rand, c *cascade.Cascade, s shape, places []place) cascade.Node {
	if s.kind == cascade.LBP {
		w, h := 1+r.IntN(max(s.width/3, 1)), 1+r.IntN(max(s.height/3, 1))
		x, y := r.IntN(s.width-3*w+1), r.IntN(s.height-3*h+1)
		c.Cells = append(c.Cells, image.Rect(x, y, x+w, y+h))
		n := cascade.Node{Feature: int32(len(c.Cells) - 1)}
		for k := range n.Subset {
			n.Subset[k] = r.Uint32()
			if r.IntN(4) == 0 {
				n.Subset[k] &= r.Uint32()
			}
		}
		return n
	}
	c.Features = append(c.Features, randomFeature(r, s))
	n := cascade.Node{Feature: int32(len(c.Features) - 1), Threshold: float32(r.NormFloat64() * 0.02)}
	if len(places) > 0 && r.IntN(8) > 0 {
		p := places[r.IntN(len(places))]
		n.Threshold = refHaar(&c.Features[n.Feature], p.level, p.x, p.y, p.inv)
	}
	return n
}

// randomFeature draws 2 or 3 rectangles with their true extent inside the window.
func randomFeature(r *rand.Rand, s shape) haar.Feature {
	var f haar.Feature
	f.Tilted = r.IntN(100) < s.tilted && s.width >= 4 && s.height >= 4
	for k := range 2 + r.IntN(2) {
		var q haar.Rect
		for {
			q = haar.Rect{X: int32(r.IntN(s.width)), Y: int32(r.IntN(s.height)), W: int32(1 + r.IntN(s.width)), H: int32(1 + r.IntN(s.height))}
			x0, y0, x1, y1 := q.Bounds(f.Tilted)
			if x0 >= 0 && y0 >= 0 && int(x1) <= s.width && int(y1) <= s.height {
				break
			}
		}
		q.Weight = float32(k+1) * float32(1-2*(k&1^1))
		if r.IntN(3) == 0 {
			q.Weight = float32(1+r.IntN(400)) / 97 * float32(1-2*r.IntN(2))
		}
		f.Rects[k] = q
	}
	return f
}

// randomSearch draws options for a picture of the given size.
func randomSearch(r *rand.Rand, w, h int) search {
	s := search{scale: []float64{1.05, 1.1, 1.2, 1.3, 1.5, 2, 3.7}[r.IntN(7)]}
	if r.IntN(4) == 0 {
		s.scale = 1.02 + 2*r.Float64()*r.Float64()
	}
	if r.IntN(3) > 0 {
		s.neighbors = r.IntN(5)
	}
	if r.IntN(3) == 0 {
		s.min = image.Pt(r.IntN(w+5), r.IntN(h+5))
	}
	if r.IntN(3) == 0 {
		s.max = image.Pt(r.IntN(w+5), r.IntN(h+5))
	}
	return s
}

// randomPicture draws the recipe of a small picture, most often one with room
// for windows of shape s.
func randomPicture(r *rand.Rand, s shape) picture {
	p := picture{pictureKinds[r.IntN(len(pictureKinds))], 1 + r.IntN(130), 1 + r.IntN(130), r.Uint64() % 1000}
	if r.IntN(8) > 0 {
		p.w, p.h = s.width+p.w, s.height+p.h
	}
	return p
}
