package eval

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"maps"
	"math"
	"slices"
	"strings"
)

// ErrPrecision is wrapped by errors about invalid [PrecisionOptions].
var ErrPrecision = errors.New("eval: cannot measure precision")

// A Subset is a part of the objects that is measured by itself, like the easy,
// medium and hard faces of WIDER FACE. Objects outside it are ignored, so that
// finding them has no effect.
type Subset struct {
	Name   string   `json:"name"`
	Column string   `json:"column"` // of the truth; empty means all objects
	Values []string `json:"values"` // of the column
}

func (s *Subset) has(o *Object) bool {
	return !o.Ignore && (s.Column == "" || slices.Contains(s.Values, o.Tags[s.Column]))
}

// ParseSubset reads NAME:COLUMN=VALUE,VALUE...
func ParseSubset(s string) (Subset, error) {
	name, rule, ok := strings.Cut(s, ":")
	column, values, both := strings.Cut(rule, "=")
	if !ok || !both || name == "" || column == "" || values == "" {
		return Subset{}, fmt.Errorf("%w: subset %q, want NAME:COLUMN=VALUE, or several values with commas between", ErrPrecision, s)
	}
	return Subset{name, column, strings.Split(values, ",")}, nil
}

// SizeColumn groups objects by the square root of their box's area, if the truth
// has no column of that name.
const SizeColumn = "size"

type sizeBand struct {
	below float64
	name  string
}

var sizeBands = []sizeBand{{16, "below 16"}, {32, "16 to 32"}, {64, "32 to 64"}, {128, "64 to 128"}, {math.Inf(1), "128 and more"}}

// PrecisionOptions select what to measure. The zero value and nil work.
type PrecisionOptions struct {
	// IoUs are the smallest intersections over union of a true positive, in
	// ascending order. nil means 0.3, 0.4, 0.5, 0.6 and 0.7.
	IoUs []float64

	// Main is the one of these at which curves are drawn, recall is split by
	// columns and false positives by their kind. 0 means 0.5, which is added to
	// IoUs if it is missing.
	Main float64

	// Subsets are measured one by one. nil means all objects together.
	Subsets []Subset

	// Columns of the truth: recall is given for each of their values.
	Columns []string

	// FalsePositives are the numbers of false positives, counted with all
	// objects, at whose thresholds recall is split by column and false positives
	// by their kind. nil means 10, 100 and 1,000.
	FalsePositives []int
}

// A PrecisionReport holds the usual measures of benchmarks. Each detection,
// best first, belongs to the object with which it has the largest intersection
// over union. If that is large enough, it is right, or a duplicate if a better
// one was right about that object; if the object is ignored, so is the
// detection. Average precision is the area under the curve of precision over
// recall, where precision is the best at this recall and any higher one.
type PrecisionReport struct {
	Main           float64         `json:"iou"`
	IoUs           []float64       `json:"ious"`
	FalsePositives []int           `json:"false_positives"`
	Lines          []PrecisionLine `json:"contenders"`
}

// A PrecisionLine is one contender's part.
type PrecisionLine struct {
	Name    string         `json:"name"`
	Subsets []SubsetResult `json:"subsets"`
	Fits    []BoxFit       `json:"fits"` // by FalsePositives; the last is that of all detections
	Columns []ColumnRecall `json:"columns"`
	Errors  []ErrorCount   `json:"errors"` // by FalsePositives; the last counts all
}

// A SubsetResult is the result on one subset.
type SubsetResult struct {
	Name             string           `json:"name"`
	Objects          int              `json:"objects"`
	AveragePrecision []float64        `json:"average_precision"` // by IoUs
	Curve            []PrecisionPoint `json:"curve"`             // at Main
}

// A PrecisionPoint is the result of one threshold.
type PrecisionPoint struct {
	Threshold float64 `json:"threshold"`
	Precision float64 `json:"precision"`
	Recall    float64 `json:"recall"`
}

// BoxFit is how well the boxes of true positives fit: of those that are right
// at the smallest of IoUs.
type BoxFit struct {
	Matched int     `json:"matched"`
	Median  float64 `json:"median_iou"`
	AtMain  float64 `json:"share_at_main"` // with an intersection over union of at least Main
}

// ColumnRecall is the recall of the objects with one value in a column.
type ColumnRecall struct {
	Column  string    `json:"column"`
	Value   string    `json:"value"`
	Objects int       `json:"objects"`
	Recall  []float64 `json:"recall"` // by FalsePositives; the last is that of all detections
}

// An ErrorCount splits the false positives above a threshold.
type ErrorCount struct {
	FalsePositives int      `json:"false_positives"`
	Threshold      *float64 `json:"threshold"` // null if the first one is beyond that number

	Duplicates int `json:"duplicates"` // right about an object that a better one found
	BadBoxes   int `json:"bad_boxes"`  // an intersection over union of at least 0.1 with an object, but too small
	Background int `json:"background"` // none of these, nor:

	// Unlabelled are where there is no object, but where another contender has
	// a detection too, at its own threshold for as many false positives:
	// perhaps an object that the truth lacks. Check these by eye.
	Unlabelled int `json:"perhaps_unlabelled"`
}

// minOverlap is the intersection over union from which on a false positive
// counts as a bad box of an object.
const minOverlap = 0.1

// A placed is a detection with the object it belongs to, if any.
type placed struct {
	Found
	photo, object int
	iou           float64
}

// place finds each detection's object. The result is ordered, best first.
func (s *Set) place(contender int) []placed {
	var all []placed
	for p := range s.Photos {
		for _, f := range s.Found[contender][p] {
			d := placed{f, p, -1, 0}
			for i := range s.Photos[p].Objects {
				if v, _ := (Overlap{}).Match(s.Photos[p].Objects[i].Box, f.Box); v > d.iou {
					d.object, d.iou = i, v
				}
			}
			all = append(all, d)
		}
	}
	slices.SortStableFunc(all, func(a, b placed) int {
		return cmp.Or(cmp.Compare(b.Rank, a.Rank), cmp.Compare(a.photo, b.photo), byRank(a.Found, b.Found))
	})
	return all
}

// decide gives each detection its verdict: FalsePositive stands for any without
// an object of sufficient overlap.
func (s *Set) decide(all []placed, subset *Subset, iou float64) []Judged {
	taken := map[[2]int]bool{}
	out := make([]Judged, len(all))
	for i, d := range all {
		out[i] = Judged{Found: d.Found, Photo: d.photo, Object: -1, Verdict: FalsePositive}
		if d.object < 0 || d.iou < iou {
			continue
		}
		at := [2]int{d.photo, d.object}
		switch {
		case !subset.has(&s.Photos[d.photo].Objects[d.object]):
			out[i].Verdict = Ignored
		case taken[at]:
			out[i].Verdict = Duplicate
		default:
			out[i].Verdict, out[i].Object = Right, d.object
			taken[at] = true
		}
	}
	return out
}

// Precision measures all contenders as benchmarks do.
func (s *Set) Precision(options *PrecisionOptions) (*PrecisionReport, error) {
	o, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	groups, err := s.groups(o.Columns)
	if err != nil {
		return nil, err
	}
	for _, u := range o.Subsets {
		if count(s.Photos, u.has) == 0 {
			return nil, fmt.Errorf("%w: subset %s is empty: no object that counts has one of %q in the column %q", ErrPrecision, u.Name, u.Values, u.Column)
		}
	}
	r := &PrecisionReport{Main: o.Main, IoUs: o.IoUs, FalsePositives: o.FalsePositives}
	whole := &Subset{}
	placed := make([][]placed, len(s.Contenders))
	judged := make([][]Judged, len(s.Contenders))
	thresholds := make([][]float64, len(s.Contenders)) // by FalsePositives, the last that of all
	for c := range s.Contenders {
		placed[c] = s.place(c)
		judged[c] = s.decide(placed[c], whole, o.Main)
		points := curve(judged[c])
		for _, n := range o.FalsePositives {
			t := math.Inf(1)
			if p, ok := at(points, n); ok {
				t = p.Threshold
			}
			thresholds[c] = append(thresholds[c], t)
		}
		thresholds[c] = append(thresholds[c], math.Inf(-1))
	}
	for c, contender := range s.Contenders {
		l := PrecisionLine{Name: contender.Name, Fits: s.fits(placed[c], thresholds[c], o)}
		for i := range o.Subsets {
			l.Subsets = append(l.Subsets, s.subset(placed[c], &o.Subsets[i], o))
		}
		for _, g := range groups {
			l.Columns = append(l.Columns, g.recall(judged[c], thresholds[c]))
		}
		for k := range thresholds[c] {
			l.Errors = append(l.Errors, s.errors(c, k, placed, judged, thresholds))
		}
		r.Lines = append(r.Lines, l)
	}
	return r, nil
}

func (o *PrecisionOptions) withDefaults() (PrecisionOptions, error) {
	v := *cmp.Or(o, &PrecisionOptions{})
	if v.IoUs == nil {
		v.IoUs = []float64{0.3, 0.4, 0.5, 0.6, 0.7}
	}
	v.Main = cmp.Or(v.Main, 0.5)
	if v.FalsePositives == nil {
		v.FalsePositives = []int{10, 100, 1000}
	}
	if len(v.Subsets) == 0 {
		v.Subsets = []Subset{{Name: "all"}}
	}
	v.IoUs = slices.Clone(v.IoUs)
	if !slices.Contains(v.IoUs, v.Main) {
		v.IoUs = append(v.IoUs, v.Main)
	}
	slices.Sort(v.IoUs)
	for _, u := range v.IoUs {
		if !(u > 0 && u <= 1) {
			return v, fmt.Errorf("%w: intersection over union of %v, want more than 0 and at most 1", ErrPrecision, u)
		}
	}
	if !slices.IsSorted(v.FalsePositives) || len(v.FalsePositives) > 0 && v.FalsePositives[0] < 0 {
		return v, fmt.Errorf("%w: numbers of false positives %v, want 0 and more, in ascending order", ErrPrecision, v.FalsePositives)
	}
	return v, nil
}

func (s *Set) subset(all []placed, u *Subset, o PrecisionOptions) SubsetResult {
	r := SubsetResult{Name: u.Name, Objects: count(s.Photos, u.has)}
	for _, iou := range o.IoUs {
		points := curve(s.decide(all, u, iou))
		r.AveragePrecision = append(r.AveragePrecision, averagePrecision(points, r.Objects))
		if iou != o.Main {
			continue
		}
		for _, p := range points {
			n := p.Found + p.FalsePositives
			if n == 0 { // only ignored ones so far
				continue
			}
			r.Curve = append(r.Curve, PrecisionPoint{p.Threshold, float64(p.Found) / float64(n), float64(p.Found) / float64(r.Objects)})
		}
	}
	return r
}

// fits returns how well the boxes of the detections from each threshold on fit.
func (s *Set) fits(all []placed, thresholds []float64, o PrecisionOptions) []BoxFit {
	judged := s.decide(all, &Subset{}, o.IoUs[0])
	fits := make([]BoxFit, len(thresholds))
	for k, t := range thresholds {
		var ious []float64
		enough := 0
		for i, j := range judged {
			if j.Verdict == Right && j.Rank >= t {
				ious = append(ious, all[i].iou)
				if all[i].iou >= o.Main {
					enough++
				}
			}
		}
		if n := len(ious); n > 0 {
			slices.Sort(ious)
			fits[k] = BoxFit{Matched: n, Median: (ious[(n-1)/2] + ious[n/2]) / 2, AtMain: float64(enough) / float64(n)}
		}
	}
	return fits
}

// A columnGroup is the objects with one value in a column.
type columnGroup struct {
	column, value string
	objects       map[[2]int]bool // photograph and object
}

// groups collects the objects by the values of columns, each column's values
// sorted.
func (s *Set) groups(columns []string) ([]columnGroup, error) {
	var all []columnGroup
	for _, column := range columns {
		tagged := count(s.Photos, func(o *Object) bool { _, ok := o.Tags[column]; return ok }) > 0
		if !tagged && column != SizeColumn {
			return nil, fmt.Errorf("%w: no object has a column %q", ErrPrecision, column)
		}
		by := map[string]map[[2]int]bool{}
		for p := range s.Photos {
			for i := range s.Photos[p].Objects {
				o := &s.Photos[p].Objects[i]
				value, ok := o.Tags[column]
				if !tagged {
					size := math.Sqrt(area(o.Box))
					k := slices.IndexFunc(sizeBands, func(b sizeBand) bool { return size < b.below })
					value, ok = sizeBands[k].name, true
				}
				if !ok || o.Ignore {
					continue
				}
				if by[value] == nil {
					by[value] = map[[2]int]bool{}
				}
				by[value][[2]int{p, i}] = true
			}
		}
		values := slices.Sorted(maps.Keys(by))
		if !tagged {
			values = values[:0]
			for _, b := range sizeBands {
				if by[b.name] != nil {
					values = append(values, b.name)
				}
			}
		}
		for _, v := range values {
			all = append(all, columnGroup{column, v, by[v]})
		}
	}
	return all, nil
}

func (g *columnGroup) recall(all []Judged, thresholds []float64) ColumnRecall {
	r := ColumnRecall{Column: g.column, Value: g.value, Objects: len(g.objects)}
	for _, t := range thresholds {
		n := 0
		for _, j := range all {
			if j.Rank < t {
				break
			}
			if j.Verdict == Right && g.objects[[2]int{j.Photo, j.Object}] {
				n++
			}
		}
		r.Recall = append(r.Recall, float64(n)/float64(len(g.objects)))
	}
	return r
}

// errors splits the false positives of contender c above its k-th threshold.
func (s *Set) errors(c, k int, all [][]placed, judged [][]Judged, thresholds [][]float64) ErrorCount {
	var e ErrorCount
	t := thresholds[c][k]
	if !math.IsInf(t, 0) {
		e.Threshold = &t
	}
	for i, j := range judged[c] {
		if j.Rank < t {
			break
		}
		switch d := &all[c][i]; {
		case j.Verdict == Duplicate:
			e.Duplicates++
		case j.Verdict != FalsePositive:
			continue
		case d.iou >= minOverlap:
			e.BadBoxes++
		case s.agreed(c, k, d.photo, d.Box, thresholds):
			e.Unlabelled++
		default:
			e.Background++
		}
		e.FalsePositives++
	}
	return e
}

// agreed reports whether another contender has a detection there, at its own
// k-th threshold.
func (s *Set) agreed(c, k, photo int, box image.Rectangle, thresholds [][]float64) bool {
	for other := range s.Contenders {
		if other == c {
			continue
		}
		for _, f := range s.Found[other][photo] {
			if f.Rank < thresholds[other][k] {
				continue
			}
			if _, ok := (Overlap{}).Match(f.Box, box); ok {
				return true
			}
		}
	}
	return false
}
