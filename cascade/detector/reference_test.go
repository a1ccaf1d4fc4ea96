package detector_test

import (
	"image"
	"image/color"
	"math"
	"slices"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/haar"
)

// This file is a second detector: what OpenCV 4.6's detectMultiScale computes,
// window by window, in the plainest Go, sharing no code with the detector under
// test. It is slow and easy to verify. parity_gocv_test.go checks it against
// OpenCV itself, so that tests without OpenCV can rely on it.

// search holds the parameters of detectMultiScale, and those that only our
// detector has; their zero values do what OpenCV does.
type search struct {
	scale      float64
	neighbors  int // 0: raw candidates
	min, max   image.Point
	stride     int
	refineX    int
	refineY    int
	interLevel int
	denseFrom  float64 // 0: none
	enlarge    float64
	pad        float64
	windows    detector.WindowRule
}

// refLevel is one level of the pyramid with its padding, and its tables. These
// have one row and one column more.
type refLevel struct {
	scale  float32
	x, y   int // padding
	step   int
	w, h   int
	stride int
	sum    []int32
	sq     []uint32
	tilted []int32

	wx, wy  int // window positions
	results []refResult
}

// refResult is the result of a window, if it was visited.
type refResult struct {
	seen   bool
	stage  int
	margin float64
}

// visit evaluates the window at (x, y), if there is one.
func (l *refLevel) visit(c *cascade.Cascade, x, y int) int {
	if x < 0 || y < 0 || x >= l.wx || y >= l.wy {
		return -1
	}
	a := &l.results[y*l.wx+x]
	if !a.seen {
		a.seen = true
		a.stage, a.margin = refWindow(c, l, x, y)
	}
	return a.stage
}

// referenceVisits calls f for every window that a search visits, by level, row
// and column of the level, with the number of exits that it passes (-1: too
// little contrast) and its margin.
func referenceVisits(c *cascade.Cascade, g *image.Gray, s search, f func(factor float32, x, y, stage int, margin float64)) {
	quirks := s.windows == detector.WindowsOpenCV || s.windows == 0 && c.Exits[0].Restart
	var levels []*refLevel
	stripes := 0
	for i, factor := range refScales(c, g.Rect.Dx(), g.Rect.Dy(), s) {
		step := s.stride
		if step == 0 && factor < 2 {
			step = 2
		}
		step = max(step, 1)
		beyond := func(side int) int {
			n := 0
			for float64(n+step) <= s.pad*float64(side) {
				n += step
			}
			return n
		}
		l := newRefLevel(g, factor, c.Search.PrefilterFrom, refTilted(c), beyond(c.Width), beyond(c.Height))
		l.step = step
		l.wx, l.wy = max(l.w+1-c.Width, 0), max(l.h+1-c.Height, 0)
		if i == 0 {
			stripes = (l.wx + 31) / 32 // one number for all levels
		}
		if quirks {
			l.wy = min(stripes*max((l.wy/l.step+stripes-1)/stripes, 1)*l.step, l.wy)
		}
		if stripes > 0 && l.wx > 0 && l.wy > 0 {
			l.results = make([]refResult, l.wx*l.wy)
			levels = append(levels, l)
		}
	}
	// One of every so many levels is searched densely.
	every := 1
	for s.interLevel > 0 && math.Pow(s.scale, float64(every+1)) < 1.25 {
		every++
	}
	dense := func(i int) bool { return i%every == 0 || s.denseFrom > 0 && float64(levels[i].scale) >= s.denseFrom }
	for i, l := range levels {
		if !dense(i) {
			continue
		}
		for y := 0; y < l.wy; y += l.step {
			for x := 0; x < l.wx; x += l.step {
				stage := l.visit(c, x, y)
				if s.refineX > 0 && l.step == 2 && stage >= s.refineX {
					l.visit(c, x-1, y)
					l.visit(c, x+1, y)
				}
				for _, v := range []int{y - 1, y + 1} {
					if s.refineY > 0 && l.step == 2 && stage >= s.refineY {
						l.visit(c, x-1, v)
						l.visit(c, x, v)
						l.visit(c, x+1, v)
					}
				}
				for _, down := range []int{-1, 1} {
					for k := i + down; stage >= s.interLevel && k >= 0 && k < len(levels) && !dense(k); k += down {
						levels[k].visitNine(c, l, x, y)
					}
				}
				if stage == 0 && quirks {
					x += l.step
				}
			}
		}
	}
	for _, l := range levels {
		for i, a := range l.results {
			if a.seen {
				f(l.scale, i%l.wx-l.x, i/l.wx-l.y, a.stage, a.margin)
			}
		}
	}
}

// visitNine visits the nine windows of l nearest to the one at (x, y) of from.
func (l *refLevel) visitNine(c *cascade.Cascade, from *refLevel, x, y int) {
	nearest := func(at, side int) int {
		middle := (float64(at) + float64(side)/2) * float64(from.scale) / float64(l.scale)
		return int(math.RoundToEven(middle - float64(side)/2))
	}
	u, v := nearest(x-from.x, c.Width)+l.x, nearest(y-from.y, c.Height)+l.y
	for i := range 9 {
		l.visit(c, u+i%3-1, v+i/3-1)
	}
}

// referenceDetect returns OpenCV's rectangles for the staged cascade c. It also
// supports what OpenCV lacks: chains, soft cascades, histograms, any contrast
// gate, stride and window rule, refinement, inter-level search, padding, scale
// biases.
func referenceDetect(c *cascade.Cascade, g *image.Gray, s search) []image.Rectangle {
	var raw []image.Rectangle
	var margins []float64
	referenceVisits(c, g, s, func(f float32, x, y, stage int, margin float64) {
		if stage == len(c.Exits) {
			p := image.Pt(refRound32(float32(x)*f), refRound32(float32(y)*f))
			d := image.Pt(refRound32(float32(c.Width)*f), refRound32(float32(c.Height)*f))
			raw = append(raw, image.Rectangle{Min: p, Max: p.Add(d)})
			margins = append(margins, margin)
		}
	})
	if s.neighbors > 0 && c.Exits[0].Restart {
		raw = refGroup(raw, s.neighbors)
	} else if s.neighbors > 0 {
		raw = refBest(raw, margins, s.neighbors)
	}
	var out []image.Rectangle
	for _, r := range raw {
		if r = r.Intersect(image.Rect(0, 0, g.Rect.Dx(), g.Rect.Dy())); !r.Empty() {
			out = append(out, r)
		}
	}
	return out
}

// refRound32 rounds to the nearest integer, ties to even.
func refRound32(v float32) int { return int(math.RoundToEven(float64(v))) }

// refScales lists the scales of OpenCV's pyramid.
func refScales(c *cascade.Cascade, w, h int, s search) []float32 {
	top := s.max
	if top.X == 0 || top.Y == 0 {
		top = image.Pt(w, h)
	}
	var kept []float32
	best, bestDistance := float32(0), math.MaxInt
	factors := []float64{1}
	for f := 1 / s.scale; s.enlarge > 1 && f >= 1/s.enlarge && f*float64(min(c.Width, c.Height)) >= 2; f /= s.scale {
		factors = append([]float64{f}, factors...)
	}
	for f := s.scale; f <= float64(max(w, h)); f *= s.scale {
		factors = append(factors, f)
	}
	for _, factor := range factors {
		if int(math.RoundToEven(float64(c.Width)*factor)) > w || int(math.RoundToEven(float64(c.Height)*factor)) > h {
			break
		}
		f := float32(factor)
		ws, hs := refRound32(float32(c.Width)*f), refRound32(float32(c.Height)*f)
		dx, dy := s.min.X-ws, s.min.Y-hs
		if d := dx*dx + dy*dy; d < bestDistance {
			best, bestDistance = f, d
		}
		if ws > top.X || hs > top.Y || ws < s.min.X || hs < s.min.Y {
			continue
		}
		kept = append(kept, f)
	}
	if kept == nil && best > 0 {
		kept = append(kept, best)
	}
	return kept
}

// refTilted reports whether c needs the tilted table.
func refTilted(c *cascade.Cascade) bool {
	return slices.ContainsFunc(c.Features, func(f haar.Feature) bool { return f.Tilted })
}

// refHalve averages two by two pixels, repeating those at the edge.
func refHalve(g *image.Gray) *image.Gray {
	w, h := g.Rect.Dx(), g.Rect.Dy()
	at := func(x, y int) float64 { return float64(g.GrayAt(min(x, w-1), min(y, h-1)).Y) }
	half := image.NewGray(image.Rect(0, 0, (w+1)/2, (h+1)/2))
	for y := range half.Rect.Dy() {
		for x := range half.Rect.Dx() {
			mean := (at(2*x, 2*y) + at(2*x+1, 2*y) + at(2*x, 2*y+1) + at(2*x+1, 2*y+1)) / 4
			half.SetGray(x, y, color.Gray{Y: uint8(math.Floor(mean + 0.5))})
		}
	}
	return half
}

// newRefLevel halves g until less than halve of the factor f is left (0:
// never), scales it, repeats its edge, and makes its tables, the tilted one on
// demand.
func newRefLevel(g *image.Gray, f float32, halve float64, tilted bool, x, y int) *refLevel {
	size := g.Rect.Size()
	times := 1.0
	for halve > 0 && float64(f)/times >= halve {
		g, times = refHalve(g), 2*times
	}
	small := refResize(g, size, times, refRound32(float32(size.X)/f), refRound32(float32(size.Y)/f))
	w, h := small.Rect.Dx()+2*x, small.Rect.Dy()+2*y
	l := &refLevel{scale: f, x: x, y: y, w: w, h: h, stride: w + 1}
	var pix []byte
	for v := range h {
		for u := range w {
			pix = append(pix, small.GrayAt(min(max(u-x, 0), w-2*x-1), min(max(v-y, 0), h-2*y-1)).Y)
		}
	}
	l.sum = make([]int32, (w+1)*(h+1))
	l.sq = make([]uint32, (w+1)*(h+1))
	for y := 1; y <= h; y++ {
		for x := 1; x <= w; x++ {
			p := int32(pix[(y-1)*w+x-1])
			i := y*l.stride + x
			l.sum[i] = p + l.sum[i-1] + l.sum[i-l.stride] - l.sum[i-l.stride-1]
			l.sq[i] = uint32(p*p) + l.sq[i-1] + l.sq[i-l.stride] - l.sq[i-l.stride-1]
		}
	}
	if !tilted {
		return l
	}
	// Straight from the recurrence, on an axis padded far enough that what
	// lies outside is never needed: T(x,y) for x in [-h, w+h].
	pad := h + 1
	wide := w + 1 + 2*pad
	t := make([]int32, wide*(h+1))
	at := func(x, y int) int32 {
		if y < 0 || x < -pad || x > w+pad {
			return 0
		}
		return t[y*wide+x+pad]
	}
	pixel := func(x, y int) int32 {
		if x < 0 || y < 0 || x >= w || y >= h {
			return 0
		}
		return int32(pix[y*w+x])
	}
	for y := 1; y <= h; y++ {
		for x := -pad; x <= w+pad; x++ {
			t[y*wide+x+pad] = at(x-1, y-1) + at(x+1, y-1) - at(x, y-2) + pixel(x-1, y-1) + pixel(x-1, y-2)
		}
	}
	l.tilted = make([]int32, (w+1)*(h+1))
	for y := 0; y <= h; y++ {
		copy(l.tilted[y*l.stride:][:w+1], t[y*wide+pad:])
	}
	return l
}

// refTap is the source of one output pixel of an axis.
type refTap struct {
	at     int
	single bool
	a0, a1 uint32
}

// refTaps is for src pixels, halved from an axis of dense pixels that were
// 1/times as large.
func refTaps(src int, dense int, times float64, dst int) []refTap {
	taps := make([]refTap, dst)
	inverse := float64(dst) / float64(dense)
	scale := 1 / inverse / times
	for d := range taps {
		f := float64(scale*(float64(d)+0.5)) - 0.5
		i := int(math.Floor(f))
		switch {
		case i < 0 || src == 1:
			taps[d] = refTap{at: 0, single: true}
		case i >= src-1:
			taps[d] = refTap{at: src - 1, single: true}
		default:
			a1 := uint32(math.RoundToEven((f - float64(i)) * 256))
			taps[d] = refTap{at: i, a0: 256 - a1, a1: a1}
		}
	}
	return taps
}

// refResize is OpenCV's INTER_LINEAR_EXACT for 8 bit grey. g's pixels are times
// as large as those of an image of that size.
func refResize(g *image.Gray, size image.Point, times float64, w, h int) *image.Gray {
	sw, sh := g.Rect.Dx(), g.Rect.Dy()
	out := make([]byte, 0, w*h)
	picture := func() *image.Gray { return &image.Gray{Pix: out, Stride: w, Rect: image.Rect(0, 0, w, h)} }
	if w == sw && h == sh && times == 1 {
		for y := range h {
			out = append(out, g.Pix[y*g.Stride:][:w]...)
		}
		return picture()
	}
	across, down := refTaps(sw, size.X, times, w), refTaps(sh, size.Y, times, h)
	cell := func(x, y int) uint32 {
		t, row := across[x], g.Pix[y*g.Stride:]
		if t.single {
			return 256 * uint32(row[t.at])
		}
		return t.a0*uint32(row[t.at]) + t.a1*uint32(row[t.at+1])
	}
	for y := range h {
		for x := range w {
			t := down[y]
			if t.single {
				out = append(out, byte((cell(x, t.at)+128)>>8))
			} else {
				out = append(out, byte((t.a0*cell(x, t.at)+t.a1*cell(x, t.at+1)+32768)>>16))
			}
		}
	}
	return picture()
}

// gate is the result of [refGate].
type gate struct {
	open bool
	inv  float32
}

// refGate is the contrast gate of Haar cascades.
func refGate(c *cascade.Cascade, l *refLevel, x, y int) gate {
	i := (y+1)*l.stride + x + 1
	w, h := c.Width-2, (c.Height-2)*l.stride
	sum := l.sum[i] - l.sum[i+w] - l.sum[i+h] + l.sum[i+w+h]
	sq := l.sq[i] - l.sq[i+w] - l.sq[i+h] + l.sq[i+w+h]
	area := float64((c.Width - 2) * (c.Height - 2))
	nf := float64(area*float64(sq)) - float64(float64(sum)*float64(sum))
	if nf <= 0 {
		return gate{}
	}
	inv := float32(1 / math.Sqrt(nf))
	return gate{open: area*float64(inv) < 1/c.MinStdDev, inv: inv}
}

// refHaar is the value of a Haar feature.
func refHaar(f *haar.Feature, l *refLevel, x, y int, inv float32) float32 {
	var v float32
	for k := range f.Count() {
		r := f.Rects[k]
		rx, ry, rw, rh := x+int(r.X), y+int(r.Y), int(r.W), int(r.H)
		var s int32
		if f.Tilted {
			at := func(x, y int) int32 { return l.tilted[y*l.stride+x] }
			s = at(rx, ry) - at(rx-rh, ry+rh) - at(rx+rw, ry+rw) + at(rx+rw-rh, ry+rw+rh)
		} else {
			at := func(x, y int) int32 { return l.sum[y*l.stride+x] }
			s = at(rx, ry) - at(rx+rw, ry) - at(rx, ry+rh) + at(rx+rw, ry+rh)
		}
		product := float32(r.Weight * float32(s))
		if k == 0 {
			v = product
		} else {
			v = float32(v + product)
		}
	}
	return float32(v * inv)
}

// refLBP is the 8 bit code of the 3x3 block whose top-left cell is r.
func refLBP(r image.Rectangle, l *refLevel, x, y int) uint32 {
	w, h := r.Dx(), r.Dy()
	cell := func(column, row int) int32 {
		x0, y0 := x+r.Min.X+column*w, y+r.Min.Y+row*h
		return l.sum[y0*l.stride+x0] - l.sum[y0*l.stride+x0+w] - l.sum[(y0+h)*l.stride+x0] + l.sum[(y0+h)*l.stride+x0+w]
	}
	centre := cell(1, 1)
	var code uint32
	for _, p := range [8][2]int{{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 2}, {0, 2}, {0, 1}} {
		code <<= 1
		if cell(p[0], p[1]) >= centre {
			code |= 1
		}
	}
	return code
}

// refLeaf walks the tree of one weak classifier, or finds its bin.
func refLeaf(c *cascade.Cascade, w *cascade.Weak, l *refLevel, x, y int, inv float32) float32 {
	if w.Histogram() {
		v := refHaar(&c.Features[w.Feature], l, x, y, inv)
		b := float32(float32(v-w.Low) * w.Scale)
		return w.Leaves[int(min(max(b, 0), float32(len(w.Leaves)-1)))]
	}
	for n := int32(0); ; {
		node := &w.Nodes[n]
		var left bool
		if c.Kind == cascade.LBP {
			code := refLBP(c.Cells[node.Feature], l, x, y)
			left = node.Subset[code>>5]>>(code&31)&1 != 0
		} else {
			left = refHaar(&c.Features[node.Feature], l, x, y, inv) < node.Threshold
		}
		n = node.Right
		if left {
			n = node.Left
		}
		if n <= 0 {
			return w.Leaves[-n]
		}
	}
}

// refStart is the initial score of windows on a level.
func refStart(c *cascade.Cascade, scale float32) float64 {
	h := c.Search.ScaleBias
	if h.PerOctave == 0 {
		return 0
	}
	v := h.PerOctave * (math.Log(float64(scale)) - math.Log(h.From)) / math.Ln2
	if v > h.Max {
		v = h.Max
	}
	if v < -h.Max {
		v = -h.Max
	}
	return math.RoundToEven(v*256) / 256
}

// refWindow returns the number of exits that the window at x, y passes, or -1
// if the contrast gate rejects it, and the margin at the last one evaluated.
func refWindow(c *cascade.Cascade, l *refLevel, x, y int) (int, float64) {
	var g gate
	if c.Kind == cascade.Haar {
		if g = refGate(c, l, x, y); !g.open {
			return -1, 0
		}
	}
	from, sum, margin := 0, refStart(c, l.scale), 0.0
	for stage, e := range c.Exits {
		for k := from; k < e.After; k++ {
			sum += float64(refLeaf(c, &c.Weak[k], l, x, y, g.inv))
		}
		if margin = sum - float64(e.Threshold); margin < 0 {
			return stage, 0
		}
		from = e.After
		if e.Restart {
			sum = 0
		}
	}
	return len(c.Exits), margin
}

// refSimilar is the relation whose connected components are the groups.
func refSimilar(a, b image.Rectangle) bool {
	d := 0.2 * float64(min(a.Dx(), b.Dx())+min(a.Dy(), b.Dy())) * 0.5
	near := func(p, q int) bool { return math.Abs(float64(p-q)) <= d }
	return near(a.Min.X, b.Min.X) && near(a.Min.Y, b.Min.Y) && near(a.Max.X, b.Max.X) && near(a.Max.Y, b.Max.Y)
}

// refClasses returns the group of each rectangle, from 1 on, and the groups'
// mean rectangles and sizes.
func refClasses(raw []image.Rectangle) (class []int, mean []image.Rectangle, count []int) {
	class = make([]int, len(raw)) // 0: not yet in one
	classes := 0
	for i := range raw {
		if class[i] != 0 {
			continue
		}
		classes++
		class[i] = classes
		for todo := []int{i}; len(todo) > 0; {
			a := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			for b := range raw {
				if class[b] == 0 && refSimilar(raw[a], raw[b]) {
					class[b] = classes
					todo = append(todo, b)
				}
			}
		}
	}
	count = make([]int, classes)
	sums := make([][4]int, classes)
	for i, r := range raw {
		k := class[i] - 1
		count[k]++
		for j, v := range [4]int{r.Min.X, r.Min.Y, r.Dx(), r.Dy()} {
			sums[k][j] += v
		}
	}
	mean = make([]image.Rectangle, classes)
	for k := range mean {
		part := func(j int) int { return refRound32(float32(sums[k][j]) * (1 / float32(count[k]))) }
		x, y := part(0), part(1)
		mean[k] = image.Rect(x, y, x+part(2), y+part(3))
	}
	return class, mean, count
}

// refBest groups the candidates of a score that runs on: of groups that share
// more than half of the smaller one the best stays, the first of equals.
func refBest(raw []image.Rectangle, margins []float64, neighbors int) []image.Rectangle {
	class, mean, count := refClasses(raw)
	score := make([]float64, len(mean))
	for i, m := range margins {
		m = float64(m * m)
		score[class[i]-1] += float64(m * m)
	}
	var out []image.Rectangle
	for {
		best := -1
		for k := range mean {
			if count[k] > neighbors && (best < 0 || math.Sqrt(math.Sqrt(score[k])) > math.Sqrt(math.Sqrt(score[best]))) {
				best = k
			}
		}
		if best < 0 {
			return out
		}
		count[best] = 0
		size := func(r image.Rectangle) int { return r.Dx() * r.Dy() }
		if !slices.ContainsFunc(out, func(o image.Rectangle) bool {
			return 2*size(o.Intersect(mean[best])) > min(size(o), size(mean[best]))
		}) {
			out = append(out, mean[best])
		}
	}
}

// refGroup is OpenCV's groupRectangles with eps = 0.2.
func refGroup(raw []image.Rectangle, neighbors int) []image.Rectangle {
	_, mean, count := refClasses(raw)
	var out []image.Rectangle
	for i, r := range mean {
		if count[i] <= neighbors {
			continue
		}
		swallowed := false
		for j, o := range mean {
			if i == j || count[j] <= neighbors {
				continue
			}
			dx := int(math.RoundToEven(float64(o.Dx()) * 0.2))
			dy := int(math.RoundToEven(float64(o.Dy()) * 0.2))
			inside := r.Min.X >= o.Min.X-dx && r.Min.Y >= o.Min.Y-dy && r.Max.X <= o.Max.X+dx && r.Max.Y <= o.Max.Y+dy
			if inside && (count[j] > max(3, count[i]) || count[i] < 3) {
				swallowed = true
				break
			}
		}
		if !swallowed {
			out = append(out, r)
		}
	}
	return out
}
