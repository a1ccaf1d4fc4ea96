package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/search"
	"haarlem/internal/must"
)

// renamed is the drawn model as a file that says another object; without one it
// says none, as OpenCV's do.
func renamed(t *testing.T, object string) string {
	t.Helper()
	dir := t.TempDir()
	xml, file := filepath.Join(dir, "m.xml"), filepath.Join(dir, "m.cascade")
	if status, _, stderr := call(nil, "convert", detecttest.Drawn, xml); status != statusOK {
		t.Fatal(stderr)
	}
	if object == "" {
		return xml
	}
	if status, _, stderr := call(nil, "convert", "-object", object, xml, file); status != statusOK {
		t.Fatal(stderr)
	}
	return file
}

// What is written says what the model finds, and not that it is faces.
func TestObjectsHaveTheirName(t *testing.T) {
	dir := t.TempDir()
	one := detecttest.WritePNG(t, filepath.Join(dir, "one.png"), detecttest.OneFace(t))
	none := detecttest.WritePNG(t, filepath.Join(dir, "none.png"), image.NewGray(image.Rect(0, 0, 40, 30)))
	for _, test := range []struct{ object, singular, plural string }{
		{"", "object", "objects"}, {"bus,buses", "bus", "buses"}, {"cat", "cat", "cats"},
	} {
		model := renamed(t, test.object)
		status, out, stderr := call(nil, "-model", model, one, one, none)
		if status != statusOK || strings.Contains(out+stderr, "face") || !strings.Contains(out, ", 1 "+test.singular+", ") ||
			!strings.Contains(out, "\n2 "+test.plural+" in 3 pictures\n") || !strings.Contains(out, ", no "+test.plural+", ") {
			t.Errorf("%q: status %d, %s%s", test.object, status, out, stderr)
		}
		crops := filepath.Join(dir, test.singular)
		status, out, stderr = call(nil, "-model", model, "-format", "jsonl", "-min-size", "1", "-crop", crops, one)
		if want := fmt.Sprintf(`,"object":%q,"milliseconds":`, test.singular); status != statusOK || !strings.Contains(out, want) {
			t.Errorf("%q: status %d, no %s in %s", test.object, status, want, out)
		}
		if want := "no " + test.singular + " of less than 24 pixels"; !strings.Contains(stderr, want) {
			t.Errorf("%q: no %q in %s", test.object, want, stderr)
		}
		if cut, err := filepath.Glob(filepath.Join(crops, "*")); err != nil || len(cut) != 1 || filepath.Base(cut[0]) != "one-"+test.singular+"1.png" {
			t.Errorf("%q: cut out as %q, %v", test.object, cut, err)
		}
		if _, out, stderr = call(nil, "blur", "-model", model, "-out", filepath.Join(dir, test.singular+".png"), one); !strings.Contains(out, ", 1 "+test.singular+", ") {
			t.Errorf("blur, %q: %s%s", test.object, out, stderr)
		}
		if _, out, _ = call(nil, "model", model); strings.Contains(out, "\nobject       "+test.singular+", "+test.plural+"\n") != (test.object != "") {
			t.Errorf("detect model, %q:\n%s", test.object, out)
		}
		detecttest.FakeBackend(t, detecttest.NewPan(t, 2).Source("in"))
		_, out, _ = call(nil, "video", "in", "-model", model, "-min-size", "40", "-scale", "1.15")
		if frames := parseFrames(t, out); len(frames) != 2 || frames[0].Object != test.singular {
			t.Errorf("video, %q: %s", test.object, out)
		}
	}
}

// Converting to a model with a name says how, so that what repeats the training
// gives these bytes; nothing but the name changes.
func TestConvertObject(t *testing.T) {
	dir := t.TempDir()
	was := must.Get(search.OpenModel("frontalface"))
	to := filepath.Join(dir, "to.cascade")
	if status, _, stderr := call(nil, "convert", "-object", "mask", "frontalface", to); status != statusOK {
		t.Fatal(stderr)
	}
	is := must.Get(cascade.Open(to))
	was.Object = cascade.Object{Singular: "mask", Plural: "masks"}
	was.Provenance.Command += "\ndetect convert -object mask frontalface.cascade out/frontalface.cascade"
	a, _ := json.Marshal(was)
	b, _ := json.Marshal(is)
	if !bytes.Equal(a, b) {
		t.Errorf("%s\nis not\n%s", b, a)
	}
	for _, args := range [][]string{{"-object", "", detecttest.Drawn, filepath.Join(dir, "x")}, {"-object", "face", detecttest.Drawn, filepath.Join(dir, "x.xml")}} {
		if status, _, stderr := call(nil, append([]string{"convert"}, args...)...); status != statusUsage || !strings.Contains(stderr, "-object") {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("something was written")
	}
}
