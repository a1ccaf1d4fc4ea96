package eval

import (
	"cmp"
	"image"
	"image/color"
	"image/draw"
	"math"
	"slices"

	"haarlem/internal/annotate"
	"haarlem/internal/resample"
	"haarlem/internal/samples"
)

// Errors are the errors of a contender at one threshold.
type Errors struct {
	Threshold      float64
	Misses         []Crop // false negatives, in the order of the photographs
	FalsePositives []Crop // highest rank first
	Worst          []int  // photographs by number of errors, most first; only those with any
	judged         []Judged
}

// A Crop is a part of a photograph.
type Crop struct {
	Photo int // index
	Box   image.Rectangle
	Rank  float64 // of a false positive
	Kind  Kind    // of a false positive
}

// Errors lists the contender's errors at the threshold with the best recall at
// the given number of false positives, or at the highest threshold if all have
// more.
func (s *Set) Errors(contender int, m Matcher, falsePositives int) *Errors {
	all := s.Judge(contender, m)
	points := curve(all)
	e := &Errors{Threshold: math.Inf(1)}
	if p, ok := at(points, falsePositives); ok {
		e.Threshold = p.Threshold
	} else if len(points) > 0 {
		e.Threshold = points[0].Threshold
	}
	found := make([][]bool, len(s.Photos))
	wrong := make([]int, len(s.Photos))
	for p := range found {
		found[p] = make([]bool, len(s.Photos[p].Objects))
	}
	for _, j := range all {
		if j.Rank < e.Threshold {
			break
		}
		e.judged = append(e.judged, j)
		switch j.Verdict {
		case Right:
			found[j.Photo][j.Object] = true
		case FalsePositive, Duplicate:
			e.FalsePositives = append(e.FalsePositives, Crop{j.Photo, j.Box, j.Rank, s.kind(m, &j)})
			wrong[j.Photo]++
		}
	}
	for p := range s.Photos {
		for i, o := range s.Photos[p].Objects {
			if !o.Ignore && !found[p][i] {
				e.Misses = append(e.Misses, Crop{Photo: p, Box: o.Box})
				wrong[p]++
			}
		}
	}
	for p, n := range wrong {
		if n > 0 {
			e.Worst = append(e.Worst, p)
		}
	}
	slices.SortStableFunc(e.Worst, func(a, b int) int { return cmp.Compare(wrong[b], wrong[a]) })
	return e
}

// The colours of boxes.
var (
	foundColour  = color.RGBA{0x2B, 0xE0, 0x6A, 0xFF}
	missedColour = color.RGBA{0xFF, 0x30, 0x30, 0xFF}
	falseColour  = color.RGBA{0xFF, 0xB0, 0x00, 0xFF}
	ignoreColour = color.RGBA{0x60, 0x90, 0xFF, 0xFF}
)

// Sheet draws crops of photographs side by side, each twice as large as its box,
// and scaled to a cell.
func (s *Set) Sheet(crops []Crop, columns, cell int) (*image.RGBA, error) {
	columns = max(min(columns, len(crops)), 1)
	rows := max((len(crops)+columns-1)/columns, 1)
	out := image.NewRGBA(image.Rect(0, 0, columns*(cell+2), rows*(cell+2)))
	draw.Draw(out, out.Rect, image.White, image.Point{}, draw.Src)
	// Each photograph is read once.
	order := make([]int, len(crops))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(crops[a].Photo, crops[b].Photo) })
	var g *image.Gray
	last := -1
	for _, i := range order {
		c := crops[i]
		if c.Photo != last {
			var err error
			if g, err = samples.ReadGrey(s.Photos[c.Photo].File); err != nil {
				return nil, err
			}
			last = c.Photo
		}
		side := float64(max(c.Box.Dx(), c.Box.Dy()))
		x, y := float64(c.Box.Min.X+c.Box.Max.X)/2-side, float64(c.Box.Min.Y+c.Box.Max.Y)/2-side
		view := resample.Part(g, x, y, x+2*side, y+2*side, cell, cell)
		at := image.Pt(i%columns*(cell+2)+1, i/columns*(cell+2)+1)
		draw.Draw(out, image.Rectangle{at, at.Add(image.Pt(cell, cell))}, view, image.Point{}, draw.Src)
		// The box, in the view.
		half := image.Pt(c.Box.Dx()*cell/int(4*side), c.Box.Dy()*cell/int(4*side))
		middle := at.Add(image.Pt(cell/2, cell/2))
		annotate.Frame(out, image.Rectangle{middle.Sub(half), middle.Add(half)}, 1, foundColour)
	}
	return out, nil
}

// Draw draws a photograph with boxes: true positives green, misses red, false
// positives orange, and ignored ones blue.
func (s *Set) Draw(photo int, e *Errors) (*image.RGBA, error) {
	g, err := samples.ReadGrey(s.Photos[photo].File)
	if err != nil {
		return nil, err
	}
	out := image.NewRGBA(g.Rect)
	draw.Draw(out, out.Rect, g, image.Point{}, draw.Src)
	thick := max(1, (min(g.Rect.Dx(), g.Rect.Dy())+200)/400)
	for _, o := range s.Photos[photo].Objects {
		if o.Ignore {
			annotate.Frame(out, o.Box, 1, ignoreColour)
		}
	}
	for _, m := range e.Misses {
		if m.Photo == photo {
			annotate.Frame(out, m.Box, thick, missedColour)
		}
	}
	for _, j := range e.judged {
		if j.Photo != photo {
			continue
		}
		switch j.Verdict {
		case Right:
			annotate.Frame(out, j.Box, thick, foundColour)
		case Duplicate, FalsePositive:
			annotate.Frame(out, j.Box, thick, falseColour)
		case Ignored:
			annotate.Frame(out, j.Box, 1, ignoreColour)
		}
	}
	return out, nil
}
