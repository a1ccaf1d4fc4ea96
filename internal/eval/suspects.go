package eval

import (
	"cmp"
	"image"
	"math"
	"slices"

	"haarlem/internal/nms"
)

// A Suspect is a label that is probably wrong, or a detection that probably lacks one.
type Suspect struct {
	Why    Reason
	Photo  int             // index
	Object int             // index in the photograph; -1 with MissingBox
	Box    image.Rectangle // of the label, or of the object without one
	Found  *Found          // what the detector found there; nil for nothing
	Chance float64         // that Found is an object; 0 for nothing

	doubt float64 // orders those of a reason
}

// A Reason says why a label is suspect.
type Reason uint8

const (
	NoObject   Reason = iota // the detector finds nothing at the label
	MissingBox               // a detection has no label
	WrongBox                 // the detector finds the object, in another box
	OtherClass               // the label has another class than what is detected
	DoubleBox                // another label has about the same box, and fits better
	reasons
)

var reasonNames = [reasons]string{"no object", "missing box", "wrong box", "wrong class", "double box"}

func (r Reason) String() string { return reasonNames[r] }

// MinChance is the smallest chance of a detection without a label that fits judge.
const MinChance = 0.02

const (
	minDoubt  = 0.25 // about a label
	minChance = 0.3  // of a detection without a label, where there are no fits

	// Overlaps: of about the same box, of a right detection, of a box of another size or
	// place, and of one that is about the object at all.
	sameBox, rightBox, wrongBox, atObject = 0.5, 0.4, 0.3, 0.1
)

// Fits are margins of how well boxes frame an object: of each label, and of each
// detection that no label takes.
type Fits struct{ Labels, Found [][]float64 }

// Suspects lists labels that are probably wrong by what a detector found in each
// photograph, of any rank, and by fits. Without these, nil, the reasons take turns, and of
// each the surest comes first. other, unless nil, tells the objects of other classes.
//
// The detector may have learned from these labels: a wrong one has little weight beside
// the others. It misses many objects that are right, which fits tell from boxes of nothing.
func Suspects(photos []Photo, found [][]Found, other func(*Object) bool, fits *Fits) []Suspect {
	chance := Chances(photos, found, other)
	var all [reasons][]Suspect
	var labels []Suspect
	var overlaps []float64 // of labels that are found
	for p := range photos {
		objects, own := photos[p].Objects, Own(&photos[p], other)
		at := make([]*Found, len(objects))
		order := make([]int, len(found[p]))
		for k := range order {
			order[k] = k
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(found[p][b].Rank, found[p][a].Rank) })
		for _, k := range order {
			f := &found[p][k]
			object, best := -1, atObject
			for _, i := range own {
				if fit := nms.Overlap(objects[i].Box, f.Box); fit > best && at[i] == nil {
					object, best = i, fit
				}
			}
			if object >= 0 {
				at[object] = f
			} else if s, ok := unlabelled(&photos[p], own, f); ok {
				s.Photo, s.Chance, s.doubt = p, chance(f.Rank), chance(f.Rank)-minChance
				if fits != nil && (s.doubt >= 0 || s.Why == MissingBox && s.Chance >= MinChance) {
					s.doubt = fits.Found[p][k] + odds(s.Chance)/4 - offset[s.Why]
				}
				if s.doubt >= 0 {
					all[s.Why] = append(all[s.Why], s)
				}
			}
		}
		twins := doubles(objects, own, at)
		for _, i := range own {
			s := Suspect{Why: NoObject, Photo: p, Object: i, Box: objects[i].Box, Found: at[i]}
			if fit := twins[i]; fit > 0 {
				s.Why, s.Found, s.doubt = DoubleBox, nil, fit-offset[DoubleBox]
				all[DoubleBox] = append(all[DoubleBox], s)
				continue
			}
			if s.Found != nil {
				if s.Chance = chance(s.Found.Rank); s.Chance >= 0.5 {
					overlaps = append(overlaps, nms.Overlap(s.Box, s.Found.Box))
				}
			}
			labels = append(labels, s)
		}
	}
	usual := 1.0
	if slices.Sort(overlaps); len(overlaps) > 0 {
		usual = overlaps[len(overlaps)/2]
	}
	for _, s := range labels {
		s.doubt = 1 - s.Chance
		if s.Found != nil {
			short := (usual - nms.Overlap(s.Box, s.Found.Box)) / max(usual-wrongBox, 0.05)
			if badly := s.Chance * min(max(short, 0), 1); badly > s.doubt {
				s.Why, s.doubt = WrongBox, badly
			}
		}
		listed := s.doubt >= minDoubt
		if fits != nil {
			s.doubt = -fits.Labels[s.Photo][s.Object] // that the model misses it adds nothing
			if listed = s.doubt > 0; s.Chance >= 0.5 {
				s.Why = WrongBox
			}
		}
		if listed {
			all[s.Why] = append(all[s.Why], s)
		}
	}
	surer := func(a, b Suspect) int { return cmp.Compare(b.doubt, a.doubt) }
	if fits != nil {
		out := slices.Concat(all[:]...)
		slices.SortStableFunc(out, surer)
		return out
	}
	var out []Suspect
	for _, of := range all {
		slices.SortStableFunc(of, surer)
	}
	for turn, before := 0, -1; before < len(out); turn++ {
		before = len(out)
		for _, of := range all {
			if turn < len(of) {
				out = append(out, of[turn])
			}
		}
	}
	return out
}

// offset makes doubts of different reasons comparable, where there are fits: chosen on
// number plates. Doubles are the surest. A model learned that an object without a label is
// none, so its chance counts little.
var offset = [reasons]float64{MissingBox: 1, OtherClass: -2.5, DoubleBox: -10}

// odds returns their logarithm.
func odds(p float64) float64 {
	p = min(max(p, 0.001), 0.999)
	return math.Log(p / (1 - p))
}

// Own returns the objects of a photograph that count, of the detector's class.
func Own(p *Photo, other func(*Object) bool) (all []int) {
	for i := range p.Objects {
		if o := &p.Objects[i]; !o.Ignore && (other == nil || !other(o)) {
			all = append(all, i)
		}
	}
	return all
}

// unlabelled judges a detection that no label takes. Those near one, and in ignored
// boxes, are not suspect.
func unlabelled(p *Photo, own []int, f *Found) (s Suspect, ok bool) {
	s = Suspect{Why: MissingBox, Object: -1, Box: f.Box, Found: f}
	for i := range p.Objects {
		o := &p.Objects[i]
		fit := nms.Overlap(o.Box, f.Box)
		switch {
		case o.Ignore:
			if fit >= sameBox || within(o.Box, f.Box) {
				return s, false
			}
		case slices.Contains(own, i):
			if fit >= wrongBox {
				return s, false
			}
		case fit >= sameBox:
			s.Why, s.Object, s.Box = OtherClass, i, o.Box
		}
	}
	return s, true
}

// doubles returns, for each label that has about the same box as another that fits what
// is found better, how much they overlap; 0 for others.
func doubles(objects []Object, own []int, at []*Found) []float64 {
	out := make([]float64, len(objects))
	fit := func(of, found int) float64 {
		if at[found] == nil {
			return 0
		}
		return nms.Overlap(objects[of].Box, at[found].Box)
	}
	for k, i := range own {
		for _, j := range own[:k] {
			same := nms.Overlap(objects[i].Box, objects[j].Box)
			if same <= sameBox || out[i] > 0 || out[j] > 0 {
				continue
			}
			if best := max(fit(j, i), fit(j, j)); best >= max(fit(i, i), fit(i, j)) {
				out[i] = same
			} else {
				out[j] = same
			}
		}
	}
	return out
}

// Chances returns what turns ranks into probabilities: nothing, if they are some.
func Chances(photos []Photo, found [][]Found, other func(*Object) bool) func(rank float64) float64 {
	var ranks []float64
	var right []bool
	probable := true
	for p := range photos {
		own := Own(&photos[p], other)
		for _, f := range found[p] {
			probable = probable && f.Rank >= 0 && f.Rank <= 1
			best := 0.0
			for _, i := range own {
				best = max(best, nms.Overlap(photos[p].Objects[i].Box, f.Box))
			}
			if best >= rightBox || best < atObject {
				ranks, right = append(ranks, f.Rank), append(right, best >= rightBox)
			}
		}
	}
	if probable {
		return func(rank float64) float64 { return rank }
	}
	c, err := Fit(ranks, right)
	if err != nil { // all are right, or no better than others
		return func(float64) float64 { return 1 }
	}
	return func(rank float64) float64 { return logistic(float64(c.Slope*rank) + c.Offset) }
}
