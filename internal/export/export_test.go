package export_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"regexp"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/drawn"
	"haarlem/internal/engine"
	"haarlem/internal/export"
	"haarlem/internal/must"
	"haarlem/models/facefast"
)

// Every golden can be exported in every format that has it, and twice the same.
func TestFormats(t *testing.T) {
	ctx := context.Background()
	for i, g := range goldens(t, true) {
		if i%3 == 1 { // each in one of its two profiles, mostly
			continue
		}
		e, err := export.New(g.cascade, &g.settings)
		if err != nil {
			t.Errorf("%s: %v", g.name, err)
			continue
		}
		for _, format := range export.Formats {
			files, err := e.Files(ctx, format, nil)
			if err != nil {
				t.Fatalf("%s as %s: %v", g.name, format, err)
			}
			for _, f := range files {
				var one, two bytes.Buffer
				err := f.Write(&one)
				if err != nil || f.Write(&two) != nil || !bytes.Equal(one.Bytes(), two.Bytes()) || one.Len() == 0 {
					t.Errorf("%s: %s: not the same twice, or nothing, or %v", g.name, f.Path, err)
				}
				if format == "c" && g.cascade.Verifier != nil && strings.HasSuffix(f.Path, ".h") && !strings.Contains(one.String(), "verifier of the cascade is left out") {
					t.Errorf("%s: %s does not say that the verifier is left out", g.name, f.Path)
				}
			}
		}
	}
}

// An export finds what a search finds that visits no windows but those of the grid.
func TestWindows(t *testing.T) {
	c := must.Get(facefast.Router())
	e := must.Get(export.New(c, &export.Settings{WithoutVerifier: true}))
	g := samplePictures(t)[0]
	found := must.Get(e.Windows(context.Background(), g))
	search := c.Search
	search.RefineX, search.RefineY, search.InterLevel, search.DenseFrom = 0, 0, 0, 0
	eng := must.Get(engine.New(c, &engine.Options{Search: &search, Windows: engine.WindowsAll}))
	want := must.Get(eng.AppendWindows(context.Background(), nil, g))
	if len(found) != len(want) || len(found) < 50 {
		t.Fatalf("%d windows, want %d, and 50 at least", len(found), len(want))
	}
	for i, w := range want {
		if found[i].Box != w.Box || math.Ldexp(float64(found[i].Score), -e.Unit()) != w.Margin {
			t.Errorf("window %d is %v, want %v", i, found[i], w)
		}
	}
}

// What would be found wrongly is refused, and the error says why.
func TestRefused(t *testing.T) {
	open := func() *cascade.Cascade {
		return must.Get(facefast.Router())
	}
	for _, v := range []struct {
		change   func(c *cascade.Cascade)
		settings export.Settings
		sentinel error
		want     string
	}{
		{func(c *cascade.Cascade) {}, export.Settings{}, export.ErrExport, "verifier"},
		{func(c *cascade.Cascade) { c.Features[3].Rects[1].Weight = 1.5 }, export.Settings{WithoutVerifier: true}, export.ErrExport, "feature 3, rectangle 1: weight 1.5"},
		{func(c *cascade.Cascade) { c.Weak[7].Leaves[2] = 1e-20 }, export.Settings{WithoutVerifier: true}, export.ErrExport, "weak classifier 7 has 9.99"},
		{func(c *cascade.Cascade) { c.Weak[9].Leaves = c.Weak[9].Leaves[:8] }, export.Settings{WithoutVerifier: true}, export.ErrExport, "weak classifier 9"},
		{func(c *cascade.Cascade) { c.Width = 300; c.Height = 100 }, export.Settings{WithoutVerifier: true}, export.ErrExport, "window 300x100"},
		{func(c *cascade.Cascade) { c.Weak = nil }, export.Settings{}, cascade.ErrModel, "weak"},
		{func(c *cascade.Cascade) {}, export.Settings{WithoutVerifier: true, Scale: 1}, export.ErrSettings, "Scale 1"},
		{func(c *cascade.Cascade) {}, export.Settings{WithoutVerifier: true, Picture: image.Pt(1<<15, 1)}, export.ErrSettings, "Picture"},
		{func(c *cascade.Cascade) {}, export.Settings{WithoutVerifier: true, MinSize: image.Pt(500, 500)}, export.ErrSettings, "no windows"},
		{func(c *cascade.Cascade) {}, export.Settings{WithoutVerifier: true, Profile: 2}, export.ErrSettings, "Profile 2"},
	} {
		c := open()
		v.change(c)
		if _, err := export.New(c, &v.settings); !errors.Is(err, v.sentinel) || !strings.Contains(err.Error(), v.want) {
			t.Errorf("error %v, want %v with %q", err, v.sentinel, v.want)
		}
	}
}

// A model's name, which is of whoever made it, ends no comment and is no program.
func TestName(t *testing.T) {
	c := must.Get(cascade.Open(tinyFile))
	for _, name := range []string{"*/ int evil; /*", "9 lives", "", "été", "a-b"} {
		c.Name = name
		e := must.Get(export.New(c, nil))
		b := must.Bytes(e.WriteC)
		head, _, _ := strings.Cut(string(b), "\n#ifndef ")
		if strings.Count(head, "*/") != 1 || !strings.HasSuffix(head, " */") {
			t.Errorf("name %q ends the comment:\n%s", name, head)
		}
		if !regexp.MustCompile(`(?m)^static inline int32_t [a-z][a-z0-9_]*_find\(`).MatchString(string(b)) {
			t.Errorf("name %q makes no name of a function", name)
		}
	}
}

// Pictures without room for a window have none.
func TestSmallPicture(t *testing.T) {
	c := must.Get(facefast.Router())
	e := must.Get(export.New(c, &export.Settings{WithoutVerifier: true, MinSize: image.Pt(60, 60)}))
	if found, err := e.Windows(context.Background(), drawn.Picture("faces", 50, 300, 1)); err != nil || len(found) > 0 {
		t.Errorf("%d windows, error %v", len(found), err)
	}
}

// A face detector in 16 KB of flash and 16 KB of memory, besides a picture of 160x120:
// with its code, for which 4 KB are counted. It finds faces.
func TestTiny(t *testing.T) {
	c := must.Get(cascade.Open(tinyFile))
	e := must.Get(export.New(c, &export.Settings{Profile: export.Small, Scale: 1.2, Picture: image.Pt(160, 120)}))
	facts := strings.Join(e.Facts(), "\n")
	var flash, ram int
	for _, line := range e.Facts() {
		fmt.Sscanf(line, "Flash: %d", &flash)
		fmt.Sscanf(line, "RAM: %d", &ram)
	}
	if flash == 0 || flash > 12<<10 || ram == 0 || ram > 15<<10 {
		t.Errorf("too large, or unknown:\n%s", facts)
	}
	// The model was rounded when it was exported. Rounding it once more changes nothing.
	var was, is bytes.Buffer
	m := e.Model()
	m.Search = c.Search
	if c.Encode(&was) != nil || m.Encode(&is) != nil || !bytes.Equal(was.Bytes(), is.Bytes()) {
		t.Error("rounding changes the model")
	}
	g := shrunk(samplePictures(t)[0], 2)
	e = must.Get(export.New(c, &export.Settings{Profile: export.Small, Scale: 1.2}))
	found, err := e.Windows(context.Background(), g)
	if err != nil || len(found) < 30 {
		t.Errorf("%d windows at the faces of a drawn group, error %v; want 30 at least", len(found), err)
	}
}

// A cascade's own factor between levels holds unless the settings have one.
func TestScale(t *testing.T) {
	c := must.Get(cascade.Open(tinyFile))
	text := func(scale float64) string {
		return string(must.Bytes(must.Get(export.New(c, &export.Settings{Scale: scale})).WriteC))
	}
	usual, wide := text(0), text(1.3)
	c.Search.Scale = 1.3
	if usual == wide || text(0) != wide || text(1.1) != usual {
		t.Error("Search.Scale is not the default of Settings.Scale")
	}
}
