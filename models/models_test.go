package models

import (
	"bytes"
	"errors"
	"go/parser"
	"go/token"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// maxBytes is the largest size of a model, since every program that finds
// something has one in it. The trees of classical stages take more, as each
// stage must reach its detection rate with its own score: 936 kB for 3,534 of
// depth 3. Programs carry that model only if they ask for it.
func maxBytes(name string) int {
	if name == "frontalface-opencv" {
		return 950_000
	}
	return 400_000
}

// folder is a model's folder: a package, whose name has no dashes.
func folder(name string) string { return strings.ReplaceAll(name, "-", "") }

// Every model is small, decodes, is encoded to the same bytes, and its page speaks of its
// data. cmd/train-cascade, which writes the facts of the page, checks these.
func TestModels(t *testing.T) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			file := must.Get(os.ReadFile(folder(name) + "/" + name + ".cascade"))
			page := string(must.Get(os.ReadFile(name + ".md")))
			if limit := maxBytes(name); len(file) > limit {
				t.Errorf("%d bytes, want at most %d", len(file), limit)
			}
			c := must.Get(Open(name))
			if err := c.Check(); err != nil || !bytes.Equal(must.Bytes(c.Encode), file) {
				t.Errorf("%v, or encoding the embedded model gives other bytes than the file", err)
			}
			if c.Name != name || c.Calibration == nil {
				t.Errorf("the model calls itself %q, calibrated: %v", c.Name, c.Calibration != nil)
			}
			for _, d := range c.Provenance.Data {
				if source, _, _ := strings.Cut(d, ":"); !strings.Contains(page, source) {
					t.Errorf("the page does not speak of the data %q", source)
				}
			}
		})
	}
}

// Pages show how good the models are: a table with the model and baselines, a
// plot, a reliability diagram, failures. All their images exist, and no others.
func TestPages(t *testing.T) {
	var shown []string
	for _, name := range Names() {
		page := string(must.Get(os.ReadFile(name + ".md")))
		for _, m := range regexp.MustCompile(`\]\(([^)]*\.png)\)`).FindAllStringSubmatch(page, -1) {
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
		for _, want := range []string{
			"\n| **" + name + "**", "\n| alt2", "](" + name + "-roc.png)", "\n| score | detections |",
			"](" + name + "-reliability.png)", " weak classifiers on average, on ",
			"\n## Known failures\n", "\n## Data and terms\n", "\ntrain-cascade train ", "\ntrain-cascade calibrate ",
		} {
			if !strings.Contains(page, want) {
				t.Errorf("%s.md has no %q", name, want)
			}
		}
	}
	files := must.Get(filepath.Glob("*.png"))
	for _, f := range files {
		if !slices.Contains(shown, f) {
			t.Errorf("no page shows %s", f)
		}
	}
}

// A model that OpenCV's format can express has a file for OpenCV, which is up
// to date.
func TestOpenCVFiles(t *testing.T) {
	for _, name := range Names() {
		c := must.Get(Open(name))
		var want bytes.Buffer
		possible := c.EncodeOpenCV(&want) == nil
		got, err := os.ReadFile(folder(name) + "/" + name + ".xml")
		switch {
		case !possible && err == nil:
			t.Errorf("%s.xml is there, but OpenCV's format cannot express the model", name)
		case !possible:
		case err != nil:
			t.Errorf("%v: write it with detect convert %s %s.xml", err, name, name)
		case !bytes.Equal(got, want.Bytes()):
			t.Errorf("%s.xml is not what the model gives: write it again with detect convert %s %s.xml", name, name, name)
		}
	}
}

// A program that imports one model carries no other: its package imports
// package cascade and what reads the file, and nothing else of this module.
func TestAlone(t *testing.T) {
	for _, name := range Names() {
		files := must.Get(filepath.Glob(folder(name) + "/*.go"))
		packages := 0
		for _, path := range files {
			if strings.HasSuffix(path, "_test.go") {
				continue
			}
			f := must.Get(parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly))
			packages++
			for _, i := range f.Imports {
				if p, _ := strconv.Unquote(i.Path.Value); strings.HasPrefix(p, "haarlem/") && p != "haarlem/cascade" && p != "haarlem/models/internal/embedded" {
					t.Errorf("%s imports %s", path, p)
				}
			}
		}
		if packages == 0 {
			t.Errorf("%s is no package", folder(name))
		}
	}
	// And package cascade knows no model: internal/layering holds that.
}

// The names of held-out images are listed one per line.
func TestHeldApart(t *testing.T) {
	text := must.Get(os.ReadFile("held-apart.txt"))
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, "#") {
			continue
		}
		if line == "" || strings.ContainsAny(line, "/\\ \r") || seen[line] {
			t.Errorf("%q: want the name of a picture, once", line)
		}
		seen[line] = true
	}
	if len(seen) != 653 {
		t.Errorf("%d names, want 653", len(seen))
	}
}

// What Open returns belongs to the caller.
func TestOpenCopies(t *testing.T) {
	a := must.Get(Open(Default))
	before := a.Exits[0]
	a.Exits[0].Threshold += 1000
	b := must.Get(Open(Default))
	if b.Exits[0] != before {
		t.Errorf("a second Open sees the first one's changes: %v, want %v", b.Exits[0], before)
	}
}

func TestUnknown(t *testing.T) {
	c, err := Open("nosuch")
	if c != nil || !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), Default) {
		t.Errorf("got %v and %q, want ErrUnknown with the names there are", c, err)
	}
	for name, by := range map[string]string{"profileface": "face", "frontalface": "face-fast"} {
		if _, err := Open(name); !errors.Is(err, ErrUnknown) || !strings.Contains(err.Error(), "; "+by+" replaces") {
			t.Errorf("%s, which was removed: %v", name, err)
		}
	}
	if !slices.Contains(Names(), Default) {
		t.Errorf("Names %v lack the default %q", Names(), Default)
	}
}

// The integer search is exact only while all scores are multiples of 2^-12 and
// stay below 2^18.
func TestGrid(t *testing.T) {
	for _, name := range Names() {
		c := must.Get(Open(name))
		on := func(v float32) bool { return float64(v)*4096 == float64(int64(float64(v)*4096)) }
		var limit float64
		for i, w := range c.Weak {
			var top float64
			for _, v := range w.Leaves {
				if !on(v) {
					t.Errorf("%s: weak classifier %d: leaf %v is no multiple of 2^-12", name, i, v)
				}
				top = max(top, float64(v), -float64(v))
			}
			limit += top
		}
		for i, e := range c.Exits {
			if !on(e.Threshold) {
				t.Errorf("%s: exit %d: threshold %v is no multiple of 2^-12", name, i, e.Threshold)
			}
		}
		if limit >= 1<<18 {
			t.Errorf("%s: scores reach %v", name, limit)
		}
	}
}

// TestRouter: searches with face and face-fast have a router, which has one verifier and
// no calibration; others have none.
func TestRouter(t *testing.T) {
	for _, name := range Names() {
		c := must.Get(Open(name))
		r, err := Router(c)
		if want := name == Default || name == "face-fast"; err != nil || (r != nil) != want {
			t.Errorf("%s: a router %v, %v; want %v", name, r != nil, err, want)
		}
		if r != nil && (r.Verifier == nil || r.Verifier.Next != nil || r.Calibration != nil || r.Check() != nil) {
			t.Errorf("%s: not the router: %v", name, r.Check())
		}
	}
}
