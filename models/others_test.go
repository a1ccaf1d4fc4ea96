package models_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/models/eye"
	"haarlem/models/plate"
	"haarlem/picture"
	"haarlem/samples"
)

// Models that train-cascade auto made come out of the encoder as they went in, say what
// they are and what they learned from, and are those that their pages are about.
func TestOthers(t *testing.T) {
	for name, open := range map[string]func() (*cascade.Cascade, error){"plate": plate.Cascade, "eye": eye.Cascade} {
		t.Run(name, func(t *testing.T) {
			c, err := open()
			if err != nil {
				t.Fatal(err)
			}
			file, err := os.ReadFile(filepath.Join(name, name+".cascade"))
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := c.Encode(&out); err != nil || !bytes.Equal(out.Bytes(), file) {
				t.Errorf("encoded it is another file: %v", err)
			}
			if err := c.Check(); err != nil || c.Name != name || c.Object.Singular != name || c.Calibration == nil || c.Search.MinScore != 0.5 {
				t.Errorf("%v, named %q, finds %v, calibrated: %v, least score %v", err, c.Name, c.Object, c.Calibration != nil, c.Search.MinScore)
			}
			if len(c.Provenance.Data) == 0 || !strings.Contains(c.Provenance.Data[0], "research") {
				t.Errorf("it says of its data %q", c.Provenance.Data)
			}
			page, err := os.ReadFile(filepath.Join(name, name+".md"))
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range []string{fmt.Sprintf("%x", sha256.Sum256(file)), "\n| **" + name + "**", "\n| score | detections |", "\ntrain-cascade train ", "\ntrain-cascade calibrate "} {
				if !strings.Contains(string(page), want) {
					t.Errorf("its page has no %q", want)
				}
			}
			var shown []string
			for _, m := range regexp.MustCompile(`\]\(([^)]*\.png)\)`).FindAllStringSubmatch(string(page), -1) {
				shown = append(shown, filepath.Join(name, m[1]))
			}
			pictures, err := filepath.Glob(filepath.Join(name, "*.png"))
			if err != nil {
				t.Fatal(err)
			}
			slices.Sort(shown)
			if !slices.Equal(shown, pictures) {
				t.Errorf("the page shows %v, and there are %v", shown, pictures)
			}
			d, err := detector.New(nil, c)
			if err != nil {
				t.Fatal(err)
			}
			if found, err := d.Detect(t.Context(), image.NewGray(image.Rect(0, 0, 320, 240))); err != nil || len(found) > 0 {
				t.Errorf("it finds %v in a black picture: %v", found, err)
			}
		})
	}
}

// Eyes of drawn faces are found, and nothing else.
func TestEyes(t *testing.T) {
	c, err := eye.Cascade()
	if err != nil {
		t.Fatal(err)
	}
	d, err := detector.New(nil, c)
	if err != nil {
		t.Fatal(err)
	}
	photos, err := samples.ReadTruth("../samples/group.csv", samples.Auto)
	if err != nil {
		t.Fatal(err)
	}
	group, err := picture.Open("../samples/group.png", nil)
	if err != nil {
		t.Fatal(err)
	}
	found, err := d.Detect(t.Context(), group.Image)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) < 12 {
		t.Errorf("%d eyes, want 12 and more", len(found))
	}
	for _, f := range found {
		middle := f.Box.Min.Add(f.Box.Max).Div(2)
		if !slices.ContainsFunc(photos[0].Objects, func(o samples.Object) bool { return middle.In(o.Box) }) {
			t.Errorf("an eye in no face: %v", f)
		}
	}
}
