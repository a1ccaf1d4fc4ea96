package main

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/filelock"
	"haarlem/internal/app/training"
	"haarlem/internal/app/watch"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/samples"
	"haarlem/internal/samples/augment"
)

// The tests train on crosses: a light one over any background.

// drawCross draws a cross into a box.
func drawCross(img *image.Gray, box image.Rectangle, rng *rand.Rand) {
	drawBar(img, box, true, rng)
	drawBar(img, box, false, rng)
}

// drawBar draws a light bar through the middle of a box.
func drawBar(img *image.Gray, box image.Rectangle, upright bool, rng *rand.Rand) {
	thick := max(2, box.Dx()/4)
	mid := box.Min.Add(box.Max).Div(2)
	bar := image.Rect(box.Min.X, mid.Y-thick/2, box.Max.X, mid.Y-thick/2+thick)
	if upright {
		bar = image.Rect(mid.X-thick/2, box.Min.Y, mid.X-thick/2+thick, box.Max.Y)
	}
	for y := bar.Min.Y; y < bar.Max.Y; y++ {
		for x := bar.Min.X; x < bar.Max.X; x++ {
			img.SetGray(x, y, color.Gray{uint8(170 + rng.IntN(80))})
		}
	}
}

// drawGround draws a picture without crosses: blocks, single bars, corners.
func drawGround(w, h int, rng *rand.Rand) *image.Gray {
	img := picturetest.Grey(w, h, func(int, int) uint8 { return uint8(60 + rng.IntN(60)) })
	for range w * h / 300 {
		side := 4 + rng.IntN(24)
		box := image.Rect(0, 0, side, side).Add(image.Pt(rng.IntN(w), rng.IntN(h)))
		switch rng.IntN(4) {
		case 0:
			drawBar(img, box, true, rng)
		case 1:
			drawBar(img, box, false, rng)
		default:
			picturetest.Fill(img, box, uint8(20+rng.IntN(100)))
		}
	}
	return img
}

const side = 16 // of the tests' windows

// crosses makes a working directory with data to train on:
//
//	bg/*.png, bg.txt       pictures without
//	truth.csv, photo/*     pictures with two crosses each, and where
//	pos.vec                windows of these
func crosses(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	if crossesDrawn == nil { // no two tests are here at a time: they change the working directory
		drawCrosses(t)
		crossesDrawn, cropsDrawn = fstest.MapFS{}, fstest.MapFS{}
		must.Do(fs.WalkDir(os.DirFS("."), ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				into := crossesDrawn
				if strings.HasPrefix(name, "pos/") {
					into = cropsDrawn
				}
				into[name] = &fstest.MapFile{Data: []byte(contents(t, name)), Mode: 0o666}
			}
			return err
		}))
		must.Do(os.RemoveAll("pos"))
		return
	}
	must.Do(os.CopyFS(".", crossesDrawn))
}

// crops adds pos/*.png, windows with a cross: so many files that writing them takes a while.
func crops(t *testing.T) {
	t.Helper()
	must.Do(os.CopyFS(".", cropsDrawn))
}

// crossesDrawn and cropsDrawn have the files of crosses and crops, once they are drawn.
var crossesDrawn, cropsDrawn fstest.MapFS

func drawCrosses(t *testing.T) {
	t.Helper()
	rng := rand.New(rand.NewPCG(1, 2))
	for _, dir := range []string{"pos", "bg", "photo"} {
		must.Do(os.Mkdir(dir, 0o777))
	}
	for i := range 200 {
		img := drawGround(side, side, rng)
		drawCross(img, img.Rect.Inset(1), rng)
		save(t, fmt.Sprintf("pos/%02d.png", i), img)
	}
	list := ""
	for i := range 6 {
		save(t, fmt.Sprintf("bg/%d.png", i), drawGround(320, 240, rng))
		list += fmt.Sprintf("bg/%d.png\n", i)
	}
	putFile(t, "bg.txt", list)
	truth := "file,x,y,width,height,kind\n"
	for i := range 50 {
		img := drawGround(90, 70, rng)
		for k, kind := range []string{"thick", "thin"} {
			box := image.Rect(0, 0, 20, 20).Add(image.Pt(5+40*k+rng.IntN(15), 5+rng.IntN(40)))
			drawCross(img, box.Inset(1), rng)
			truth += fmt.Sprintf("photo/%d.png,%d,%d,20,20,%s\n", i, box.Min.X, box.Min.Y, kind)
		}
		save(t, fmt.Sprintf("photo/%d.png", i), img)
	}
	putFile(t, "truth.csv", truth)

	photos := must.Get(samples.ReadTruth("truth.csv", samples.CSV))
	windows := must.Get(augment.Make(t.Context(), photos, &augment.MakeOptions{Width: side, Height: side, Variants: 2, Effects: augment.Effects{Shift: 0.03, Scale: 0.06, Zoom: 2}}))
	must.Do(samples.WriteVec("pos.vec", augment.Greys(windows)))
}

// save writes a PNG, which takes no time to compress and to read.
func save(t *testing.T, path string, img image.Image) {
	t.Helper()
	f := must.Get(os.Create(path))
	must.Do((&png.Encoder{CompressionLevel: png.NoCompression}).Encode(f, img))
	must.Do(f.Close())
}

func putFile(t *testing.T, path, content string) {
	t.Helper()
	must.Do(os.WriteFile(path, []byte(content), 0o666))
}

func contents(t *testing.T, path string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(path)))
}

// inFile is what a file of JSON says.
func inFile[T any](t *testing.T, path string) (v T) {
	t.Helper()
	must.Do(json.Unmarshal([]byte(contents(t, path)), &v))
	return v
}

// small are flags for a very short training.
func small(more ...string) []string {
	return append([]string{"train", "-w", "16", "-h", "16", "-numStages", "2", "-numNeg", "200", "-features", "200", "-maxFalseAlarmRate", "0.02"}, more...)
}

// trained runs a training that must succeed.
func trained(t *testing.T, args ...string) (stdout, stderr string) {
	t.Helper()
	status, stdout, stderr := call(args...)
	if status != statusOK {
		t.Fatalf("%q: status %d, stderr:\n%s", args, status, stderr)
	}
	return stdout, stderr
}

// finds returns how many crosses of a picture a cascade finds, and the number
// of false positives.
func finds(t *testing.T, path string) (found, others int) {
	t.Helper()
	c := must.Get(cascade.Open(path))
	d := must.Get(detector.New(&detector.Options{MinNeighbors: 1}, c))
	rng := rand.New(rand.NewPCG(8, 9))
	img := drawGround(300, 200, rng)
	boxes := []image.Rectangle{image.Rect(20, 30, 46, 56), image.Rect(100, 100, 120, 120), image.Rect(200, 50, 236, 86)}
	for _, b := range boxes {
		drawCross(img, b, rng)
	}
	all := must.Get(d.Detect(context.Background(), img))
	seen := map[image.Rectangle]bool{}
	for _, one := range all {
		i := slices.IndexFunc(boxes, func(b image.Rectangle) bool {
			in := b.Intersect(one.Box)
			return 2*in.Dx()*in.Dy() > b.Dx()*b.Dy() && one.Box.Dx() < 2*b.Dx()
		})
		if i < 0 {
			others++
		} else {
			seen[boxes[i]] = true
		}
	}
	return len(seen), others
}

func TestTrain(t *testing.T) {
	crosses(t)
	out, errs := trained(t, small("-data", "out", "-truth", "truth.csv", "-template", "none", "-variants", "4", "-jitter", "shift=0.03,scale=0.06,zoom=2", "-bg", "bg", "-features", "500", "-numNeg", "300", "-numStages", "3", "-name", "cross", "-data-name", "crosses: free")...)
	if want := "out/cross.cascade: "; !strings.HasPrefix(filepath.ToSlash(out), want) || !strings.HasSuffix(out, "; all stages are made\n") {
		t.Errorf("stdout %q", out)
	}
	clitest.Contains(t, errs, "50 photographs, 50 kept; 100 objects to learn, 100 kept", "6 backgrounds, 6 kept", "level=INFO msg=begin positives=400", "msg=mined step=1", "msg=step step=2")
	for _, name := range []string{"out/cross.cascade", "out/cross.xml"} {
		if found, others := finds(t, name); found < 2 || others > 6 {
			t.Errorf("%s finds %d of 3 crosses and %d other places", name, found, others)
		}
	}
	c := must.Get(cascade.Open("out/cross.cascade"))
	p := c.Provenance
	if want := "train-cascade train -bg bg -data-name 'crosses: free' -features 500 -height 16 -jitter shift=0.03,scale=0.06,zoom=2 -maxFalseAlarmRate 0.02 -name cross -numNeg 300 -numStages 3 -seed 1 -template none -truth truth.csv -variants 4 -w 16"; p.Command != want {
		t.Errorf("command %q,\nwant    %q", p.Command, want)
	}
	if !strings.HasPrefix(p.Program, "haarlem train-cascade ") || p.Seed != 1 || !slices.Equal(p.Data, []string{"crosses: free"}) || c.Name != "cross" {
		t.Errorf("provenance %+v of %q", p, c.Name)
	}

	with := inFile[training.Settings](t, "out/settings.json")
	if with.Command != p.Command+" -data out" || with.Data.Positives.Count != 400 || with.Data.Backgrounds.Count != 6 || len(with.Data.Backgrounds.SHA256) != 64 || with.Settings["booster"] != "GAB" {
		t.Errorf("settings.json: %+v", with)
	}
	to := inFile[training.Result](t, "out/result.json")
	if len(to.Steps) != 3 || to.Weak != len(c.Weak) || to.Reason != "all stages are made" || to.Steps[1].FalsePositiveRate > 0.02 || to.Steps[0].Validation != nil {
		t.Errorf("result.json: %+v", to)
	}
	for i, line := range strings.Split(strings.TrimSpace(contents(t, "out/log.jsonl")), "\n") {
		if !json.Valid([]byte(line)) {
			t.Errorf("log.jsonl, line %d: %q", i+1, line)
		}
	}
	// The mean and 80 windows in five rows of 20, each pixel 4 by 4, and a line
	// around each.
	if b := decodePNG(t, "out/positives.png").Bounds(); b.Dx() != 20*(4*side+2)+2 && b.Dx() < 20*4*side || b.Dy() < 5*4*side {
		t.Errorf("positives.png has %v", b)
	}
	decodePNG(t, "out/hardest-negatives.png")
	if page := contents(t, "out/report.html"); !strings.Contains(page, with.Data.Backgrounds.SHA256) || !strings.Contains(page, "cross") {
		t.Errorf("report.html has %d bytes and no fingerprint of the backgrounds", len(page))
	}
	if left, _ := filepath.Glob("out/.*"); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// A command line of opencv_traincascade, with every flag that it had, runs
// without the name of the subcommand, and equals one of our own flags.
func TestTrainAsOpenCV(t *testing.T) {
	crosses(t)
	old := strings.Fields("-data out -vec pos.vec -bg bg.txt -numPos 120 -numNeg 200 -numStages 3 -precalcValBufSize 1024 -precalcIdxBufSize 1024 -baseFormatSave " +
		"-numThreads 3 -acceptanceRatioBreakValue -1 -stageType BOOST -featureType HAAR -w 16 -h 16 -bt GAB -minHitRate 0.99 -maxFalseAlarmRate 0.02 -weightTrimRate 0.95 " +
		"-maxDepth 1 -maxWeakCount 50 -mode BASIC")
	_, errs := trained(t, old...)
	clitest.Contains(t, errs,
		"train-cascade: flags of OpenCV: without meaning here: -precalcValBufSize (nothing is sorted beforehand; -memory bounds all that is used), -precalcIdxBufSize (likewise), -baseFormatSave (",
		"200 windows of pos.vec, 200 kept",
	)
	if found, others := finds(t, "out/cascade.xml"); found < 2 || others > 6 {
		t.Errorf("it finds %d of 3 crosses and %d other places", found, others)
	}
	now := strings.Fields("train --data again --vec=pos.vec --bg bg.txt --numPos 120 --numNeg 200 --numStages 3 --workers 1 --width 16 --height=16 --minHitRate 0.99 --maxFalseAlarmRate 0.02 --maxWeakCount 50")
	trained(t, now...)
	if contents(t, "out/cascade.xml") != contents(t, "again/cascade.xml") {
		t.Error("the same training with the flags of today makes another cascade")
	}
}

// Neither the folder nor the number of workers affects the bytes, and the
// recorded command repeats the training.
func TestTrainRepeats(t *testing.T) {
	crosses(t)
	trained(t, small("-data", "a", "-truth", "truth.csv", "-variants", "2", "-jitter", "shift=0.02,noise=5", "-jitter", "press", "-mirror",
		"-bg", "bg", "-use-rest", "-validation", "0.2", "-weak", "tree", "-bt", "RAB", "-seed", "7", "-workers", "1", "-template", "none")...)
	with := inFile[training.Settings](t, "a/settings.json")
	if v := with.Data; v.Positives.Count+v.Validation.Count != 50*2*2*2 || v.Validation.Count%8 != 0 || v.Validation.Count == 0 || v.Backgrounds.Count != 56 {
		t.Errorf("%+v", v)
	}
	words := strings.Fields(with.Command)[1:]
	if strings.Contains(with.Command, "'") || words[len(words)-1] != "a" {
		t.Fatalf("command %q", with.Command)
	}
	words[len(words)-1] = "b"
	trained(t, append(words, "-workers", "5")...)
	for _, name := range []string{"cascade.cascade", "positives.png", "hardest-negatives.png", "cascade.xml"} {
		if contents(t, "a/"+name) != contents(t, "b/"+name) {
			t.Errorf("%s differs", name)
		}
	}
}

func TestTrainSoft(t *testing.T) {
	crosses(t)
	putFile(t, "out.note", "")
	_, errs := trained(t, "-data", "out", "-truth", "truth.csv", "-where", "kind=thick,thin", "-variants", "2", "-jitter", "default", "-validation", "0.3", "-bg", "bg",
		"-w", "16", "-h", "16", "-shape", "soft", "-weak", "histogram", "-bins", "8", "-bt", "RAB", "-mode", "CORE", "-rounds", "20", "-numNeg", "300",
		"-features", "400", "-share", "0.5", "-loss", "0.05", "-deviation", "3", "-prefilter-from", "1.75", "-object", "cross,crosses", "-time", "5m", "-memory", "1GiB")
	clitest.Contains(t, errs, "train-cascade: no cascade.xml: OpenCV's format cannot express this: ")
	if _, err := os.Stat("out/cascade.xml"); err == nil {
		t.Error("there is an XML file")
	}
	c := must.Get(cascade.Open("out/cascade.cascade"))
	if len(c.Weak) != 20 || len(c.Exits) != 20 || !c.Weak[0].Histogram() || len(c.Weak[0].Leaves) != 8 || c.MinStdDev != 3 || c.Search.PrefilterFrom != 1.75 {
		t.Errorf("%d weak learners, %d exits, MinStdDev %v, halve %v", len(c.Weak), len(c.Exits), c.MinStdDev, c.Search.PrefilterFrom)
	}
	if want := (cascade.Object{Singular: "cross", Plural: "crosses"}); c.Object != want {
		t.Errorf("object %v, want %v", c.Object, want)
	}
	if found, _ := finds(t, "out/cascade.cascade"); found < 2 {
		t.Errorf("it finds %d of 3 crosses", found)
	}
}

func TestTrainFolder(t *testing.T) {
	crosses(t)
	fails := func(want string, args ...string) {
		t.Helper()
		says(t, statusFailed, "train-cascade: "+filepath.FromSlash(want)+"\n", args...)
	}
	flags := small("-data", "out", "-vec", "pos.vec", "-bg", "bg")
	trained(t, flags...)
	first := contents(t, "out/cascade.cascade")
	other := append(slices.Clone(flags), "-seed", "3")
	fails("-data: out holds a finished training: name another folder, or train anew over it with -overwrite", other...)
	if contents(t, "out/cascade.cascade") != first {
		t.Error("a finished cascade was overwritten")
	}
	fails("-resume: "+filepath.FromSlash("out/state")+": train: the saved state does not fit: it belongs to other data or settings: "+
		"give the flags and the data of the training that is there (settings.json), or begin anew with -overwrite", append(other, "-resume")...)
	trained(t, append(other, "-overwrite")...)
	second := contents(t, "out/cascade.cascade")
	if second == first {
		t.Error("-overwrite did not train anew")
	}

	// As if it had been killed before it could write the results.
	for _, name := range []string{"result.json", "cascade.cascade", "cascade.xml"} {
		must.Do(os.Remove("out/" + name))
	}
	putFile(t, "out/.state.123.part", "half of")
	fails("-data: out holds an unfinished training: continue it with -resume, or train anew over it with -overwrite", other...)
	trained(t, append(other, "-resume")...)
	if contents(t, "out/cascade.cascade") != second {
		t.Error("-resume at the end comes to another cascade")
	}
	if _, err := os.Stat("out/.state.123.part"); err == nil {
		t.Error("half a file of a killed run is still there")
	}

	// Other files in the folder.
	must.Do(os.Mkdir("mine", 0o777))
	putFile(t, "mine/cascade.xml", "precious")
	flags[slices.Index(flags, "out")] = "mine"
	for _, resume := range []string{"-mirror", "-resume"} {
		fails("-data: mine holds cascade.xml already: name another folder, or write over it with -overwrite", append(flags, resume)...)
	}

	// A second trainer in one folder.
	held := must.Get(filelock.Take(filepath.Join("out", "lock")))
	fails(fmt.Sprintf("-data: out: another train-cascade (process %d) uses this folder: wait for it, or name another folder", os.Getpid()), append(other, "-overwrite")...)
	must.Do(held.Release())
	if contents(t, "out/cascade.cascade") != second {
		t.Error("the second trainer changed something")
	}

	// A folder that cannot be made.
	putFile(t, "file", "")
	says(t, statusFailed, "train-cascade: -data: the folder cannot be made: ", small("-data", "file/out", "-vec", "pos.vec", "-bg", "bg")...)
}

// The sheet that samples draws with the flags of train shows the windows of
// train, byte for byte.
func TestSamplesShowTraining(t *testing.T) {
	crosses(t)
	crops(t)
	for i, flags := range []string{
		"-variants 3 -jitter default -mirror",
		"-variants 3 -jitter default -jitter press -seed 7 -where kind=thick,none -margin 0.1 -min-size 3 -flip kind=thick",
		"-variants 2 -jitter none",
	} {
		where := append(strings.Fields("-truth truth.csv -info info.dat -template none -w 16 -h 16"), strings.Fields(flags)...)
		putFile(t, "info.dat", "photo/3.png 1 5 5 20 20\n")
		sheet, out := fmt.Sprintf("%d.png", i), fmt.Sprintf("out%d", i)
		trained(t, append(append([]string{"samples"}, where...), "-sheet", sheet, "pos")...)
		trained(t, append(append([]string{"train", "-data", out, "-pos", "pos", "-bg", "bg", "-numStages", "1", "-features", "100", "-numNeg", "100"}, where...), "-workers", "3")...)
		if contents(t, sheet) != contents(t, out+"/positives.png") {
			t.Errorf("%s: the sheet of samples does not show what is learned", flags)
		}
	}
}

// A start that fails leaves nothing: neither the folders that it made nor their
// content. Older files stay.
func TestTrainFailedStart(t *testing.T) {
	crosses(t)
	must.Do(os.Mkdir("there", 0o777))
	putFile(t, "there/precious", "")
	before := must.Get(os.ReadDir("."))
	for _, args := range [][]string{
		small("-data", "new/deep/out", "-vec", "none.vec", "-bg", "bg"),
		small("-data", "new/deep/out", "-truth", "truth.csv", "-where", "kind=none", "-bg", "bg", "-resume"),
		small("-data", "there", "-vec", "pos.vec", "-bg", "bg/none.png", "-overwrite"),
		small("-data", "there/out", "-vec", "pos.vec", "-bg", "bg", "-val-truth", "none.csv"),
		append(small("-data", "there", "-vec", "pos.vec", "-bg", "bg"), "-time", "1ns"),
		{"samples", "-truth", "none.csv", "-out", "new/deep/windows"},
		{"samples", "-truth", "truth.csv", "-where", "kind=none", "-out", "new/deep/windows"},
	} {
		if out := says(t, statusFailed, "", args...); out != "" {
			t.Errorf("%q: stdout %q", args, out)
		}
		if after, err := os.ReadDir("."); err != nil || len(after) != len(before) {
			t.Errorf("%q: left behind: %v (%v)", args, after, err)
		}
		if after, err := os.ReadDir("there"); err != nil || len(after) != 1 {
			t.Errorf("%q: left behind: %v (%v)", args, after, err)
		}
	}
	// Nothing of an existing training is lost.
	flags := small("-data", "there", "-vec", "pos.vec", "-bg", "bg")
	trained(t, flags...)
	log := contents(t, "there/log.jsonl")
	says(t, statusFailed, "", append(flags, "-resume", "-seed", "9")...)
	if got := contents(t, "there/log.jsonl"); !strings.HasPrefix(got, log) {
		t.Error("the log of a training was lost by a start that failed")
	}
	trained(t, append(flags, "-resume")...)
}

// A training may be resumed with another memory and another time, which is that
// of all runs.
func TestTrainResumeMemoryAndTime(t *testing.T) {
	crosses(t)
	args := small("-vec", "pos.vec", "-bg", "bg", "-numStages", "3", "-maxFalseAlarmRate", "0.3")
	with := func(more ...string) []string { return append(slices.Clone(args), more...) }
	trained(t, with("-data", "whole", "-memory", "1GiB")...)
	// Interrupted anywhere.
	status, _, errs := call(with("-data", "cut", "-memory", "1GiB", "-time", "200ms", "-checkpoint", "1ns")...)
	if want := "no cascade: the training ended before the first weak classifier: the time is up\n"; status != 0 && !strings.HasSuffix(errs, want) {
		t.Fatalf("status %d, stderr:\n%s", status, errs)
	}
	for _, memory := range []string{"512MiB", "2GiB", "1GiB"} {
		out, _ := trained(t, with("-data", "cut", "-resume", "-memory", memory)...)
		if memory == "512MiB" && status == 0 && !strings.Contains(out, " (with earlier runs ") {
			t.Errorf("stdout %q, want the time of both runs", out)
		}
		// The recorded command is that of an uninterrupted training.
		if contents(t, "cut/cascade.xml") != contents(t, "whole/cascade.xml") {
			t.Errorf("resumed with -memory %s: another cascade", memory)
		}
	}
	c := must.Get(cascade.Open("cut/cascade.cascade"))
	clitest.Contains(t, c.Provenance.Command, " -memory 1GiB ")
}

// Windows with too little contrast for -deviation are counted, with a warning
// if they are many.
func TestTrainLowContrast(t *testing.T) {
	crosses(t)
	args := small("-data", "out", "-truth", "truth.csv", "-template", "none", "-variants", "2", "-bg", "bg", "-numStages", "1")
	out, errs := trained(t, append(args, "-jitter", "shift=0.02")...)
	if strings.Contains(out+errs, "contrast") {
		t.Errorf("a warning without a reason: %s%s", out, errs)
	}
	out, errs = trained(t, append(args, "-overwrite", "-jitter", "faint=1", "-validation", "0.2")...)
	to := inFile[training.Result](t, "out/result.json")
	if to.LowContrast < 20 || to.ValidationLowContrast < 2 {
		t.Fatalf("result.json: %+v", to)
	}
	want := fmt.Sprintf("%d of ", to.LowContrast)
	if !strings.Contains(out, "; "+want) || !strings.HasSuffix(out, " positives had too little contrast\n") {
		t.Errorf("stdout %q does not warn of %d windows", out, to.LowContrast)
	}
	for _, text := range []string{errs, contents(t, "out/report.html")} {
		clitest.Contains(t, text, want, "less contrast than -deviation 10 asks for: the cascade rejects them, whatever it learns; a smaller -deviation lets them pass (but OpenCV")
	}
	clitest.Contains(t, contents(t, "out/log.jsonl"), fmt.Sprintf(`"msg":"contrast","low":%d,"lowValidation":%d}`, to.LowContrast, to.ValidationLowContrast))
}

// -data and -resume alone continue a training by its own flags.
func TestTrainResumeAlone(t *testing.T) {
	crosses(t)
	trained(t, small("-data", "r", "-vec", "pos.vec", "-bg", "bg", "-object", "number plate,number plates")...)
	want := contents(t, "r/cascade.cascade")
	for _, gone := range []string{"r/cascade.cascade", "r/result.json"} {
		must.Do(os.Remove(gone))
	}
	trained(t, "train", "-data", "r", "-resume")
	if c, err := cascade.Open("r/cascade.cascade"); err != nil || c.Object.Plural != "number-plates" {
		t.Errorf("%v: object %v", err, c.Object)
	}
	if contents(t, "r/cascade.cascade") != want {
		t.Error("another cascade")
	}
	fails(t, statusUsage, "-resume: none holds no training: give the flags that begin one", "train", "-data", "none", "-resume")
}

// Invalid calls: status 2, and nothing is written.
func TestTrainWrongCalls(t *testing.T) {
	crosses(t)
	crops(t)
	for line, want := range map[string]string{
		"-vec pos.vec -bg bg":                                              "no folder for the cascade: give -data FOLDER",
		"-data o -bg bg":                                                   "no positives: give -truth FILE, -info FILE, -pos FOLDER or -vec FILE",
		"-data o -vec pos.vec":                                             "no negatives: give -bg with pictures that do not show the object, or -bg-truth or -use-rest, which use photographs outside their boxes",
		"-data o -vec pos.vec -use-rest":                                   "-use-rest is for the photographs of -truth and -info, and there are none",
		"-data o -vec pos.vec -bg bg -name a/b":                            `-name is "a/b", want a name for files: letters, digits, and - _ . within`,
		"-data o -vec pos.vec -bg bg -numStages 0":                         "-numStages is 0, want 1 to 10000",
		"-data o -vec pos.vec -bg bg -numPos 0":                            "-numPos is 0, want 1 or more",
		"-data o -vec pos.vec -bg bg -numNeg -3":                           "-numNeg is -3, want 2 or more",
		"-data o -vec pos.vec -bg bg -turn-bg 9":                           "-turn-bg is 9, want 1 to 8",
		"-data o -vec pos.vec -bg bg -h 2":                                 "-h is 2, want 3 to 256",
		"-data o -vec pos.vec -bg bg -maxWeakCount 0":                      "-maxWeakCount is 0, want 1 to 100000",
		"-data o -vec pos.vec -bg bg -maxDepth 9":                          "-maxDepth is 9, want 1 to 8",
		"-data o -vec pos.vec -bg bg -minHitRate 0":                        "-minHitRate is 0, want more than 0 and at most 1",
		"-data o -vec pos.vec -bg bg -minHitRate 1.01":                     "-minHitRate is 1.01, want more than 0 and at most 1",
		"-data o -vec pos.vec -bg bg -maxFalseAlarmRate 0":                 "-maxFalseAlarmRate is 0, want more than 0 and less than 1",
		"-data o -vec pos.vec -bg bg -maxFalseAlarmRate 1":                 "-maxFalseAlarmRate is 1, want more than 0 and less than 1",
		"-data o -vec pos.vec -bg bg -maxFalseAlarmRate NaN":               "-maxFalseAlarmRate is NaN, want more than 0 and less than 1",
		"-data o -vec pos.vec -bg bg -weightTrimRate 2":                    "-weightTrimRate is 2, want 0 to 1",
		"-data o -vec pos.vec -bg bg -acceptanceRatioBreakValue 1":         "-acceptanceRatioBreakValue is 1, want -1, or a share less than 1",
		"-data o -vec pos.vec -bg bg -shape soft -loss 0":                  "-loss is 0, want more than 0 and less than 1",
		"-data o -vec pos.vec -bg bg -shape soft -numStages 3":             "-numStages is for stages, which -shape soft has not: use -rounds and -loss",
		"-data o -vec pos.vec -bg bg -rounds 30":                           "-rounds is for -shape soft: staged cascades have -numStages, -minHitRate and -maxFalseAlarmRate",
		"-data o -vec pos.vec -bg bg -shape round":                         `invalid value "round" for flag -shape: want staged, chain or soft (train-cascade train -help lists the flags)`,
		"-data o -vec pos.vec -bg bg -featureType HOG":                     "-featureType HOG is not trained, and OpenCV's cascades have not read it since OpenCV 3: use HAAR or LBP",
		"-data o -vec pos.vec -bg bg -featureType SIFT":                    `-featureType is "SIFT", want HAAR or LBP`,
		"-data o -vec pos.vec -bg bg -featureType LBP -mode ALL":           "-mode is for -featureType HAAR",
		"-data o -vec pos.vec -bg bg -mode FULL":                           `invalid value "FULL" for flag -mode: want BASIC, CORE or ALL (train-cascade train -help lists the flags)`,
		"-data o -vec pos.vec -bg bg -stageType TREE":                      `-stageType is "TREE", want BOOST, which is all that there is`,
		"-data o -vec pos.vec -bg bg -bt SVM":                              `invalid value "SVM" for flag -bt: want GAB, DAB, RAB, LB, ADR or FLOAT (train-cascade train -help lists the flags)`,
		"-data o -vec pos.vec -bg bg -weak net":                            `-weak is "net", want stump, tree or histogram`,
		"-data o -vec pos.vec -bg bg -weak stump -maxDepth 3":              "-weak stump has -maxDepth 1, not 3: use -weak tree",
		"-data o -vec pos.vec -bg bg -weak histogram -maxDepth 2":          "-weak histogram has no -maxDepth: use -weak tree",
		"-data o -vec pos.vec -bg bg -bins 8":                              "-bins is for -weak histogram",
		"-data o -vec pos.vec -bg bg -bins 9":                              "-bins is 9, want 8 or 16",
		"-data o -vec pos.vec -bg bg -weak histogram -bt DAB":              "train: bad settings: DAB needs outputs of -1 and +1, which histograms do not give: use RAB or GAB",
		"-data o -vec pos.vec -bg bg -memory much":                         `-memory: "much" is no amount of memory, want one such as 4GiB or 800MB`,
		"-data o -vec pos.vec -bg bg -memory 1KB":                          "-memory: 1KB is too little, want at least 64MiB",
		"-data o -pos pos -bg bg -margin 0.1":                              "-margin is for objects in labelled photographs, and there are none: give -truth or -info",
		"-data o -vec pos.vec -bg bg -time -5s":                            "-time is -5s, want a time such as 20m",
		"-data o -vec pos.vec -bg bg -object /":                            "-object: want a name such as face, or two such as bus,buses",
		"-data o -vec pos.vec -bg bg -shape soft -prefilter-from 1":        "-prefilter-from is 1, want more than 1",
		"-data o -vec pos.vec -bg bg -prefilter-from 2":                    "train: bad settings: a staged cascade is for OpenCV, which does not halve pictures",
		"-data o -vec pos.vec -bg bg -deviation 0":                         "-deviation is 0, want more than 0 and less than 127.5",
		"-data o -truth truth.csv -bg bg -where kind":                      `-where is "kind", want COLUMN=VALUE or COLUMN=VALUE,VALUE...`,
		"-data o -truth truth.csv -bg bg -variants 3":                      "-variants is 3, and without -jitter all would be the same: give one, such as -jitter default",
		"-data o -truth truth.csv -bg bg -jitter press":                    "-jitter changes all variants but the first, and -variants is 1: give more of them, or all=1 in -jitter",
		"-data o -truth truth.csv -bg bg -jitter press -jitter none":       "-jitter is given 2 times, and -variants is 1: want one variant for each at least",
		"-data o -vec pos.vec -bg bg -validation 0.1 -val-truth truth.csv": "-validation holds out part of the data, and -val-truth names other data: give one of them",
		"-data o -vec pos.vec -bg bg -stop-early":                          "-stop-early holds out the share -validation of the backgrounds: give -validation too",
		"-data o -pos p -bg bg -validation .1 -stop-early -val-bg bg":      "-stop-early holds out part of the backgrounds, and -val-bg names other ones: give one of them",
		"-data o -vec pos.vec -bg bg -overwrite -resume":                   "-overwrite trains anew and -resume continues: give one of them",
	} {
		fails(t, statusUsage, want+"\n", strings.Fields("train "+line)...)
	}
	if entries, _ := os.ReadDir("o"); len(entries) > 1 {
		t.Errorf("wrong calls left %v", entries)
	}
}

// Invalid data: status 1, an exact message, and no model.
func TestTrainBadData(t *testing.T) {
	crosses(t)
	whole := contents(t, "pos.vec")
	putFile(t, "cut.vec", whole[:len(whole)/2])
	putFile(t, "nan.csv", "file,x,y,width,height\nphoto/1.png,NaN,2,20,20\n")
	putFile(t, "missing.txt", "bg/1.png\n"+strings.Join(strings.Fields("a b c d e f g h i j k l m"), ".png\n")+".png\n")
	for name, size := range map[string]int{"tiny": 9, "one": 1, "gone": 40} {
		must.Do(os.Mkdir(name, 0o777))
		save(t, name+"/picture.png", drawGround(size, size, rand.New(rand.NewPCG(1, 1))))
	}
	putFile(t, "gone/picture.png", "no picture")
	tests := []struct{ flags, want string }{
		{"-truth truth.csv -where kind=round -bg bg",
			"no positives: 50 photographs with 100 objects were read, and the checks, -where kind=round and what is to be ignored leave none of them"},
		{"-pos one -bg bg", "no positives: 1 photograph with 1 object were read, and the checks, and what is to be ignored leave none of them"},
		{"-vec pos.vec -bg tiny", "no backgrounds: the checks leave none of 1 picture"},
		{"-vec pos.vec -bg gone", "no backgrounds: the checks leave none of 1 picture"},
		{"-vec pos.vec -bg bg -w 20", "-vec: pos.vec: windows of 256 pixels (perhaps 16x16), want 20x16, which are 320"},
		{"-vec cut.vec -bg bg", "-vec: cut.vec: cut off: the header says 200 windows of 16x16, the file has 99"},
		{"-vec absent.vec -bg bg", "-vec: absent.vec: no such file or directory"},
		{"-truth nan.csv -bg bg", "-truth: nan.csv:2: column \"x\": \"NaN\", want a number"},
		{"-vec pos.vec -bg missing.txt", "-bg: missing.txt: 13 of 14 pictures do not exist (looked beside this file, and in the working directory):\n" +
			"  a.png\n  b.png\n  c.png\n  d.png\n  e.png\n  f.png\n  g.png\n  h.png\n  i.png\n  j.png\n  and 3 more"},
		{"-truth truth.csv -validation 0.5 -bg bg -val-bg bg.txt", "no backgrounds: the checks leave none of 6 pictures"},
		{"-truth truth.csv -validation 0.5 -bg bg -val-bg gone", "no validation backgrounds: the checks leave none of 1 picture"},
		{"-truth truth.csv -validation 0.5 -bg bg -val-bg absent", "-val-bg: absent: no such file or directory"},
		{"-truth truth.csv -validation 0.01 -seed 4 -stop-early -bg bg", "-stop-early: -validation 0.01 holds out 0 of 6 backgrounds: want some on both sides"},
		{"-truth truth.csv -val-truth truth.csv -bg bg", "-val-truth: photo/0.png is in -truth too: validation wants other photographs"},
	}
	for i, test := range tests {
		dir := fmt.Sprintf("o%d", i)
		status, out, errs := call(small(append(strings.Fields(test.flags), "-data", dir)...)...)
		if status != 1 || out != "" || !strings.HasSuffix(filepath.ToSlash(errs), "train-cascade: "+test.want+"\n") {
			t.Errorf("%s: status %d, stdout %q, stderr\n%s\nwant\n%s", test.flags, status, out, errs, test.want)
		}
		if made, _ := filepath.Glob(dir + "/*.cascade"); len(made) > 0 {
			t.Errorf("%s: %v", test.flags, made)
		}
	}
}

// Held-out backgrounds are not learned from, and the files contain what was
// measured on them.
func TestTrainStopEarly(t *testing.T) {
	crosses(t)
	args := small("-truth", "truth.csv", "-template", "none", "-variants", "4", "-jitter", "shift=0.03,scale=0.06,zoom=2", "-bg", "bg", "-validation", "0.4")
	trained(t, append(args, "-data", "split", "-stop-early")...)
	_, errs := trained(t, append(args, "-data", "given", "-val-bg", "bg/1.png", "-val-bg", "bg/4.png")...)
	clitest.Contains(t, filepath.ToSlash(errs), "8 backgrounds, 6 kept\n        2 duplicates  left out  bg/1.png (as bg/1.png), bg/4.png (as bg/4.png)\n", " backgrounds=4 validationBackgrounds=2 ", " gain=")
	for _, dir := range []string{"split", "given"} {
		with := inFile[training.Settings](t, dir+"/settings.json")
		if d := with.Data; d.Apart.Count == 0 || d.Apart.Count+d.Backgrounds.Count != 6 || len(d.Apart.SHA256) != 64 || d.Apart.SHA256 == d.Backgrounds.SHA256 {
			t.Errorf("%s/settings.json: %+v", dir, d)
		}
		to := inFile[training.Result](t, dir+"/result.json")
		if len(to.Steps) != 2 || to.Steps[0].HeldOut < 100 || to.Steps[0].Gain == nil || *to.Steps[0].Gain < 0.3 {
			t.Fatalf("%s/result.json: %+v", dir, to)
		}
		clitest.Contains(t, contents(t, dir+"/report.html"), with.Data.Apart.SHA256, "Gain on held-out data", fmt.Sprintf("<td>&#43;%.4f</td>", *to.Steps[0].Gain))
	}
}

// Unreadable pictures end the training before it begins, unless a flag allows
// them; files that are no pictures do not.
func TestTrainUnreadable(t *testing.T) {
	crosses(t)
	crops(t)
	const heic = "\x00\x00\x00\x14ftypheic\x00\x00\x00\x00mif1"
	for _, name := range []string{"README", "list.csv"} {
		putFile(t, "pos/"+name, "text")
		putFile(t, "bg/"+name, "text")
	}
	trained(t, small("-data", "fine", "-pos", "pos", "-bg", "bg")...)
	for _, dir := range []string{"pos", "bg"} {
		putFile(t, dir+"/a.heic", heic)
		putFile(t, dir+"/b.heic", heic)
		args := small("-data", "out-"+dir, "-pos", "pos", "-bg", "bg")
		says(t, statusFailed, "2 unreadable files: 2 HEIC pictures ("+filepath.Join(dir, "a.heic")+", "+filepath.Join(dir, "b.heic")+"; to convert one: heif-convert IN.heic OUT.jpg); convert or remove them, or train without them with -skip-unreadable\n", args...)
		says(t, statusOK, "2 unreadable files left out: 2 HEIC pictures", append(args, "-skip-unreadable", "-overwrite")...)
		for _, name := range []string{"a.heic", "b.heic"} {
			must.Do(os.Remove(filepath.Join(dir, name)))
		}
	}
	// With only such files, the error says so.
	must.Do(os.Mkdir("phone", 0o777))
	putFile(t, "phone/a.heic", heic)
	for _, args := range [][]string{{"-pos", "phone", "-bg", "bg"}, {"-pos", "pos", "-bg", "phone"}} {
		says(t, statusFailed, "it is a HEIC picture", small(append(args, "-data", "out")...)...)
	}
}

// Few positives give a note, however many windows are made of them, and are
// learned.
func TestTrainFewPositives(t *testing.T) {
	crosses(t)
	crops(t)
	must.Do(os.Mkdir("few", 0o777))
	for i := range 7 {
		putFile(t, fmt.Sprintf("few/%d.png", i), contents(t, fmt.Sprintf("pos/%02d.png", i)))
	}
	says(t, statusOK, "only 7 positives:", small("-data", "few-out", "-pos", "few", "-bg", "bg", "-mirror", "-variants", "9", "-jitter", "default")...)
	if _, errs := trained(t, small("-data", "out", "-pos", "pos", "-bg", "bg")...); strings.Contains(errs, "differs from these") {
		t.Errorf("200 are few:\n%s", errs)
	}
}

// Help shows at most 30 flags before the advanced ones.
func TestTrainHelp(t *testing.T) {
	first, _, ok := strings.Cut(works(t, "train", "-help"), "\nAdvanced flags.")
	if n := strings.Count(first, "\n  -"); !ok || n > 30 {
		t.Errorf("%d flags before the advanced ones, want at most 30", n)
	}
}

func stateOf(t *testing.T, path string) *watch.State {
	t.Helper()
	in := must.Get(os.Open(path))
	defer in.Close()
	return must.Get(watch.Read(in))
}

// While a training runs its folder has a report and a state, from the first step on,
// which survive a kill. The resumed training's report has what was before.
func TestTrainWatched(t *testing.T) {
	crosses(t)
	args := strings.Fields("train -data out -truth truth.csv -template none -variants 4 -jitter shift=0.03,noise=5 -bg bg -w 16 -h 16 -shape chain -numStages 6 -maxFalseAlarmRate 0.2 " +
		"-acceptanceRatioBreakValue 1e-9 -features 400 -numNeg 400 -turn-bg 4 -validation 0.2 -stop-early -workers 1 -name cross")
	cmd, stderr := start(t, args...)
	waitFor(t, "out/log.jsonl", `"msg":"measured"`, 3) // the third step is made, and the reports of two
	must.Do(cmd.Process.Kill())
	if err := cmd.Wait(); err == nil {
		t.Fatalf("it ended before it was killed, stderr:\n%s", stderr)
	}
	s := stateOf(t, "out/progress.json")
	if len(s.Steps) < 2 || s.Ended != "" || s.Name != "cross" || s.Goal != 6 || s.Unit != "stages" || s.Memory <= 0 || s.Limit != 4<<30 || s.Seconds <= 0 {
		t.Errorf("killed: %+v", s)
	}
	page := contents(t, "out/report.html")
	clitest.Contains(t, page, "The training goes on.", "<h2>Hardest negatives</h2>", "<h2>Hardest negatives that are held out</h2>", "<b>Average precision</b>", `title="photo/`, `title="bg/`, "<span>object ", "<dt>Memory</dt>", "<dt>Time left, about</dt>")

	_, errs := trained(t, append(args, "-resume")...)
	clitest.Contains(t, errs, "msg=mined step=", " pictures=", " found=", "msg=measured step=", "averagePrecision=", "heldOut=true")
	end := stateOf(t, "out/progress.json")
	if len(end.Steps) == 0 || end.Ended == "" || end.Doing != "" || end.Left != [2]float64{} {
		t.Errorf("ended: %+v", end)
	}
	unknown := 0
	for i, step := range end.Steps {
		switch c := step.Curve; {
		case c == nil || step.Seconds == 0:
			unknown++ // the kill may have come between the checkpoint and the state
		case !c.Validation || !c.HeldOut || len(c.Points) == 0 || c.AveragePrecision <= 0:
			t.Errorf("step %d: %+v", i+1, c)
		}
		if step.Pictures == 0 || step.Found == 0 || step.Validation == nil {
			t.Errorf("step %d: %+v", i+1, step)
		}
	}
	if unknown > 1 {
		t.Errorf("%d steps have no curve or no time", unknown)
	}
	if page := contents(t, "out/report.html"); !strings.Contains(page, "The training ended because: "+end.Ended) || strings.Contains(page, "goes on") || !strings.Contains(page, "of validation backgrounds, which nothing was learned from") {
		t.Error("the report at the end is another one")
	}

	// Another training into the folder does not show what was there.
	cmd, _ = start(t, append(args, "-overwrite", "-seed", "5")...)
	waitFor(t, "out/log.jsonl", `"msg":"begin"`, 3)
	for range 30000 {
		if _, err := os.Stat("out/result.json"); err != nil {
			break
		}
		time.Sleep(time.Millisecond)
	}
	must.Do(cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	if page, err := os.ReadFile("out/report.html"); err == nil && strings.Contains(string(page), "The training ended because") {
		t.Error("the report of an older training is there")
	}
}

// A state that cannot be read is no reason not to resume, and the note says what lacks.
func TestTrainResumeDamagedState(t *testing.T) {
	crosses(t)
	args := small("-data", "out", "-truth", "truth.csv", "-template", "none", "-bg", "bg")
	trained(t, args...)
	putFile(t, "out/progress.json", "{damaged")
	says(t, statusOK, "out/progress.json cannot be read", append(args, "-resume", "-numStages", "3")...)
	clitest.Contains(t, contents(t, "out/report.html"), "cannot be read")
	if s := stateOf(t, "out/progress.json"); len(s.Steps) != 3 || s.Steps[0].Weak == 0 || s.Steps[2].Curve == nil {
		t.Errorf("%+v", s)
	}
}

// What a training is watched by is no reason to end it; that nothing can be saved is.
func TestTrainUnwatchable(t *testing.T) {
	crosses(t)
	must.Do(os.MkdirAll("out/progress.json/in the way", 0o777))
	_, errs := trained(t, small("-data", "out", "-truth", "truth.csv", "-template", "none", "-bg", "bg", "-resume")...)
	if n := strings.Count(errs, "progress.json: not saved"); n != 1 || !strings.Contains(errs, "; the training goes on\n") {
		t.Errorf("it is said %d times; stderr:\n%s", n, errs)
	}
	must.Do(os.MkdirAll("full/state/in the way", 0o777))
	says(t, statusFailed, filepath.FromSlash("full/state")+": not saved; the older one is as it was: ", small("-data", "full", "-truth", "truth.csv", "-template", "none", "-bg", "bg", "-overwrite")...)
}
