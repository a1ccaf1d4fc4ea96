package detector

import (
	"cmp"
	"context"
	"fmt"
	"image"
	"math"
	"slices"
	"sync"

	"haarlem/cascade"
	"haarlem/internal/engine"
	"haarlem/internal/luma"
)

// A Detector finds the objects of a cascade in images. It may be used by many
// goroutines at once.
type Detector struct {
	o        Options
	prepared prepared
	jobs     sync.Pool // of *job

	router *Detector // see Options.Router; nil means none
}

// apartAtAngles is the largest factor between two pyramid levels that are searched
// densely at several angles, also from DenseFrom on. models/EXPERIMENTS.md says what
// that saves.
const apartAtAngles = 1.47

// New compiles a cascade for detection with the options o; nil means defaults.
func New(o *Options, c *cascade.Cascade) (*Detector, error) {
	v, err := o.check()
	if err != nil {
		return nil, err
	}
	d := &Detector{o: v}
	how := &engine.Options{
		Scale: v.Scale, MinSize: v.MinSize, MaxSize: v.MaxSize, Enlarge: v.Enlarge, Windows: engine.WindowRule(v.Windows),
		Search: v.Search, MaxCandidates: v.MaxCandidates, Workers: v.Workers,
	}
	if len(v.Angles) > 1 {
		how.Apart = apartAtAngles
	}
	if v.Router != nil {
		if d.router, err = New(v.routing(), v.Router); err != nil {
			return nil, fmt.Errorf("router: %w", err)
		}
		how.OnlyNear = true
	}
	e, err := engine.New(c, how)
	if err != nil {
		return nil, err
	}
	search := e.Options().Search
	p := &d.prepared
	*p = prepared{c: c.Clone(), engine: e, best: !c.Exits[0].Restart}
	p.verifier = compile(p.c.Verifier)
	if p.net, err = compileNetwork(p.c.Network); err != nil {
		return nil, err
	}
	p.look(v.Angles)
	p.minNeighbors = cmp.Or(v.MinNeighbors, cmp.Or(search.MinCandidates, 4)-1)
	p.minScore = v.MinScore
	if !v.Ungrouped { // Search.MinScore is for detections, not for candidates
		p.minScore = cmp.Or(v.MinScore, search.MinScore)
	}
	return d, nil
}

// Object returns the name of what it detects.
func (d *Detector) Object() cascade.Object { return d.prepared.c.Object.OrAny() }

// Smallest returns the width of the smallest objects that are searched. If MinSize asks
// for smaller ones, wanted is the width of the smallest that a search with enlarge as
// its Options.Enlarge would find. Otherwise, and if no enlargement would help, wanted
// is smallest.
func (d *Detector) Smallest() (smallest, wanted int, enlarge float64) {
	o, c := d.prepared.engine.Options(), d.prepared.c
	// width returns the width of objects on a level of factor f, and whether it is
	// at least MinSize.
	width := func(f float64) (int, bool) {
		w, h := engine.Round(float64(c.Width)*f), engine.Round(float64(c.Height)*f)
		return w, w >= o.MinSize.X && h >= o.MinSize.Y
	}
	if c.Network != nil {
		smallest, _ = width(o.FirstFactor(c))
		if f := o.MinFactor(c); f > 0 && f < 1/o.Enlarge {
			o.Enlarge = engine.MaxEnlarge
		}
		first := o.FirstFactor(c)
		wanted, _ = width(first)
		return smallest, wanted, math.Ceil(10*max(1/first, 1)) / 10
	}
	smallest, ok := width(1)
	for f := o.Scale; !ok && f < math.MaxInt32; f *= o.Scale { // no image is larger
		smallest, ok = width(f)
	}
	wanted, enlarge = smallest, 1
	for f := o.Scale; f <= engine.MaxEnlarge && (f <= o.Enlarge || o.MinSize != image.Point{}); f *= o.Scale {
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

// Detect returns the objects in img, best first. It works on grey levels; see
// [integral.Grey] for their conversion, and for the types of image that need none.
func (d *Detector) Detect(ctx context.Context, img image.Image) ([]Detection, error) {
	return d.detect(ctx, nil, img)
}

// AppendDetect appends the objects in img to dst, best first, and returns the result.
// After the first call for an image size it allocates nothing except for dst and points,
// and what the conversion of other types than [image.Gray] and [image.YCbCr] takes.
func (d *Detector) AppendDetect(ctx context.Context, dst []Detection, img image.Image) ([]Detection, error) {
	return d.detect(ctx, dst, img)
}

func (d *Detector) detect(ctx context.Context, dst []Detection, img image.Image) ([]Detection, error) {
	r, err := d.searched(ctx, img.Bounds())
	if err != nil || r.Empty() {
		return dst, err
	}
	j := d.job()
	defer d.jobs.Put(j)
	g, err := j.grey.of(ctx, img, r)
	if err != nil {
		return dst, err
	}
	defer j.net.planes.Release()
	if err := j.prepareNetwork(ctx, img, r); err != nil {
		return dst, err
	}
	return j.detect(ctx, dst, g, r.Min)
}

// searched returns the part of an image that is searched, which may be empty.
func (d *Detector) searched(ctx context.Context, r image.Rectangle) (image.Rectangle, error) {
	if !d.o.Region.Empty() {
		r = r.Intersect(d.o.Region)
	}
	if r.Empty() {
		return r, ctx.Err()
	}
	return r, engine.CheckSize(r)
}

// prepareNetwork prepares the network, if there is one, for the part r of img.
func (j *job) prepareNetwork(ctx context.Context, img image.Image, r image.Rectangle) error {
	if j.d.prepared.net == nil {
		return nil
	}
	switch img.(type) {
	case *image.Gray, *image.YCbCr: // of these nothing is copied
	default:
		if err := engine.CheckSize(img.Bounds()); err != nil {
			return err
		}
	}
	j.net.first = r.Min.Sub(img.Bounds().Min)
	return j.net.planes.Set(ctx, img)
}

// AppendGroups appends the detections that candidates in g make to dst, best first,
// and returns the result. Of a candidate, Box counts and Score, its
// margin. They are those of a search with Ungrouped, or some of them. A grey img may be
// without pixels if the cascade has no verifier and no network.
func (d *Detector) AppendGroups(dst, candidates []Detection, img image.Image) []Detection {
	j := d.job()
	defer d.jobs.Put(j)
	// Without a deadline there is no error.
	ctx := context.Background()
	r := img.Bounds()
	var g luma.Plane
	if m, ok := img.(*image.Gray); ok {
		g = luma.Plane{Pix: m.Pix, Stride: m.Stride, Width: r.Dx(), Height: r.Dy()}
	} else {
		g, _ = j.grey.of(ctx, img, r)
	}
	defer j.net.planes.Release()
	_ = j.prepareNetwork(ctx, img, r)
	j.net.from, j.net.origin = &j.net.planes, image.Point{}
	j.moved = j.moved[:0]
	for i := range candidates {
		c := &candidates[i]
		j.moved = append(j.moved, engine.Candidate{Box: c.Box.Sub(r.Min), Margin: c.Score})
	}
	from := len(dst)
	dst, _ = j.detections(ctx, dst, &d.prepared, 0, j.moved, g)
	dst = endAtEdge(dst, from, r.Size(), r.Min)
	_ = j.best.sort(ctx, dst[from:])
	return dst
}

// A job is the memory for one image at a time.
type job struct {
	d         *Detector
	grey      greyer
	turned    []byte
	frame     engine.Frame
	searches  []*engine.Search // by view
	grouper   grouper
	proposals []proposal
	gains     []float64 // of groups by verification
	verifier  verifying
	net       netJob
	best      ranking
	moved     []engine.Candidate
	plane     luma.Plane // for Options.Points
	route     route
}

func (d *Detector) job() *job {
	if j, ok := d.jobs.Get().(*job); ok {
		return j
	}
	j := &job{d: d}
	for _, v := range d.prepared.views {
		j.searches = append(j.searches, engine.NewSearch(v.engines...))
	}
	return j
}

// detect appends the objects in g to dst, best first. Its first pixel is at origin.
func (j *job) detect(ctx context.Context, dst []Detection, g luma.Plane, origin image.Point) ([]Detection, error) {
	if err := ctx.Err(); err != nil {
		return dst, err
	}
	from := len(dst)
	if j.d.router != nil {
		if err := j.findPlaces(ctx, g); err != nil {
			return dst, err
		}
	}
	dst, err := j.inViews(ctx, dst, g)
	if err != nil {
		return dst[:from], err
	}
	if dst, err = j.finish(ctx, dst, from, g, origin); err != nil {
		return dst[:from], err
	}
	if err := j.best.sort(ctx, dst[from:]); err != nil {
		return dst[:from], err
	}
	return dst, nil
}

// findPlaces sets j.route.found to what the router finds in g.
func (j *job) findPlaces(ctx context.Context, g luma.Plane) error {
	r := j.d.router.job()
	defer j.d.router.jobs.Put(r)
	var err error
	j.route.found, err = r.detect(ctx, j.route.found[:0], g, image.Point{})
	return err
}

// finish finds the points of the detections dst[from:] in g, turns their boxes into those
// wanted, and ends them at the edge. The first pixel of g is at origin.
func (j *job) finish(ctx context.Context, dst []Detection, from int, g luma.Plane, origin image.Point) ([]Detection, error) {
	j.plane = g
	defer func() { j.plane = luma.Plane{} }()
	size := image.Pt(g.Width, g.Height)
	for k := from; k < len(dst) && (j.d.o.Points != nil || j.d.o.Framing != cascade.Framing{}); k++ {
		if err := ctx.Err(); err != nil {
			return dst, err
		}
		f := &dst[k]
		box := f.Box.Intersect(image.Rectangle{Max: size})
		if j.d.o.Points != nil && !box.Empty() {
			f.Points = j.d.o.Points.PointsIn(nil, j.plane.Gray(), box, f.Angle)
			for n := range f.Points {
				f.Points[n].X += float64(origin.X)
				f.Points[n].Y += float64(origin.Y)
			}
		}
		f.Box = j.d.o.Framing.Of(f.Box, f.Angle)
	}
	return endAtEdge(dst, from, size, origin), nil
}

// inViews appends the detections in g, in g's coordinates and no order. Boxes may extend
// beyond g. Of overlapping detections at different angles the best stays.
func (j *job) inViews(ctx context.Context, dst []Detection, g luma.Plane) ([]Detection, error) {
	p, from := &j.d.prepared, len(dst)
	for k := range p.views {
		var err error
		if dst, err = j.atAngles(ctx, dst, p, &p.views[k], j.searches[k], g); err != nil {
			return dst, err
		}
	}
	if len(j.d.o.Angles) == 0 || j.d.o.Overlapping {
		return dst, nil
	}
	return j.best.suppress(ctx, dst, from)
}

// endAtEdge clips the boxes of dst[from:] to an image of that size, drops those
// outside, and moves them by origin.
func endAtEdge(dst []Detection, from int, size, origin image.Point) []Detection {
	kept := dst[:from]
	for _, d := range dst[from:] {
		if d.Box = d.Box.Intersect(image.Rectangle{Max: size}); !d.Box.Empty() {
			d.Box = d.Box.Add(origin)
			kept = append(kept, d)
		}
	}
	return kept
}

// atAngles appends the detections of p in g at the angles of a view.
func (j *job) atAngles(ctx context.Context, dst []Detection, p *prepared, v *view, s *engine.Search, g luma.Plane) ([]Detection, error) {
	whole := image.Rectangle{Max: image.Pt(g.Width, g.Height)}
	if j.d.router != nil {
		if some, err := j.route.near(ctx, v, g.Width, g.Height); !some {
			return dst, err
		}
	}
	t, frame := newTurn(v.degrees, g.Width, g.Height), (*engine.Frame)(nil)
	if v.degrees != 0 {
		if math.Mod(v.degrees, 90) != 0 {
			j.frame = engine.Frame{Cos: t.cos, Sin: t.sin, Size: whole.Max}
			frame = &j.frame
		}
		var err error
		if g, j.turned, err = t.apply(ctx, &g, j.turned); err != nil {
			return dst, err
		}
	}
	if j.d.router != nil {
		if err := s.Near(ctx, g, j.route.places); err != nil {
			return dst, err
		}
	} else if err := s.Search(ctx, g, frame); err != nil {
		return dst, err
	}
	j.net.from, j.net.origin = &j.net.planes, j.net.first
	if v.degrees != 0 && p.net != nil {
		j.net.grey = image.Gray{Pix: g.Pix, Stride: g.Stride, Rect: image.Rect(0, 0, g.Width, g.Height)}
		if err := j.net.rotated.Set(ctx, &j.net.grey); err != nil {
			return dst, err
		}
		defer j.net.rotated.Release()
		j.net.from, j.net.origin = &j.net.rotated, image.Point{}
	}
	for n, angle := range v.angles {
		start := len(dst)
		all, err := s.Found(ctx, n)
		if err != nil {
			return dst, err
		}
		if dst, err = j.detections(ctx, dst, p, v.quarters[n], all, g); err != nil {
			return dst, err
		}
		kept := dst[:start]
		for _, d := range dst[start:] {
			d.Angle = angle
			if v.degrees != 0 {
				d.Box = t.back(d.Box)
			}
			if d.Box.Overlaps(whole) {
				kept = append(kept, d)
			}
		}
		dst = kept
	}
	return dst, nil
}

// detections appends the detections of candidates of p in g, of objects that are turned
// by a number of quarters. Boxes may extend beyond g.
func (j *job) detections(ctx context.Context, dst []Detection, p *prepared, quarters int, all []engine.Candidate, g luma.Plane) ([]Detection, error) {
	j.proposals = j.proposals[:0]
	j.grouper.best = p.best
	if p.net != nil {
		return j.examined(ctx, dst, p, quarters, all, g)
	}
	if j.d.o.Ungrouped {
		if err := j.eachAlone(ctx, p, quarters, all, g); err != nil {
			return dst, err
		}
	} else {
		if err := j.grouper.group(ctx, all, p.minNeighbors); err != nil {
			return dst, err
		}
		for i := range j.grouper.groups {
			k := &j.grouper.groups[i]
			j.proposals = append(j.proposals, proposal{box: k.box(), margin: k.margin, n: k.n})
		}
	}
	whole := image.Rectangle{Max: image.Pt(g.Width, g.Height)}
	kept := j.proposals[:0]
	for _, f := range j.proposals {
		if f.box.Overlaps(whole) {
			kept = append(kept, f)
		}
	}
	j.proposals = kept
	if !j.d.o.Ungrouped { // candidates are verified already
		if err := j.verifier.verify(ctx, p, quarters, g, j.proposals, j.d.o.Workers); err != nil {
			return dst, err
		}
	}
	from := len(dst)
	for i, f := range j.proposals {
		if i%(checkEvery/16) == 0 && ctx.Err() != nil {
			return dst, ctx.Err()
		}
		if f.n == 0 { // a verifier rejected it
			continue
		}
		if p.wants(f.margin) {
			dst = append(dst, Detection{Box: f.box, Score: p.score(f.margin), Neighbors: f.n})
		}
	}
	// After verification, which may change which of two groups is better.
	if p.best && !j.d.o.Ungrouped && !j.d.o.Overlapping {
		return j.best.suppress(ctx, dst, from)
	}
	return dst, nil
}

// eachAlone sets j.proposals to all candidates. Verification takes a thousand times as
// long as a window, and the candidates of a group are alike. So a verifier sees each
// group once, and what it adds to the group's margin is added to that of each
// candidate, whose box does not change.
func (j *job) eachAlone(ctx context.Context, p *prepared, quarters int, all []engine.Candidate, g luma.Plane) error {
	verified := p.verifier != nil
	j.gains = j.gains[:0]
	if verified {
		if err := j.grouper.all(ctx, all); err != nil {
			return err
		}
		for i := range j.grouper.groups {
			k := &j.grouper.groups[i]
			j.proposals = append(j.proposals, proposal{box: k.box(), margin: k.margin, n: k.n})
		}
		if err := j.verifier.verify(ctx, p, quarters, g, j.proposals, j.d.o.Workers); err != nil {
			return err
		}
		for i, f := range j.proposals {
			gain := f.margin - j.grouper.groups[i].margin
			if f.n == 0 {
				gain = math.Inf(-1) // a rejected group rejects its candidates
			}
			j.gains = append(j.gains, gain)
		}
		j.proposals = j.proposals[:0]
	}
	for i := range all {
		f := proposal{box: all[i].Box, margin: all[i].Margin, n: 1}
		if verified {
			gain := j.gains[j.grouper.class[i]]
			if math.IsInf(gain, -1) {
				f.n = 0
			}
			f.margin += gain
		}
		j.proposals = append(j.proposals, f)
	}
	return nil
}

// examined appends what the network of p makes of candidates in g, of objects that are
// rotated by a number of quarters. Boxes may extend beyond g.
func (j *job) examined(ctx context.Context, dst []Detection, p *prepared, quarters int, all []engine.Candidate, g luma.Plane) ([]Detection, error) {
	j.proposals = j.proposals[:0]
	for i := range all {
		j.proposals = append(j.proposals, proposal{box: all[i].Box, margin: all[i].Margin, n: 1})
	}
	j.net.size = image.Pt(g.Width, g.Height)
	var err error
	if !j.d.o.Ungrouped {
		if j.proposals, err = j.net.suppress(ctx, j.proposals, p.net.rule); err != nil {
			return dst, err
		}
		for i, n := range j.net.nms.Counts() {
			j.proposals[i].n += int(n)
		}
	}
	if err := j.verifier.verify(ctx, p, quarters, g, j.proposals, j.d.o.Workers); err != nil {
		return dst, err
	}
	j.proposals = slices.DeleteFunc(j.proposals, func(f proposal) bool { return f.n == 0 || f.n <= p.minNeighbors })
	if j.proposals, err = j.net.examine(ctx, p.net, quarters, j.proposals, j.d.o.Workers); err != nil {
		return dst, err
	}
	from := len(dst)
	whole := image.Rectangle{Max: j.net.size}
	for _, f := range j.proposals {
		if f.box.Overlaps(whole) && p.wants(f.margin) {
			dst = append(dst, Detection{Box: f.box, Score: p.score(f.margin), Neighbors: f.n})
		}
	}
	if j.d.o.Ungrouped || j.d.o.Overlapping {
		return dst, nil
	}
	return j.best.suppress(ctx, dst, from)
}
