package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/eval"
	"haarlem/internal/must"
	"haarlem/models/facefast"
)

const hundred = "../../internal/eval/testdata/hundred.cascade"

func TestCalibrate(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	args := []string{"calibrate", "-model", hundred, "-truth", groupTruth, "-bg", room, "-false-positives-per-megapixel", "10"}
	out, errs, status := call(t, append(args, "-out", in("a.cascade"), "-name", "fit", "-object", "bus,buses", "-min-std-dev", "2.5", "-refine-y", "90", "-inter-level", "80", "-dense-from", "1.5", "-pad", "20", "-scale-bias", "0.5,1.25,2", "-prefilter-from", "2.5", "-plot", in("r.png"))...)
	if status != 0 || errs != "" {
		t.Fatalf("status %d, %s", status, errs)
	}
	for _, want := range []string{"11 objects in 2 photographs, 0.8 megapixels", "  as it came\n", "  written\n", "| 0.9 to 1.0 | ", "\nfrom 0.4 to 0.6: "} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
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
	out, errs, status = call(t, append(args, "-out", in("b.cascade"), "-name", "fit", "-object", "bus,buses", "-min-std-dev", "2.5", "-refine-y", "90", "-inter-level", "80", "-dense-from", "1.5", "-pad", "20", "-scale-bias", "0.5,1.25,2", "-prefilter-from", "2.5", "-workers", "1", "-output", "markdown")...)
	if status != 0 || !strings.HasPrefix(out, "| score | ") || strings.Count(out, "\n") != 12 {
		t.Errorf("status %d, %s\n%s", status, errs, out)
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
	out, errs, status = call(t, "calibrate", "-check", "-model", in("a.cascade"), "-truth", groupTruth, "-bg", room, "-output", "json")
	var k eval.Calibrated
	if err := json.Unmarshal([]byte(out), &k); err != nil || status != 0 {
		t.Fatalf("status %d, %s, %v", status, errs, err)
	}
	if !strings.Contains(c.Provenance.Note, fmt.Sprintf(": %d of %d detections were right;", k.Right, k.Right+k.Wrong)) || len(k.Bins) != 10 || k.Right == 0 {
		t.Errorf("checked: %+v, note %q", k, c.Provenance.Note)
	}
	// Detections need a probability of a half by default.
	for name, flags := range map[string][]string{"0.5": nil, "0.25": {"-min-score", "0.25"}, "0": {"-min-score", "0"}} {
		if _, errs, status = call(t, append(append(args, "-out", in("score"+name)), flags...)...); status != 0 {
			t.Fatalf("status %d, %s", status, errs)
		}
		m := must.Get(cascade.Open(in("score" + name)))
		if got := fmt.Sprint(m.Search.MinScore); got != name {
			t.Errorf("%v: score %s, want %s", flags, got, name)
		}
	}
	// Nothing is overwritten without -overwrite, and only the model is left.
	if _, errs, status = call(t, append(args, "-out", in("a.cascade"))...); status != 1 || !strings.Contains(errs, "add -overwrite") {
		t.Errorf("status %d, %s", status, errs)
	}
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
	var b bytes.Buffer
	must.Do(two.Encode(&b))
	model := filepath.Join(t.TempDir(), "two.cascade")
	putFile(t, model, b.String())
	for _, test := range []struct {
		which string
		want  [2]bool
	}{{"last", [2]bool{false, true}}, {"all", [2]bool{true, true}}, {"none", [2]bool{}}} {
		if _, errs, status := call(t, "calibrate", "-model", model, "-truth", groupTruth, "-bg", room, "-average-mirror", test.which, "-overwrite", "-out", file); status != 0 {
			t.Fatalf("%s: status %d, %s", test.which, status, errs)
		}
		m := must.Get(cascade.Open(file))
		if got := [2]bool{m.Verifier.Mirror, m.Verifier.Next.Mirror}; got != test.want {
			t.Errorf("%s: the verifiers have %v, want %v", test.which, got, test.want)
		}
		model = file
	}
}

func TestCalibrateErrors(t *testing.T) {
	out := filepath.Join(t.TempDir(), "m.cascade")
	for _, c := range []struct {
		status int
		want   string
		args   []string
	}{
		{2, `calibrate takes flags only, not "x"`, []string{"x"}},
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
		{2, "-check changes no model: leave out", []string{"-model", "frontalface", "-truth", groupTruth, "-check", "-average-mirror", "none"}},
		{2, "multi-crop between margins of 3 and 1", []string{"-model", "frontalface", "-out", out, "-truth", groupTruth, "-multi-crop", "3,1,0.1,0.1"}},
		{2, "-prefilter-from: a factor of 1, want more than 1, or 0", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-prefilter-from", "1"}},
		{2, "-object: ", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-object", "face,faces,more"}},
		{2, "-scale-bias: 1 an octave from a factor of 2 on", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-scale-bias", "1,2,-1"}},
		{1, "are no probabilities yet", []string{"-model", hundred, "-truth", groupTruth, "-check"}},
		{2, `-plot is "x.gif"`, []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-plot", "x.gif"}},
		{2, "Scale 0.5, want", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-scale", "0.5"}},
		{1, "0 detections are right and 0 wrong", []string{"-model", hundred, "-out", out, "-truth", groupTruth, "-raise", "1000"}},
	} {
		said, errs, status := call(t, append([]string{"calibrate"}, c.args...)...)
		if status != c.status || said != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%v: status %d, want %d; %q, want %q", c.args, status, c.status, errs, c.want)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a failed run left a model")
	}
}
