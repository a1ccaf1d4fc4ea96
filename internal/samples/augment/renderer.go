package augment

import (
	"image"
	"math"

	"haarlem/internal/kernel/resize"
	"haarlem/internal/splitmix"
)

// A renderer draws windows for one worker, and reuses its memory. The zero value is
// ready.
type renderer struct {
	grey    []byte
	patch   patch
	canvas  canvas
	columns []int64
	bytes   []byte
	scratch []int32
	rows    [2][]uint16
	line    []byte
	lines   []int32
	axes    map[[2]int]*resize.Axis

	// For Effects.Legible.
	clean   []int32
	try     []byte
	best    []byte
	sums    []int64
	details [2][]int64
}

// The random stream of each effect.
const (
	streamPlace = iota
	streamTurn
	streamZoom
	streamWorn
	streamLight
	streamTone
	streamBlur
	streamGrain
	streamPrint
	streamFaint
	streamNoise
	streamJPEG
	streamCut
	streamDark
	streamInk
)

// A view maps a window and its surroundings to a canvas.
type view struct {
	width, height int      // of the window, in pixels
	levelWidth    int      // of the window and its surroundings, as the detector would see them
	levelHeight   int      //
	left, top     int      // where the window lies in that
	canvasWidth   int      // the same before the detector scales it
	canvasHeight  int      //
	m             [4]int64 // from window to object: (p, q) goes to (m0 p + m1 q + x, m2 p + m3 q + y)
	x, y          int64
	turned        bool
	turn, nod     [2]int64 // sine and cosine
	fine          float64  // how much of the patch a canvas pixel covers, in patch pixels a side
}

func (m *renderer) view(j *Effects, d splitmix.Source, width, height int) *view {
	v := &view{width: width, height: height, levelWidth: width, levelHeight: height}
	zoom := 1.0
	if j.zoom() > 1 {
		// Two pixels more, so that the detector's scaling reads the
		// surroundings, and does not always begin at the window's corner.
		z := d.Fork(streamZoom)
		zoom = z.Between(1, j.Zoom)
		v.levelWidth, v.levelHeight = width+2, height+2
		v.left, v.top = z.IntN(3), z.IntN(3)
	}
	v.canvasWidth = int(float64(zoom*float64(v.levelWidth)) + 0.5)
	v.canvasHeight = int(float64(zoom*float64(v.levelHeight)) + 0.5)

	p := d.Fork(streamPlace)
	size := aroundOne(float64(p.Normal() * j.Scale))
	stretch := aroundOne(float64(p.Normal() * (j.Stretch / 2)))
	sin, cos := degrees(p.Normal() * j.Rotate)
	wide, high := size*stretch, size/stretch
	v.m = [4]int64{
		fixed(wide*cos, unitBits), fixed(-(high * sin), unitBits),
		fixed(wide*sin, unitBits), fixed(high*cos, unitBits),
	}
	v.x, v.y = fixed(p.Normal()*j.Shift, unitBits), fixed(p.Normal()*j.Shift, unitBits)

	if j.Turn != 0 || j.Nod != 0 {
		t := d.Fork(streamTurn)
		v.turned = true
		sin, cos = degrees(t.Between(-1, 1) * j.Turn)
		v.turn = [2]int64{fixed(sin, unitBits), fixed(cos, unitBits)}
		sin, cos = degrees(t.Between(-1, 1) * j.Nod)
		v.nod = [2]int64{fixed(sin, unitBits), fixed(cos, unitBits)}
	}
	v.fine = m.patch.place.Side() * size / (zoom * float64(width))
	return v
}

// aroundOne returns 1+x, or 1/(1-x) for a negative x.
func aroundOne(x float64) float64 {
	if x < 0 {
		return 1 / (1 - x)
	}
	return 1 + x
}

// The bowl for rotation out of the plane: its depth at (p, q) is deep (1 -
// (p/0.5)^2 - ((q-0.05)/0.62)^2) where that is positive. On average, eyes and
// mouth keep their position.
const (
	bowlDeep   = unit * 42 / 100
	bowlRim    = bowlDeep * 3 / 4
	bowlWide   = 4 * unit           // 1/0.5^2
	bowlHigh   = unit * 2601 / 1000 // 1/0.62^2
	bowlMiddle = unit / 20
)

// maxFine is the largest number of sampling points along a side of a canvas pixel.
const maxFine = 8

// sample draws the patch on the canvas.
func (m *renderer) sample(v *view, mirror bool) {
	c := &m.canvas
	c.resize(v.canvasWidth, v.canvasHeight)
	c.unit = int64(v.width) * int64(v.canvasWidth) * 256 / int64(v.levelWidth)
	n := max(1, min(int(math.Ceil(v.fine-0.25)), maxFine))
	// Positions in the window of canvas columns and rows, n points each.
	along := func(dst []int64, size, level, start, window int) []int64 {
		for i := range size * n {
			// ((i+1/2)/(size n) level - start - window/2) / width
			at := (int64(2*i+1)*int64(level)<<unitBits)/int64(2*size*n) - int64(2*start+window)<<(unitBits-1)
			dst = append(dst, at/int64(v.width))
		}
		return dst
	}
	m.columns = along(m.columns[:0], v.canvasWidth, v.levelWidth, v.left, v.width)
	m.columns = along(m.columns, v.canvasHeight, v.levelHeight, v.top, v.height)
	columns, rows := m.columns[:v.canvasWidth*n], m.columns[v.canvasWidth*n:]

	place := m.patch.place
	a, b := fixed(place.A, 16), fixed(place.B, 16)
	tx, ty := fixed(place.X, 16), fixed(place.Y, 16)
	for y := range v.canvasHeight {
		for x := range v.canvasWidth {
			var sum int32
			var p, q int64
			for _, wq := range rows[y*n : y*n+n] {
				for _, wp := range columns[x*n : x*n+n] {
					p = (v.m[0]*wp+v.m[1]*wq)>>unitBits + v.x
					q = (v.m[2]*wp+v.m[3]*wq)>>unitBits + v.y
					if v.turned {
						p, q = v.bowl(p, q)
					}
					op := p
					if mirror {
						op = -p
					}
					sum += m.patch.at((a*op-b*q)>>unitBits+tx, (b*op+a*q)>>unitBits+ty)
				}
			}
			i := y*c.width + x
			c.pix[i] = sum / int32(n*n)
			c.p[i], c.q[i] = int32(p), int32(q)
		}
	}
}

// bowl maps a point of the rotated object back.
func (v *view) bowl(p, q int64) (int64, int64) {
	pp := p * p >> unitBits * bowlWide >> unitBits
	qq := q - bowlMiddle
	qq = qq * qq >> unitBits * bowlHigh >> unitBits
	z := int64(-bowlRim)
	if inside := unit - pp - qq; inside > 0 {
		z += bowlDeep * inside >> unitBits
	}
	return (p*v.turn[1] + z*v.turn[0]) >> unitBits, (q*v.nod[1] + z*v.nod[0]) >> unitBits
}

// fit scales the canvas to the window's size, exactly as the detector scales
// images to its levels.
func (m *renderer) fit(img *image.Gray, v *view) {
	if v.canvasWidth == v.levelWidth && v.canvasHeight == v.levelHeight {
		for y := range v.height {
			copy(img.Pix[y*img.Stride:][:v.width], m.bytes[(y+v.top)*v.canvasWidth+v.left:])
		}
		return
	}
	ax, ay := m.axis(v.canvasWidth, v.levelWidth), m.axis(v.canvasHeight, v.levelHeight)
	have := [2]int{-1, -1}
	row := func(i int) []uint16 {
		slot := i & 1
		if have[slot] != i {
			m.rows[slot] = room(m.rows[slot], v.levelWidth+resize.Slack)
			resize.Row(m.rows[slot], m.bytes[i*v.canvasWidth:][:v.canvasWidth], ax)
			have[slot] = i
		}
		return m.rows[slot]
	}
	m.line = room(m.line, v.levelWidth+resize.Slack)
	for y := range v.height {
		i, part := int(ay.Index[y+v.top]), ay.Part[y+v.top]
		resize.Blend(m.line, row(i), row(i+1), v.levelWidth, part)
		copy(img.Pix[y*img.Stride:][:v.width], m.line[v.left:])
	}
}

func (m *renderer) axis(from, to int) *resize.Axis {
	key := [2]int{from, to}
	a := m.axes[key]
	if a == nil {
		made := resize.NewAxis(from, to)
		a = &made
		if m.axes == nil {
			m.axes = map[[2]int]*resize.Axis{}
		}
		m.axes[key] = a
	}
	return a
}
