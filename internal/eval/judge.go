package eval

import (
	"cmp"
	"image"
	"slices"
)

// Verdict is the result of matching a detection.
type Verdict uint8

const (
	Right         Verdict = iota // a true positive
	Duplicate                    // it matches an object that a better one found: a false positive
	FalsePositive                // it matches nothing
	Ignored                      // it matches an ignored object
)

// A Judged is a detection with its verdict.
type Judged struct {
	Found
	Verdict Verdict
	Photo   int // index
	Object  int // index in the photograph of the object that it found, or -1
}

// byRank sorts the highest rank first, and equal ones by their boxes.
func byRank(a, b Found) int {
	return cmp.Or(
		cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.Box.Min.Y, b.Box.Min.Y), cmp.Compare(a.Box.Min.X, b.Box.Min.X),
		cmp.Compare(a.Box.Dx(), b.Box.Dx()), cmp.Compare(a.Box.Dy(), b.Box.Dy()),
	)
}

// judge matches the detections of one photograph, best first.
func judge(m Matcher, photo int, objects []Object, found []Found) []Judged {
	order := slices.SortedFunc(slices.Values(found), byRank)
	taken := make([]bool, len(objects))
	all := make([]Judged, 0, len(order))
	for _, f := range order {
		j := Judged{Found: f, Verdict: FalsePositive, Photo: photo, Object: -1}
		best := 0.0
		for i := range objects {
			o := &objects[i]
			fit, ok := m.Match(o.Box, f.Box)
			switch {
			case o.Ignore:
				if j.Verdict == FalsePositive && (ok || within(o.Box, f.Box)) {
					j.Verdict = Ignored
				}
			case !ok:
			case taken[i]:
				// Even if it matches an ignored object too.
				if j.Verdict != Right {
					j.Verdict = Duplicate
				}
			case j.Verdict != Right || fit > best:
				j.Verdict, j.Object, best = Right, i, fit
			}
		}
		if j.Verdict == Right {
			taken[j.Object] = true
		}
		all = append(all, j)
	}
	return all
}

// within reports whether a detection is about something in an ignored box,
// which may contain several objects or parts of one.
func within(box, found image.Rectangle) bool {
	c := image.Pt((found.Min.X+found.Max.X)/2, (found.Min.Y+found.Max.Y)/2)
	return c.In(box) && max(found.Dx(), found.Dy()) <= 2*max(box.Dx(), box.Dy())
}

// Judge matches a contender's detections in all photographs, best first.
func (s *Set) Judge(contender int, m Matcher) []Judged {
	var all []Judged
	for p := range s.Photos {
		all = append(all, judge(m, p, s.Photos[p].Objects, s.Found[contender][p])...)
	}
	slices.SortStableFunc(all, func(a, b Judged) int { return cmp.Compare(b.Rank, a.Rank) })
	return all
}
