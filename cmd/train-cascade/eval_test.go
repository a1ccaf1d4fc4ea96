package main

import (
	"fmt"
	"image"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/cascade/pico/picotest"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/eval"
	"haarlem/internal/must"
	"haarlem/internal/samples"
)

const (
	groupTruth = "../../samples/group.csv"
	room       = "../../samples/room.png"
)

func TestEval(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	args := []string{
		"eval", "-model", "face-fast", "-model", "again=face-fast", "-detections", "others=../detect/testdata/group.jsonl",
		"-truth", groupTruth, "-bg", room,
	}
	out := quietly(t, append(args, "-json", in("r.json"), "-plot", in("roc.png"), "-plot", in("roc.svg"), "-misses", in("misses"), "-at", "0")...)
	clitest.Contains(t, out, "Matched by centre: ", "11 objects (0 more ignored) in 2 photographs (1 of them without any), 0.8 megapixels", "  again\n", "  others\n")
	r, data := inFile[eval.Report](t, in("r.json")), contents(t, in("r.json"))
	// The drawn faces are easy for the model, and the other program finds all
	// of them.
	for _, l := range r.Lines {
		if l.Rates[0].Found < 10 {
			t.Errorf("%s finds %d of 11 without a false positive", l.Name, l.Rates[0].Found)
		}
	}
	for _, name := range []string{"roc.png", "roc.svg", "misses/face-fast-errors.csv"} {
		if info, err := os.Stat(in(name)); err != nil || info.Size() < 30 {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The number of workers has no effect.
	if again := works(t, append(args, "-workers", "1")...); again != out {
		t.Errorf("another report:\n%s", again)
	}
	// -output json prints the report of -json.
	if out = works(t, append(args, "-output", "json")...); out != data {
		t.Errorf("-output json and -json differ:\n%s", out)
	}
}

// Detections of other programs count by -sweep.
func TestEvalFlags(t *testing.T) {
	base := []string{"eval", "-model", "face-fast", "-truth", groupTruth}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"-match", "overlap", "-threshold", "0.6"}, "Matched by overlap: intersection over union of at least 0.6"},
		{[]string{"-sweep", "neighbours"}, "  neighbours  "},
		{[]string{"-ignore-below", "60"}, "7 objects (4 more ignored)"},
	} {
		clitest.Contains(t, works(t, append(base, c.args...)...), c.want)
	}
	// Objects too small for a model are noted.
	const small = `model=face-fast smallest=16 "with -enlarge"=1.4 then=12`
	for args, warned := range map[string]bool{"-min-size 12": true, "-min-size 24": false, "-min-size 12 -enlarge 2": false} {
		if status, _, errs := call(append(base, strings.Fields(args)...)...); status != 0 || strings.Contains(errs, small) != warned || !warned && errs != "" {
			t.Errorf("%s: status %d, %q", args, status, errs)
		}
	}
}

func TestEvalErrors(t *testing.T) {
	dir := t.TempDir()
	few := filepath.Join(dir, "few.jsonl")
	must.Do(os.WriteFile(few, []byte(`{"file":"room.png","faces":[]}`), 0o600))
	refuses(t, "eval", []mistake{
		{2, "nothing to measure: name a model with -model, or a file with -detections", nil},
		{2, "nothing to measure on: name a file with -truth", []string{"-model", "face-fast"}},
		{2, `invalid value "iou" for flag -match: want centre or overlap`, []string{"-model", "face-fast", "-truth", groupTruth, "-match", "iou"}},
		{2, `no sweep is called "x", want auto, score or neighbours`, []string{"-model", "face-fast", "-truth", groupTruth, "-sweep", "x"}},
		{2, "model none: there is no such file, and the built-in models are face", []string{"-model", "none", "-truth", groupTruth}},
		{2, `invalid value "csv" for flag -output: want text or json`, []string{"-model", "face-fast", "-truth", groupTruth, "-output", "csv"}},
		{2, `-plot is "roc.gif", want a name that ends in .png or .svg`, []string{"-model", "face-fast", "-truth", groupTruth, "-plot", "roc.gif"}},
		{2, `-template: template "x": mark 1 is "x", want frontalface`, []string{"-model", "face-fast", "-truth", groupTruth, "-template", "x"}},
		{2, `-ignore is "pose", want COLUMN=VALUE`, []string{"-model", "face-fast", "-truth", groupTruth, "-ignore", "pose"}},
		{1, `objects are to be ignored by "pose", but none of them has such a column`, []string{"-model", "face-fast", "-truth", groupTruth, "-ignore", "pose=1"}},
		{1, "says nothing of ", []string{"-detections", few, "-truth", groupTruth}},
		{2, "Scale 0.5, want", []string{"-model", "face-fast", "-truth", groupTruth, "-scale", "0.5"}},
		{1, "none.csv", []string{"-model", "face-fast", "-truth", filepath.Join(dir, "none.csv")}},
	})
}

// With -template none all objects have boxes, for each command that reads a truth.
func TestTemplateNone(t *testing.T) {
	crosses(t)
	putFile(t, "marks.csv", "file,left_x,left_y,right_x,right_y\nphoto/0.png,20,20,40,21\n")
	for _, line := range []string{"mosaic -bg bg -min-size 16 -max-size 40 -smallest 100 -out m -overwrite", "divide -out d -overwrite", "eval -model face-fast"} {
		args := append(strings.Fields(line), "-template", "none", "-truth")
		works(t, append(args, "truth.csv")...)
		fails(t, statusFailed, "photo/0.png: object 1 has landmarks and no box: give -template", append(args, "marks.csv")...)
	}
}

func TestMosaic(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "m")
	args := []string{"mosaic", "-truth", groupTruth, "-bg", room, "-out", folder, "-min-size", "30", "-max-size", "60", "-faces", "6"}
	if out := quietly(t, args...); !strings.HasPrefix(out, "11 objects in ") {
		t.Fatalf("%q", out)
	}
	if size := decodePNG(t, filepath.Join(folder, "0001.png")).Bounds().Size(); size != image.Pt(800, 500) {
		t.Error(size)
	}
	truth := filepath.Join(folder, "truth.csv")
	first, err := os.ReadFile(truth)
	if err != nil || !strings.HasPrefix(string(first), "file,x,y,width,height,ignore,source\n0001.png,") {
		t.Errorf("%v:\n%s", err, first)
	}
	// eval reads what mosaic writes.
	clitest.Contains(t, works(t, "eval", "-model", "face-fast", "-truth", truth), "11 objects (")
	// Nothing is overwritten without -overwrite.
	fails(t, statusFailed, "truth.csv exists: name another folder, or add -overwrite", args...)
	works(t, append(args, "-overwrite", "-workers", "3")...)
	if again, _ := os.ReadFile(truth); string(again) != string(first) {
		t.Errorf("the same flags made another truth:\n%s", again)
	}
	// Backgrounds alone.
	degraded := filepath.Join(dir, "degraded")
	if out := quietly(t, "mosaic", "-bg", room, "-press", "-out", degraded); !strings.HasPrefix(out, "0 objects in 1 pictures: ") {
		t.Errorf("without objects: %q", out)
	}
	if truth, _ := os.ReadFile(filepath.Join(degraded, "truth.csv")); string(truth) != "file,x,y,width,height,ignore,source\n" {
		t.Errorf("the truth without objects is %q", truth)
	}
	if files, err := samples.ListPictures(degraded); err != nil || len(files) != 1 {
		t.Errorf("-bg would find %v (%v), want one picture", files, err)
	}
	refuses(t, "mosaic", []mistake{
		{2, "no objects given: name a file with -truth; or degrade the backgrounds alone, with -jitter or -press", nil},
		{2, "no backgrounds given: name a folder or a list with -bg", []string{"-truth", groupTruth}},
		{2, "no folder given for the pictures: name one with -out", []string{"-truth", groupTruth, "-bg", room}},
		{2, "-jitter: the jitter sets hat, which is for windows", []string{"-truth", groupTruth, "-bg", room, "-out", folder, "-jitter", "hat=1"}},
		{2, "no backgrounds given: name a folder or a list with -bg", []string{"-press"}},
	})
}

// A tolerance of size and place, by the names of opencv_performance.
func TestEvalTolerance(t *testing.T) {
	base := []string{"eval", "-model", "face-fast", "-truth", groupTruth}
	out := works(t, append(base, "-maxSizeDiff", "1.5", "-maxPosDiff", "0.3")...)
	if want := "Matched by centre: centres at most 0.3 of the object's size apart, size between 1/1.5 and 1.5 of the object's\n"; !strings.HasPrefix(out, want) {
		t.Errorf("%s", out)
	}
	for want, args := range map[string][]string{
		"-maxSizeDiff is for -match centre, not for -match overlap":                                              {"-maxSizeDiff", "2", "-match", "overlap"},
		"-maxSizeDiff is 1, want a factor of more than 1 and at most 100":                                        {"-maxSizeDiff", "1"},
		"-maxPosDiff is 0, want more than 0 and at most 1":                                                       {"-maxPosDiff", "0"},
		"-maxPosDiff and -threshold are the same: give one of them":                                              {"-maxPosDiff", "0.3", "-threshold", "0.3"},
		"-sweep neighbors is not for a cascade of pico, which facefinder is: its detections are ranked by score": {"-sweep", "neighbors", "-model", picotest.File(t)},
	} {
		ends(t, statusUsage, want, append(base, args...)...)
	}
}

// A cascade of pico is measured beside our own.
func TestEvalPico(t *testing.T) {
	clitest.Contains(t, quietly(t, "eval", "-model", "face-fast", "-model", "random="+picotest.File(t), "-truth", groupTruth, "-min-size", "60"), "  score  random\n", "lowest  random\n")
}

func TestEvalPrecision(t *testing.T) {
	args := []string{"eval", "-model", "face-fast", "-truth", groupTruth, "-recall-by", "size"}
	clitest.Contains(t, quietly(t, args...), "Average precision", "size=", "What the false positives are")
	fails(t, statusUsage, `of ["a" "b"] in`, append(args, "-subset", "some:level=a,b")...)
	r := decoded[eval.Report](t, append(args, "-output", "json")...)
	if r.Precision == nil || r.Precision.Lines[0].Subsets[0].Objects != 11 || r.Precision.Lines[0].Subsets[0].AveragePrecision[0] < 0.9 {
		t.Errorf("%+v, want all 11 objects, which are easy", r.Precision)
	}
	for _, bad := range [][]string{{"-subset", "easy"}, {"-recall-by", "mood"}, {"-subset", "easy:level=easy"}} {
		fails(t, statusUsage, "", append(args, bad...)...)
	}
}

// An evaluation that is made of shards prints the same bytes.
func TestEvalShards(t *testing.T) {
	dir := t.TempDir()
	base := []string{"eval", "-min-size", "40", "-model", "face-fast", "-model", "opencv=frontalface-opencv", "-truth", groupTruth, "-bg", room, "-output", "json"}
	with := func(args ...string) []string { return append(append([]string{}, base...), args...) }
	want := works(t, base...)
	fails(t, statusFailed, "not complete", with("-from", dir)...)
	for _, i := range []int{1, 0, 2, 1} {
		works(t, with("-shard", fmt.Sprintf("%d/3", i), "-out", dir)...)
	}
	if got := works(t, with("-from", dir)...); got != want {
		t.Errorf("report:\n%s\nwant:\n%s", got, want)
	}
	fails(t, statusFailed, "another job", with("-from", dir, "-min-size", "50")...)
	for _, args := range [][]string{{"-shard", "3/3", "-out", dir}, {"-shard", "1/3"}, {"-out", dir}, {"-shard", "0/3", "-out", dir, "-from", dir}, {"-shard", "0/3", "-out", dir, "-detections", "../detect/testdata/group.jsonl"}} {
		fails(t, statusUsage, "", with(args...)...)
	}
}
