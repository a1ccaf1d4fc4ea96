package track

import (
	"image"
	"math"
	"time"
)

// Motion of faces and jitter of boxes, in widths of the box. A head that turns or
// nods accelerates to some widths a second within tenths of a second; the boxes of a
// cascade are quantised to the steps of its pyramid and of its windows.
const (
	boxNoise  = 0.05 // standard deviation of a box's centre
	sizeNoise = 0.08 // and of its size
	push      = 1.0  // random acceleration of the centre
	growth    = 0.3  // and of the size
	startMove = 2.0  // velocity of a new track, a second
	startGrow = 0.4

	// coast is how long the velocity of a track is extrapolated.
	coast = 300 * time.Millisecond
)

// A motion is the state of a moving box: its centre and its width are filtered. The
// height follows the width, since the boxes of a model have one shape; the
// shape is that of the last detection.
type motion struct {
	x, y, w filter
	shape   float64       // height by width
	at      time.Duration // the time of the filters
	seen    time.Duration // of the last measurement
}

func newMotion(box image.Rectangle, at time.Duration) motion {
	x, y, w, shape := measured(box)
	return motion{
		x:     newFilter(x, boxNoise*w, startMove*w),
		y:     newFilter(y, boxNoise*w, startMove*w),
		w:     newFilter(w, sizeNoise*w, startGrow*w),
		shape: shape, at: at, seen: at,
	}
}

func measured(b image.Rectangle) (x, y, w, shape float64) {
	return float64(b.Min.X+b.Max.X) / 2, float64(b.Min.Y+b.Max.Y) / 2, float64(b.Dx()), float64(b.Dy()) / float64(b.Dx())
}

// measure takes in a detection. Time does not go back: a detection older than
// the last one counts as being of its time.
func (m *motion) measure(box image.Rectangle, at time.Duration) {
	dt := max(0, at-m.at).Seconds()
	size := m.width()
	m.x.advance(dt, push*size)
	m.y.advance(dt, push*size)
	m.w.advance(dt, growth*size)
	x, y, w, shape := measured(box)
	m.x.measure(x, boxNoise*w)
	m.y.measure(y, boxNoise*w)
	m.w.measure(w, sizeNoise*w)
	m.shape = shape
	m.at, m.seen = max(m.at, at), max(m.at, at)
}

func (m *motion) width() float64 { return max(1, m.w.x) }

// box is where the box should be at a time. From coast after the last
// detection on it stays where it is.
func (m *motion) box(at time.Duration) image.Rectangle {
	dt := min(at-m.at, coast).Seconds()
	x := m.x.x + float64(m.x.v*dt)
	y := m.y.x + float64(m.y.v*dt)
	w := m.w.x + float64(m.w.v*dt)
	// A size cannot follow its velocity for long without becoming absurd.
	w = max(1, min(max(w, 0.7*m.w.x), 1.4*m.w.x))
	h := max(1, w*m.shape)
	left, top := int(math.Round(x-w/2)), int(math.Round(y-h/2))
	return image.Rect(left, top, left+max(1, int(math.Round(w))), top+max(1, int(math.Round(h))))
}
