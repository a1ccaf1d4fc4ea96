package main

import (
	"encoding/csv"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/app/detecttest"
	"haarlem/internal/jsonout"
	"haarlem/internal/must"
)

// Boxes of the model, of faces and of heads are of the same faces, one larger than the
// other.
func TestBox(t *testing.T) {
	faces := func(args ...string) []jsonout.Face {
		t.Helper()
		return found(t, nil, append(args, "-model", "frontalface", detecttest.Group)...)[0].Faces
	}
	own, eyes, face, head := faces(), faces("-box", "eyes"), faces("-box", "face"), faces("-box", "head")
	if len(own) < 11 || len(eyes) != len(own) || len(face) != len(own) || len(head) != len(own) {
		t.Fatalf("%d, %d, %d and %d faces", len(own), len(eyes), len(face), len(head))
	}
	for i := range own {
		if own[i] != eyes[i] {
			t.Errorf("face %d: %+v is not the box of eyes %+v, which is frontalface's own", i, own[i], eyes[i])
		}
		if !(own[i].Height < face[i].Height && face[i].Height < head[i].Height) || own[i].Score != head[i].Score {
			t.Errorf("face %d: heights %d, %d and %d, want growing ones", i, own[i].Height, face[i].Height, head[i].Height)
		}
	}
	if status, _, errs := call(nil, "-box", "head", "-model", "../../models/bloodcells/leukocyte.cascade", detecttest.Group); status != 2 || !strings.Contains(errs, `"leukocyte"`) {
		t.Errorf("-box for blood cells: status %d, %q", status, errs)
	}
}

// The boxes of videos are of heads too.
func TestBoxOfVideo(t *testing.T) {
	p := detecttest.NewPan(t, 2)
	height := func(args ...string) int {
		t.Helper()
		detecttest.FakeBackend(t, p.Source("pan.mp4"))
		faces := parseFrames(t, mustCall(t, append([]string{"video", "pan.mp4", "-model", "frontalface", "-min-size", "40"}, args...)...))[0].Faces
		if len(faces) == 0 {
			t.Fatal("no faces")
		}
		return faces[0].Height
	}
	if face, head := height("-box", "face"), height("-box", "head"); head <= face {
		t.Errorf("a head of %d pixels, and a face of %d", head, face)
	}
}

// With -rotate any, faces of a picture that lies on its side are found, and their angle
// is told.
func TestRotateAny(t *testing.T) {
	m := detecttest.ReadPicture(t, detecttest.Group)
	b := m.Bounds()
	side := image.NewRGBA(image.Rect(0, 0, b.Dy(), b.Dx()))
	upright := image.NewRGBA(b)
	draw.Draw(upright, b, m, b.Min, draw.Src)
	for y := range b.Dy() {
		for x := range b.Dx() {
			side.SetRGBA(b.Dy()-1-y, x, upright.RGBAAt(x, y))
		}
	}
	path := filepath.Join(t.TempDir(), "side.png")
	f := must.Get(os.Create(path))
	must.Do(png.Encode(f, side))
	must.Do(f.Close())
	status, out, errs := call(nil, "-rotate", "any", "-format", "csv", path)
	lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if status != 0 || err != nil || len(lines) == 0 || lines[0][len(lines[0])-1] != "angle" {
		t.Fatalf("status %d, %v, %q, %s", status, err, out, errs)
	}
	right := 0
	for _, line := range lines[1:] {
		if a := line[len(line)-1]; a == "90" || a == "60" || a == "120" {
			right++
		}
	}
	if right < 10 || right < len(lines)-2 {
		t.Errorf("%d of %d faces are at about 90 degrees, want 11", right, len(lines)-1)
	}
	if _, text, _ := call(nil, "-rotate", "any", path); !strings.Contains(text, "  angle 90\n") {
		t.Errorf("the text has no angle: %s", text)
	}
	if status, _, errs := call(nil, "-rotate", "all", path); status != 2 || !strings.Contains(errs, "or any") {
		t.Errorf("-rotate all: status %d, %q", status, errs)
	}
}
