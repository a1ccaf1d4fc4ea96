package eval

import (
	"image"
	"math"
	"slices"
	"testing"
)

func found(b image.Rectangle, rank float64) Found { return Found{Box: b, Rank: rank} }

func verdicts(all []Judged) []Verdict {
	var v []Verdict
	for _, j := range all {
		v = append(v, j.Verdict)
	}
	return v
}

func TestJudge(t *testing.T) {
	a, b := box(0, 0, 40), box(100, 0, 40)
	shift := func(r image.Rectangle, dx int) image.Rectangle { return r.Add(image.Pt(dx, 0)) }
	crowd := Object{Box: image.Rect(200, 0, 300, 50), Ignore: true}
	for _, c := range []struct {
		name    string
		objects []Object
		found   []Found
		want    []Verdict // best first
	}{
		{"one each", []Object{{Box: a}, {Box: b}}, []Found{found(b, 1), found(a, 2)}, []Verdict{Right, Right}},
		{"the second is a false positive", []Object{{Box: a}}, []Found{found(a, 1), found(shift(a, 5), 2)}, []Verdict{Right, Duplicate}},
		{"nothing there", []Object{{Box: a}}, []Found{found(b, 1)}, []Verdict{FalsePositive}},
		{"no objects at all", nil, []Found{found(b, 1)}, []Verdict{FalsePositive}},
		// The better one takes its best match, though the other order would
		// find both.
		{"best fit", []Object{{Box: a}, {Box: shift(a, 25)}}, []Found{found(shift(a, 11), 2), found(shift(a, 20), 1)}, []Verdict{Right, Right}},
		{"a taken object leaves the next one", []Object{{Box: a}, {Box: shift(a, 15)}}, []Found{found(a, 3), found(a, 2), found(a, 1)}, []Verdict{Right, Right, Duplicate}},
		{"ignored", []Object{{Box: a, Ignore: true}}, []Found{found(a, 1), found(a, 2)}, []Verdict{Ignored, Ignored}},
		{"an object comes before one to be ignored", []Object{{Box: a, Ignore: true}, {Box: a}}, []Found{found(a, 1)}, []Verdict{Right}},
		{"a duplicate is none less beside one to be ignored", []Object{{Box: a, Ignore: true}, {Box: a}}, []Found{found(a, 1), found(a, 2)}, []Verdict{Right, Duplicate}},
		{"in a crowd", []Object{crowd}, []Found{found(box(280, 20, 20), 1)}, []Verdict{Ignored}},
		{"beside a crowd", []Object{crowd}, []Found{found(box(291, 20, 20), 1)}, []Verdict{FalsePositive}},
		{"too large for the crowd", []Object{crowd}, []Found{found(box(140, -80, 201), 1)}, []Verdict{FalsePositive}},
	} {
		got := verdicts(judge(Centre{}, 0, c.objects, c.found))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The order in which a detector lists its detections does not change the
// verdicts.
func TestJudgeKnowsNoOrder(t *testing.T) {
	objects := []Object{{Box: box(0, 0, 40)}, {Box: box(20, 0, 40)}, {Box: box(40, 10, 30), Ignore: true}}
	var all []Found
	for i := range 8 {
		all = append(all, found(box(7*i, i, 36+i), float64(i/3)))
	}
	want := judge(Centre{}, 0, objects, all)
	for range len(all) {
		all = append(all[1:], all[0])
		if got := judge(Centre{}, 0, objects, all); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

func TestCurve(t *testing.T) {
	j := func(rank float64, v Verdict) Judged { return Judged{Found: Found{Rank: rank}, Verdict: v} }
	all := []Judged{
		j(9, Right), j(8, Ignored), j(7, Right), j(7, FalsePositive), j(7, Right), j(5, Duplicate), j(4, Right), j(3, Ignored),
	}
	points := curve(all)
	want := []Point{{9, 1, 0}, {7, 3, 1}, {5, 3, 2}, {4, 4, 2}}
	if !slices.Equal(points, want) {
		t.Fatalf("%v, want %v", points, want)
	}
	for _, c := range []struct{ alarms, found int }{{0, 1}, {1, 3}, {2, 4}, {100, 4}} {
		if p, ok := at(points, c.alarms); !ok || p.Found != c.found {
			t.Errorf("at %d: %v %v, want %d found", c.alarms, p, ok, c.found)
		}
	}
	// By hand: 1 of 5 objects at precision 1, up to 3 at 3/4, up to 4 at 4/6,
	// one is never found.
	if ap, want := averagePrecision(points, 5), (1*1+2*0.75+1*4.0/6)/5; math.Abs(ap-want) > 1e-12 {
		t.Errorf("average precision %v, want %v", ap, want)
	}
	// Precision is made to decrease: a false positive at the top costs those
	// below only as much as the best threshold.
	late := curve([]Judged{j(3, FalsePositive), j(2, Right), j(1, Right)})
	if ap := averagePrecision(late, 2); math.Abs(ap-2.0/3) > 1e-12 {
		t.Errorf("average precision %v, want 2/3", ap)
	}
	if _, ok := at(late, 0); ok {
		t.Error("a point without false positives where there is none")
	}
	if len(curve(nil)) != 0 || averagePrecision(nil, 3) != 0 || averagePrecision(points, 0) != 0 {
		t.Error("nothing found, or nothing to find, is not 0")
	}
}
