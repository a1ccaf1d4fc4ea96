package landmarks

import (
	"fmt"
	"image"
	"math"

	"haarlem/internal/luma"
)

// contrast is the standard deviation of a normalised patch.
const contrast = 40

// A patch is the square of an image that a model sees.
type patch struct {
	side  int
	pix   []byte
	level [256]byte // grey levels after normalisation

	// Of upright frames.
	columns [2 * maxSide]column
	lines   [2]line
}

// set resamples the square around a frame, reach of its sides large. Outside
// the image its border is repeated. A pixel is interpolated, or the mean of four of
// the image where that is finer.
func (p *patch) set(g *luma.Plane, f Frame, side int, reach float64) {
	if g.Width < 1 || g.Height < 1 {
		panic(fmt.Sprintf("landmarks: a picture of %d x %d pixels", g.Width, g.Height))
	}
	p.side = side
	if cap(p.pix) < side*side {
		p.pix = make([]byte, side*side)
	}
	p.pix = p.pix[:side*side]
	k, n := walkOf(f, side, reach)
	upright := k.dy == 0 && g.Width > 1
	switch {
	case n == 1 && upright:
		p.interpolateUpright(g, k)
	case n == 1:
		p.interpolate(g, k)
	case upright:
		p.averageUpright(g, k)
	default:
		p.average(g, k)
	}
}

// seen returns the part of a plane that set reads.
func (f Frame) seen(reach float64, g *luma.Plane) image.Rectangle {
	// Half a side of the square and one pixel more, for what is interpolated. Outside the
	// plane its border is read.
	r := reach/2*(math.Abs(f.A)+math.Abs(f.B)) + 2
	low := func(v float64, n int) int { return int(min(max(math.Floor(v-r), 0), float64(n-1))) }
	high := func(v float64, n int) int { return int(min(max(math.Ceil(v+r), 1), float64(n))) }
	return image.Rect(low(f.X, g.Width), low(f.Y, g.Height), high(f.X, g.Width), high(f.Y, g.Height))
}

// A walk visits an image in straight lines, in 1/65536 pixel: (dx, dy) is the
// step within a line, and (-dy, dx) the step from line to line.
type walk struct{ x, y, dx, dy int64 }

// walkOf returns the walk that fills a patch, and its steps for a pixel, each way: 1 or 2.
func walkOf(f Frame, side int, reach float64) (k walk, n int) {
	step := reach / float64(side)
	ax, ay := float64(f.A*step), float64(f.B*step) // one pixel to the right
	long := math.Sqrt(float64(ax*ax) + float64(ay*ay))
	n = 1
	if long > 1.25 {
		n = 2
		ax, ay = ax/2, ay/2
	}
	total := float64(side * n)
	at := Point{ // of the first sample
		X: f.X + (float64(ay-ax)*(total-1))/2,
		Y: f.Y - (float64(ax+ay)*(total-1))/2,
	}
	const far = 1 << 28
	if !(math.Abs(at.X)+math.Abs(at.Y)+float64(total*(math.Abs(ax)+math.Abs(ay))) < far) || long == 0 {
		panic(fmt.Sprintf("landmarks: the frame %v is empty or too large", f))
	}
	const one = 1 << 16
	fix := func(v float64) int64 { return int64(math.Floor(float64(v*one) + 0.5)) }
	k = walk{x: fix(at.X), y: fix(at.Y), dx: fix(ax), dy: fix(ay)}
	if n == 1 {
		// Interpolated between the centres of pixels.
		k.x -= one / 2
		k.y -= one / 2
	}
	return k, n
}

// interpolate computes each pixel from the four around one point of the image.
func (p *patch) interpolate(g *luma.Plane, k walk) {
	right, bottom := int64(g.Width-1)<<16, int64(g.Height-1)<<16
	for j := range p.side {
		x, y := k.x-int64(j)*k.dy, k.y+int64(j)*k.dx
		row := p.pix[j*p.side:][:p.side]
		from, to := k.within(x, y, len(row), right, bottom)
		for i := range row[:from] {
			row[i] = clamped(g, x+int64(i)*k.dx, y+int64(i)*k.dy)
		}
		for i := to; i < len(row); i++ {
			row[i] = clamped(g, x+int64(i)*k.dx, y+int64(i)*k.dy)
		}
		x, y = x+int64(from)*k.dx, y+int64(from)*k.dy
		inner := row[from:to]
		for i := range inner {
			o := int(y>>16)*g.Stride + int(x>>16)
			up, down := g.Pix[o:o+2], g.Pix[o+g.Stride:][:2]
			inner[i] = between(up[0], up[1], down[0], down[1], x, y)
			x, y = x+k.dx, y+k.dy
		}
	}
}

// within returns which of n points of a line that begins at x, y have
// coordinates from 0 to below right and bottom: those from from to to-1.
func (k walk) within(x, y int64, n int, right, bottom int64) (from, to int) {
	inside := func(i int) bool {
		x, y := x+int64(i)*k.dx, y+int64(i)*k.dy
		return x >= 0 && y >= 0 && x < right && y < bottom
	}
	for from < n && !inside(from) {
		from++
	}
	for to = n; to > from && !inside(to-1); to-- {
	}
	return from, to
}

// clamped returns the pixel at a point, repeating the border outside the image.
func clamped(g *luma.Plane, x, y int64) byte {
	x, y = min(max(x, 0), int64(g.Width-1)<<16), min(max(y, 0), int64(g.Height-1)<<16)
	x0, y0 := int(x>>16), int(y>>16)
	x1 := min(x0+1, g.Width-1)
	up, down := g.Row(y0), g.Row(min(y0+1, g.Height-1))
	return between(up[x0], up[x1], down[x0], down[x1], x, y)
}

// between interpolates between four pixels.
func between(a, b, c, d byte, x, y int64) byte {
	u, v := uint32(x>>8)&0xff, uint32(y>>8)&0xff
	above := uint32(a)*(256-u) + uint32(b)*u
	below := uint32(c)*(256-u) + uint32(d)*u
	return byte((above*(256-v) + below*v + 1<<15) >> 16)
}

// average computes each pixel as the mean of four of the image.
func (p *patch) average(g *luma.Plane, k walk) {
	right, bottom := int64(g.Width)<<16, int64(g.Height)<<16
	var buffer [maxSide]uint32
	sums := buffer[:p.side]
	for j := range p.side {
		clear(sums)
		for line := int64(2 * j); line < int64(2*j+2); line++ {
			x, y := k.x-line*k.dy, k.y+line*k.dx
			from, to := k.within(x, y, 2*p.side, right, bottom)
			from, to = (from+1)/2, to/2 // whole pixels of the patch
			for i := range sums {
				if i >= from && i < to {
					s := uint32(g.Pix[int(y>>16)*g.Stride+int(x>>16)])
					x, y = x+k.dx, y+k.dy
					sums[i] += s + uint32(g.Pix[int(y>>16)*g.Stride+int(x>>16)])
					x, y = x+k.dx, y+k.dy
					continue
				}
				for range 2 {
					cx, cy := min(max(x, 0), right-1), min(max(y, 0), bottom-1)
					sums[i] += uint32(g.Pix[int(cy>>16)*g.Stride+int(cx>>16)])
					x, y = x+k.dx, y+k.dy
				}
			}
		}
		row := p.pix[j*p.side:][:p.side]
		for i, s := range sums {
			row[i] = byte((s + 2) / 4)
		}
	}
}

// normalise makes features independent of brightness and contrast.
func (p *patch) normalise() {
	edge := p.side / 8 // rarely part of the object
	var sum, squares uint64
	for y := edge; y < p.side-edge; y++ {
		var s, q uint32
		for _, v := range p.pix[y*p.side+edge:][:p.side-2*edge] {
			s += uint32(v)
			q += uint32(v) * uint32(v)
		}
		sum += uint64(s)
		squares += uint64(q)
	}
	n := uint64(p.side-2*edge) * uint64(p.side-2*edge)
	// n times the standard deviation; below 2 grey levels it is all noise.
	wide := max(int64(math.Sqrt(float64(n*squares-sum*sum))), int64(2*n))
	for v := range p.level {
		up := (int64(v)*int64(n) - int64(sum)) * contrast
		p.level[v] = byte(min(max(128+(up+wide/2)/wide, 0), 255))
	}
}
