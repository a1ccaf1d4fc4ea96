package main

import (
	"encoding/csv"
	"encoding/json"
	"image"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"haarlem/internal/app/detecttest"
	"haarlem/internal/jsonout"
	"haarlem/internal/must"
	"haarlem/models/face5"
)

// What -points finds in the drawn group is in JSON and CSV, on annotated copies,
// and levels the eyes of crops.
func TestPoints(t *testing.T) {
	dir := t.TempDir()
	boxes, crops := filepath.Join(dir, "boxes"), filepath.Join(dir, "crops")
	status, out, errs := call(nil, "-points", "face5", "-format", "json", "-annotate", boxes, "-crop", crops, detecttest.Group)
	var all []jsonout.Picture
	if err := json.Unmarshal([]byte(out), &all); status != 0 || err != nil || len(all) != 1 {
		t.Fatalf("status %d, %v, %s", status, err, errs)
	}
	if len(all[0].Faces) < 11 {
		t.Fatalf("%d faces, want those of the group", len(all[0].Faces))
	}
	annotated := detecttest.ReadPicture(t, filepath.Join(boxes, "group.png"))
	for i, f := range all[0].Faces {
		if f.Points == nil || len(*f.Points) != 5 {
			t.Fatalf("face %d has points %v", i, f.Points)
		}
		// Eyes, nose and mouth in their order, inside the box.
		p := *f.Points
		for k, q := range p {
			if x, y := (q[0]-float64(f.X))/float64(f.Width), (q[1]-float64(f.Y))/float64(f.Height); !(x > 0.1 && x < 0.9 && y > 0.1 && y < 1) {
				t.Errorf("face %d: point %d is at %.2f, %.2f of the box", i, k, x, y)
			}
			if r, g, _, _ := annotated.At(int(q[0]), int(q[1])).RGBA(); !(g>>8 > 0xC0 && r>>8 < 0x40) {
				t.Errorf("face %d: there is no dot at %v", i, q)
			}
		}
		if !(p[0][0] < p[2][0] && p[2][0] < p[1][0] && p[0][1] < p[2][1] && p[2][1] < p[3][1] && p[3][0] < p[4][0]) {
			t.Errorf("face %d: points %v are not where eyes, nose and mouth are", i, p)
		}
		crop := detecttest.ReadPicture(t, filepath.Join(crops, "group-face"+strconv.Itoa(i+1)+".png"))
		if crop.Bounds().Size() != image.Pt(f.Width, f.Width) {
			t.Errorf("crop %d is %v", i, crop.Bounds())
		}
	}

	_, text, _ := call(nil, "-points", "face5", "-format", "csv", detecttest.Group)
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) != 1+len(all[0].Faces) || strings.Join(lines[0][7:], " ") != "x1 y1 x2 y2 x3 y3 x4 y4 x5 y5" {
		t.Fatalf("%v, %q", err, text)
	}
	for i, line := range lines[1:] {
		for k, q := range *all[0].Faces[i].Points {
			x, _ := strconv.ParseFloat(line[7+2*k], 64)
			y, _ := strconv.ParseFloat(line[8+2*k], 64)
			if math.Abs(x-q[0])+math.Abs(y-q[1]) > 1e-9 {
				t.Errorf("face %d, point %d is %v, %v in CSV and %v in JSON", i, k, x, y, q)
			}
		}
	}
}

func TestPointsRefuses(t *testing.T) {
	dir := t.TempDir()
	bad := filepath.Join(dir, "bad.points")
	must.Do(os.WriteFile(bad, []byte("no model"), 0o666))
	for want, name := range map[string]string{face5.Name + " and ": "nosuch", bad + ": ": bad} {
		if status, out, errs := call(nil, "-points", name, detecttest.Group); status == 0 || out != "" || !strings.Contains(errs, want) {
			t.Errorf("-points %s: status %d, %q, %q", name, status, out, errs)
		}
	}
}
