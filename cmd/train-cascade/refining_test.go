package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/datasource"
	"haarlem/internal/eval"
	"haarlem/internal/must"
	"haarlem/models"
	"haarlem/models/facefast"
)

const hundred = "../../internal/eval/testdata/hundred.cascade"

func TestCalibrate(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"calibrate", "-model", hundred, "-truth", groupTruth, "-bg", room, "-false-positives-per-megapixel", "10"}
	out := quietly(t, append(args, "-out", in("a.cascade"), "-name", "fit", "-object", "bus,buses", "-min-std-dev", "2.5", "-refine-y", "90", "-inter-level", "80", "-dense-from", "1.5", "-pad", "20", "-scale-bias", "0.5,1.25,2", "-prefilter-from", "2.5", "-plot", in("r.png"))...)
	clitest.Contains(t, out, "11 objects in 2 photographs, 0.8 megapixels", "  as it came\n", "  written\n", "| 0.9 to 1.0 | ", "\nfrom 0.4 to 0.6: ")
	c := must.Get(cascade.Open(in("a.cascade")))
	was := must.Get(cascade.Open(hundred))
	if c.Name != "fit" || c.MinStdDev != 2.5 || c.Search.RefineY != 90 || c.Search.InterLevel != 80 || c.Search.DenseFrom != 1.5 || c.Search.Pad != 0.2 || c.Search.ScaleBias != (cascade.ScaleBias{PerOctave: 0.5, From: 1.25, Max: 2}) || c.Search.PrefilterFrom != 2.5 || c.Calibration == nil || !(c.Exits[99].Threshold > was.Exits[99].Threshold) {
		t.Errorf("%q, contrast %v, around %d, between %d below %v, pad %v, head start %v, halve %v, %v, threshold %v", c.Name, c.MinStdDev, c.Search.RefineY, c.Search.InterLevel, c.Search.DenseFrom, c.Search.Pad, c.Search.ScaleBias, c.Search.PrefilterFrom, c.Calibration, c.Exits[99].Threshold)
	}
	if want := (cascade.Object{Singular: "bus", Plural: "buses"}); c.Object != want || !strings.Contains(c.Provenance.Command, " -object bus,buses ") {
		t.Errorf("object %v of %q, want %v", c.Object, c.Provenance.Command, want)
	}
	if !strings.HasPrefix(c.Provenance.Note, was.Provenance.Note+"\nCalibrated on 11 objects in 2 photographs: ") {
		t.Errorf("note %q", c.Provenance.Note)
	}
	if info, err := os.Stat(in("r.png")); err != nil || info.Size() < 1000 {
		t.Errorf("plot: %v", err)
	}
	// The number of workers has no effect; Markdown is the table alone.
	out = works(t, append(args, "-out", in("b.cascade"), "-name", "fit", "-object", "bus,buses", "-min-std-dev", "2.5", "-refine-y", "90", "-inter-level", "80", "-dense-from", "1.5", "-pad", "20", "-scale-bias", "0.5,1.25,2", "-prefilter-from", "2.5", "-workers", "1", "-output", "markdown")...)
	if !strings.HasPrefix(out, "| score | ") || strings.Count(out, "\n") != 12 {
		t.Errorf("no table of 12 lines:\n%s", out)
	}
	a, _ := os.ReadFile(in("a.cascade"))
	b, err := os.ReadFile(in("b.cascade"))
	if err != nil || string(a) != string(b) {
		t.Errorf("two runs made two models (%v)", err)
	}
	// The model records how it was calibrated.
	want := "train-cascade calibrate -model ../../internal/eval/testdata/hundred.cascade "
	if got := c.Provenance.Command; !strings.Contains(got, want) || !strings.HasSuffix(got, " -out fit.cascade") || !strings.Contains(got, " -false-positives-per-megapixel 10 ") || strings.Contains(got, "-plot") || strings.Contains(got, dir) {
		t.Errorf("command %q", got)
	}
	// Checked on the same pictures, its scores are as accurate as before.
	k := decoded[eval.Calibrated](t, "calibrate", "-check", "-model", in("a.cascade"), "-truth", groupTruth, "-bg", room, "-output", "json")
	if !strings.Contains(c.Provenance.Note, fmt.Sprintf(": %d of %d detections were right;", k.Right, k.Right+k.Wrong)) || len(k.Bins) != 10 || k.Right == 0 {
		t.Errorf("checked: %+v, note %q", k, c.Provenance.Note)
	}
	// Detections need a probability of a half by default.
	for name, flags := range map[string][]string{"0.5": nil, "0.25": {"-min-score", "0.25"}, "0": {"-min-score", "0"}} {
		works(t, append(append(args, "-out", in("score"+name)), flags...)...)
		m := must.Get(cascade.Open(in("score" + name)))
		if got := fmt.Sprint(m.Search.MinScore); got != name {
			t.Errorf("%v: score %s, want %s", flags, got, name)
		}
	}
	// Nothing is overwritten without -overwrite, and only the model is left.
	fails(t, statusFailed, "add -overwrite", append(args, "-out", in("a.cascade"))...)
	if left, _ := filepath.Glob(in("*.part")); len(left) != 0 {
		t.Errorf("left behind: %v", left)
	}
}

// Which verifiers see mirror images is a setting of the model.
func TestCalibrateAverageMirror(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.cascade")
	two := must.Get(facefast.Router())
	next := *two.Verifier
	two.Verifier.Next = &next
	b := must.Bytes(two.Encode)
	model := filepath.Join(t.TempDir(), "two.cascade")
	putFile(t, model, string(b))
	for _, test := range []struct {
		which string
		want  [2]bool
	}{{"last", [2]bool{false, true}}, {"all", [2]bool{true, true}}, {"none", [2]bool{}}} {
		works(t, "calibrate", "-model", model, "-truth", groupTruth, "-bg", room, "-average-mirror", test.which, "-overwrite", "-out", file)
		m := must.Get(cascade.Open(file))
		if got := [2]bool{m.Verifier.Mirror, m.Verifier.Next.Mirror}; got != test.want {
			t.Errorf("%s: the verifiers have %v, want %v", test.which, got, test.want)
		}
		model = file
	}
}

func TestCalibrateErrors(t *testing.T) {
	out := filepath.Join(t.TempDir(), "m.cascade")
	refuses(t, "calibrate", []mistake{
		{2, "nothing to calibrate: name a model with -model", nil},
		{2, "no file given for the calibrated model", []string{"-model", hundred}},
		{2, "nothing to calibrate with: name a file with -truth", []string{"-model", hundred, "-out", out}},
		{2, "-raise is -1", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-raise", "-1"}},
		{2, `invalid value "csv" for flag -output: want text, markdown or json`, []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-output", "csv"}},
		{2, "-check changes no model: leave out -out", []string{"-model", hundred, "-truth", groupTruth, "-check", "-raise", "1"}},
		{2, "-check changes no model: leave out", []string{"-model", hundred, "-truth", groupTruth, "-check", "-pad", "10"}},
		{2, "-check changes no model: leave out", []string{"-model", hundred, "-truth", groupTruth, "-check", "-inter-level", "10"}},
		{2, "-check changes no model: leave out", []string{"-model", hundred, "-truth", groupTruth, "-check", "-scale-bias", "1,1,1"}},
		{2, "-check changes no model: leave out", []string{"-model", hundred, "-truth", groupTruth, "-check", "-multi-crop", "0"}},
		{2, "-refine-y: 101, want 0 to the 100 exits", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-refine-y", "101"}},
		{2, "-dense-from: a factor of 2, want none below 0, and none without InterLevel", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-dense-from", "2"}},
		{2, "-pad: 0.6, want 0 to 0.5", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-pad", "60"}},
		{2, `invalid value "1,2" for flag -scale-bias: want 3 numbers with commas between, or 0`, []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-scale-bias", "1,2"}},
		{2, `invalid value "1,2,x" for flag -scale-bias: "x" is not a number`, []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-scale-bias", "1,2,x"}},
		{2, "-multi-crop is for models with a verifier", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-multi-crop", "0"}},
		{2, "-average-mirror is for models with a verifier", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-average-mirror", "last"}},
		{2, "-check changes no model: leave out", []string{"-model", "../../models/stopsign/stop-sign.cascade", "-truth", groupTruth, "-check", "-average-mirror", "none"}},
		{2, "multi-crop between margins of 3 and 1", []string{"-model", "../../models/stopsign/stop-sign.cascade", "-out", out, "-truth", groupTruth, "-multi-crop", "3,1,0.1,0.1"}},
		{2, "-prefilter-from: a factor of 1, want more than 1, or 0", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-prefilter-from", "1"}},
		{2, "-object: ", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-object", "face,faces,more"}},
		{2, "-scale-bias: 1 an octave from a factor of 2 on", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-scale-bias", "1,2,-1"}},
		{1, "are no probabilities yet", []string{"-model", hundred, "-truth", groupTruth, "-check"}},
		{2, `-plot is "x.gif"`, []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-plot", "x.gif"}},
		{2, "Scale 0.5, want", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-scale", "0.5"}},
		{1, "0 detections are right and 0 wrong", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-raise", "1000"}},
	})
	if _, err := os.Stat(out); err == nil {
		t.Error("a failed run left a model")
	}
}

func TestPrune(t *testing.T) {
	args := []string{"prune", "-model", hundred, "-truth", groupTruth, "-stride", "2", "-loss", "0.1", "-loss-power", "0.5"}
	out, c := makeTwice(t, filepath.Join(t.TempDir(), "a.cascade"), args)
	if !strings.HasPrefix(out, "1 of 1") || !strings.Contains(out, " objects that were found are lost: ") {
		t.Errorf("it says %q", out)
	}
	was := must.Get(cascade.Open(hundred))
	higher, last := 0, len(c.Exits)-1
	for e, x := range c.Exits {
		if x.Threshold > was.Exits[e].Threshold {
			higher++
		}
	}
	if higher < last/2 || c.Exits[last] != was.Exits[last] || c.Search.Stride != 2 || c.Calibration != nil {
		t.Errorf("%d of %d thresholds are higher, the last one is %v, was %v; stride %d, %v", higher, last, c.Exits[last], was.Exits[last], c.Search.Stride, c.Calibration)
	}
	p := c.Provenance
	if !strings.HasPrefix(p.Note, was.Provenance.Note+"\nThresholds raised on 1") || !strings.Contains(p.Command, "train-cascade prune -model ") || !strings.Contains(p.Command, " -loss 0.1 ") {
		t.Errorf("note %q, command %q", p.Note, p.Command)
	}
	// The thresholds are the same on every machine.
	h := sha256.New()
	for _, x := range c.Exits {
		fmt.Fprintln(h, x.Threshold)
	}
	const want = "f1ad6b9ac31e3673"
	if got := fmt.Sprintf("%x", h.Sum(nil))[:16]; got != want {
		t.Errorf("the thresholds have the sum %s, want %s", got, want)
	}
}

// What prune and verifier refuse.
func TestRefiningErrors(t *testing.T) {
	out, taken := filepath.Join(t.TempDir(), "out.cascade"), filepath.Join(t.TempDir(), "taken.cascade")
	must.Do(os.WriteFile(taken, nil, 0o666))
	with := "-truth " + groupTruth + " -model " + hundred + " -out " + out
	type refused struct {
		args   string
		status int
		want   string
	}
	for command, own := range map[string][]refused{
		"prune": {
			{with + " -loss 1", 2, "Loss"},
			{with + " -min-size 200", 1, "none of the objects is found"},
			{"-model frontalface-opencv -truth " + groupTruth + " -out " + out, 1, "score starts again"},
		},
		"verifier": {
			{"-model " + hundred + " -truth " + groupTruth + " -out " + taken, 1, "add -overwrite"},
			{with + " -trees -3", 2, "Trees"},
			{with + " -sides 7", 1, "a square of 7 sides"},
		},
	} {
		for _, c := range append(own,
			refused{"-out " + out, 2, "name a model with -model"},
			refused{"-model " + hundred, 2, "name one with -out"},
			refused{"-model " + hundred + " -out " + out, 2, "name a file with -truth"},
			refused{with + " -scale 0.9", 2, "Scale"},
			refused{"-model nothing.cascade -truth " + groupTruth + " -out " + out, 2, "nothing.cascade"},
		) {
			says(t, c.status, c.want, append([]string{command}, strings.Fields(c.args)...)...)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a model was written")
	}
}

// makeTwice runs a command that makes a model twice, the second time with one
// worker, which must not matter, and returns its output and the model.
func makeTwice(t *testing.T, path string, args []string) (said string, c *cascade.Cascade) {
	t.Helper()
	var files [2][]byte
	for i, more := range [][]string{{"-out", path}, {"-out", path, "-overwrite", "-workers", "1"}} {
		out := quietly(t, slices.Concat(args, more)...)
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
	clitest.Contains(t, out, "9 trees from ", " true and ")
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
	clitest.Contains(t, works(t, "calibrate", "-model", in("a.cascade"), "-truth", groupTruth, "-bg", room, "-false-positives-per-megapixel", "10", "-out", in("c.cascade"),
		"-data-source", "Drawn; version 1; licence CC0-1.0; by nobody; used all; list "+groupTruth), "  written\n")
	if c, err := cascade.Open(in("c.cascade")); err != nil || c.Verifier == nil || c.Calibration == nil {
		t.Errorf("calibrated: %v", err)
	} else if s, err := datasource.Parse(c.Provenance.Data[len(c.Provenance.Data)-1]); err != nil || s.Name != "Drawn" || !s.IsOpen() {
		t.Errorf("source %+v, %v", s, err)
	}
	clitest.Contains(t, works(t, "inspect", in("a.cascade")), "verifier    9 trees of ")
	clitest.Contains(t, works(t, "inspect", "-format", "json", in("a.cascade")), `"verifier": {`, `"trees": 9`)
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
	clitest.Contains(t, out, "before rounding to 8 bits")
	works(t, append(slices.Clone(args), "-lower", "1.5", "-iterations", "1", "-out", in("low.cascade"))...)
	if low, err := cascade.Open(in("low.cascade")); err != nil || low.Exits[9].Threshold != c.Exits[9].Threshold-1.5 {
		t.Errorf("not lower: %v", err)
	}
	again := append(slices.Clone(args), "-data", in("steps"), "-out", in("b.cascade"))
	works(t, again...)
	fails(t, statusFailed, "continue it with -resume", append(again, "-overwrite")...)
	works(t, append(again, "-overwrite", "-resume")...)
	fails(t, statusFailed, "step1.state", append(again, "-overwrite", "-resume", "-rate", "0.001")...)
	a := must.Get(os.ReadFile(in("a.cascade")))
	b := must.Get(os.ReadFile(in("b.cascade")))
	if !bytes.Equal(a, b) {
		t.Error("a resumed training made another model")
	}
	works(t, "calibrate", "-model", in("a.cascade"), "-truth", groupTruth, "-bg", room, "-out", in("c.cascade"))
	if c, err := cascade.Open(in("c.cascade")); err != nil || c.Network == nil || c.Calibration == nil {
		t.Errorf("calibrated: %v", err)
	}
	works(t, "network", "-model", hundred, "-take", in("c.cascade"), "-lower", "2", "-carry", "0.25", "-out", in("taken.cascade"))
	c.Network.Steps[len(c.Network.Steps)-1].Carry = 0.25
	if taken, err := cascade.Open(in("taken.cascade")); err != nil || !reflect.DeepEqual(taken.Network, c.Network) || taken.Exits[9].Threshold != c.Exits[9].Threshold-2 {
		t.Errorf("another network: %v", err)
	}
	works(t, slices.Concat(args[:7], []string{"-iterations", "1", "-batch", "16", "-rate", "0.0001", "-begin", in("c.cascade"), "-out", in("begun.cascade")})...)
	if begun, err := cascade.Open(in("begun.cascade")); err != nil || len(begun.Network.Steps) != len(c.Network.Steps) || begun.Network.Steps[0].Side != c.Network.Steps[0].Side {
		t.Errorf("begun with another network: %v", err)
	}
	works(t, slices.Concat(args[:7], []string{"-iterations", "1", "-batch", "16", "-begin", "face", "-step", "12 1 conv8", "-out", in("grown.cascade")})...)
	face := must.Get(models.Open("face"))
	works(t, "network", "-model", hundred, "-take", "face", "-raise", "0.5", "-overlap", "0.25", "-out", in("fewer.cascade"))
	if fewer, err := cascade.Open(in("fewer.cascade")); err != nil || fewer.Network.Overlap != 0.25 || fewer.Network.Steps[0].Threshold != face.Network.Steps[0].Threshold+0.5 {
		t.Errorf("other thresholds: %v", err)
	}
	if grown, err := cascade.Open(in("grown.cascade")); err != nil || !reflect.DeepEqual(grown.Network.Steps[0], face.Network.Steps[0]) || grown.Network.Steps[1].Side != 12 {
		t.Errorf("with another last step: %v", err)
	}
	fails(t, statusFailed, "has no network", slices.Concat(args[:7], []string{"-begin", hundred, "-out", in("d.cascade")})...)
	fails(t, statusFailed, "has no network", "network", "-model", hundred, "-take", hundred, "-out", in("d.cascade"))
	fails(t, statusFailed, "one step", "network", "-model", hundred, "-take", in("c.cascade"), "-raise", "1", "-out", in("d.cascade"))
	for _, bad := range [][]string{
		{"-take", "face"}, {"-step", "12"}, {"-step", "12 1 lstm8"}, {"-step", "x 1 max"}, {"-step", "12 x max"}, {"-step", "12 1 conv9"}, {"-resume"}, {"-lower", "-1"}, {"-raise", "1"}, {"-overlap", "2"},
	} {
		fails(t, statusUsage, "", slices.Concat(args[:7], bad, []string{"-out", in("d.cascade")})...)
	}
}
