package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade/pico"
	"haarlem/cascade/pico/picotest"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/must"
	"haarlem/picture"
)

// A cascade of pico is known by its bytes, and gives clusters, best first.
func TestPico(t *testing.T) {
	model := picotest.File(t)
	status, out, errs := call(nil, "-model", model, "-format", "json", "-min-size", "60", "-max-size", "200", "-scale", "1.2", detecttest.Group)
	if status != statusOK {
		t.Fatalf("status %d, %s", status, errs)
	}
	got := parse(t, out)[0].Faces
	m := must.Get(pico.Open(model))
	p := must.Get(picture.Open(detecttest.Group, nil))
	g := image.NewGray(p.Image.Bounds())
	for y := range g.Rect.Dy() {
		for x := range g.Rect.Dx() {
			g.Set(x, y, p.Image.At(x, y))
		}
	}
	all := must.Get(m.Search(context.Background(), nil, g, &pico.Options{MinSize: 60, MaxSize: 200, Scale: 1.2}))
	want := map[image.Rectangle]int{}
	clusters := must.Get(pico.Cluster(t.Context(), all, 0.2))
	for _, c := range clusters {
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
	_, out, _ = call(nil, "-model", model, "-format", "json", "-min-size", "60", "-max-size", "200", "-scale", "1.2", "-min-score", "1e9", detecttest.Group)
	if faces := parse(t, out)[0].Faces; len(faces) != 0 {
		t.Errorf("%d detections of such a score", len(faces))
	}
}

func TestPicoWrongCalls(t *testing.T) {
	model := picotest.File(t)
	for want, args := range map[string][]string{
		"-rotate is not for a cascade of pico, which -model " + model + " is":                                {"-rotate", "20"},
		"-min-neighbors is not for a cascade of pico, which -model " + model + " is":                         {"-min-neighbors", "2"},
		"-points is not for a cascade of pico, which -model " + model + " is":                                {"-points", "face5"},
		"-box is not for a cascade of pico, which -model " + model + " is":                                   {"-box", "head"},
		"-min-size and -max-size are 40x60 and none, and windows of pico are squares: want a side in pixels": {"-min-size", "40x60"},
	} {
		if status, out, errs := call(nil, append(append([]string{"-model", model}, args...), detecttest.Group)...); status != statusUsage || out != "" || errs != "detect: "+want+"\n" {
			t.Errorf("%q: status %d, stdout %q, stderr %q\nwant %s", args, status, out, errs, want)
		}
	}
	data, _ := os.ReadFile(model)
	must.Do(os.WriteFile(model, data[:len(data)-1], 0o666))
	if status, _, errs := call(nil, "-model", model, detecttest.Group); status != statusUsage || !strings.Contains(errs, "1551 bytes, but 12 trees of depth 4 need 1552") {
		t.Errorf("cut off: status %d, stderr %q", status, errs)
	}
	// Where only our own can be used, the error says what the file is.
	for _, args := range [][]string{{"convert", model, filepath.Join(t.TempDir(), "x.xml")}, {"serve", "-model", model}, {"blur", "-out", t.TempDir(), "-also", model, detecttest.Group}} {
		status, _, errs := call(nil, args...)
		if status == statusOK || !strings.Contains(errs, "a cascade of pico or pigo: detect runs it on pictures, videos and cameras") {
			t.Errorf("%s: status %d, stderr %q", args[0], status, errs)
		}
	}
}

// Frames of a video are searched as pictures are.
func TestPicoVideo(t *testing.T) {
	model, dir := picotest.File(t), t.TempDir()
	data := must.Get(os.ReadFile(detecttest.Group))
	for i := range 3 {
		must.Do(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.png", i)), data, 0o666))
	}
	search := []string{"-model", model, "-min-size", "60", "-max-size", "200", "-scale", "1.2"}
	_, out, _ := call(nil, append(append(slices.Clone(search), "-format", "json"), detecttest.Group)...)
	want := parse(t, out)[0].Faces
	status, out, errs := call(nil, append(append([]string{"video"}, search...), filepath.Join(dir, "%d.png"))...)
	if status != statusOK {
		t.Fatalf("status %d, %s", status, errs)
	}
	lines := bytes.Split(bytes.TrimSpace([]byte(out)), []byte("\n"))
	if len(lines) != 3 {
		t.Fatalf("%d lines, want one a frame:\n%s", len(lines), out)
	}
	for _, line := range lines {
		var frame struct {
			Faces []struct {
				Score float64
				Track int
			}
		}
		must.Do(json.Unmarshal(line, &frame))
		if len(frame.Faces) != len(want) || frame.Faces[0].Score != want[0].Score || frame.Faces[0].Track == 0 {
			t.Errorf("%s, and the picture has %d faces", line, len(want))
		}
	}
}
