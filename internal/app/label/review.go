package label

import (
	"context"
	"image"
	"math"
	"slices"
	"sync"

	"haarlem/cascade/detector"
	"haarlem/internal/eval"
	"haarlem/internal/nms"
	"haarlem/internal/samples"
)

// maxReview is the number of suspects that are listed for review.
const maxReview = 500

// An item is a label that is probably wrong, or a detection that probably lacks one.
type item struct {
	Picture string      `json:"picture"`
	Kind    string      `json:"kind"` // label or detection
	Why     string      `json:"why"`
	Line    int         `json:"line"` // of a label
	Box     [4]float64  `json:"box"`
	Score   *float64    `json:"score"`  // nil: a label that is not found at all
	Better  *[4]float64 `json:"better"` // what is found instead; nil: nothing
}

// A scan searches labelled pictures in the background.
type scan struct {
	mu      sync.Mutex
	running bool
	ctx     context.Context // ends with the server
	done    sync.WaitGroup
}

// start searches pictures that have not been, unless it is at it already.
func (s *scan) start(m *model, todo []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.running || len(todo) == 0 || s.ctx.Err() != nil {
		return
	}
	s.running = true
	s.done.Go(func() {
		for _, name := range todo {
			if s.ctx.Err() != nil {
				break
			}
			_, _ = m.search(s.ctx, m.one, name) // an error is kept with the picture
		}
		s.mu.Lock()
		s.running = false
		s.mu.Unlock()
	})
}

// rect rounds a label's box as samples does; without a box it is that around its
// points.
func rect(l *samples.Label) image.Rectangle {
	if l.Width == 0 {
		var o samples.Object
		for _, p := range l.Points {
			o.Marks = append(o.Marks, p)
		}
		return o.Extent()
	}
	return rectOf([4]float64{l.X, l.Y, l.Width, l.Height})
}

func rectOf(b [4]float64) image.Rectangle {
	round := func(v float64) int { return int(math.Floor(v + 0.5)) }
	return image.Rect(round(b[0]), round(b[1]), round(b[0]+b[2]), round(b[1]+b[3]))
}

// sameObject is the intersection over union at which a box is about the same object.
const sameObject = 0.5

// reviewed collects pictures that were searched.
type reviewed struct {
	names  []string
	photos []eval.Photo
	lines  [][]int // of the objects
	found  [][]eval.Found
}

func (r *reviewed) add(name string, labels []samples.Label, found []detector.Detection) {
	p := eval.Photo{File: name}
	var lines []int
	for line := range labels {
		l := &labels[line]
		if box := rect(l); !box.Empty() {
			p.Objects, lines = append(p.Objects, eval.Object{Box: box, Ignore: l.Ignore, Tags: l.Tags}), append(lines, line)
		}
	}
	all := make([]eval.Found, len(found))
	for i, d := range found {
		all[i] = eval.Found{Box: d.Box, Rank: d.Score}
	}
	r.names, r.photos, r.lines, r.found = append(r.names, name), append(r.photos, p), append(r.lines, lines), append(r.found, all)
}

// items lists what is suspect and not decided.
func (r *reviewed) items(other func(*eval.Object) bool, decided func(name string) []samples.Label) []item {
	all := []item{}
	for _, s := range eval.Suspects(r.photos, r.found, other, nil) {
		i := item{Picture: r.names[s.Photo], Kind: "label", Why: s.Why.String(), Line: -1, Box: boxOf(s.Box)}
		verdict, share := verdictKeep, 0.9
		if s.Why == eval.MissingBox {
			i.Kind, verdict, share = "detection", verdictReject, sameObject
		} else {
			i.Line = r.lines[s.Photo][s.Object]
		}
		if s.Found != nil {
			i.Score = &s.Found.Rank
			if s.Why == eval.MissingBox || s.Why == eval.WrongBox {
				better := boxOf(s.Found.Box)
				i.Better = &better
			}
		}
		if !slices.ContainsFunc(decided(i.Picture), func(d samples.Label) bool {
			return d.Tags[verdictTag] == verdict && nms.Overlap(rect(&d), s.Box) >= share
		}) {
			all = append(all, i)
		}
	}
	return all[:min(len(all), maxReview)]
}

// Verdicts about windows that came up for review, in a column of the file of
// decisions.
const (
	verdictTag    = "verdict"
	verdictReject = "reject" // no object, though the model says so
	verdictKeep   = "keep"   // the label is right, though the model does not see it
)
