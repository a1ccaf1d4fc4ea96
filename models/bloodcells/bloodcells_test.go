package bloodcells

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
)

// Every model decodes, comes out of the encoder as it went in, says what it is, and is
// the one that its page is about.
func TestModels(t *testing.T) {
	var shown []string
	for name, open := range map[string]func() (*cascade.Cascade, error){"leukocyte": Leukocytes, "platelet": Platelets, "erythrocyte": Erythrocytes} {
		c, err := open()
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(name + ".cascade")
		if err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		if err := c.Encode(&out); err != nil || !bytes.Equal(out.Bytes(), file) {
			t.Errorf("%s: encoded it is another file: %v", name, err)
		}
		if len(file) > 400_000 {
			t.Errorf("%s has %d bytes, want at most 400,000", name, len(file))
		}
		if err := c.Check(); err != nil || c.Name != name || c.Object.Singular != name || c.Calibration == nil || c.Search.MinScore != 0.5 {
			t.Errorf("%s: %v, named %q, finds %v, calibrated: %v, least score %v", name, err, c.Name, c.Object, c.Calibration != nil, c.Search.MinScore)
		}
		if len(c.Provenance.Data) == 0 || !strings.Contains(c.Provenance.Data[0], "MIT") {
			t.Errorf("%s says of its data %q", name, c.Provenance.Data)
		}
		page, err := os.ReadFile(name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{fmt.Sprintf("%x", sha256.Sum256(file)), "\n| **" + name + "**", "\n| score | detections |", "\ntrain-cascade train ", "\ntrain-cascade calibrate "} {
			if !strings.Contains(string(page), want) {
				t.Errorf("%s.md has no %q", name, want)
			}
		}
		for _, m := range regexp.MustCompile(`\]\(([^)]*\.png)\)`).FindAllStringSubmatch(string(page), -1) {
			shown = append(shown, m[1])
			f, err := os.Open(m[1])
			if err != nil {
				t.Error(err)
				continue
			}
			if _, err := png.Decode(f); err != nil {
				t.Errorf("%s: %v", m[1], err)
			}
			f.Close()
		}
		d, err := detector.New(nil, c)
		if err != nil {
			t.Fatal(err)
		}
		if found, err := d.Detect(t.Context(), image.NewGray(image.Rect(0, 0, 320, 240))); err != nil || len(found) > 0 {
			t.Errorf("%s finds %v in a black picture: %v", name, found, err)
		}
	}
	pictures, err := filepath.Glob("*.png")
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range pictures {
		if !slices.Contains(shown, p) {
			t.Errorf("no page shows %s", p)
		}
	}
}

func TestRed(t *testing.T) {
	m := image.NewRGBA(image.Rect(-2, 3, 1, 5))
	m.Set(-2, 3, color.RGBA{R: 200, G: 10, B: 20, A: 255})
	m.Set(0, 4, color.RGBA{R: 7, G: 90, B: 80, A: 255})
	red := Red(m)
	if want := []uint8{200, 0, 0, 0, 0, 7}; red.Rect != m.Rect || !slices.Equal(red.Pix, want) {
		t.Errorf("%v: %d, want %v: %d", red.Rect, red.Pix, m.Rect, want)
	}
}
