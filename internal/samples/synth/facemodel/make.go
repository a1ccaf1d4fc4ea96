package facemodel

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"haarlem/internal/par"
	"haarlem/internal/samples"
)

// frontal is the position of a face's marks in the window.
var frontal = [NumMarks]samples.Point(samples.FrontalFace.Marks)

// An Example is one face of a training set. Its marks are in pixels.
type Example struct {
	Grey  *image.Gray
	Marks [NumMarks]samples.Point
}

// MakeOptions are the settings of [Make]. Nil and the zero value mean every
// field's default.
type MakeOptions struct {
	// About describes the training data, in one line of at most 1000 bytes. It
	// is kept in the file.
	About string

	// Window is the side of the window in pixels of the texture, which is 1.4
	// times as wide and 1.6 times as high. 0 means 40; 10 to 100.
	Window int

	// Components is the number of principal components to keep. 0 means 96; up
	// to 1024, and no more than the examples give.
	Components int

	// Workers is the number of goroutines that read examples. 0 means 1. The
	// model does not depend on it.
	Workers int
}

// Criteria for examples.
const (
	minEyes    = 8    // pixels between the eyes
	minInside  = 0.90 // of the oval that must lie in the picture
	minSD      = 8    // grey levels, inside the oval
	maxMisfit  = 0.10 // root mean square distance of marks from frontal, in windows
	fewest     = 20   // examples that a model takes
	edgeWeight = 0.25 // of pixels at the oval's border, against those in the middle
)

// ErrExamples: too few examples are usable.
var ErrExamples = errors.New("facemodel: too few faces")

// A MakeReport counts the examples.
type MakeReport struct {
	Used int

	// Left out: marks unlike a frontal face's, eyes too close, too much outside
	// the image, without contrast.
	BadMarks, Small, CutOff, Flat int

	// Kept is the fraction of the textures' variance that the components
	// explain.
	Kept float64
}

// Make makes a model of faces. Faces are rotated, scaled and moved so that
// their marks fit [samples.FrontalFace] best (least squares). The remaining
// difference of the marks is the shape. The grey levels, warped to the mean
// shape, less their mean and divided by their standard deviation, are the
// texture. Components come from the singular value decomposition of the
// covariance.
func Make(ctx context.Context, examples []Example, o *MakeOptions) (*Model, *MakeReport, error) {
	var opt MakeOptions
	if o != nil {
		opt = *o
	}
	if opt.Window == 0 {
		opt.Window = 40
	}
	if opt.Components == 0 {
		opt.Components = 96
	}
	switch {
	case opt.Window < 10 || opt.Window > 100:
		return nil, nil, fmt.Errorf("facemodel: Window is %d, want 10 to 100", opt.Window)
	case opt.Components < 1 || opt.Components > maxComponents:
		return nil, nil, fmt.Errorf("facemodel: Components is %d, want 1 to %d", opt.Components, maxComponents)
	}
	if err := checkAbout(opt.About); err != nil {
		return nil, nil, fmt.Errorf("facemodel: About: %w", err)
	}
	m := newFrame(opt.Window)
	m.about = opt.About

	report := &MakeReport{}
	var used []Example
	var poses []similarity
	for i := range examples {
		e := &examples[i]
		s, misfit := fit(frontal, e.Marks)
		switch {
		case !(misfit <= maxMisfit): // including NaN
			report.BadMarks++
		case !(math.Hypot(e.Marks[1].X-e.Marks[0].X, e.Marks[1].Y-e.Marks[0].Y) >= minEyes):
			report.Small++
		case m.inside(s, e.Grey) < minInside:
			report.CutOff++
		default:
			used, poses = append(used, *e), append(poses, s)
		}
	}
	if len(used) < fewest {
		return nil, report, tooFew(report, len(used))
	}
	m.learnShapes(used, poses)
	textures, kept, err := m.textures(ctx, used, poses, max(opt.Workers, 1))
	if err != nil {
		return nil, report, err
	}
	report.Flat = len(used) - kept
	if kept < fewest {
		return nil, report, tooFew(report, kept)
	}
	report.Used = kept
	if err := m.learnTextures(ctx, textures, opt.Components, report); err != nil {
		return nil, report, err
	}
	return m, report, nil
}

func tooFew(r *MakeReport, n int) error {
	return fmt.Errorf("%w: %d can be used, want %d or more (%d with marks unlike a frontal face's, %d too small, %d cut off, %d without contrast)",
		ErrExamples, n, fewest, r.BadMarks, r.Small, r.CutOff, r.Flat)
}

// newFrame returns a model with sizes only.
func newFrame(window int) *Model {
	side := window * 7 / 5
	if side%2 != window%2 {
		side++
	}
	if side%2 != 0 { // an odd window has its middle on a pixel, textures have none there
		window, side = window+1, side+1
	}
	m := &Model{width: side, height: window * 8 / 5}
	left, top := (side-window)/2, window*2/5
	m.window = image.Rect(left, top, left+window, top+window)
	// The oval reaches 0.66 windows to the sides, 0.40 above the window and
	// 0.18 below it: hair and chin.
	m.oval = oval{cx: 8 * side, cy: 16*top + 16*window*39/100, rx: 16 * window * 66 / 100, ry: 16 * window * 79 / 100}
	m.setHalf()
	return m
}

// A similarity takes (x, y) to (a x - b y + tx, b x + a y + ty).
type similarity struct{ a, b, tx, ty float64 }

func (s similarity) at(p samples.Point) samples.Point {
	return samples.Point{X: s.a*p.X - s.b*p.Y + s.tx, Y: s.b*p.X + s.a*p.Y + s.ty}
}

func (s similarity) back(p samples.Point) samples.Point {
	x, y, n := p.X-s.tx, p.Y-s.ty, s.a*s.a+s.b*s.b
	return samples.Point{X: (s.a*x + s.b*y) / n, Y: (s.a*y - s.b*x) / n}
}

// fit returns the similarity from units of the window to pixels that fits the
// marks best, and the root mean square of the residuals, in windows.
func fit(from, to [NumMarks]samples.Point) (similarity, float64) {
	var f, t samples.Point
	for i := range from {
		f.X += from[i].X / NumMarks
		f.Y += from[i].Y / NumMarks
		t.X += to[i].X / NumMarks
		t.Y += to[i].Y / NumMarks
	}
	var a, b, n float64
	for i := range from {
		x, y := from[i].X-f.X, from[i].Y-f.Y
		u, v := to[i].X-t.X, to[i].Y-t.Y
		a += x*u + y*v
		b += x*v - y*u
		n += x*x + y*y
	}
	s := similarity{a: a / n, b: b / n}
	s.tx, s.ty = t.X-s.a*f.X+s.b*f.Y, t.Y-s.b*f.X-s.a*f.Y
	var off float64
	for i := range from {
		p := s.back(to[i])
		off += (p.X-from[i].X)*(p.X-from[i].X) + (p.Y-from[i].Y)*(p.Y-from[i].Y)
	}
	return s, math.Sqrt(off / NumMarks)
}

// place returns the position of a point of the texture, in windows.
func (m *Model) place(x, y float64) samples.Point {
	unit := float64(m.window.Dx())
	return samples.Point{X: (x - float64(m.window.Min.X)) / unit, Y: (y - float64(m.window.Min.Y)) / unit}
}

// inside returns the fraction of the oval inside the image.
func (m *Model) inside(s similarity, g *image.Gray) float64 {
	n := 0
	w, h := float64(g.Rect.Dx()), float64(g.Rect.Dy())
	for _, p := range m.half {
		for _, x := range [2]int{p.X, m.width - 1 - p.X} {
			q := s.at(m.place(float64(x)+0.5, float64(p.Y)+0.5))
			if q.X >= 0 && q.Y >= 0 && q.X < w && q.Y < h {
				n++
			}
		}
	}
	return float64(n) / float64(2*len(m.half))
}

// mirrorOf is the mirror image of each mark.
var mirrorOf = [NumMarks]int{1, 0, 2, 4, 3}

// learnShapes computes the mean marks and their components.
func (m *Model) learnShapes(used []Example, poses []similarity) {
	rows := mat.NewDense(2*len(used), 2*NumMarks, nil)
	var mean [2 * NumMarks]float64
	for k, e := range used {
		for i, p := range e.Marks {
			q := poses[k].back(p)
			j := mirrorOf[i]
			for _, v := range []struct {
				row, col int
				v        float64
			}{{2 * k, 2 * i, q.X}, {2 * k, 2*i + 1, q.Y}, {2*k + 1, 2 * j, 1 - q.X}, {2*k + 1, 2*j + 1, q.Y}} {
				rows.Set(v.row, v.col, v.v)
				mean[v.col] += v.v
			}
		}
	}
	n, _ := rows.Dims()
	for c := range mean {
		mean[c] /= float64(n)
	}
	for i := range m.marks {
		m.marks[i] = mark{int32(math.Round(mean[2*i] * one)), int32(math.Round(mean[2*i+1] * one))}
	}
	for r := range n {
		for c := range mean {
			rows.Set(r, c, rows.At(r, c)-mean[c])
		}
	}
	var cov mat.Dense
	cov.Mul(rows.T(), rows)
	cov.Scale(1/float64(n), &cov)
	var svd mat.SVD
	if !svd.Factorize(&cov, mat.SVDThinU) {
		return // impossible for so small a matrix; the mean shape remains
	}
	var u mat.Dense
	svd.UTo(&u)
	for k, v := range svd.Values(nil) {
		sd := math.Sqrt(v)
		if sd*one < 4 { // less than a thousandth of the window: the directions that fit removes
			break
		}
		var s [NumMarks]mark
		sign := signOf(u.ColView(k))
		for i := range s {
			s[i] = mark{int32(math.Round(sign * u.At(2*i, k) * sd * one)), int32(math.Round(sign * u.At(2*i+1, k) * sd * one))}
		}
		m.shapes = append(m.shapes, s)
	}
}

// signOf is 1 or -1, so that the largest element of v times it is positive:
// eigenvectors come with either sign.
func signOf(v mat.Vector) float64 {
	best := 0.0
	for i := range v.Len() {
		if a := v.AtVec(i); math.Abs(a) > math.Abs(best)*(1+1e-9) {
			best = a
		}
	}
	if best < 0 {
		return -1
	}
	return 1
}

// textures reads the oval's pixels of each face: left half, then right half,
// with mean 0 and standard deviation 1. Those without contrast are left out.
func (m *Model) textures(ctx context.Context, used []Example, poses []similarity, workers int) (*mat.Dense, int, error) {
	size := 2 * len(m.half)
	all := mat.NewDense(len(used), size, nil)
	good := make([]bool, len(used))
	if err := par.Chunks(ctx, len(used), 1, workers, func(k, _ int) {
		good[k] = m.read(&used[k], poses[k], all.RawRowView(k))
	}); err != nil {
		return nil, 0, err
	}
	kept := 0
	for k, ok := range good {
		if ok {
			if k != kept {
				copy(all.RawRowView(kept), all.RawRowView(k))
			}
			kept++
		}
	}
	if kept == 0 {
		return nil, 0, nil
	}
	return all.Slice(0, kept, 0, size).(*mat.Dense), kept, nil
}

// read reads one face, and reports whether it has contrast.
func (m *Model) read(e *Example, s similarity, out []float64) bool {
	var marks [NumMarks]samples.Point
	for i, p := range e.Marks {
		marks[i] = s.back(p)
	}
	toFace := newWarp(m.Marks(), marks)
	const points = 2 // along each side of a pixel
	var sum, squares float64
	for i, p := range m.half {
		for half, x := range [2]int{p.X, m.width - 1 - p.X} {
			v := 0.0
			for k := range points * points {
				q := m.place(float64(x)+(float64(k%points)+0.5)/points, float64(p.Y)+(float64(k/points)+0.5)/points)
				v += bilinear(e.Grey, s.at(toFace.at(q))) / (points * points)
			}
			out[half*len(m.half)+i] = v
			sum += v
			squares += v * v
		}
	}
	n := float64(len(out))
	mean := sum / n
	sd := math.Sqrt(max(0, squares/n-mean*mean))
	if sd < minSD {
		return false
	}
	for i := range out {
		out[i] = (out[i] - mean) / sd
	}
	return true
}

// bilinear interpolates between pixels, whose centres are at halves. Outside
// the image its border is repeated.
func bilinear(g *image.Gray, p samples.Point) float64 {
	x, y := p.X-0.5, p.Y-0.5
	x0, y0 := math.Floor(x), math.Floor(y)
	fx, fy := x-x0, y-y0
	at := func(dx, dy int) float64 {
		cx := min(max(int(x0)+dx, 0), g.Rect.Dx()-1)
		cy := min(max(int(y0)+dy, 0), g.Rect.Dy()-1)
		return float64(g.Pix[cy*g.Stride+cx])
	}
	return (at(0, 0)*(1-fx)+at(1, 0)*fx)*(1-fy) + (at(0, 1)*(1-fx)+at(1, 1)*fx)*fy
}

// learnTextures computes the mean texture and the components.
func (m *Model) learnTextures(ctx context.Context, textures *mat.Dense, components int, report *MakeReport) error {
	n, _ := textures.Dims()
	p := len(m.half)
	// Pixels near the border have less weight: half of their content is
	// background.
	weight := make([]float64, p)
	for i, q := range m.half {
		weight[i] = max(float64(m.oval.fade(16*q.X+8, 16*q.Y+8))/256, edgeWeight)
	}
	// Sums and differences of the halves: with every mirrored face included,
	// the mean of differences is 0, and sums and differences are uncorrelated.
	even, odd := mat.NewDense(n, p, nil), mat.NewDense(n, p, nil)
	mean := make([]float64, p)
	for r := range n {
		row, e, d := textures.RawRowView(r), even.RawRowView(r), odd.RawRowView(r)
		for i := range p {
			e[i], d[i] = (row[i]+row[p+i])/2, (row[i]-row[p+i])/2
			mean[i] += e[i]
		}
	}
	m.mean = make([]int16, p)
	for i := range mean {
		mean[i] /= float64(n)
		m.mean[i] = int16(math.Round(min(max(mean[i]*one, math.MinInt16), math.MaxInt16)))
	}
	type way struct {
		variance float64
		odd      bool
		vector   []float64
	}
	var ways []way
	var all float64
	for k, half := range []*mat.Dense{even, odd} {
		for r := range n {
			row := half.RawRowView(r)
			for i := range row {
				if k == 0 {
					row[i] -= mean[i]
				}
				row[i] *= weight[i]
			}
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		// The singular values of the covariance are the variances, and
		// it is far smaller than the matrix of all faces.
		var cov mat.Dense
		cov.Mul(half.T(), half)
		cov.Scale(1/float64(n), &cov)
		var svd mat.SVD
		if !svd.Factorize(&cov, mat.SVDThinU) {
			return errors.New("facemodel: the singular value decomposition of the textures did not converge")
		}
		var u mat.Dense
		svd.UTo(&u)
		for c, v := range svd.Values(nil) {
			all += v
			if c >= components || v < 1e-9 {
				continue
			}
			w := way{variance: v, odd: k == 1, vector: make([]float64, p)}
			sign := signOf(u.ColView(c))
			for i := range w.vector {
				w.vector[i] = sign * u.At(i, c) * math.Sqrt(v) / weight[i]
			}
			ways = append(ways, w)
		}
	}
	slices.SortStableFunc(ways, func(a, b way) int {
		switch {
		case a.variance > b.variance:
			return -1
		case a.variance < b.variance:
			return 1
		}
		return 0
	})
	ways = ways[:min(len(ways), components)]
	for _, w := range ways {
		largest := 0.0
		for _, v := range w.vector {
			largest = max(largest, math.Abs(v))
		}
		scale := int32(min(max(math.Ceil(largest*one*256/127), 1), maxScale))
		c := component{odd: w.odd, scale: scale, pix: make([]int8, p)}
		for i, v := range w.vector {
			c.pix[i] = int8(min(max(math.Round(v*one*256/float64(scale)), -127), 127))
		}
		m.components = append(m.components, c)
		report.Kept += w.variance / all
	}
	return nil
}
