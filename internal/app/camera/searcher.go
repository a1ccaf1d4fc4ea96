package camera

import (
	"context"
	"image"
	"math/bits"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/search"
	"haarlem/track"
)

// A liveModel is what searches: a cascade, or one of pico.
type liveModel struct {
	name    string
	cascade *cascade.Cascade
	pico    *search.PicoFinder // instead
}

// A searcher searches areas of a picture, each for faces of other sizes. The
// detectors for that are made when they are needed, and kept.
type searcher struct {
	model     *liveModel
	options   detector.Options
	detectors map[[2]int]areaDetector
}

// An areaDetector finds faces of some sizes.
type areaDetector interface {
	Detect(ctx context.Context, img image.Image) ([]detector.Detection, error)
}

func newSearcher(model *liveModel, options detector.Options) (*searcher, error) {
	s := &searcher{model: model, options: options, detectors: map[[2]int]areaDetector{}}
	_, err := s.detector(0, 0) // what is wrong with the options shows now
	return s, err
}

// detector looks for faces of at least and at most so many pixels, and of a
// few more on both sides: the bounds are rounded, so that there are few of
// them. 0 is no bound beyond the options'.
func (s *searcher) detector(smallest, largest int) (areaDetector, error) {
	bounds := [2]int{coarsely(smallest, false), coarsely(largest, true)}
	if d := s.detectors[bounds]; d != nil {
		return d, nil
	}
	o := s.options
	// By the width; the height has the model's shape.
	if bounds[0] > o.MinSize.X {
		o.MinSize = image.Pt(bounds[0], s.model.height(bounds[0]))
	}
	if bounds[1] > 0 && (o.MaxSize.X == 0 || bounds[1] < o.MaxSize.X) {
		o.MaxSize = image.Pt(bounds[1], s.model.height(bounds[1])+1)
	}
	d, err := s.model.detector(&o)
	if err == nil {
		s.detectors[bounds] = d
	}
	return d, err
}

// detector returns one with these options. Of them, pico has the sizes.
func (m *liveModel) detector(o *detector.Options) (areaDetector, error) {
	if m.pico != nil {
		p := *m.pico
		p.Options.MinSize, p.Options.MaxSize = o.MinSize.X, o.MaxSize.X
		return &p, nil
	}
	return detector.New(o, m.cascade)
}

// object is what it finds.
func (m *liveModel) object() cascade.Object {
	if m.pico != nil {
		return m.pico.Object()
	}
	return m.cascade.Object.OrAny()
}

// height is that of a window that is so wide.
func (m *liveModel) height(width int) int {
	if m.pico != nil {
		return width
	}
	return width * m.cascade.Height / m.cascade.Width
}

// coarsely rounds n to 4, 5, 6 or 7 times a power of two.
func coarsely(n int, up bool) int {
	shift := max(0, bits.Len(uint(max(n, 0)))-3)
	if up {
		n += 1<<shift - 1
	}
	return n >> shift << shift
}

// search returns what is in the areas, each face once, best first.
func (s *searcher) search(ctx context.Context, img *image.RGBA, areas []track.Area) ([]detector.Detection, error) {
	var found []detector.Detection
	for _, a := range areas {
		d, err := s.detector(a.MinWidth, a.MaxWidth)
		if err != nil {
			return nil, err
		}
		in, err := d.Detect(ctx, img.SubImage(a.Rectangle))
		if err != nil {
			return nil, err
		}
		found = append(found, in...)
	}
	if len(areas) == 1 {
		return found, nil
	}
	return track.Distinct(found, 0.4), nil
}
