package detector_test

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"

	"haarlem/cascade"
	"haarlem/haar"
)

// shape is the kind of cascade that [randomCascade] makes.
type shape struct {
	kind          cascade.Kind
	width, height int
	stages        int
	weak          int // most weak classifiers of a stage
	nodes         int // most nodes of a tree; 1: stumps
	tilted        int // percentage of tilted features

	exact  bool    // all trees have the most nodes
	bins   int     // 8 or 16: some weak classifiers are histograms
	chain  bool    // some scores do not restart
	soft   bool    // no score restarts, and all weak classifiers are histograms
	stddev float64 // contrast gate, Haar only; 10 is OpenCV's
}

// randomShape returns a random shape.
func randomShape(r *rand.Rand) shape {
	s := shape{
		kind:   cascade.Haar,
		width:  4 + r.IntN(28),
		height: 4 + r.IntN(28),
		stages: 1 + r.IntN(5),
		weak:   1 + r.IntN(6),
		nodes:  1,
		stddev: 10,
	}
	if r.IntN(6) == 0 { // rectangle sums far beyond 16 bits
		s.width, s.height = 32+r.IntN(90), 32+r.IntN(90)
		if r.IntN(4) == 0 { // and beyond the exact integers of float32
			s.width, s.height = 200+r.IntN(50), 200+r.IntN(50)
		}
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

// randomSoft returns a random shape that OpenCV does not support.
func randomSoft(r *rand.Rand) shape {
	s := randomShape(r)
	s.stddev = []float64{0, 2, 10, 17.3}[r.IntN(4)]
	s.chain = r.IntN(3) > 0
	if s.kind == cascade.Haar {
		s.bins = []int{0, 8, 16}[r.IntN(3)]
	}
	if r.IntN(3) == 0 { // an exit after every weak classifier
		s.stages, s.weak = 3+r.IntN(12), 1
	}
	return s
}

// randomSwept returns a random shape whose strips are swept, if lanes support
// its features.
func randomSwept(r *rand.Rand) shape {
	return shape{
		kind: cascade.Haar, width: 8 + r.IntN(20), height: 8 + r.IntN(20), stddev: []float64{0, 2, 10}[r.IntN(3)],
		stages: 4 + r.IntN(12), weak: 1, nodes: 1, bins: 16, soft: true,
	}
}

// levelWindow is a window on a level.
type levelWindow struct {
	level *refLevel
	x, y  int
	inv   float32
	score float64 // so far, since the last restart
}

// randomCascade returns a random cascade whose stages each pass a fair share of
// the windows that the stages before pass. Many thresholds are exactly the
// score of some window, and many leaves lie on a coarse grid, so that ties are
// common.
func randomCascade(r *rand.Rand, s shape) *cascade.Cascade {
	c := &cascade.Cascade{Kind: s.kind, Width: s.width, Height: s.height}
	if s.kind == cascade.Haar {
		c.MinStdDev = s.stddev
	}
	windows := randomWindows(r, c, 300, s.tilted > 0)
	grid, magnitude := r.IntN(2) == 0, 1+r.IntN(4)
	for range s.stages {
		from := len(c.Weak)
		for range 1 + r.IntN(s.weak) {
			c.Weak = append(c.Weak, randomTree(r, c, s, windows, grid, magnitude))
		}
		var scores []float64
		for i := range windows {
			p := &windows[i]
			for k := from; k < len(c.Weak); k++ {
				p.score += float64(refLeaf(c, &c.Weak[k], p.level, p.x, p.y, p.inv))
			}
			scores = append(scores, p.score)
		}
		threshold := float32(-0.5)
		if len(scores) > 0 {
			slices.Sort(scores)
			threshold = float32(scores[len(scores)*(10+r.IntN(50))/100])
		}
		// OpenCV subtracts 1e-5 from a file's threshold: this is one that a
		// file can express.
		exit := cascade.Exit{After: len(c.Weak), Threshold: threshold - float32(1e-5), Restart: !s.soft && (!s.chain || r.IntN(4) == 0)}
		c.Exits = append(c.Exits, exit)
		windows = slices.DeleteFunc(windows, func(p levelWindow) bool { return p.score < float64(exit.Threshold) })
		if exit.Restart {
			for i := range windows {
				windows[i].score = 0
			}
		}
	}
	return c
}

// runsOn reports whether the score of c restarts only at the end.
func runsOn(c *cascade.Cascade) bool {
	return !slices.ContainsFunc(c.Exits[:len(c.Exits)-1], func(e cascade.Exit) bool { return e.Restart })
}

// randomScaleBias returns one of about the size of c's thresholds.
func randomScaleBias(r *rand.Rand, c *cascade.Cascade) cascade.ScaleBias {
	e := c.Exits[r.IntN(len(c.Exits))]
	size := math.Abs(float64(e.Threshold)) + 0.01
	return cascade.ScaleBias{PerOctave: size * r.Float64(), From: 0.5 + 2*r.Float64(), Max: size * 2 * r.Float64()}
}

// randomWindows returns windows that pass the contrast gate.
func randomWindows(r *rand.Rand, c *cascade.Cascade, n int, tilted bool) []levelWindow {
	var windows []levelWindow
	for k := range 6 {
		p := picture{pictureKinds[(k+int(r.Uint32()%8))%len(pictureKinds)], c.Width + 20 + r.IntN(60), c.Height + 20 + r.IntN(60), r.Uint64() % 1000}
		l := newRefLevel(p.draw(), 1+float32(k)*0.05, 0, tilted, 0, 0)
		if l.w < c.Width || l.h < c.Height {
			continue
		}
		for range n / 6 {
			at := levelWindow{level: l, x: r.IntN(l.w + 1 - c.Width), y: r.IntN(l.h + 1 - c.Height)}
			if c.Kind == cascade.Haar {
				g := refGate(c, l, at.x, at.y)
				if !g.open {
					continue
				}
				at.inv = g.inv
			}
			windows = append(windows, at)
		}
	}
	return windows
}

// randomTree returns a random weak classifier and appends its features to c.
func randomTree(r *rand.Rand, c *cascade.Cascade, s shape, windows []levelWindow, grid bool, magnitude int) cascade.Weak {
	var w cascade.Weak
	leaf := func() float32 {
		v := float32(r.NormFloat64())
		if grid {
			v = float32(math.Round(float64(v)*8) / 8)
		}
		for range r.IntN(magnitude) {
			v *= 37
		}
		return v
	}
	if s.bins > 0 && (s.soft || r.IntN(3) > 0) {
		c.Features = append(c.Features, randomFeature(r, s))
		w.Feature = int32(len(c.Features) - 1)
		w.Low, w.Scale = -0.02, float32(s.bins)/0.04
		if len(windows) > 1 { // between the values of two windows
			a, b := windows[r.IntN(len(windows))], windows[r.IntN(len(windows))]
			u := refHaar(&c.Features[w.Feature], a.level, a.x, a.y, a.inv)
			v := refHaar(&c.Features[w.Feature], b.level, b.x, b.y, b.inv)
			if u != v {
				w.Low, w.Scale = min(u, v), float32(s.bins)/(max(u, v)-min(u, v))
			}
		}
		for range s.bins {
			w.Leaves = append(w.Leaves, leaf())
		}
		return w
	}
	type slot struct {
		node int
		left bool
	}
	var open []slot
	size := 1 + r.IntN(s.nodes)
	if s.exact {
		size = s.nodes
	}
	for n := range size {
		if n > 0 { // attach the new node to a random open child
			k := r.IntN(len(open))
			if o := open[k]; o.left {
				w.Nodes[o.node].Left = int32(n)
			} else {
				w.Nodes[o.node].Right = int32(n)
			}
			open = slices.Delete(open, k, k+1)
		}
		w.Nodes = append(w.Nodes, randomNode(r, c, s, windows))
		open = append(open, slot{n, true}, slot{n, false})
	}
	for k, o := range open {
		if o.left {
			w.Nodes[o.node].Left = int32(-k)
		} else {
			w.Nodes[o.node].Right = int32(-k)
		}
		w.Leaves = append(w.Leaves, leaf())
	}
	return w
}

// randomNode returns a random test and appends its feature to c.
func randomNode(r *rand.Rand, c *cascade.Cascade, s shape, windows []levelWindow) cascade.Node {
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
	if len(windows) > 0 && r.IntN(8) > 0 {
		p := windows[r.IntN(len(windows))]
		n.Threshold = refHaar(&c.Features[n.Feature], p.level, p.x, p.y, p.inv)
	}
	return n
}

// randomFeature returns 2 or 3 rectangles with their true extent inside the
// window, in classical arrangements or at random.
func randomFeature(r *rand.Rand, s shape) haar.Feature {
	if r.IntN(100) >= s.tilted && (s.soft || r.IntN(2) == 0) {
		return randomClassic(r, s)
	}
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

// randomClassic returns an upright edge, line, checkerboard or centre-surround
// feature whose weights cancel out on a flat image.
func randomClassic(r *rand.Rand, s shape) haar.Feature {
	across, down := 1+r.IntN(3), 1+r.IntN(3) // cells in a row, and rows
	if across*down == 1 {
		across = 2
	}
	across, down = min(across, s.width), min(down, s.height)
	w, h := int32(1+r.IntN(s.width/across)), int32(1+r.IntN(s.height/down))
	x, y := int32(r.IntN(s.width-across*int(w)+1)), int32(r.IntN(s.height-down*int(h)+1))
	cell := func(i, j int) haar.Rect {
		return haar.Rect{X: x + int32(i)*w, Y: y + int32(j)*h, W: w, H: h, Weight: float32(across * down)}
	}
	var f haar.Feature
	f.Rects[0] = haar.Rect{X: x, Y: y, W: w * int32(across), H: h * int32(down), Weight: -1}
	switch {
	case across == 2 && down == 2:
		i := r.IntN(2)
		f.Rects[1], f.Rects[2] = cell(i, 0), cell(1-i, 1)
		f.Rects[1].Weight, f.Rects[2].Weight = 2, 2
	case across == 2 || down == 2: // an edge, or one cell of six
		f.Rects[1] = cell(r.IntN(across), r.IntN(down))
	default: // the middle of three, or of nine
		f.Rects[1] = cell(across/2, down/2)
	}
	return f
}

// randomSearch returns random options for an image of the given size.
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

// randomPicture returns the recipe of a small image, usually with room for
// windows of shape s.
func randomPicture(r *rand.Rand, s shape) picture {
	p := picture{pictureKinds[r.IntN(len(pictureKinds))], 1 + r.IntN(130), 1 + r.IntN(70), r.Uint64() % 1000}
	if r.IntN(8) > 0 {
		p.w, p.h = s.width+p.w, s.height+p.h
	}
	return p
}
