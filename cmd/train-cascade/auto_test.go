package main

import (
	"fmt"
	"image"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"haarlem/cascade"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/app/watch"
	"haarlem/internal/eval"
	"haarlem/internal/must"
	"haarlem/internal/nms"
	"haarlem/internal/train/auto"
)

// quick are flags of auto that make it quick and worse.
var quick = append(strings.Fields("-w 16 -height 16 -variants 3 -rounds 30 -features 300 -numStages 4 -trees 12 -box-trees 3 -rest no -second no"), "-object", "dünnes Kreuz/2,dünne Kreuze")

// quickest are those where it does not matter what the detector finds.
var quickest = append(quick[:len(quick):len(quick)], strings.Fields("-variants 2 -rounds 16 -features 200 -numStages 2 -trees 6 -box-trees 2")...)

// autoWorld makes the data that auto is tried with, 50 photographs and so many more, and
// two folders beside them.
func autoWorld(t *testing.T, photos int) {
	t.Helper()
	crosses(t)
	rng := rand.New(rand.NewPCG(5, 6))
	truth := contents(t, "truth.csv")
	whole := truth
	for i := range photos {
		img := drawGround(120, 90, rng)
		for k, kind := range []string{"thick", "thin"} {
			wide := 18 + rng.IntN(20)
			box := image.Rect(0, 0, wide, wide).Add(image.Pt(5+55*k+rng.IntN(15), 5+rng.IntN(40)))
			drawCross(img, box.Inset(1), rng)
			line := fmt.Sprintf("photo/more%d.png,%d,%d,%d,%d,%s\n", i, box.Min.X, box.Min.Y, wide, wide, kind)
			whole += line
			if i%3 == 0 && k == 1 {
				continue // nobody labelled it: without mistakes there is nothing to calibrate
			}
			truth += line
		}
		save(t, fmt.Sprintf("photo/more%d.png", i), img)
	}
	putFile(t, "truth.csv", truth)
	putFile(t, "whole.csv", whole)
	for _, dir := range []string{"peace", "war"} {
		must.Do(os.Mkdir(dir, 0o777))
	}
}

func journalOf(t *testing.T, path string) []auto.Done {
	t.Helper()
	if _, err := os.Stat(path); err != nil {
		return nil
	}
	return inFile[[]auto.Done](t, path)
}

// The whole chain makes a detector that finds crosses, and all that it promises. It
// does nothing twice, and does again what depends on a changed flag.
func TestAuto(t *testing.T) {
	autoWorld(t, 30)
	args := append([]string{"auto", "-truth", "truth.csv", "-bg", "bg", "-out", "peace/c.cascade", "-baseline", "face-fast", "-data-name", "Drawn: by nobody"}, quick...)
	out, errs := trained(t, args...)
	for _, file := range []string{"c.cascade", "c.xml", "c.md", "c.html", "c.auto/suspects.csv", "c.auto/settings", "c.auto/data/objects.png", "c.auto/data/check.txt", "c.auto/test.png", "c.auto/cascade/report.html"} {
		if _, err := os.Stat("peace/" + file); err != nil {
			t.Error(err)
		}
	}
	m := must.Get(cascade.Open("peace/c.cascade"))
	if m.Name != "c" || m.Object != (cascade.Object{Singular: "dünnes-Kreuz-2", Plural: "dünne-Kreuze"}) || m.Search.MinScore != 0.5 || m.Verifier == nil || m.Verifier.Boxes == nil || len(m.Provenance.Data) != 1 {
		t.Errorf("the model is %q of %v, least score %v, verifier %v, data %q", m.Name, m.Object, m.Search.MinScore, m.Verifier != nil, m.Provenance.Data)
	}
	twin := must.Get(cascade.Open("peace/c.xml"))
	stages := len(twin.Exits)
	var report eval.Report
	must.Do(input.ReadJSON("peace/c.auto/test.json", &report))
	if len(report.Lines) != 3 || report.Objects < 6 {
		t.Fatalf("%d detectors were measured on %d objects, want 3 on 6 at least", len(report.Lines), report.Objects)
	}
	if found := report.Lines[0].Rates[3]; found.Recall < 0.8 || report.Lines[2].Found > report.Objects/2 {
		t.Errorf("%.2f of the crosses are found at 10 false positives, and face-fast finds %d of %d", found.Recall, report.Lines[2].Found, report.Objects)
	}
	clitest.Contains(t, out, "  c: ", ", by cross-validation without the last steps: ", "c.xml is for OpenCV")
	for _, file := range []string{"peace/c.md", "peace/c.html"} {
		if s := contents(t, file); !strings.Contains(s, "train-cascade verifier -model ") || strings.Contains(s, "faces found") {
			t.Errorf("%s:\n%s", file, s)
		}
	}
	// The page of the run needs no other file and no script, and shows pictures.
	page := contents(t, "peace/c.html")
	if strings.Contains(page, "<script") || strings.Contains(page, "http:") || strings.Contains(page, "https:") || strings.Contains(page, `src="c.auto`) || strings.Contains(page, "ZgotmplZ") {
		t.Error("the page is not whole")
	}
	clitest.Contains(t, page, "recommended</td>", "built in</td><td>0.50", "Hardest false positives", "missing box</b>", "Learning curve", "would more data help", "OpenCV&#39;s format has no soft cascades", "width / height", "train-cascade ui photos/ -truth truth.csv -cascade peace/c.cascade")
	if n := strings.Count(page, "data:image/jpeg;base64,"); n < 10 {
		t.Errorf("%d pictures in the page", n)
	}

	// Reports have data that nothing was learned from.
	for _, step := range []string{"cascade", "opencv"} {
		for i, s := range stateOf(t, "peace/c.auto/"+step+"/"+watch.StateFile).Steps {
			if s.Validation == nil || s.Curve != nil && !(s.Curve.Validation && s.Curve.HeldOut) {
				t.Errorf("%s: step %d of the report was measured on what is learned", step, i+1)
			}
		}
	}

	// What is printed are commands that can be run alone.
	steps := journalOf(t, "peace/c.auto/journal.json")
	for _, s := range steps {
		clitest.Contains(t, errs, output.CommandLine(s.Args))
		if s.Name == "calibrated" {
			before := contents(t, "peace/c.cascade")
			if trained(t, s.Args...); contents(t, "peace/c.cascade") != before {
				t.Error("the printed command of calibration makes another model")
			}
		}
	}

	// Nothing is done twice.
	if _, errs := trained(t, append(args, "-resume")...); strings.Contains(errs, "train-cascade ") {
		t.Errorf("resumed when all is done:\n%s", errs)
	}
	// More stages and less memory: only what depends on them.
	model := contents(t, "peace/c.cascade")
	_, errs = trained(t, "auto", "-resume", "-out", "peace/c.cascade", "-numStages", "6", "-memory", "1GiB")
	var again []string
	for line := range strings.Lines(errs) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "train-cascade" {
			again = append(again, words[1])
		}
	}
	if got := strings.Join(again, " "); got != "train eval page" {
		t.Errorf("done again: %s, want train eval page", got)
	}
	if twin, err := cascade.Open("peace/c.xml"); err != nil || len(twin.Exits) <= stages {
		t.Errorf("c.xml: %v, %d stages, want more than %d", err, len(twin.Exits), stages)
	}
	if contents(t, "peace/c.cascade") != model {
		t.Error("the model is another one")
	}
	if s := contents(t, "peace/c.auto/settings"); !strings.Contains(s, "\nnumStages = 6\n") || !strings.Contains(s, "\nchosen.mirror = ") {
		t.Errorf("settings:\n%s", s)
	}

	// Without -overwrite nothing is lost.
	fails(t, statusFailed, "go on with -resume", args...)
}

// A run with a network that is killed again and again, and gone on with by -resume alone,
// ends in the same bytes as one that was left in peace.
func TestAutoKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("not killed in short mode")
	}
	autoWorld(t, 0)
	putFile(t, "truth.csv", strings.Join(strings.SplitAfter(contents(t, "truth.csv"), "\n")[:1+60], ""))
	args := append([]string{"auto", "-truth", "../truth.csv", "-bg", "../bg", "-out", "c.cascade", "-network", "yes", "-iterations", "2"}, quickest...)
	t.Chdir("peace")
	trained(t, args...)
	if m, err := cascade.Open("c.cascade"); err != nil || m.Network == nil {
		t.Fatalf("%v, or the model has no network", err)
	}
	total := len(journalOf(t, "c.auto/journal.json"))
	t.Chdir("../war")
	kills := 0
	for done := 0; done < total; done++ {
		if kills > 0 {
			args = []string{"auto", "-resume"}
		}
		n := 0
		if killed(t, args, func() bool {
			if n = len(journalOf(t, "c.auto/journal.json")); n > done {
				time.Sleep(time.Duration(20*done) * time.Millisecond) // some way into the next step
			}
			return n > done
		}) {
			kills, done = kills+1, max(done, n-1)
		} else {
			done = total
		}
	}
	if kills < 4 {
		t.Fatalf("it was killed %d times, want 4 at least", kills)
	}
	trained(t, "auto", "-resume")
	for _, file := range []string{"c.cascade", "c.auto/opencv.xml", "c.auto/test.txt", "c.auto/settings", "c.md"} {
		if got, want := contents(t, file), contents(t, filepath.Join("..", "peace", file)); got != want {
			t.Errorf("%s differs after %d kills:\n%s\nwant\n%s", file, kills, got, want)
		}
	}
}

// Crops of single objects are put on backgrounds first. Settings come from a file, and
// flags before it.
func TestAutoCrops(t *testing.T) {
	autoWorld(t, 0)
	crops(t)
	truth := "file,x,y,width,height,kind\n"
	for i := range 70 {
		truth += fmt.Sprintf("pos/%02d.png,0,0,%d,%d,%s\n", i, side, side, []string{"thick", "thin"}[i/60])
	}
	putFile(t, "crops.csv", truth)
	settings := map[string]string{} // the last of each
	for pair := range slices.Chunk(append(slices.Clone(quickest), "-second", "yes"), 2) {
		settings[pair[0][1:]] = pair[1]
	}
	lines := "# crosses\ntruth = crops.csv\nbg = bg\nwhere = kind=thick\nopencv = false\nseed = 5\n"
	for name, value := range settings {
		lines += name + " = " + value + "\n"
	}
	putFile(t, "s", lines)
	trained(t, "auto", "-settings", "s", "-out", "war/c.cascade", "-seed", "7")
	if s := contents(t, "war/c.auto/settings"); !strings.Contains(s, "\nseed = 7\n") || !strings.Contains(s, "\nwhere = kind=thick\n") || strings.Contains(s, "seed = 5") {
		t.Errorf("settings:\n%s", s)
	}
	if facts := inFile[auto.Facts](t, "war/c.auto/data/facts.json"); facts.Objects > 60 {
		t.Errorf("%+v: want the 60 thick crosses at most", facts)
	}
	if _, err := os.Stat("war/c.auto/mosaics-test/truth.csv"); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat("war/c.xml"); err == nil {
		t.Error("there is a cascade for OpenCV")
	}
	if s := contents(t, "war/c.html"); !strings.Contains(s, "There is no cascade for OpenCV: its format has no soft cascades") {
		t.Errorf("the report does not say why there is no XML:\n%s", s)
	}
}

// What is wrong in settings and flags is said.
func TestAutoSettings(t *testing.T) {
	autoWorld(t, 0)
	crops(t)
	for content, want := range map[string]string{
		"trees = many":        `-trees is "many"`,
		"tree = 5":            "no flag is called -tree; did you mean -trees?",
		"trees":               `line 1: "trees", want NAME = VALUE`,
		"out = x.cascade":     "out belongs on the command line",
		"limit.verify = none": "want a number of pictures",
	} {
		putFile(t, "wrong", content)
		status, _, errs := call("auto", "-settings", "wrong", "-truth", "truth.csv", "-out", "war/d.cascade")
		if status == statusOK || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %s, want %q", content, status, errs, want)
		}
	}
	list := "file,x,y,width,height\n"
	for i := range 100 {
		list += fmt.Sprintf("pos/%02d.png,0,0,%d,%d\n", i, side, side)
	}
	putFile(t, "crops.csv", list)
	for _, c := range []struct{ line, want string }{
		{"auto -truth crops.csv -out war/e.cascade", "an object takes 100 per cent of its picture: give pictures to put it on with -bg"},
		{"auto -truth truth.csv -out war/f.cascade -rest no", "no negatives"},
		{"auto -out x.cascade", "nothing to find: give -truth FILE"},
		{"auto -truth truth.csv", "no file for the model"},
		{"auto -truth truth.csv -out x.xml", "want a file that ends in .cascade"},
		{"auto -resume", "and there are 0"},
		{"auto -truth truth.csv -out x.cascade -time 0s", "want a time such as 30m"},
	} {
		if out := says(t, statusUsage, c.want, strings.Fields(c.line)...); out != "" {
			t.Errorf("%s: stdout %q", c.line, out)
		}
	}
}

// Of a tenth of spoilt labels (removed, shifted, scaled, of nothing, double) at least 80
// per cent are among the first fifth of the list.
func TestSuspects(t *testing.T) {
	autoWorld(t, 25)
	rng := rand.New(rand.NewPCG(8, 9))
	lines := strings.Split(strings.TrimSpace(contents(t, "whole.csv")), "\n")
	type spoilt struct {
		file      string
		was, made image.Rectangle
	}
	var all []spoilt
	truth := lines[0] + "\n"
	for i, line := range lines[1:] {
		f := strings.Split(line, ",")
		var n [4]int
		for k := range n {
			n[k], _ = strconv.Atoi(f[1+k])
		}
		was := image.Rect(0, 0, n[2], n[3]).Add(image.Pt(n[0], n[1]))
		made := was
		if i%10 != 3 {
			truth += line + "\n"
			continue
		}
		switch i / 10 % 5 {
		case 0:
			all = append(all, spoilt{f[0], was, was})
			continue
		case 1:
			made = was.Add(image.Pt(n[2]/2, n[3]/3))
		case 2:
			made = was.Inset(-n[2] / 3)
		case 3: // below the objects
			truth += line + "\n"
			made = image.Rect(0, 0, n[2], n[3]).Add(image.Pt(rng.IntN(90-n[2]), was.Max.Y+2))
			was = made
		case 4:
			truth += line + "\n"
			made = was.Add(image.Pt(2, 1))
		}
		all = append(all, spoilt{f[0], was, made})
		truth += fmt.Sprintf("%s,%d,%d,%d,%d,%s\n", f[0], made.Min.X, made.Min.Y, made.Dx(), made.Dy(), f[5])
	}
	putFile(t, "spoilt.csv", truth)
	trained(t, append([]string{"auto", "-truth", "spoilt.csv", "-bg", "bg", "-out", "c.cascade", "-opencv=false"}, quickest...)...)
	listed := strings.Split(strings.TrimSpace(contents(t, "c.auto/suspects.csv")), "\n")[1:]
	first := listed[:min(len(listed), len(lines)/5)]
	names := func(line string, s spoilt) bool {
		f := strings.Split(line, ",")
		for _, text := range []string{strings.Join(f[1:5], " "), f[7]} {
			var x, y, w, h int
			_, err := fmt.Sscan(text, &x, &y, &w, &h)
			if b := image.Rect(x, y, x+w, y+h); err == nil && f[0] == s.file && max(nms.Overlap(b, s.was), nms.Overlap(b, s.made)) > 0.4 {
				return true
			}
		}
		return false
	}
	named := 0
	for _, s := range all {
		if slices.ContainsFunc(first, func(line string) bool { return names(line, s) }) {
			named++
		}
	}
	if 10*named < 8*len(all) {
		t.Errorf("%d of %d spoilt labels are named, in %s", named, len(all), strings.Join(first, "\n"))
	}
}
