package main

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/datasource"
	"haarlem/internal/must"
	"haarlem/models"
)

// makeTwice runs a command that makes a model twice, the second time with one
// worker, which must not matter, and returns its output and the model.
func makeTwice(t *testing.T, path string, args []string) (said string, c *cascade.Cascade) {
	t.Helper()
	var files [2][]byte
	for i, more := range [][]string{{"-out", path}, {"-out", path, "-overwrite", "-workers", "1"}} {
		out, errs, status := call(t, slices.Concat(args, more)...)
		if status != 0 || errs != "" {
			t.Fatalf("status %d, %s", status, errs)
		}
		files[i] = must.Get(os.ReadFile(path))
		said = out
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two runs made two models")
	}
	c = must.Get(cascade.Read(bytes.NewReader(files[0]), nil))
	return said, c
}

func TestVerifier(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"verifier", "-model", hundred, "-truth", groupTruth, "-bg", room, "-stride", "2", "-refine-x", "40", "-refine-y", "70", "-inter-level", "100", "-keep", "60", "-trees", "9", "-sides", "1.5", "-weight", "2.5", "-negatives", "200", "-seed", "3"}
	out, c := makeTwice(t, in("a.cascade"), append(args, "-data-name", "our own"))
	if !strings.Contains(out, "9 trees from ") || !strings.Contains(out, " true and ") {
		t.Errorf("it says %q", out)
	}
	was := must.Get(cascade.Open(hundred))
	v := c.Verifier
	if v == nil || len(v.Trees) != 9 || v.Sides != 1.5 || v.Weight != 2.5 || len(c.Weak) != 60 || c.Calibration != nil {
		t.Errorf("verifier %+v, %d weak learners, %v", v, len(c.Weak), c.Calibration)
	}
	if c.Search.RefineX != 40 || c.Search.RefineY != 60 || c.Search.InterLevel != 60 {
		t.Errorf("nearby %d, around %d and between %d of 60 exits", c.Search.RefineX, c.Search.RefineY, c.Search.InterLevel)
	}
	p := c.Provenance
	if !strings.HasPrefix(p.Note, was.Provenance.Note+"\nVerifier trained on ") || !strings.HasSuffix(strings.Join(p.Data, "|"), "our own") {
		t.Errorf("note %q, data %q", p.Note, p.Data)
	}
	if got := p.Command; !strings.Contains(got, "train-cascade verifier -model ") || !strings.Contains(got, " -keep 60 ") || strings.Contains(got, dir) || !strings.HasSuffix(got, " -out '"+c.Name+".cascade'") {
		t.Errorf("command %q", got)
	}
	// calibrate accepts the result: scores become probabilities, including the
	// verifier's, with a note.
	out, errs, status := call(t, "calibrate", "-model", in("a.cascade"), "-truth", groupTruth, "-bg", room, "-false-positives-per-megapixel", "10", "-out", in("c.cascade"),
		"-data-source", "Drawn; version 1; licence CC0-1.0; by nobody; used all; list "+groupTruth)
	if status != 0 || !strings.Contains(out, "  written\n") {
		t.Errorf("status %d, %s\n%s", status, errs, out)
	}
	if c, err := cascade.Open(in("c.cascade")); err != nil || c.Verifier == nil || c.Calibration == nil {
		t.Errorf("calibrated: %v", err)
	} else if s, err := datasource.Parse(c.Provenance.Data[len(c.Provenance.Data)-1]); err != nil || s.Name != "Drawn" || !s.IsOpen() {
		t.Errorf("source %+v, %v", s, err)
	}
	if out, _, status = call(t, "inspect", in("a.cascade")); status != 0 || !strings.Contains(out, "verifier    9 trees of ") {
		t.Errorf("status %d, inspect says\n%s", status, out)
	}
	if out, _, status = call(t, "inspect", "-format", "json", in("a.cascade")); status != 0 || !strings.Contains(out, `"verifier": {`) || !strings.Contains(out, `"trees": 9`) {
		t.Errorf("status %d, inspect says\n%s", status, out)
	}
}

func TestVerifierErrors(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.cascade")
	taken := filepath.Join(t.TempDir(), "taken.cascade")
	must.Do(os.WriteFile(taken, nil, 0o666))
	for _, test := range []struct {
		args   string
		status int
		want   string
	}{
		{"more", 2, "takes flags only"},
		{"-out " + out, 2, "name a model with -model"},
		{"-model " + hundred, 2, "name one with -out"},
		{"-model " + hundred + " -out " + out, 2, "name a file with -truth"},
		{"-model " + hundred + " -truth " + groupTruth + " -out " + taken, 1, "add -overwrite"},
		{"-model " + hundred + " -truth " + groupTruth + " -out " + out + " -trees -3", 2, "Trees"},
		{"-model " + hundred + " -truth " + groupTruth + " -out " + out + " -scale 0.9", 2, "scale"},
		{"-model " + hundred + " -truth " + groupTruth + " -out " + out + " -sides 7", 1, "a square of 7 sides"},
		{"-model nothing.cascade -truth " + groupTruth + " -out " + out, 2, "nothing.cascade"},
	} {
		_, errs, status := call(t, append([]string{"verifier"}, strings.Fields(test.args)...)...)
		if status != test.status || !strings.Contains(strings.ToLower(errs), strings.ToLower(test.want)) {
			t.Errorf("%s: status %d, %q; want %d and %q", test.args, status, errs, test.status, test.want)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a model was written")
	}
}

// A network of one small step is the same with any number of workers, and after a
// training that was interrupted. calibrate takes the result, and so does the detector.
func TestNetwork(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"network", "-model", hundred, "-truth", groupTruth, "-bg", room, "-step", "12 1.2 conv8 max dense16", "-iterations", "40", "-batch", "16", "-seed", "3"}
	out, c := makeTwice(t, in("a.cascade"), args)
	if n := c.Network; n == nil || len(n.Steps) != 1 || n.Steps[0].Side != 12 || len(n.Steps[0].Layers) != 4 || c.Verifier != nil || c.Calibration != nil {
		t.Errorf("network %+v", n)
	}
	if !strings.Contains(out, "before rounding to 8 bits") {
		t.Errorf("it says %q", out)
	}
	if _, errs, status := call(t, append(slices.Clone(args), "-lower", "1.5", "-iterations", "1", "-out", in("low.cascade"))...); status != 0 {
		t.Fatalf("status %d, %s", status, errs)
	}
	if low, err := cascade.Open(in("low.cascade")); err != nil || low.Exits[9].Threshold != c.Exits[9].Threshold-1.5 {
		t.Errorf("not lower: %v", err)
	}
	again := append(slices.Clone(args), "-data", in("steps"), "-out", in("b.cascade"))
	if _, errs, status := call(t, again...); status != 0 {
		t.Fatalf("status %d, %s", status, errs)
	}
	if _, errs, status := call(t, append(again, "-overwrite")...); status != 1 || !strings.Contains(errs, "continue it with -resume") {
		t.Errorf("status %d, %s", status, errs)
	}
	if _, errs, status := call(t, append(again, "-overwrite", "-resume")...); status != 0 {
		t.Fatalf("status %d, %s", status, errs)
	}
	if _, errs, status := call(t, append(again, "-overwrite", "-resume", "-rate", "0.001")...); status != 1 || !strings.Contains(errs, "step1.state") {
		t.Errorf("resumed with another rate: status %d, %s", status, errs)
	}
	a := must.Get(os.ReadFile(in("a.cascade")))
	b := must.Get(os.ReadFile(in("b.cascade")))
	if !bytes.Equal(a, b) {
		t.Error("a resumed training made another model")
	}
	out, errs, status := call(t, "calibrate", "-model", in("a.cascade"), "-truth", groupTruth, "-bg", room, "-out", in("c.cascade"))
	if status != 0 {
		t.Errorf("status %d, %s\n%s", status, errs, out)
	}
	if c, err := cascade.Open(in("c.cascade")); err != nil || c.Network == nil || c.Calibration == nil {
		t.Errorf("calibrated: %v", err)
	}
	if _, errs, status := call(t, "network", "-model", hundred, "-take", in("c.cascade"), "-lower", "2", "-carry", "0.25", "-out", in("taken.cascade")); status != 0 {
		t.Fatalf("status %d, %s", status, errs)
	}
	c.Network.Steps[len(c.Network.Steps)-1].Carry = 0.25
	if taken, err := cascade.Open(in("taken.cascade")); err != nil || !reflect.DeepEqual(taken.Network, c.Network) || taken.Exits[9].Threshold != c.Exits[9].Threshold-2 {
		t.Errorf("another network: %v", err)
	}
	if _, errs, status := call(t, slices.Concat(args[:7], []string{"-iterations", "1", "-batch", "16", "-rate", "0.0001", "-begin", in("c.cascade"), "-out", in("begun.cascade")})...); status != 0 {
		t.Fatalf("status %d, %s", status, errs)
	}
	if begun, err := cascade.Open(in("begun.cascade")); err != nil || len(begun.Network.Steps) != len(c.Network.Steps) || begun.Network.Steps[0].Side != c.Network.Steps[0].Side {
		t.Errorf("begun with another network: %v", err)
	}
	if _, errs, status := call(t, slices.Concat(args[:7], []string{"-iterations", "1", "-batch", "16", "-begin", "face", "-step", "12 1 conv8", "-out", in("grown.cascade")})...); status != 0 {
		t.Fatalf("status %d, %s", status, errs)
	}
	face := must.Get(models.Open("face"))
	if _, errs, status := call(t, "network", "-model", hundred, "-take", "face", "-raise", "0.5", "-overlap", "0.25", "-out", in("fewer.cascade")); status != 0 {
		t.Fatalf("status %d, %s", status, errs)
	}
	if fewer, err := cascade.Open(in("fewer.cascade")); err != nil || fewer.Network.Overlap != 0.25 || fewer.Network.Steps[0].Threshold != face.Network.Steps[0].Threshold+0.5 {
		t.Errorf("other thresholds: %v", err)
	}
	if grown, err := cascade.Open(in("grown.cascade")); err != nil || !reflect.DeepEqual(grown.Network.Steps[0], face.Network.Steps[0]) || grown.Network.Steps[1].Side != 12 {
		t.Errorf("with another last step: %v", err)
	}
	if _, errs, status := call(t, slices.Concat(args[:7], []string{"-begin", hundred, "-out", in("d.cascade")})...); status != 1 || !strings.Contains(errs, "has no network") {
		t.Errorf("status %d, %s", status, errs)
	}
	if _, errs, status := call(t, "network", "-model", hundred, "-take", hundred, "-out", in("d.cascade")); status != 1 || !strings.Contains(errs, "has no network") {
		t.Errorf("status %d, %s", status, errs)
	}
	if _, errs, status := call(t, "network", "-model", hundred, "-take", in("c.cascade"), "-raise", "1", "-out", in("d.cascade")); status != 1 || !strings.Contains(errs, "one step") {
		t.Errorf("status %d, %s", status, errs)
	}
	for _, bad := range [][]string{
		{"-take", "face"}, {"-step", "12"}, {"-step", "12 1 lstm8"}, {"-step", "x 1 max"}, {"-step", "12 x max"}, {"-step", "12 1 conv9"}, {"-resume"}, {"-lower", "-1"}, {"-raise", "1"}, {"-overlap", "2"},
	} {
		if _, errs, status := call(t, slices.Concat(args[:7], bad, []string{"-out", in("d.cascade")})...); status != 2 {
			t.Errorf("%v: status %d, %s", bad, status, errs)
		}
	}
}
