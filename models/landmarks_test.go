package models_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/png"
	"os"
	"strings"
	"testing"

	"haarlem/internal/luma"
	"haarlem/internal/must"
	"haarlem/landmarks"
	"haarlem/models/face5"
	"haarlem/models/face68"
	"haarlem/models/frontalfaceopen"
)

// The models of points agree with their pages, and are written as they were read. What
// Model returns belongs to the caller.
func TestLandmarkModels(t *testing.T) {
	for _, test := range []struct {
		folder, name     string
		model            func() (*landmarks.Model, error)
		maxBytes, points int
		eyes             [2]int
	}{
		{"face5", face5.Name, face5.Model, 300_000, face5.RightMouth + 1, [2]int{face5.LeftEye, face5.RightEye}},
		{"face68", face68.Name, face68.Model, 2_000_000, 68, [2]int{face68.LeftEye, face68.RightEye + 3}},
		{"frontalfaceopen", "face5-open", frontalfaceopen.Points, 300_000, face5.RightMouth + 1, [2]int{face5.LeftEye, face5.RightEye}},
	} {
		m := must.Get(test.model())
		file := must.Get(os.ReadFile(test.folder + "/" + test.name + ".points"))
		if len(file) > test.maxBytes || m.Name != test.name || len(m.Mean) != test.points || m.Eyes != test.eyes {
			t.Errorf("%d bytes, %q, %d points, eyes %v", len(file), m.Name, len(m.Mean), m.Eyes)
		}
		if !bytes.Equal(must.Bytes(m.Encode), file) {
			t.Errorf("%s: encoding the model gives other bytes than the file", test.name)
		}
		text, err := os.ReadFile(test.name + ".md")
		if err != nil { // a page of a package that is not built in
			text = must.Get(os.ReadFile(test.folder + "/" + test.name + ".md"))
		}
		page := string(text)
		trees := 0
		for i := range m.Levels {
			trees += m.Levels[i].Trees()
		}
		coarse := "none"
		if n := len(m.Coarse); n > 0 {
			coarse = fmt.Sprintf("%d, with %d trees of depth %d", n, n*m.Coarse[0].Trees(), m.Coarse[0].Depth)
		}
		for _, want := range []string{
			fmt.Sprintf("| SHA-256 | `%x` |", sha256.Sum256(file)),
			fmt.Sprintf("| bytes | %d |", len(file)),
			fmt.Sprintf("| levels | %d |", len(m.Levels)),
			fmt.Sprintf("| trees | %d of depth %d |", trees, m.Levels[0].Depth),
			"| coarse levels | " + coarse + " |",
			fmt.Sprintf("| patch | %dx%d |", m.Side, m.Side),
			fmt.Sprintf("| boxes | %s: frame %g to the right, %g down, side %g |", m.Box.Name, m.Box.Right, m.Box.Down, m.Box.Side),
		} {
			if !strings.Contains(page, want+"\n") {
				t.Errorf("%s.md has no line %q", test.name, want)
			}
		}
		if len(m.Notes) == 0 {
			t.Errorf("%s does not say what it was trained on", test.name)
		}
		for _, note := range m.Notes {
			if source, _, _ := strings.Cut(note, ":"); !strings.Contains(page, source) {
				t.Errorf("%s.md does not speak of the data %q", test.name, source)
			}
		}
		m.Mean[0] = landmarks.Vec{}
		if again, err := test.model(); err != nil || again.Mean[0] == m.Mean[0] {
			t.Errorf("%s: a second model sees the first one's changes, %v", test.name, err)
		}
	}
}

// BenchmarkPoints finds the points of one face, in boxes of several sizes that fit and
// in rough ones, where coarse levels come first.
func BenchmarkPoints(b *testing.B) {
	f := must.Get(os.Open("../samples/group.png"))
	defer f.Close()
	img := must.Get(png.Decode(f))
	plane, _ := luma.Of(img, nil)
	var points []landmarks.Point
	for _, model := range []func() (*landmarks.Model, error){face5.Model, face68.Model} {
		for name, boxes := range map[string]landmarks.Boxes{"fits": landmarks.Learned, "rough": landmarks.Rough} {
			m := must.Get(model())
			m.Box.Boxes = boxes
			p := must.Get(landmarks.NewPredictor(m))
			for _, box := range []image.Rectangle{image.Rect(246, 133, 278, 165), image.Rect(374, 168, 450, 244), image.Rect(243, 273, 369, 399), image.Rect(100, 0, 600, 500)} {
				b.Run(fmt.Sprint(m.Name, "/", name, "/", box.Dx()), func(b *testing.B) {
					b.ReportAllocs()
					for b.Loop() {
						points = p.Points(points[:0], plane.Gray(), m.Box.Frame(box))
					}
				})
			}
		}
	}
}
