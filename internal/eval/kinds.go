package eval

import "image"

// FalsePositiveKinds says what false positives are.
type FalsePositiveKinds struct {
	Background  int `json:"background"`   // about no object
	WrongSize   int `json:"wrong_size"`   // about an object, but too large or too small
	BadlyPlaced int `json:"badly_placed"` // about an object, and right if its middle were the object's
	Duplicates  int `json:"duplicates"`   // right about an object that a better one found
}

// Kind is one of them.
type Kind uint8

const (
	Background Kind = iota
	WrongSize
	BadlyPlaced
	DuplicateOf
)

var kindNames = []string{"background", "wrong size", "badly placed", "duplicate"}

func (k Kind) String() string { return kindNames[k] }

func (n *FalsePositiveKinds) count(k Kind) {
	switch k {
	case Background:
		n.Background++
	case WrongSize:
		n.WrongSize++
	case BadlyPlaced:
		n.BadlyPlaced++
	case DuplicateOf:
		n.Duplicates++
	}
}

// kind returns what a false positive is. It is about the object with which it has
// the largest intersection over union, if that is at least a tenth or the middle of
// one lies in the other.
func (s *Set) kind(m Matcher, j *Judged) Kind {
	if j.Verdict == Duplicate {
		return DuplicateOf
	}
	var object image.Rectangle
	best := -1.0
	for i := range s.Photos[j.Photo].Objects {
		box := s.Photos[j.Photo].Objects[i].Box
		iou, _ := (Overlap{}).Match(box, j.Box)
		if (iou >= minOverlap || middle(box).In(j.Box) || middle(j.Box).In(box)) && iou > best {
			object, best = box, iou
		}
	}
	if best < 0 {
		return Background
	}
	moved := j.Box.Add(middle(object).Sub(middle(j.Box)))
	if _, ok := m.Match(object, moved); ok {
		return BadlyPlaced
	}
	return WrongSize
}

func middle(r image.Rectangle) image.Point { return r.Min.Add(r.Max).Div(2) }

// kinds counts false positives at a threshold.
func (s *Set) kinds(m Matcher, all []Judged, threshold float64) FalsePositiveKinds {
	var n FalsePositiveKinds
	for i := range all {
		j := &all[i]
		if j.Rank < threshold {
			break
		}
		if j.Verdict == FalsePositive || j.Verdict == Duplicate {
			n.count(s.kind(m, j))
		}
	}
	return n
}

// best returns the point with the largest F1 measure, the mean of precision and
// recall, of these the first. ok is false if nothing is found.
func best(points []Point, objects int) (p Point, f1 float64, ok bool) {
	for _, q := range points {
		if v := 2 * float64(q.Found) / float64(q.Found+q.FalsePositives+objects); q.Found > 0 && v > f1 {
			p, f1, ok = q, v, true
		}
	}
	return p, f1, ok
}
