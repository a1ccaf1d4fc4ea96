package cascade

import (
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"sync"

	"haarlem/integral"
	"haarlem/internal/longsort"
	"haarlem/internal/nms"
)

// A Team searches a picture for the objects of several cascades, such as faces
// seen from the front and from both sides, and reports each place once. Like a
// [Detector] it may be used by many goroutines at once.
type Team struct {
	detectors []*Detector
	scratch   sync.Pool // of *merger
}

// NewTeam compiles several cascades for detection with the same options; nil
// means defaults. Their scores must mean the same: either all cascades have a
// calibration or none has one, and then they should be of one training, such as
// a cascade and its [Cascade.Mirror].
func NewTeam(cascades []*Cascade, o *Options) (*Team, error) {
	if len(cascades) == 0 {
		return nil, fmt.Errorf("%w: a team of no cascades", ErrOptions)
	}
	t := &Team{}
	for i, c := range cascades {
		d, err := NewDetector(c, o)
		if err != nil && len(cascades) == 1 {
			return nil, err
		} else if err != nil {
			return nil, fmt.Errorf("cascade %d (%q) of the team: %w", i+1, c.Name, err)
		}
		if (c.Calibration == nil) != (cascades[0].Calibration == nil) {
			return nil, fmt.Errorf("%w: of %q and %q one is calibrated and one is not, so that their scores cannot be compared", ErrOptions, cascades[0].Name, c.Name)
		}
		t.detectors = append(t.detectors, d)
	}
	return t, nil
}

// Smallest returns the width of the smallest objects that are looked for. If the
// options ask for smaller ones, wanted is the width of the smallest of these that
// a search would look for that has enlarge as its Options.Enlarge; otherwise,
// and if none would, wanted is smallest.
func (t *Team) Smallest() (smallest, wanted int, enlarge float64) {
	o := &t.detectors[0].o
	c := slices.MinFunc(t.detectors, func(a, b *Detector) int { return a.c.Width - b.c.Width }).c
	// width returns the width of what a search with the factor f looks for, and
	// whether the options want it.
	width := func(f float64) (int, bool) {
		w, h := round(float64(c.Width)*f), round(float64(c.Height)*f)
		return w, w >= o.MinSize.X && h >= o.MinSize.Y
	}
	smallest, ok := width(1)
	for f := o.Scale; !ok && f < math.MaxInt32; f *= o.Scale { // no picture is larger
		smallest, ok = width(f)
	}
	wanted, enlarge = smallest, 1
	for f := o.Scale; f <= maxEnlarge && (f <= o.Enlarge || o.MinSize != image.Point{}); f *= o.Scale {
		w, ok := width(1 / f)
		if !ok {
			break
		}
		wanted, enlarge = w, math.Ceil(f*10)/10
		if f <= o.Enlarge {
			smallest = w
		}
	}
	return smallest, wanted, enlarge
}

// Detect returns the objects in img, best first. Where detections of different
// cascades share more than half of the smaller one's area, the one of the best
// score stands for all. See [Detector.Detect].
func (t *Team) Detect(ctx context.Context, img image.Image) ([]Detection, error) {
	d := t.detectors[0]
	r := img.Bounds()
	if !d.o.Region.Empty() {
		r = r.Intersect(d.o.Region)
	}
	if r.Empty() {
		return nil, ctx.Err()
	}
	if err := checkSize(r); err != nil {
		return nil, err
	}
	j := d.job() // for its memory
	defer d.jobs.Put(j)
	p, err := j.greyOf(ctx, img, r)
	if err != nil {
		return nil, err
	}
	return t.detect(ctx, nil, p, r.Min)
}

// AppendDetect appends the objects in img to dst, best first, and returns the
// result. See [Team.Detect] and [Detector.AppendDetect].
func (t *Team) AppendDetect(ctx context.Context, dst []Detection, img *image.Gray) ([]Detection, error) {
	if err := checkSize(img.Rect); err != nil {
		return dst, err
	}
	p, _ := integral.GreyOf(img, nil)
	return t.detect(ctx, dst, p, img.Rect.Min)
}

func (t *Team) detect(ctx context.Context, dst []Detection, p integral.Grey, origin image.Point) ([]Detection, error) {
	m, ok := t.scratch.Get().(*merger)
	if !ok {
		m = &merger{}
	}
	defer t.scratch.Put(m)
	m.all = m.all[:0]
	from := len(dst)
	for i, d := range t.detectors {
		j := d.job()
		var err error
		dst, err = j.detect(ctx, dst[:from], p, origin)
		d.jobs.Put(j)
		if err != nil {
			return dst[:from], err
		}
		for _, f := range dst[from:] {
			m.all = append(m.all, owned{f, i})
		}
	}
	return m.merge(ctx, dst[:from])
}

// A merger makes one list of the detections of several cascades.
type merger struct {
	all, buf []owned
	boxes    []image.Rectangle
	owners   []int
	nms      nms.Suppressor
}

type owned struct {
	Detection
	owner int // which cascade's
}

// merge appends what no better detection of another cascade covers.
func (m *merger) merge(ctx context.Context, dst []Detection) ([]Detection, error) {
	var err error
	if m.buf, err = longsort.Stable(ctx, m.all, m.buf, func(a, b owned) int { return better(a.Detection, b.Detection) }); err != nil {
		return dst, err
	}
	m.boxes, m.owners = m.boxes[:0], m.owners[:0]
	for i := range m.all {
		m.boxes, m.owners = append(m.boxes, m.all[i].Box), append(m.owners, m.all[i].owner)
	}
	kept, err := m.nms.KeepAcross(ctx, m.boxes, m.owners, nms.Half{})
	if err != nil {
		return dst, err
	}
	for _, i := range kept {
		dst = append(dst, m.all[i].Detection)
	}
	return dst, nil
}
