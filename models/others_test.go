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
	"haarlem/internal/must"
	"haarlem/internal/samples"
	"haarlem/models/bloodcells"
	"haarlem/models/eye"
	"haarlem/models/plate"
	"haarlem/models/stopsign"
	"haarlem/picture"
)

// Models that train-cascade auto made come out of the encoder as they went in, say what
// they are and what they learned from, and are those that their pages are about.
func TestOthers(t *testing.T) {
	shown := map[string][]string{}
	for _, m := range []struct {
		folder, name, terms string
		open                func() (*cascade.Cascade, error)
	}{
		{"plate", "plate", "CC-BY-2.0", plate.Cascade},
		{"eye", "eye", "research", eye.Cascade},
		{"stopsign", "stop-sign", "research", stopsign.Cascade},
		{"bloodcells", "leukocyte", "MIT", bloodcells.Leukocytes},
		{"bloodcells", "platelet", "MIT", bloodcells.Platelets},
		{"bloodcells", "erythrocyte", "MIT", bloodcells.Erythrocytes},
	} {
		t.Run(m.name, func(t *testing.T) {
			c := must.Get(m.open())
			file := must.Get(os.ReadFile(filepath.Join(m.folder, m.name+".cascade")))
			if !bytes.Equal(must.Bytes(c.Encode), file) || len(file) > 400_000 {
				t.Errorf("%d bytes, want at most 400000, or encoded it is another file", len(file))
			}
			if err := c.Check(); err != nil || c.Name != m.name || c.Object.Singular != m.name || c.Calibration == nil || c.Search.MinScore != 0.5 {
				t.Errorf("%v, named %q, finds %v, calibrated: %v, least score %v", err, c.Name, c.Object, c.Calibration != nil, c.Search.MinScore)
			}
			if len(c.Provenance.Data) == 0 || !strings.Contains(c.Provenance.Data[0], m.terms) {
				t.Errorf("it says of its data %q", c.Provenance.Data)
			}
			page := must.Get(os.ReadFile(filepath.Join(m.folder, m.name+".md")))
			for _, want := range []string{fmt.Sprintf("%x", sha256.Sum256(file)), "\n| **" + m.name + "**", "\n| score | detections |", "\ntrain-cascade train ", "\ntrain-cascade calibrate "} {
				if !strings.Contains(string(page), want) {
					t.Errorf("its page has no %q", want)
				}
			}
			for _, p := range regexp.MustCompile(`\]\(([^)]*\.png)\)`).FindAllStringSubmatch(string(page), -1) {
				shown[m.folder] = append(shown[m.folder], filepath.Join(m.folder, p[1]))
			}
			d := must.Get(detector.New(nil, c))
			if found, err := d.Detect(t.Context(), image.NewGray(image.Rect(0, 0, 320, 240))); err != nil || len(found) > 0 {
				t.Errorf("it finds %v in a black picture: %v", found, err)
			}
		})
	}
	for folder, names := range shown {
		pictures := must.Get(filepath.Glob(filepath.Join(folder, "*.png")))
		slices.Sort(names)
		if !slices.Equal(names, pictures) {
			t.Errorf("%s: its pages show %v, and there are %v", folder, names, pictures)
		}
		for _, p := range pictures {
			if _, err := picture.Open(p, nil); err != nil {
				t.Error(err)
			}
		}
	}
}

// Eyes of drawn faces are found, and nothing else.
func TestEyes(t *testing.T) {
	c := must.Get(eye.Cascade())
	d := must.Get(detector.New(nil, c))
	photos := must.Get(samples.ReadTruth("../samples/group.csv", samples.Auto))
	group := must.Get(picture.Open("../samples/group.png", nil))
	found := must.Get(d.Detect(t.Context(), group.Image))
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
