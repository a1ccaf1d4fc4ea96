package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/samples"
)

// filesOf returns the photographs of a part.
func filesOf(t *testing.T, path string) map[string]int {
	t.Helper()
	photos := must.Get(samples.ReadTruth(path, samples.CSV))
	all := map[string]int{}
	for _, p := range photos {
		all[filepath.Base(p.File)] = len(p.Objects)
	}
	return all
}

// partsOf says in which part each photograph and background is that a division has
// written, and no file may be in two.
func partsOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, part := range []string{"train", "dev", "test"} {
		files := slices.Collect(maps.Keys(filesOf(t, dir+"/"+part+".csv")))
		for line := range strings.Lines(contents(t, dir+"/"+part+"-bg.txt")) {
			if !strings.HasPrefix(line, "#") {
				files = append(files, "bg "+filepath.Base(strings.TrimSpace(line)))
			}
		}
		for _, file := range files {
			if all[file] != "" {
				t.Errorf("%s is in %s and %s", file, all[file], part)
			}
			all[file] = part
		}
	}
	return all
}

// No photograph is in two parts, none is lost, copies and boxes that are wrong are found, and
// objects that are not wanted make their photographs backgrounds.
func TestDivide(t *testing.T) {
	crosses(t)
	rng := rand.New(rand.NewPCG(3, 4))
	truth := contents(t, "truth.csv")
	putFile(t, "photo/copy.png", contents(t, "photo/0.png"))
	save(t, "photo/empty.png", drawGround(90, 70, rng))
	truth += "photo/copy.png,10,10,20,20,thick\nphoto/1.png,500,500,20,20,thick\nphoto/empty.png,5,5,20,20,other\n"
	putFile(t, "truth.csv", truth)
	out, errs := trained(t, "divide", "-truth", "truth.csv", "-bg", "bg", "-out", "parts", "-where", "kind=thick,thin")
	clitest.Contains(t, out, "train: ")
	clitest.Contains(t, errs, "1 duplicates", "1 labels outside the picture")
	seen := partsOf(t, "parts")
	if len(seen) < 50+6+1 || seen["copy.png"] != "" || seen["bg empty.png"] == "" {
		t.Errorf("%d files, copy in %q, empty in %q", len(seen), seen["copy.png"], seen["bg empty.png"])
	}
	trained(t, "divide", "-truth", "truth.csv", "-bg", "bg", "-out", "again", "-where", "kind=thick,thin", "-workers", "1")
	if contents(t, "again/train.csv") != contents(t, "parts/train.csv") || contents(t, "again/facts.json") != contents(t, "parts/facts.json") {
		t.Error("another division with one worker")
	}
	fails(t, statusFailed, "add -overwrite", "divide", "-truth", "truth.csv", "-out", "parts")
}

// A column says the part, and another one what stays together.
func TestDivideByColumns(t *testing.T) {
	crosses(t)
	const head = "file,x,y,width,height,"
	given, grouped, labels := head+"split\n", head+"person\n", head+"split,kind\n"
	for i := range 50 {
		part := "train"
		if i%5 == 0 {
			part = "test"
		}
		line := fmt.Sprintf("photo/%d.png,5,5,20,20,", i)
		given += line + part + "\n"
		grouped += fmt.Sprintf("%sp%d\n", line, i/2)
		labels += line + part + ",wanted\n"
	}
	putFile(t, "given.csv", given)
	putFile(t, "grouped.csv", grouped)
	putFile(t, "labels.csv", labels+"photo/copyless.png,5,5,20,20,test,other\n")
	save(t, "photo/copyless.png", drawGround(90, 70, rand.New(rand.NewPCG(8, 9))))
	trained(t, "divide", "-truth", "labels.csv", "-split", "split", "-where", "kind=wanted", "-out", "labels")
	if b := contents(t, "labels/test-bg.txt"); !strings.Contains(b, "copyless.png") {
		t.Errorf("a photograph of the test without a wanted object is not a background there: %s", b)
	}
	trained(t, "divide", "-truth", "given.csv", "-split", "split", "-out", "a")
	test, dev := filesOf(t, "a/test.csv"), filesOf(t, "a/dev.csv")
	if len(test) != 10 || test["0.png"] == 0 || test["5.png"] == 0 || len(dev) == 0 {
		t.Errorf("test is %v, dev %v", test, dev)
	}
	trained(t, "divide", "-truth", "grouped.csv", "-group", "person", "-out", "b", "-dev-share", "0.2", "-test-share", "0.2")
	for _, part := range []string{"train", "dev", "test"} {
		files := filesOf(t, "b/"+part+".csv")
		for i := 0; i < 50; i += 2 {
			if a, b := files[fmt.Sprintf("%d.png", i)], files[fmt.Sprintf("%d.png", i+1)]; a != b {
				t.Errorf("%s has one of %d and %d, which belong together", part, i, i+1)
			}
		}
	}
	putFile(t, "few.csv", "file,x,y,width,height\nphoto/1.png,5,5,20,20\n") // which is measured on
	for line, want := range map[string]string{
		"-truth few.csv":                     "too few data: the part train has 0 objects, want at least 20",
		"-truth given.csv -split spilt":      `the truth has no column "spilt"`,
		"-truth grouped.csv -split person":   `column "person" says "p0", want train, val or test`,
		"-truth given.csv -where split=none": "no object in it for which -where holds",
		"-truth given.csv -test-share 0.7":   "-test-share is 0.7, want more than 0 and less than 0.5",
		"-truth nowhere.csv":                 "nowhere.csv",
	} {
		if status, _, errs := call(append([]string{"divide", "-out", "c"}, strings.Fields(line)...)...); status == statusOK || !strings.Contains(errs, want) {
			t.Errorf("%s: status %d, %s, want %q", line, status, errs, want)
		}
	}
}

// A copy that is moved, mirrored and brighter stays with its picture, unless a column
// says otherwise, which is told. One among the backgrounds that shows an object is left
// out, and one that does not goes with its photograph. Pictures of a camera that does
// not move are divided all the same.
func TestDivideKeepsCopiesTogether(t *testing.T) {
	t.Chdir(t.TempDir())
	must.Do(errors.Join(os.Mkdir("photo", 0o777), os.Mkdir("bg", 0o777), os.Mkdir("camera", 0o777)))
	const w, h = 160, 120
	rng := rand.New(rand.NewPCG(5, 6))
	truth, camera := "file,x,y,width,height,split\n", "file,x,y,width,height\n"
	changed := func(m *image.Gray, x0, y0 int) *image.Gray {
		return picturetest.Grey(w, h, func(x, y int) uint8 { return uint8(40 + int(m.GrayAt((w-1-x+x0+w)%w, (y+y0)%h).Y)*3/4) })
	}
	for i := range 40 {
		m := drawGround(w, h, rng)
		box := image.Rect(0, 0, 24, 24).Add(image.Pt(50+rng.IntN(60), 40+rng.IntN(30)))
		if i == 7 {
			box = image.Rect(110, 50, 134, 74)
		}
		drawCross(m, box.Inset(1), rng)
		save(t, fmt.Sprintf("photo/%d.png", i), m)
		save(t, fmt.Sprintf("photo/%d-copy.png", i), changed(m, 20, 15))
		truth += fmt.Sprintf("photo/%d.png,%d,%d,24,24,train\n", i, box.Min.X, box.Min.Y)
		truth += fmt.Sprintf("photo/%d-copy.png,%d,%d,24,24,%s\n", i, w-box.Max.X+20, box.Min.Y-15, []string{"train", "test"}[i%2])
		if i == 7 {
			save(t, "bg/shows.png", changed(m, -15, 10))
			save(t, "bg/beside.png", m.SubImage(image.Rect(0, 0, 105, h)))
		}
	}
	ground := drawGround(w, h, rng)
	for i := range 40 {
		m := image.NewGray(ground.Rect)
		copy(m.Pix, ground.Pix)
		box := image.Rect(0, 0, 24, 24).Add(image.Pt(rng.IntN(w-24), rng.IntN(h-24)))
		drawCross(m, box.Inset(1), rng)
		save(t, fmt.Sprintf("camera/%d.png", i), m)
		camera += fmt.Sprintf("camera/%d.png,%d,%d,24,24\n", i, box.Min.X, box.Min.Y)
	}
	putFile(t, "truth.csv", truth)
	putFile(t, "camera.csv", camera)

	_, errs := trained(t, "divide", "-truth", "truth.csv", "-bg", "bg", "-out", "a")
	partOf := partsOf(t, "a")
	apart := 0
	for i := range 40 {
		a, b := partOf[fmt.Sprintf("%d.png", i)], partOf[fmt.Sprintf("%d-copy.png", i)]
		if a == "" || a != b {
			t.Errorf("%d.png is in %q, its copy in %q", i, a, b)
		}
		if a != "train" {
			apart++
		}
	}
	if shows, beside := partOf["bg shows.png"], partOf["bg beside.png"]; apart < 4 || shows != "" || beside != partOf["7.png"] {
		t.Errorf("%d of 40 are held apart; shows.png is in %q, beside.png in %q, its photograph in %q", apart, shows, beside, partOf["7.png"])
	}
	if n := strings.Count(contents(t, "a/copies.csv"), "\n"); n != 1+81 || !strings.Contains(errs, "41 moved or changed copies") || !strings.Contains(errs, "photo/0-copy.png (as photo/0.png)") || !strings.Contains(errs, "1 backgrounds that show an object, moved or changed") {
		t.Errorf("%d lines; %s", n, errs)
	}

	_, errs = trained(t, "divide", "-truth", "truth.csv", "-split", "split", "-out", "b")
	if len(filesOf(t, "b/test.csv")) != 20 || !strings.Contains(errs, "20 moved or changed copies") || !strings.Contains(errs, "in two parts: what is measured is too good") {
		t.Errorf("by the column: %s", errs)
	}

	if _, errs = trained(t, "divide", "-truth", "camera.csv", "-out", "c"); strings.Count(contents(t, "c/copies.csv"), "\n") > 20 {
		t.Errorf("one camera: %s\n%s", errs, contents(t, "c/copies.csv"))
	}
}

// The check names what must be mended of several kinds at once, all bad lines in one
// list, and copies in two parts; good data have the status 0. Auto's first step prints
// the same table.
func TestCheck(t *testing.T) {
	crosses(t)
	if out := works(t, "check", "-truth", "truth.csv", "-bg", "bg"); strings.Contains(out, "to mend") || !strings.Contains(out, "class") {
		t.Errorf("good data: %s", out)
	}
	rng := rand.New(rand.NewPCG(3, 4))
	truth := "file,x,y,width,height,class\n"
	other := truth
	for i := range 12 {
		m := drawGround(160, 120, rng)
		box := image.Rect(0, 0, 24+i, 24).Add(image.Pt(20+rng.IntN(60), 20+rng.IntN(30)))
		drawCross(m, box.Inset(1), rng)
		save(t, fmt.Sprintf("photo/c%d.png", i), m)
		truth += fmt.Sprintf("photo/c%d.png,%d,%d,%d,24,%s\n", i, box.Min.X, box.Min.Y, box.Dx(), []string{"cup", "große Tasse"}[i/8])
		if i == 2 {
			save(t, "photo/moved.png", m.SubImage(image.Rect(8, 6, 160, 120)))
			other += fmt.Sprintf("photo/moved.png,%d,%d,%d,24,cup\n", box.Min.X-8, box.Min.Y-6, box.Dx())
		}
	}
	truth += "photo/c1.png,500,500,9,9,cup\nphoto/c3.png,2,2,30,5,cup\nphoto/c3.png,2,2,30,5,cup\nphoto/c4.png,0,0,160,120,cup\n"
	putFile(t, "train.csv", truth)
	putFile(t, "test.csv", other+"photo/c5.png,20,20,24,24,cup\n")
	out := says(t, statusFailed, "", "check", "-truth", "train.csv", "-truth", "test.csv", "-output", "json")
	var got struct {
		Classes []struct {
			Class   string
			Objects int
			Side    [3]float64
		}
		Findings []struct {
			What, Do string
			Count    int
			Where    []string
			Mend     bool
		}
		Mend int
	}
	must.Do(json.Unmarshal([]byte(out), &got))
	if c := got.Classes; len(c) != 2 || c[1].Class != "große Tasse" || c[1].Objects != 4 || c[1].Side[1] < 24 || c[1].Side[1] > 36 {
		t.Errorf("classes %v", c)
	}
	for what, mend := range map[string]bool{
		"pictures in two of -truth":                    true,
		"photographs: labels outside the picture":      true,
		"photographs: moved or changed copies":         true,
		"cup: copies of a box in the same picture":     true,
		"cup: boxes with a side of less than 8 pixels": false,
		"cup: boxes of the whole picture":              false,
	} {
		n := 0
		for _, f := range got.Findings {
			if f.What == what && f.Count == 1 && f.Mend == mend && f.Do != "" && len(f.Where) == 1 {
				n++
			}
		}
		if n != 1 {
			t.Errorf("%d of %q in %s", n, what, out)
		}
	}
	if got.Mend != 4 {
		t.Errorf("%d to mend, want 4", got.Mend)
	}

	putFile(t, "bad.csv", "file,x,y,width,height\nphoto/0.png,a,5,20,20\nphoto/1.png,5,5,20,20\nphoto/2.png,5\nphoto/3.png,5,5,20,-1\n"+strings.Repeat("photo/3.png,5\n", 30))
	putFile(t, "gone.dat", "photo/none.png 1 1 1 20 20\nphoto/0.png 1 1 1 20 20\n")
	putFile(t, "bad.dat", "photo/0.png 1 1 1 20\nphoto/1.png 1 1 1 20 20\nphoto/2.png x\n")
	clitest.Contains(t, ends(t, statusFailed, "", "check", "-truth", "bad.csv", "-truth", "gone.dat", "-truth", "bad.dat", "-truth", "truth.csv"),
		"bad.csv:2: ", "bad.csv:4: another number of columns", "bad.csv:5: ", "and 13 more", "1 of 2 pictures do not exist", "bad.dat:1: ", "bad.dat:3: ", "4 findings to mend")
	for line, want := range map[string]string{"": "give -truth FILE", "-truth truth.csv -format odd": "-format", "-truth truth.csv more": "flags only"} {
		fails(t, statusUsage, want, append([]string{"check"}, strings.Fields(line)...)...)
	}
	trained(t, "divide", "-truth", "truth.csv", "-bg", "bg", "-out", "parts")
	if b, err := os.ReadFile("parts/check.txt"); err != nil || !strings.Contains(string(b), "width / height") {
		t.Errorf("%v: %s", err, b)
	}
}
