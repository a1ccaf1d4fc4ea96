package eval

import (
	"bytes"
	"errors"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// precisionSet is two photographs with four objects, and two contenders.
func precisionSet(one, two [][]Found) *Set {
	tags := func(level string) map[string]string { return map[string]string{"level": level} }
	return &Set{
		Photos: []Photo{
			{File: "a", Objects: []Object{
				{Box: box(0, 0, 10), Tags: tags("easy")},
				{Box: box(100, 0, 40), Tags: tags("hard")},
				{Box: box(200, 0, 40), Ignore: true, Tags: tags("easy")},
			}},
			{File: "b", Objects: []Object{{Box: box(0, 0, 100), Tags: tags("easy")}}},
		},
		Contenders: []*Contender{{Name: "one"}, {Name: "two"}},
		Found:      [][][]Found{one, two},
	}
}

func TestPrecision(t *testing.T) {
	s := precisionSet([][]Found{
		{
			found(box(100, 0, 40), 9),               // the hard one: ignored among the easy ones
			found(box(400, 0, 40), 8),               // background, which the other finds too
			found(image.Rect(0, 0, 10, 6), 7),       // the small one, with 0.6
			found(box(200, 0, 40), 6),               // ignored
			found(box(101, 0, 40), 5),               // a duplicate
			found(image.Rect(100, 80, 140, 120), 2), // background
		},
		{
			found(image.Rect(0, 0, 100, 40), 4), // a bad box: 0.4
		},
	}, [][]Found{{found(box(401, 0, 40), 1)}, nil})
	r := must.Get(s.Precision(&PrecisionOptions{
		IoUs:           []float64{0.3, 0.7},
		Subsets:        []Subset{{Name: "all"}, {"easy", "level", []string{"easy"}}},
		Columns:        []string{"level", SizeColumn},
		FalsePositives: []int{0, 1},
	}))
	if !slices.Equal(r.IoUs, []float64{0.3, 0.5, 0.7}) {
		t.Errorf("measured at %v, want the main one among them", r.IoUs)
	}
	l := r.Lines[0]
	for _, c := range []struct {
		subset  int
		objects int
		want    []float64
	}{
		// In their order: right, wrong, right, (duplicate) wrong, right or wrong.
		{0, 3, []float64{(1 + 2./3 + 3./5) / 3, (1 + 2./3) / 3, 1. / 3}},
		// Duplicates of the hard one are ignored with it: wrong, right, right.
		{1, 2, []float64{(2./3 + 2./3) / 2, 1. / 2 / 2, 0}},
	} {
		g := l.Subsets[c.subset]
		if g.Objects != c.objects {
			t.Errorf("%s: %d objects, want %d", g.Name, g.Objects, c.objects)
		}
		for i, want := range c.want {
			if math.Abs(g.AveragePrecision[i]-want) > 1e-12 {
				t.Errorf("%s at %g: average precision %v, want %v", g.Name, r.IoUs[i], g.AveragePrecision[i], want)
			}
		}
	}
	if last := l.Subsets[0].Curve[len(l.Subsets[0].Curve)-1]; last != (PrecisionPoint{2, 2. / 6, 2. / 3}) {
		t.Errorf("the curve ends with %v", last)
	}
	if want := []BoxFit{{1, 1, 1}, {2, 0.8, 1}, {3, 0.6, 2. / 3}}; !slices.Equal(l.Fits, want) {
		t.Errorf("fits %v, want %v", l.Fits, want)
	}
	var columns []string
	for _, c := range l.Columns {
		columns = append(columns, c.Column+"="+c.Value)
		want := map[string][]float64{
			"level=easy": {0, 0.5, 0.5}, "level=hard": {1, 1, 1},
			"size=below 16": {0, 1, 1}, "size=32 to 64": {1, 1, 1}, "size=64 to 128": {0, 0, 0},
		}[c.Column+"="+c.Value]
		if !slices.Equal(c.Recall, want) {
			t.Errorf("%s=%s: recall %v, want %v", c.Column, c.Value, c.Recall, want)
		}
	}
	if want := []string{"level=easy", "level=hard", "size=below 16", "size=32 to 64", "size=64 to 128"}; !slices.Equal(columns, want) {
		t.Errorf("columns %q, want %q", columns, want)
	}
	if n := len(l.Errors); n != 3 {
		t.Fatalf("%d error counts, want one a number of false positives and one of all", n)
	}
	if e := l.Errors[0]; e.FalsePositives != 0 || *e.Threshold != 9 {
		t.Errorf("without false positives: %+v", e)
	}
	// The other contender's one is its first false positive.
	if e := l.Errors[1]; e.FalsePositives != 1 || e.Unlabelled != 1 {
		t.Errorf("at one false positive: %+v", e)
	}
	if e := l.Errors[2]; e.FalsePositives != 4 || e.Duplicates != 1 || e.BadBoxes != 1 || e.Background != 1 || e.Unlabelled != 1 {
		t.Errorf("of all: %+v", e)
	}
	var text bytes.Buffer
	must.Do(r.WriteText(&text))
	for _, want := range []string{"75.6", "level=easy", "perhaps unlabelled", "size=below 16"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
}

// An object belongs to the box that overlaps most, even if it is taken: as in
// benchmarks, the second detection of it is wrong.
func TestPrecisionTakesTheBestObject(t *testing.T) {
	s := &Set{
		Photos:     []Photo{{Objects: []Object{{Box: box(0, 0, 40)}, {Box: box(8, 0, 40)}}}},
		Contenders: []*Contender{{Name: "one"}},
		Found:      [][][]Found{{{found(box(0, 0, 40), 2), found(box(1, 0, 40), 1)}}},
	}
	r := must.Get(s.Precision(nil))
	if e := r.Lines[0].Errors[len(r.Lines[0].Errors)-1]; e.Duplicates != 1 {
		t.Errorf("%+v, want a duplicate", e)
	}
}

func TestPrecisionErrors(t *testing.T) {
	s := precisionSet([][]Found{nil, nil}, [][]Found{nil, nil})
	for name, o := range map[string]*PrecisionOptions{
		"a column that is not there": {Columns: []string{"pose"}},
		"a subset without objects":   {Subsets: []Subset{{"medium", "level", []string{"medium"}}}},
		"an overlap above 1":         {IoUs: []float64{1.5}},
		"numbers out of order":       {FalsePositives: []int{5, 2}},
		"a negative number":          {FalsePositives: []int{-1}},
	} {
		if _, err := s.Precision(o); !errors.Is(err, ErrPrecision) {
			t.Errorf("%s: %v", name, err)
		}
	}
	r, err := s.Precision(nil)
	if err != nil || r.Lines[0].Subsets[0].AveragePrecision[0] != 0 {
		t.Errorf("nothing found: %v, %v", r, err)
	}
	if e := r.Lines[0].Errors[0]; e.Threshold != nil {
		t.Errorf("nothing found, at a threshold of %v", *e.Threshold)
	}
}

func TestParseSubset(t *testing.T) {
	u, err := ParseSubset("medium:level=easy,medium")
	if err != nil || u.Name != "medium" || u.Column != "level" || !slices.Equal(u.Values, []string{"easy", "medium"}) {
		t.Errorf("%+v, %v", u, err)
	}
	for _, bad := range []string{"", "level=easy", "a:level", ":level=easy", "a:=easy", "a:level="} {
		if _, err := ParseSubset(bad); !errors.Is(err, ErrPrecision) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
