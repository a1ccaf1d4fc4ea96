package main

import (
	"context"
	"encoding/hex"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/cascade/pico"
	"haarlem/picture"
)

// picoFile writes the cascade of random trees of package pico.
func picoFile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../../cascade/pico/testdata/random.hex")
	if err != nil {
		t.Fatal(err)
	}
	data, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "facefinder")
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

// A cascade of pico is known by its bytes, and gives clusters, best first.
func TestPico(t *testing.T) {
	model := picoFile(t)
	status, out, errs := call(nil, "-model", model, "-format", "json", "-min-size", "60", "-max-size", "200", "-scale", "1.2", group)
	if status != statusOK {
		t.Fatalf("status %d, %s", status, errs)
	}
	got := parse(t, out)[0].Faces
	m, err := pico.Open(model)
	if err != nil {
		t.Fatal(err)
	}
	p, err := picture.Open(group, nil)
	if err != nil {
		t.Fatal(err)
	}
	g := image.NewGray(p.Image.Bounds())
	for y := range g.Rect.Dy() {
		for x := range g.Rect.Dx() {
			g.Set(x, y, p.Image.At(x, y))
		}
	}
	all, err := m.Search(context.Background(), nil, g, &pico.Options{MinSize: 60, MaxSize: 200, Scale: 1.2})
	if err != nil {
		t.Fatal(err)
	}
	want := map[image.Rectangle]int{}
	for _, c := range pico.Cluster(all, 0.2) {
		if c.Q >= 5 {
			want[c.Box()] += c.N
		}
	}
	if len(got) < 3 || len(got) != len(want) {
		t.Fatalf("%d detections, and pico has %d", len(got), len(want))
	}
	for i, f := range got {
		box := image.Rect(f.X, f.Y, f.X+f.Width, f.Y+f.Height)
		if want[box] != f.Neighbors || f.Score < 5 || i > 0 && f.Score > got[i-1].Score {
			t.Errorf("%d: %+v, and pico has %d windows there", i, f, want[box])
		}
	}
	// -min-score replaces pigo's 5.
	_, out, _ = call(nil, "-model", model, "-format", "json", "-min-size", "60", "-max-size", "200", "-scale", "1.2", "-min-score", "1e9", group)
	if faces := parse(t, out)[0].Faces; len(faces) != 0 {
		t.Errorf("%d detections of such a score", len(faces))
	}
}

func TestPicoWrongCalls(t *testing.T) {
	model := picoFile(t)
	for want, args := range map[string][]string{
		"-rotate is not for a cascade of pico, which -model " + model + " is":                                {"-rotate", "20"},
		"-min-neighbors is not for a cascade of pico, which -model " + model + " is":                         {"-min-neighbors", "2"},
		"-points is not for a cascade of pico, which -model " + model + " is":                                {"-points", "face5"},
		"-box is not for a cascade of pico, which -model " + model + " is":                                   {"-box", "head"},
		"-min-size and -max-size are 40x60 and none, and windows of pico are squares: want a side in pixels": {"-min-size", "40x60"},
	} {
		if status, out, errs := call(nil, append(append([]string{"-model", model}, args...), group)...); status != statusUsage || out != "" || errs != "detect: "+want+"\n" {
			t.Errorf("%q: status %d, stdout %q, stderr %q\nwant %s", args, status, out, errs, want)
		}
	}
	data, _ := os.ReadFile(model)
	if err := os.WriteFile(model, data[:len(data)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := call(nil, "-model", model, group); status != statusUsage || !strings.Contains(errs, "1551 bytes, but 12 trees of depth 4 need 1552") {
		t.Errorf("cut off: status %d, stderr %q", status, errs)
	}
	// Where only our own can be used, the error says what the file is.
	status, _, errs := call(nil, "convert", model, filepath.Join(t.TempDir(), "x.xml"))
	if status == statusOK || !strings.Contains(errs, "this is a cascade of pico or pigo") {
		t.Errorf("convert: status %d, stderr %q", status, errs)
	}
}
