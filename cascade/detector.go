package cascade

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"haarlem/integral"
	"haarlem/internal/kernel/contrast"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/longsort"
)

// A Detection is one object found.
type Detection struct {
	// Box is where it is, in the image's own coordinates.
	Box image.Rectangle

	// Score says how sure the cascade is; larger is surer, and scores can be
	// compared between sizes. With a calibrated cascade it is a probability,
	// otherwise it says how far the scores at the last exit were above its
	// threshold: their sum over the group for classical stages, as people add
	// up OpenCV's weights, and their 4-norm for a score that runs on. A
	// verifier adds to it, or takes away.
	Score float64

	// Neighbors is the number of candidates that were grouped into it.
	Neighbors int
}

// A Detector finds the objects of one cascade in images. It may be used by
// many goroutines at once.
type Detector struct {
	c    *Cascade
	o    Options
	rule WindowRule
	skip bool // the rule is OpenCV's
	gate contrast.Gate
	solo bool // there are no vectors: behind the first exit windows go one by one

	second *second // nil without a verifier

	order      lazy[[]int] // in which lanes look at the exits; nil, or no maker: as they stand
	stopsAfter []int       // see defaultStops; tests have others
	sweep      int         // see defaultSwept; as well

	packed lazy[*program] // for windows in packs
	cells  lazy[*cells]   // for windows of levels between

	jobs sync.Pool // of *job
}

// NewDetector compiles c for detection with the options o; nil means defaults.
func NewDetector(c *Cascade, o *Options) (*Detector, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	v, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if v.Stride == 0 {
		v.Stride = c.Stride
	}
	if v.Pad == 0 {
		v.Pad = c.Pad
	}
	v.Pad = max(v.Pad, 0)
	if v.MinNeighbors == 0 {
		v.MinNeighbors = cmp.Or(c.Support, 4) - 1
	}
	if v.MaxCandidates == 0 {
		v.MaxCandidates = DefaultMaxCandidates
	}
	if !v.Ungrouped { // what is said of detections is not said of their candidates
		v.MinScore = cmp.Or(v.MinScore, c.MinScore)
	}
	if v.Stride > min(c.Width, c.Height) {
		return nil, fmt.Errorf("%w: Stride %d, want at most the window's %d", ErrOptions, v.Stride, min(c.Width, c.Height))
	}
	if v.Between == 0 && v.BetweenBelow == 0 {
		v.BetweenBelow = c.BetweenBelow
	}
	for _, n := range []struct {
		name   string
		option *int
		own    int
	}{{"Nearby", &v.Nearby, c.Nearby}, {"Around", &v.Around, c.Around}, {"Between", &v.Between, c.Between}} {
		if *n.option == 0 {
			*n.option = n.own
		}
		if *n.option = max(*n.option, 0); *n.option > len(c.Exits) {
			return nil, fmt.Errorf("%w: %s %d, want at most the cascade's %d exits", ErrOptions, n.name, *n.option, len(c.Exits))
		}
	}
	if v.apart() == 1 {
		v.Between = 0
	}
	d := &Detector{c: c.clone(), o: v, rule: v.Windows, stopsAfter: defaultStops, sweep: defaultSwept}
	if d.rule == WindowsDefault {
		d.rule = WindowsAll
		if c.Exits[0].Restart {
			d.rule = WindowsOpenCV
		}
	}
	d.second = d.c.Verifier.compile()
	d.skip = d.rule == WindowsOpenCV
	area := float64((c.Width - 2) * (c.Height - 2))
	d.gate = contrast.Gate{
		Width: c.Width - 2,
		Area:  area,
		Below: contrast.Below(area, 1/c.MinStdDev), // infinity if there is no gate
	}
	d.solo = !lanes.Vectors()
	d.packed.make = func(ctx context.Context) (*program, error) { return compile(ctx, d.c, packedLayout(d.c)) }
	d.cells.make = d.newCells
	if !d.asked() { // which is asked for by exits in the model's order
		d.order.make = d.stageOrder
	}
	return d, nil
}

// offGrid reports whether windows off the grid are looked at, where it has a
// step of two pixels.
func (d *Detector) offGrid() bool { return d.o.Nearby > 0 || d.o.Around > 0 }

// asked reports whether anything depends on how many exits windows pass.
func (d *Detector) asked() bool { return d.offGrid() || d.o.Between > 0 }

// workers returns how many goroutines share an image.
func (d *Detector) workers() int {
	if d.o.Workers > 0 {
		return d.o.Workers
	}
	return runtime.GOMAXPROCS(0)
}

// Detect returns the objects in img, best first. It works on img's grey
// levels; see [integral.GreyOf] for how they are made, and from which kinds of
// image they are taken without a copy.
func (d *Detector) Detect(ctx context.Context, img image.Image) ([]Detection, error) {
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
	j := d.job()
	defer d.jobs.Put(j)
	g, err := j.greyOf(ctx, img, r)
	if err != nil {
		return nil, err
	}
	return j.detect(ctx, nil, g, r.Min)
}

// AppendDetect appends the objects in g to dst, best first, and returns the
// result. After a first call for an image size it allocates nothing but what
// dst needs to grow.
func (d *Detector) AppendDetect(ctx context.Context, dst []Detection, g *image.Gray) ([]Detection, error) {
	j := d.job()
	defer d.jobs.Put(j)
	if err := checkSize(g.Rect); err != nil {
		return dst, err
	}
	p, _ := integral.GreyOf(g, nil)
	return j.detect(ctx, dst, p, g.Rect.Min)
}

// MaxPixels is the most pixels that an image may have.
const MaxPixels = 1 << 30

// ErrImageTooLarge is what errors about images with more than MaxPixels wrap.
var ErrImageTooLarge = errors.New("cascade: image too large")

// checkEnlarged is checkSize of what d makes of an image of this size.
func (d *Detector) checkEnlarged(width, height int) error {
	f := math.Ceil(d.o.Enlarge)
	return checkSize(image.Rect(0, 0, width*int(f), height*int(f)))
}

func checkSize(b image.Rectangle) error {
	w, h := b.Dx(), b.Dy()
	if w > MaxPixels || h > MaxPixels || w > 0 && h > MaxPixels/w {
		return fmt.Errorf("%w: %d x %d pixels; the most are %d", ErrImageTooLarge, w, h, MaxPixels)
	}
	return nil
}

// A Frame is one picture of a sequence and what was found in it.
type Frame struct {
	Index      int
	Image      image.Image
	Detections []Detection
}

// Frames runs the detector over a sequence of images, in order. An error of
// the sequence, or of a detection, is yielded with the frame's index and ends
// the sequence if the loop goes on.
func (d *Detector) Frames(ctx context.Context, in iter.Seq2[image.Image, error]) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		i := 0
		for img, err := range in {
			f := Frame{Index: i, Image: img}
			if err == nil {
				f.Detections, err = d.Detect(ctx, img)
			}
			if !yield(f, err) || err != nil {
				return
			}
			i++
		}
	}
}

// A job is the memory for one image at a time.
type job struct {
	d        *Detector
	plan     *plan
	scanners []*scanner
	grey     []byte
	turned   []byte
	views    []view // of each angle; plan and scanners are those of the current one
	hits     []hit
	asked    askedCells
	cells    []cell // to look at
	far      []far
	sorting  []hit
	all      []candidate
	grouper  grouper
	best     ranking
	single   *scanner // for AppendAnswers
	finds    []find
	gains    []float64 // of groups by being looked at again
	lookers  []*looker

	// What the workers share.
	ctx  context.Context
	g    integral.Grey
	half halves // of it
	next atomic.Int64
	room atomic.Int64 // for so many candidates more; see scanner.found
	err  atomic.Pointer[error]
	wg   sync.WaitGroup
}

func (d *Detector) job() *job {
	if j, ok := d.jobs.Get().(*job); ok {
		return j
	}
	return &job{d: d}
}

// detect appends what is in g to dst. The image's first pixel is at origin.
func (j *job) detect(ctx context.Context, dst []Detection, g integral.Grey, origin image.Point) ([]Detection, error) {
	if err := ctx.Err(); err != nil {
		return dst, err
	}
	whole := image.Rectangle{Max: image.Pt(g.Width, g.Height)}
	if !j.d.o.Region.Empty() {
		r := j.d.o.Region.Sub(origin).Intersect(whole)
		if r.Empty() {
			return dst, nil
		}
		g = g.Sub(r.Min.X, r.Min.Y, r.Dx(), r.Dy())
		origin = origin.Add(r.Min)
	}
	from := len(dst)
	var err error
	if len(j.d.o.Angles) == 0 {
		dst, err = j.upright(ctx, dst, g)
	} else {
		dst, err = j.atAngles(ctx, dst, g)
	}
	if err != nil {
		return dst[:from], err
	}
	dst = endAtEdge(dst, from, image.Pt(g.Width, g.Height), origin)
	if err := j.best.sort(ctx, dst[from:]); err != nil {
		return dst[:from], err
	}
	return dst, nil
}

// endAtEdge ends the boxes of dst[from:] at the edge of a picture of that size,
// drops those outside, and moves them to where the picture's first pixel is.
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

// upright appends what is in g, in g's coordinates and no order. Boxes may go
// beyond g's edge.
func (j *job) upright(ctx context.Context, dst []Detection, g integral.Grey) ([]Detection, error) {
	if err := j.candidates(ctx, g); err != nil {
		return dst, err
	}
	return j.detections(ctx, dst, g)
}

// A find is what may become a detection, or a group that is looked at again.
type find struct {
	box    image.Rectangle
	margin float64
	n      int // candidates
}

// detections appends what j.all makes in g, whose edge boxes may cross.
func (j *job) detections(ctx context.Context, dst []Detection, g integral.Grey) ([]Detection, error) {
	j.finds = j.finds[:0]
	j.grouper.best = !j.d.c.Exits[0].Restart
	if j.d.o.Ungrouped {
		if err := j.eachAlone(ctx, g); err != nil {
			return dst, err
		}
	} else {
		if err := j.grouper.group(ctx, j.all, max(j.d.o.MinNeighbors, 0)); err != nil {
			return dst, err
		}
		for i := range j.grouper.groups {
			k := &j.grouper.groups[i]
			j.finds = append(j.finds, find{k.box(), k.margin, k.n})
		}
	}
	whole := image.Rectangle{Max: image.Pt(g.Width, g.Height)}
	kept := j.finds[:0]
	for _, p := range j.finds {
		if p.box.Overlaps(whole) {
			kept = append(kept, p)
		}
	}
	j.finds = kept
	if !j.d.o.Ungrouped { // single ones are verified already
		if err := j.verify(ctx, g); err != nil {
			return dst, err
		}
	}
	from := len(dst)
	for i, p := range j.finds {
		if i%(enough/16) == 0 && ctx.Err() != nil {
			return dst, ctx.Err()
		}
		score := p.margin
		if k := j.d.c.Calibration; k != nil {
			score = 1 / (1 + math.Exp(-(float64(k.Slope*score) + k.Offset)))
		}
		if j.d.o.MinScore <= 0 || score >= j.d.o.MinScore {
			dst = append(dst, Detection{Box: p.box, Score: score, Neighbors: p.n})
		}
	}
	// Not before the second look: it may know the better of two groups.
	if j.grouper.best && !j.d.o.Ungrouped && !j.d.o.Overlapping {
		return j.best.suppress(ctx, dst, from)
	}
	return dst, nil
}

// eachAlone fills j.finds with all candidates. A look takes a thousand times as long
// as a window, and neighbours look alike, so a verifier looks once at each group,
// and what it adds to the group's margin is added to that of each candidate.
func (j *job) eachAlone(ctx context.Context, g integral.Grey) error {
	verified := j.d.second != nil
	j.gains = j.gains[:0]
	if verified {
		if err := j.grouper.all(ctx, j.all); err != nil {
			return err
		}
		for i := range j.grouper.groups {
			k := &j.grouper.groups[i]
			j.finds = append(j.finds, find{k.box(), k.margin, k.n})
		}
		if err := j.verify(ctx, g); err != nil {
			return err
		}
		for i := range j.finds {
			j.gains = append(j.gains, j.finds[i].margin-j.grouper.groups[i].margin)
		}
		j.finds = j.finds[:0]
	}
	for i := range j.all {
		f := find{j.all[i].box, j.all[i].margin, 1}
		if verified {
			f.margin += j.gains[j.grouper.class[i]]
		}
		j.finds = append(j.finds, f)
	}
	return nil
}

// candidates fills j.all with the windows of g that pass the cascade, ordered
// by level, row and column.
func (j *job) candidates(ctx context.Context, g integral.Grey) error {
	d := j.d
	j.all = j.all[:0]
	if j.plan == nil || j.plan.width != g.Width || j.plan.height != g.Height {
		if err := d.checkEnlarged(g.Width, g.Height); err != nil {
			return err
		}
		p, err := d.newPlan(ctx, g.Width, g.Height)
		if err != nil {
			return err
		}
		j.plan, j.scanners = p, j.scanners[:0]
	}
	if len(j.plan.units) == 0 {
		return nil
	}
	n := min(d.workers(), len(j.plan.units))
	for len(j.scanners) < n {
		s := d.newScanner(j.plan)
		s.job, s.halves = j, &j.half
		s.run, s.runCells = s.work, s.workCells
		j.scanners = append(j.scanners, s)
	}
	j.err.Store(nil)
	j.reserve(n)
	if err := j.half.make(ctx, &g, j.plan.halved); err != nil {
		return err
	}
	for _, s := range j.scanners[:n] {
		s.hits, s.far, s.room = s.hits[:0], s.far[:0], 0
	}
	if err := j.share(ctx, g, n, func(k int) func() { return j.scanners[k].run }); err != nil {
		return err
	}
	if j.plan.cells != nil {
		j.far = j.far[:0]
		for _, s := range j.scanners[:n] {
			j.far = append(j.far, s.far...)
		}
		err := j.asked.each(ctx, j.plan, j.far, func(cells []cell) error {
			j.cells = cells
			return j.share(ctx, g, n, func(k int) func() { return j.scanners[k].runCells })
		})
		if err != nil {
			return err
		}
	}
	j.hits = j.hits[:0]
	for _, s := range j.scanners[:n] {
		j.hits = append(j.hits, s.hits...)
	}
	for _, s := range j.scanners[:n] {
		// Next time any of them may find it all.
		s.hits, s.far = slices.Grow(s.hits[:0], len(j.hits)), slices.Grow(s.far[:0], len(j.far))
	}
	// Scores of groups are sums in this order.
	var err error
	if j.sorting, err = longsort.Stable(ctx, j.hits, j.sorting, func(a, b hit) int { return cmp.Compare(a.at, b.at) }); err != nil {
		return err
	}
	if d.o.Around > 0 { // two bands may have looked at the same window
		j.hits = slices.CompactFunc(j.hits, func(a, b hit) bool { return a.at == b.at })
	}
	if d.o.MaxCandidates > 0 && len(j.hits) > d.o.MaxCandidates {
		return j.tooMany()
	}
	for i, h := range j.hits {
		if i%(enough/16) == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		j.all = append(j.all, j.plan.levels[h.at>>32].unpack(h))
	}
	return nil
}

// share has n workers do what there is to do about g; run says what worker k
// runs, made beforehand so that starting it takes no memory. It returns the first
// error of any of them.
func (j *job) share(ctx context.Context, g integral.Grey, n int, run func(k int) func()) error {
	j.ctx, j.g = ctx, g
	j.next.Store(0)
	j.wg.Add(n)
	for k := 1; k < n; k++ {
		go run(k)()
	}
	run(0)()
	j.wg.Wait()
	j.ctx, j.g = nil, integral.Grey{}
	if err := j.err.Load(); err != nil {
		return *err
	}
	return nil
}

// work does units until none is left.
func (s *scanner) work() {
	j := s.job
	defer j.wg.Done()
	for j.err.Load() == nil {
		i := int(j.next.Add(1)) - 1
		if i >= len(j.plan.units) {
			return
		}
		if err := s.do(j.ctx, &j.g, j.plan.units[i]); err != nil {
			failed := err // a copy, so that only errors take memory
			j.err.Store(&failed)
		}
	}
}
