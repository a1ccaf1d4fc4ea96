package detector

import (
	"context"
	"fmt"
	"image"

	"haarlem/internal/luma"
)

// AppendOpenCV appends to dst what OpenCV's detectMultiScale3 reports for g with
// outputRejectLevels, in its order with one thread: Score is the level weight, and
// Neighbors the count of detectMultiScale2. Calibrations, verifiers and
// Options.MinScore have no effect, since OpenCV has none.
//
// The score of the cascade must restart after each exit, and there may be no Angles.
// Otherwise the error wraps [ErrOptions].
func (d *Detector) AppendOpenCV(ctx context.Context, dst []Detection, g *image.Gray) ([]Detection, error) {
	p := &d.prepared
	if len(d.o.Angles) > 0 {
		return dst, fmt.Errorf("%w: OpenCV's results are those without Angles", ErrOptions)
	}
	for i, e := range p.c.Exits {
		if !e.Restart {
			return dst, fmt.Errorf("%w: OpenCV's results need a cascade of stages; the score of %q runs on after exit %d", ErrOptions, p.c.Name, i+1)
		}
	}
	r, err := d.searched(ctx, g.Rect)
	if err != nil || r.Empty() {
		return dst, err
	}
	j := d.job()
	defer d.jobs.Put(j)
	return j.appendOpenCV(ctx, dst, p, planeOf(g, g.Rect, r), r.Min)
}

// appendOpenCV appends OpenCV's results for p in g, whose first pixel is at origin.
func (j *job) appendOpenCV(ctx context.Context, dst []Detection, p *prepared, g luma.Plane, origin image.Point) ([]Detection, error) {
	all, err := j.searches[0].Candidates(ctx, g)
	if err != nil {
		return dst, err
	}
	// A level weight is the score of the last stage, of which a margin is the part
	// above the threshold. Both are sums of float32 of like size in float64, so that
	// what was subtracted can be added without a rounding that shows.
	last := float64(p.c.Exits[len(p.c.Exits)-1].Threshold)
	from := len(dst)
	if j.d.o.Ungrouped {
		for i := range all {
			dst = append(dst, Detection{Box: all[i].Box, Score: all[i].Margin + last, Neighbors: 1})
		}
	} else {
		j.grouper.best = false
		if err := j.grouper.group(ctx, all, p.minNeighbors); err != nil {
			return dst, err
		}
		for i := range j.grouper.groups {
			k := &j.grouper.groups[i]
			dst = append(dst, Detection{Box: k.box(), Score: k.upper + last, Neighbors: k.n})
		}
	}
	return endAtEdge(dst, from, image.Pt(g.Width, g.Height), origin), nil
}
