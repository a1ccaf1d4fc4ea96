package models_test

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/datasource"
	"haarlem/internal/must"
	"haarlem/models/frontalfaceopen"
)

// learnedFrom matches the pictures and the models of a recorded command.
var learnedFrom = regexp.MustCompile(` -(truth|bg|bg-truth|val-truth|val-bg|pos|vec|info|model|begin|take) ('[^']*'|\S+)`)

// source reads the line of a source, and says what makes it not open, or "".
func source(line string) (*datasource.Source, string) {
	s, err := datasource.Parse(line)
	switch {
	case err != nil:
		return nil, err.Error()
	case !s.IsOpen():
		return nil, fmt.Sprintf("%s: its licence %q is not one of %q", s.Name, s.Licence, datasource.Open)
	}
	return s, ""
}

// closed says what makes a model not open, or "".
func closed(c *cascade.Cascade) string {
	var used []string
	for _, line := range c.Provenance.Data {
		s, why := source(line)
		if why != "" {
			return why
		}
		used = append(used, regexp.MustCompile(`[\w./-]+\.(csv|txt)`).FindAllString(s.Used, -1)...)
	}
	commands := learnedFrom.FindAllStringSubmatch(c.Provenance.Command, -1)
	if len(used) == 0 || len(commands) == 0 {
		return "it says of no pictures that it learned from them"
	}
	for _, m := range commands {
		flag, value := m[1], strings.Trim(m[2], "'")
		named := false
		for _, u := range used {
			named = named || u == value
		}
		if strings.Contains("model begin take", flag) && filepath.Base(value) == c.Name+".cascade" {
			named = true // its own earlier state
		}
		if !named {
			return fmt.Sprintf("-%s %s is in no source", flag, value)
		}
	}
	return ""
}

// Models that are called open learned from nothing but the sources that they name, all of
// them with open licences. Their pages and NOTICE name these too.
func TestOpen(t *testing.T) {
	files := append(must.Get(filepath.Glob("*/*-open.cascade")), "plate/plate.cascade")
	if len(files) < 2 {
		t.Fatalf("the open models are %v", files)
	}
	notice := must.Get(os.ReadFile("../NOTICE"))
	for _, file := range files {
		c := must.Get(cascade.Open(file))
		if why := closed(c); why != "" {
			t.Errorf("%s: %s", file, why)
		}
		page := must.Get(os.ReadFile(strings.TrimSuffix(file, ".cascade") + ".md"))
		data := must.Get(os.ReadFile(file))
		for _, want := range append(c.Provenance.Data, fmt.Sprintf("%x", sha256.Sum256(data))) {
			if !strings.Contains(string(page), want) || !strings.Contains(string(notice), want) {
				t.Errorf("%s: its page or NOTICE lacks %q", file, want)
			}
		}
		if !bytes.Equal(must.Bytes(c.Encode), data) || len(data) > 400_000 {
			t.Errorf("%s: %d bytes, or encoded it is another file", file, len(data))
		}
		d := must.Get(detector.New(nil, c))
		if found, err := d.Detect(t.Context(), image.NewGray(image.Rect(0, 0, 320, 240))); err != nil || len(found) > 0 {
			t.Errorf("%s finds %v in a black picture: %v", file, found, err)
		}
		for _, change := range []func(*cascade.Provenance){
			func(p *cascade.Provenance) { p.Data = p.Data[1:] },
			func(p *cascade.Provenance) { p.Data[0] = strings.Replace(p.Data[0], "CC-BY-", "CC-BY-NC-", 1) },
			func(p *cascade.Provenance) { p.Data[0] = "MTFL training set: research use" },
			func(p *cascade.Provenance) { p.Command += "\ntrain-cascade verifier -model face -truth wild.csv" },
			func(p *cascade.Provenance) { p.Command += "\ntrain-cascade network -begin face" },
			func(p *cascade.Provenance) { p.Data, p.Command = nil, "" },
		} {
			bad := c.Clone()
			change(&bad.Provenance)
			if closed(bad) == "" {
				t.Errorf("%s counts as open with %q and %q", file, bad.Provenance.Data, bad.Provenance.Command)
			}
		}
	}
}

// The open landmark model names its sources too. Its file keeps no commands: its page has
// them.
func TestOpenPoints(t *testing.T) {
	m := must.Get(frontalfaceopen.Points())
	page := string(must.Get(os.ReadFile("frontalfaceopen/face5-open.md")))
	notice := string(must.Get(os.ReadFile("../NOTICE")))
	var used string
	for _, line := range m.Notes {
		s, why := source(line)
		if why != "" {
			t.Fatal(why)
		}
		if !strings.Contains(page, line) || !strings.Contains(notice, line) {
			t.Errorf("the page or NOTICE lacks %q", line)
		}
		used += s.Used
	}
	commands := learnedFrom.FindAllStringSubmatch(page, -1)
	if len(commands) < 3 {
		t.Errorf("the page has %d files that it learned from", len(commands))
	}
	for _, c := range commands {
		if !strings.Contains(used, c[2]) && filepath.Base(c[2]) != "frontalface-open.cascade" {
			t.Errorf("-%s %s is in no source", c[1], c[2])
		}
	}
}
