package label

import (
	"cmp"
	"context"
	"image"
	"math"
	"slices"
	"sync"

	"haarlem/internal/nms"
	"haarlem/internal/samples"
)

// maxReview is the number of windows of each kind that are listed for review.
const maxReview = 200

// An item is a window that people should check again: a label that the model hardly
// finds, or a detection that is no label.
type item struct {
	Picture string     `json:"picture"`
	Kind    string     `json:"kind"` // label or detection
	Line    int        `json:"line"` // of a label
	Box     [4]float64 `json:"box"`
	Score   *float64   `json:"score"` // nil: a label that is not found at all
}

func (i *item) score() float64 {
	if i.Score == nil {
		return math.Inf(-1)
	}
	return *i.Score
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
	s.done.Add(1)
	go func() {
		defer s.done.Done()
		for _, name := range todo {
			if s.ctx.Err() != nil {
				break
			}
			_, _ = m.search(s.ctx, m.one, name) // an error is kept with the picture
		}
		s.mu.Lock()
		s.running = false
		s.mu.Unlock()
	}()
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

// hardest lists what is to be reviewed in a picture.
func hardest(name string, labels, decided []samples.Label, found searched, threshold float64) (all []item) {
	decidedOn := func(r image.Rectangle, verdict string, share float64) bool {
		return slices.ContainsFunc(decided, func(d samples.Label) bool {
			return d.Tags[verdictTag] == verdict && nms.Overlap(rect(&d), r) >= share
		})
	}
	matched := make([]bool, len(found.all))
	for line := range labels {
		l := &labels[line]
		r := rect(l)
		if r.Empty() {
			continue
		}
		i := item{Picture: name, Kind: "label", Line: line, Box: boxOf(r)}
		for k, d := range found.all {
			covered := d.Box.Intersect(r)
			switch {
			case nms.Overlap(d.Box, r) >= sameObject:
				matched[k] = true
				if score := d.Score; i.Score == nil || score > *i.Score {
					i.Score = &score
				}
			case l.Ignore && 2*covered.Dx()*covered.Dy() > d.Box.Dx()*d.Box.Dy():
				matched[k] = true // inside an ignored region
			}
		}
		if !l.Ignore && !decidedOn(r, verdictKeep, 0.9) {
			all = append(all, i)
		}
	}
	for k, d := range found.all {
		if !matched[k] && d.Score >= threshold && !decidedOn(d.Box, verdictReject, sameObject) {
			score := d.Score
			all = append(all, item{Picture: name, Kind: "detection", Line: -1, Box: boxOf(d.Box), Score: &score})
		}
	}
	return all
}

// ordered puts the hardest first: labels with the lowest scores and detections with
// the highest, in turns. Of the labels that are found, the better half is left out.
func ordered(all []item) []item {
	labels, detections := []item{}, []item{}
	for _, i := range all {
		if i.Kind == "label" {
			labels = append(labels, i)
		} else {
			detections = append(detections, i)
		}
	}
	slices.SortStableFunc(labels, func(a, b item) int { return cmp.Compare(a.score(), b.score()) })
	slices.SortStableFunc(detections, func(a, b item) int { return cmp.Compare(b.score(), a.score()) })
	missed := slices.IndexFunc(labels, func(i item) bool { return i.Score != nil })
	if missed >= 0 {
		labels = labels[:missed+(len(labels)-missed+1)/2]
	}
	labels, detections = labels[:min(len(labels), maxReview)], detections[:min(len(detections), maxReview)]
	out := []item{}
	for i := range max(len(labels), len(detections)) {
		if i < len(labels) {
			out = append(out, labels[i])
		}
		if i < len(detections) {
			out = append(out, detections[i])
		}
	}
	return out
}

// Verdicts about windows that came up for review, in a column of the file of
// decisions.
const (
	verdictTag    = "verdict"
	verdictReject = "reject" // no object, though the model says so
	verdictKeep   = "keep"   // the label is right, though the model does not see it
)
