package main

import (
	"fmt"
	"image"
	"image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/samples/synth/facemodel"
)

// drawnFaces writes n pictures of drawn faces and their landmarks, and returns
// the truth file. Every tenth face has the pose 1.
func drawnFaces(t *testing.T, n int) string {
	t.Helper()
	folder := t.TempDir()
	rng := rand.New(rand.NewPCG(4, 4))
	var csv strings.Builder
	csv.WriteString("file,left_eye_x,left_eye_y,right_eye_x,right_eye_y,nose_x,nose_y,left_mouth_x,left_mouth_y,right_mouth_x,right_mouth_y,pose\n")
	for i := range n {
		f := facemodel.Builtin().Draw(rng)
		g := image.NewGray(image.Rect(0, 0, 64, 64))
		f.Paint(g, image.Rect(12, 16, 48, 52))
		name := fmt.Sprintf("%03d.png", i)
		file := must.Get(os.Create(filepath.Join(folder, name)))
		must.Do(png.Encode(file, g))
		must.Do(file.Close())
		csv.WriteString(name)
		for _, p := range f.Marks {
			fmt.Fprintf(&csv, ",%.2f,%.2f", 12+36*p.X, 16+36*p.Y)
		}
		pose := 3
		if i%10 == 0 {
			pose = 1
		}
		fmt.Fprintf(&csv, ",%d\n", pose)
	}
	path := filepath.Join(folder, "truth.csv")
	must.Do(os.WriteFile(path, []byte(csv.String()), 0o600))
	return path
}

func TestFacemodel(t *testing.T) {
	truth := drawnFaces(t, 60)
	folder := t.TempDir()
	model, sheet := filepath.Join(folder, "a.facemodel"), filepath.Join(folder, "sheet.png")
	args := []string{"facemodel", "-truth", truth, "-where", "pose=2,3,4", "-window", "12", "-components", "9", "-about", "drawn ones", "-out", model, "-sheet", sheet}
	out, errs, status := call(t, args...)
	if status != 0 || errs != "train-cascade: 54 faces read, making the model\n" ||
		!strings.HasPrefix(out, "54 faces used; left out: 0 with other marks than a frontal face's, 0 small, 0 cut off, 0 without contrast\n") {
		t.Fatalf("status %d, stdout %q, stderr %q", status, out, errs)
	}
	m := must.Get(facemodel.Read(strings.NewReader(read(t, model))))
	if _, texture := m.Components(); texture != 9 || m.About() != "drawn ones" {
		t.Errorf("%d components, about %q", texture, m.About())
	}
	if !strings.HasPrefix(read(t, sheet), "\x89PNG") {
		t.Error("the sheet is no PNG")
	}
}

func TestFacemodelErrors(t *testing.T) {
	truth := drawnFaces(t, 12)
	boxes := filepath.Join(filepath.Dir(truth), "boxes.csv")
	must.Do(os.WriteFile(boxes, []byte("file,x,y,width,height\n000.png,12,16,36,36\n"), 0o600))
	model := filepath.Join(t.TempDir(), "a.facemodel")
	for _, c := range []struct {
		args   []string
		status int
		want   string
	}{
		{nil, 2, "facemodel needs -truth"},
		{[]string{"-truth", truth}, 2, "facemodel needs -out"},
		{[]string{"-truth", truth, "-out", model, "more"}, 2, `facemodel takes flags only, not "more"`},
		{[]string{"-truth", truth, "-out", model, "-where", "pose"}, 2, `-where is "pose", want COLUMN=VALUE or COLUMN=VALUE,VALUE...`},
		{[]string{"-truth", truth, "-out", model, "-where", "pose=1"}, 1, "facemodel: too few faces: 2 can be used, want 20 or more"},
		{[]string{"-truth", boxes, "-out", model}, 1, "000.png: object 1 has 0 landmarks, want 5: eyes, nose, corners of the mouth"},
	} {
		_, errs, status := call(t, append([]string{"facemodel"}, c.args...)...)
		if status != c.status || !strings.Contains(errs, c.want) {
			t.Errorf("%v: status %d, stderr %q, want %d and %q", c.args, status, errs, c.status, c.want)
		}
		if _, err := os.Stat(model); err == nil {
			t.Errorf("%v: a model was written", c.args)
		}
	}
}
