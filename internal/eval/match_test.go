package eval

import (
	"image"
	"strings"
	"testing"
)

func box(x, y, side int) image.Rectangle { return image.Rect(x, y, x+side, y+side) }

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		found image.Rectangle
		fit   float64
		ok    bool
	}{
		{box(0, 0, 30), 1, true},
		{image.Rect(0, 0, 30, 15), 0.5, true}, // exactly the threshold
		{image.Rect(0, 0, 30, 14), 14.0 / 30, false},
		{box(10, 0, 30), 0.5, true},
		{box(11, 0, 30), 19.0 / 41, false},
		{box(30, 0, 30), 0, false},
		{image.Rectangle{}, 0, false},
	} {
		fit, ok := Overlap{}.Match(box(0, 0, 30), c.found)
		if fit != c.fit || ok != c.ok {
			t.Errorf("%v: %v, %v, want %v, %v", c.found, fit, ok, c.fit, c.ok)
		}
	}
	if _, ok := (Overlap{IoU: 0.4}).Match(box(0, 0, 30), box(11, 0, 30)); !ok {
		t.Error("a lower threshold was not used")
	}
}

func TestCentre(t *testing.T) {
	truth := box(100, 100, 40)
	for _, c := range []struct {
		found image.Rectangle
		ok    bool
	}{
		{truth, true},
		{truth.Add(image.Pt(20, 0)), true}, // exactly half of its size away
		{truth.Add(image.Pt(21, 0)), false},
		{truth.Add(image.Pt(12, -16)), true}, // 20 pixels, diagonally
		{truth.Add(image.Pt(13, -16)), false},
		{truth.Inset(10), true}, // exactly half as large
		{truth.Inset(11), false},
		{truth.Inset(-20), true}, // exactly twice as large
		{truth.Inset(-21), false},
		{image.Rect(80, 110, 160, 130), true}, // as large by its area
		{image.Rectangle{}, false},
	} {
		if _, ok := (Centre{}).Match(truth, c.found); ok != c.ok {
			t.Errorf("%v: %v, want %v", c.found, ok, c.ok)
		}
	}
	near, _ := Centre{}.Match(truth, truth.Add(image.Pt(3, 0)))
	far, _ := Centre{}.Match(truth, truth.Add(image.Pt(4, 0)))
	large, _ := Centre{}.Match(truth, truth.Inset(-5).Add(image.Pt(3, 0)))
	if !(near > far && near > large) {
		t.Errorf("fits: near %v, further %v, larger %v", near, far, large)
	}
}

func TestParseMatcher(t *testing.T) {
	for _, c := range []struct {
		name      string
		threshold float64
		want      string // of the matcher or the error
	}{
		{"overlap", 0, "overlap: intersection over union of at least 0.5"},
		{"overlap", 0.7, "overlap: intersection over union of at least 0.7"},
		{"centre", 0, "centre: centres at most 0.5 of the object's size apart, size between 1/2 and 2 of the object's"},
		{"centre", 0.3, "centre: centres at most 0.3 of the object's size apart, size between 1/2 and 2 of the object's"},
		{"iou", 0, `no matcher is called "iou", want centre or overlap`},
		{"overlap", 1.5, "threshold 1.5 of the matcher, want more than 0 and at most 1"},
	} {
		m, err := ParseMatcher(c.name, c.threshold)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = m.String()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s %v: %q, want %q", c.name, c.threshold, got, c.want)
		}
	}
}
