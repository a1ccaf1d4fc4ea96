package main

import (
	"image"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/must"
	"haarlem/internal/samples"
	"haarlem/picture"
)

// tiny makes a demo of a second.
func tiny(folder string, more ...string) []string {
	return append([]string{"demo", "-out", folder, "-positives", "200", "-backgrounds", "6", "-stages", "5", "-features", "200"}, more...)
}

var demoFiles = []string{"backgrounds.png", "demo.cascade", "demo.xml", "found.png", "group.csv", "group.png", "hardest.png", "positives.png"}

func TestDemo(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "new", "demo")
	out := works(t, tiny(folder)...)
	m := regexp.MustCompile(`^(\d+) of 14 faces found, (\d+) missed, \d+ false positives\nsee (.*)\n$`).FindStringSubmatch(out)
	if m == nil || m[3] != filepath.Join(folder, "found.png") {
		t.Fatalf("stdout %q", out)
	}
	if len(m[1]) < 2 {
		t.Errorf("only %s of 14 faces found", m[1])
	}
	entries := must.Get(os.ReadDir(folder))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if got, want := strings.Join(names, " "), strings.Join(demoFiles, " "); got != want {
		t.Errorf("the folder has %s, want %s", got, want)
	}
	for _, name := range []string{"demo.cascade", "demo.xml"} {
		c := must.Get(cascade.Open(filepath.Join(folder, name)))
		if len(c.Exits) != 5 || c.Width != 24 || c.Height != 24 {
			t.Errorf("%s: %d stages of a %dx%d window", name, len(c.Exits), c.Width, c.Height)
		}
	}
	photos, err := samples.ReadTruth(filepath.Join(folder, "group.csv"), samples.Auto)
	if err != nil || len(photos) != 1 || len(photos[0].Objects) != 14 {
		t.Errorf("group.csv: %v, %v", photos, err)
	}
	for _, name := range demoFiles {
		if filepath.Ext(name) == ".png" {
			if p, err := picture.Open(filepath.Join(folder, name), nil); err != nil {
				t.Error(err)
			} else if s := p.Image.Bounds().Size(); name == "found.png" && s != image.Pt(800, 500) {
				t.Errorf("found.png is %v", s)
			}
		}
	}

	// The same again, with other workers, into the same folder with -overwrite.
	fails(t, statusUsage, "-out: "+folder+" is not empty (backgrounds.png lies in it): name another folder, or add -overwrite\n", tiny(folder)...)
	before := map[string]string{}
	for _, name := range demoFiles {
		before[name] = contents(t, filepath.Join(folder, name))
	}
	if again := works(t, tiny(folder, "-overwrite", "-workers", "3")...); again != out {
		t.Errorf("stdout %q, then %q", out, again)
	}
	for _, name := range demoFiles {
		if contents(t, filepath.Join(folder, name)) != before[name] {
			t.Errorf("%s has other bytes the second time", name)
		}
	}
}

func TestDemoErrors(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	must.Do(os.WriteFile(file, nil, 0o600))
	ends(t, statusUsage, "-stages is 0, want 1 to 100000", "demo", "-stages", "0")
	ends(t, statusUsage, "-positives is 3, want 50 to 100000", "demo", "-positives", "3")
	ends(t, statusFailed, "-out: mkdir "+file+": not a directory", "demo", "-out", file)
}
