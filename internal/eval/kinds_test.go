package eval

import (
	"image"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// Each false positive has one kind, and the best threshold is the one with the
// largest F1 measure.
func TestFalsePositiveKinds(t *testing.T) {
	object := image.Rect(100, 100, 140, 140)
	for _, test := range []struct {
		box  image.Rectangle
		m    Matcher
		want Kind
	}{
		{image.Rect(300, 300, 340, 340), Centre{}, Background},
		{image.Rect(139, 139, 179, 179), Centre{}, Background},  // a corner
		{image.Rect(128, 100, 168, 140), Centre{}, BadlyPlaced}, // 0.7 sizes away
		{image.Rect(128, 100, 168, 140), Overlap{}, BadlyPlaced},
		{image.Rect(115, 115, 125, 125), Centre{}, WrongSize}, // a nose in a face
		{image.Rect(40, 40, 280, 280), Centre{}, WrongSize},   // a window around it
		{image.Rect(106, 106, 134, 134), Overlap{}, WrongSize},
	} {
		s := &Set{Photos: []Photo{{Objects: []Object{{Box: object}}}}}
		if got := s.kind(test.m, &Judged{Found: Found{Box: test.box}, Verdict: FalsePositive}); got != test.want {
			t.Errorf("%v with %v: %v, want %v", test.box, test.m, got, test.want)
		}
	}

	all := []Found{
		found(object, 9), found(image.Rect(300, 300, 340, 340), 8), found(image.Rect(202, 102, 242, 142), 7),
		found(object.Add(image.Pt(2, 0)), 6), found(image.Rect(128, 100, 168, 140), 5), found(image.Rect(115, 115, 125, 125), 4),
	}
	s := &Set{
		Photos:     []Photo{{File: "a", Objects: []Object{{Box: object}, {Box: image.Rect(200, 100, 240, 140)}}}},
		Sizes:      []image.Point{{400, 400}},
		Contenders: []*Contender{{Name: "x", Sweep: SweepScore}},
		Found:      [][][]Found{{all}},
	}
	l := s.Report(Centre{}).Lines[0]
	if want := (FalsePositiveKinds{Background: 1, WrongSize: 1, BadlyPlaced: 1, Duplicates: 1}); l.Kinds != want || l.FalsePositives != 4 {
		t.Errorf("%d false positives, %+v, want %+v", l.FalsePositives, l.Kinds, want)
	}
	if b := l.Best; b == nil || b.Threshold != 7 || b.Recall != 1 || b.Precision != 2.0/3 || b.F1 != 0.8 || b.Kinds != (FalsePositiveKinds{Background: 1}) {
		t.Errorf("best: %+v", l.Best)
	}
	var text strings.Builder
	must.Do(s.Report(Centre{}).WriteText(&text))
	for _, want := range []string{
		"recall  precision    F1  false  background  wrong size  badly placed  duplicates  threshold  detector",
		" 100.0       66.7  80.0      1           1           0             0           0          7  x\n",
		" 100.0       33.3  50.0      4           1           1             1           1     lowest  x\n",
	} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, &text)
		}
	}
	if e := s.Errors(0, Centre{}, 10); len(e.FalsePositives) != 4 || e.FalsePositives[1].Kind != DuplicateOf || e.FalsePositives[3].Kind != WrongSize {
		t.Errorf("%+v", e.FalsePositives)
	}
	// Nothing is found.
	s.Found = [][][]Found{{nil}}
	if l := s.Report(Centre{}).Lines[0]; l.Best != nil || l.Kinds != (FalsePositiveKinds{}) {
		t.Errorf("without detections: %+v", l)
	}
}

// Of classical stages the better of both ranks is taken; others keep theirs.
func TestPickSweep(t *testing.T) {
	object, far := image.Rect(100, 100, 140, 140), image.Rect(300, 300, 340, 340)
	for _, test := range []struct {
		either       bool
		right, wrong Found
		want         Sweep
		best         float64
	}{
		{true, Found{object, 2, 9}, Found{far, 5, 1}, SweepScore, 9},
		{true, Found{object, 5, 1}, Found{far, 2, 9}, SweepNeighbors, 5},
		{true, Found{object, 5, 9}, Found{far, 2, 1}, SweepNeighbors, 5}, // as good
		{false, Found{object, 2, 9}, Found{far, 5, 1}, SweepNeighbors, 2},
	} {
		given := []*Contender{{Name: "x", Sweep: SweepNeighbors, either: test.either}}
		s := &Set{
			Photos: []Photo{{File: "a", Objects: []Object{{Box: object}}}}, Sizes: []image.Point{{400, 400}},
			Contenders: given, Found: [][][]Found{{{test.wrong, test.right}}},
		}
		for range 2 { // the second time changes nothing
			s.PickSweep(Centre{})
			l := s.Report(Centre{}).Lines[0]
			if l.Sweep != test.want.String() || l.Best == nil || l.Best.Threshold != test.best {
				t.Errorf("%+v: swept by %s, best %+v", test, l.Sweep, l.Best)
			}
		}
		if given[0].Sweep != SweepNeighbors {
			t.Error("the caller's contender changed")
		}
	}
}
