package face5

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"math"
	"os"
	"strings"
	"testing"

	"haarlem/internal/luma"
	"haarlem/internal/samples"
	"haarlem/landmarks"
	"haarlem/picture"
)

// maxBytes is the largest size of the model.
const maxBytes = 300_000

// The model agrees with its page, and is written as it was read.
func TestModel(t *testing.T) {
	m, err := Model()
	if err != nil {
		t.Fatal(err)
	}
	if len(file) > maxBytes || m.Name != Name || len(m.Mean) != RightMouth+1 || m.Eyes != [2]int{LeftEye, RightEye} {
		t.Errorf("%d bytes, %q, %d points, eyes %v", len(file), m.Name, len(m.Mean), m.Eyes)
	}
	var b bytes.Buffer
	if err := m.Encode(&b); err != nil || b.String() != file {
		t.Errorf("encoding the model gives %d bytes that are not the %d of the file, %v", b.Len(), len(file), err)
	}
	text, err := os.ReadFile("../face5.md")
	if err != nil {
		t.Fatal(err)
	}
	trees := 0
	for i := range m.Levels {
		trees += m.Levels[i].Trees()
	}
	for _, want := range []string{
		fmt.Sprintf("| SHA-256 | `%x` |", sha256.Sum256([]byte(file))),
		fmt.Sprintf("| bytes | %d |", len(file)),
		fmt.Sprintf("| levels | %d |", len(m.Levels)),
		fmt.Sprintf("| trees | %d of depth %d |", trees, m.Levels[0].Depth),
		fmt.Sprintf("| coarse levels | %d, with %d trees of depth %d |", len(m.Coarse), len(m.Coarse)*m.Coarse[0].Trees(), m.Coarse[0].Depth),
		fmt.Sprintf("| patch | %dx%d |", m.Side, m.Side),
		fmt.Sprintf("| boxes | %s: frame %g to the right, %g down, side %g |", m.Box.Name, m.Box.Right, m.Box.Down, m.Box.Side),
	} {
		if !strings.Contains(string(text), want+"\n") {
			t.Errorf("the page has no line %q", want)
		}
	}
	for _, note := range m.Notes {
		if source, _, _ := strings.Cut(note, ":"); !strings.Contains(string(text), source) {
			t.Errorf("the page does not speak of the data %q", source)
		}
	}
	if len(m.Notes) == 0 {
		t.Error("the model does not say what it was trained on")
	}
}

// What Model returns belongs to the caller.
func TestModelCopies(t *testing.T) {
	a, err := Model()
	if err != nil {
		t.Fatal(err)
	}
	a.Mean[0] = landmarks.Vec{}
	b, err := Model()
	if err != nil || b.Mean[0] == a.Mean[0] {
		t.Errorf("a second model sees the first one's changes, %v", err)
	}
}

// In boxes that are too large and off to one side, points in the frame that the coarse
// levels or all levels find first are nearer to those in the right box.
func TestBoxes(t *testing.T) {
	group, err := picture.Open("../../samples/group.png", nil)
	if err != nil {
		t.Fatal(err)
	}
	photos, err := samples.ReadTruth("../../samples/group.csv", samples.Auto)
	if err != nil {
		t.Fatal(err)
	}
	g, _ := luma.Of(group.Image, nil)
	m, err := Model()
	if err != nil {
		t.Fatal(err)
	}
	points := func(box image.Rectangle, angle float64, boxes landmarks.Boxes) []landmarks.Point {
		own := *m
		own.Box.Boxes = boxes
		p, err := landmarks.NewPredictor(&own)
		if err != nil {
			t.Fatal(err)
		}
		return p.PointsIn(nil, g.Gray(), box, angle)
	}
	for _, angle := range []float64{0, 10} {
		var sums [landmarks.Rough + 1]float64
		for _, o := range photos[0].Objects {
			w := o.Box.Dx()
			off := image.Rect(o.Box.Min.X-w/20, o.Box.Min.Y, o.Box.Max.X+w/5, o.Box.Max.Y+w/5)
			want := points(o.Box, 0, landmarks.Learned)
			for boxes := range sums {
				for i, p := range points(off, angle, landmarks.Boxes(boxes)) {
					sums[boxes] += math.Hypot(p.X-want[i].X, p.Y-want[i].Y) / float64(w)
				}
			}
		}
		if once := sums[landmarks.Learned]; sums[landmarks.Near] > 0.7*once || sums[landmarks.Rough] > 0.7*once {
			t.Errorf("turned by %v degrees: errors sum to %.3f box widths found at once, %.3f after all levels, %.3f after coarse levels", angle, once, sums[landmarks.Near], sums[landmarks.Rough])
		}
	}
}
