package main

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/samples"
)

func decodePNG(t *testing.T, path string) image.Image {
	t.Helper()
	return must.Get(png.Decode(strings.NewReader(contents(t, path))))
}

// drawLogo draws a light square with a dark bar on black ground.
func drawLogo(t *testing.T, path string, side int) {
	t.Helper()
	save(t, path, picturetest.Grey(side, side, func(x, y int) uint8 {
		if edge := side / 8; min(x, y) < edge || max(x, y) >= side-edge {
			return 0
		}
		return uint8(230 - 100*(y/(side/2)))
	}))
}

func TestSamplesToVec(t *testing.T) {
	dir := t.TempDir()
	vec := filepath.Join(dir, "faces.vec")
	args := []string{"samples", "-truth", groupTruth, "-variants", "3", "-mirror", "-jitter", "default", "-w", "20", "-h", "25", "-out", vec}
	want := fmt.Sprintf("%s: 66 windows of 20x25\n%s: their mean and 66 of 66 windows\n", vec, filepath.Join(dir, "faces-sheet.png"))
	if out := says(t, statusOK, "1 photographs, 1 kept", args...); out != want {
		t.Fatalf("stdout %q, want %q", out, want)
	}
	crops, err := samples.ReadVec(vec, 20, 25)
	if err != nil || len(crops) != 66 {
		t.Fatalf("%d windows, %v", len(crops), err)
	}
	// The mean and 66 windows in four rows of 20, each pixel 4 by 4, and a line
	// for the caption.
	if got, want := decodePNG(t, filepath.Join(dir, "faces-sheet.png")).Bounds(), image.Rect(0, 0, 20*(20*4+2)+2, 4*(25*4+2)+14+2); got != want {
		t.Errorf("a sheet of %v, want %v", got, want)
	}
	// Other workers give the same bytes.
	first := contents(t, vec)
	if works(t, append(args, "-workers", "3")...); contents(t, vec) != first {
		t.Error("the second run gave other bytes")
	}
	// The file can be shown.
	look := filepath.Join(dir, "look.png")
	if out := quietly(t, "samples", "-vec", vec, "-w", "20", "-h", "25", "-show", "2", "-sheet", look); out != look+": their mean and 66 of 66 windows\n" {
		t.Errorf("stdout %q", out)
	}
	if got := decodePNG(t, look).Bounds().Dx(); got != 20*(20*2+2)+2 {
		t.Errorf("a sheet %d pixels wide", got)
	}
	fails(t, statusFailed, vec, "samples", "-vec", vec, "-w", "24", "-show")
}

func TestSamplesToFolder(t *testing.T) {
	dir := t.TempDir()
	folder := filepath.Join(dir, "windows")
	line := []string{"samples", "-info", filepath.Join(dir, "info.dat"), "-out", folder}
	drawLogo(t, filepath.Join(dir, "a.png"), 60)
	drawLogo(t, filepath.Join(dir, "b.png"), 64)
	must.Do(os.WriteFile(filepath.Join(dir, "info.dat"), []byte("a.png 2 0 0 30 30 10 10 40 40\nb.png 1 4 4 50 50\n"), 0o666))
	out := says(t, statusOK, "-num is 5, and 2 windows is all there is", append(line, "-sheet", "none", "-min-size", "35", "-num", "5")...)
	if out != folder+": 2 windows of 24x24\n" {
		t.Fatalf("stdout %q", out)
	}
	table, err := os.ReadFile(filepath.Join(folder, "origins.csv"))
	want := fmt.Sprintf("file,source,object,variant,mirrored\n000001.png,%[1]s/a.png,2,0,false\n000002.png,%[1]s/b.png,1,0,false\n", filepath.ToSlash(dir))
	if err != nil || string(table) != want {
		t.Errorf("%v, %q, want %q", err, table, want)
	}
	if b := decodePNG(t, filepath.Join(folder, "000002.png")).Bounds(); b != image.Rect(0, 0, 24, 24) {
		t.Error(b)
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 4 {
		t.Errorf("%v: a sheet was drawn though none was wanted", entries)
	}
	// The folder is not empty now.
	fails(t, statusUsage, "-out: "+folder+" is not empty (000001.png lies in it): name another folder, or add -overwrite\n", line...)
	works(t, append(line, "-overwrite")...)
	// Windows are crops.
	again := filepath.Join(dir, "again.vec")
	if out := works(t, "samples", "-out", again, "-sheet", "none", folder); out != again+": 3 windows of 24x24\n" {
		t.Errorf("stdout %q", out)
	}
}

// An old command line of opencv_createsamples.
func TestSamplesOfOnePicture(t *testing.T) {
	dir := t.TempDir()
	logo, vec := filepath.Join(dir, "logo.png"), filepath.Join(dir, "logo.vec")
	drawLogo(t, logo, 64)
	drawLogo(t, filepath.Join(dir, "ground.png"), 200)
	must.Do(os.WriteFile(filepath.Join(dir, "bg.txt"), []byte("ground.png\n"), 0o666))
	out := says(t, statusOK, "1 backgrounds, 1 kept", "samples", "-img", logo, "-bg", filepath.Join(dir, "bg.txt"), "-vec", vec, "-num", "30", "-w", "16", "-h", "24",
		"-bgcolor", "0", "-bgthresh", "10", "-randinv", "-maxidev", "20", "-maxxangle", "0.5", "-maxyangle", "0.5", "-maxzangle", "0.2", "-show", "2.0")
	if !strings.HasPrefix(out, vec+": 30 windows of 16x24\n") {
		t.Fatalf("stdout %q", out)
	}
	crops, err := samples.ReadVec(vec, 16, 24)
	if err != nil || len(crops) != 30 {
		t.Fatalf("%d windows, %v", len(crops), err)
	}
	light := slices.DeleteFunc(crops, func(c *image.Gray) bool { return c.GrayAt(8, 12).Y < 128 })
	if n := len(light); n < 5 || n > 25 {
		t.Errorf("%d of 30 windows are not inverted, want about half", n)
	}
}

// An invalid call gives one line, and nothing is written.
func TestSamplesWrongCalls(t *testing.T) {
	dir := t.TempDir()
	vec := filepath.Join(dir, "a.vec")
	for want, args := range map[string][]string{
		"nothing to make windows of: give -truth, -info, -img, or pictures as arguments":                                                          {},
		"nowhere to write to: give -out FOLDER, -out FILE.vec, or at least -sheet FILE.png":                                                       {"-truth", groupTruth},
		"-w is 24 and -h 2, want windows of 4 to 512 pixels a side":                                                                               {"-truth", groupTruth, "-vec", vec, "-h", "2"},
		"-img and photographs are two ways to make windows: give one of them (-img with -info alone makes test pictures)":                         {"-img", "x.png", "-info", groupTruth, "-vec", vec},
		"-out: nothing is made; give photographs or -img (-vec alone is only shown)":                                                              {"-vec", vec, "-out", vec},
		"-out and -vec name two .vec files: give one":                                                                                             {"-truth", groupTruth, "-vec", vec, "-out", vec},
		"-show is \"0\", want how large the sheet shows a pixel, from 1 to 32":                                                                    {"-vec", vec, "-show", "0"},
		"-variants is 0, want 1 or more":                                                                                                          {"-truth", groupTruth, "-vec", vec, "-variants", "0"},
		"-jitter changes all variants but the first, and -variants is 1: give more of them, or all=1 in -jitter":                                  {"-truth", groupTruth, "-vec", vec, "-jitter", "default"},
		`-jitter: jitter "hat": "hat" is not understood, want none, default or press at the beginning, then name=number with commas between them`: {"-truth", groupTruth, "-vec", vec, "-jitter", "hat"},
		`-template: template "x": mark 1 is "x", want frontalface, or marks like 0.3,0.38 with blanks between them`:                               {"-truth", groupTruth, "-vec", vec, "-template", "x"},
		"-format: format \"x\", want one of auto, info, csv, voc, coco, yolo, landmarks, imglab, labelme, labelstudio":                            {"-truth", groupTruth, "-vec", vec, "-format", "x"},
		"-mirror is for photographs, and means nothing with -img":                                                                                 {"-img", "x.png", "-vec", vec, "-mirror"},
		"-num is -1, want 0 or more":                                                                   {"-truth", groupTruth, "-vec", vec, "-num", "-1"},
		"-jitter is given 2 times, want one with -img":                                                 {"-img", "x.png", "-vec", vec, "-jitter", "default", "-jitter", "press"},
		"-jitter is given 2 times, and -variants is 1: want one variant for each at least":             {"-truth", groupTruth, "-vec", vec, "-jitter", "all=1", "-jitter", "press"},
		"-variants is 2, and without -jitter all would be the same: give one, such as -jitter default": {"-truth", groupTruth, "-vec", vec, "-variants", "2"},
		"-min-size is for objects in labelled photographs, and there are none: give -truth or -info":   {"-vec", vec, "-min-size", "20", dir},
		"-bgcolor is 300 and -bgthresh 80, want grey levels of 0 to 255, or -bgcolor -1":               {"-img", "x.png", "-vec", vec, "-bgcolor", "300"},
	} {
		fails(t, statusUsage, want+"\n", append([]string{"samples"}, args...)...)
	}
	if out := says(t, statusUsage, "train-cascade: -where is \"pose\", want COLUMN=VALUE or COLUMN=VALUE,VALUE...\n", "samples", "-truth", groupTruth, "-vec", vec, "-where", "pose"); out != "" {
		t.Errorf("stdout %q", out)
	}
	// Failures.
	for want, args := range map[string][]string{
		"gone.csv: no such file or directory": {"-truth", "gone.csv", "-vec", vec},
		"gone.png: no such file or directory": {"-img", "gone.png", "-vec", vec},
		"no windows: 1 photographs with 11 objects were read, and -where, -min-size and what is to be ignored leave none of them": {"-truth", groupTruth, "-vec", vec, "-where", "pose=3"},
	} {
		if out := says(t, statusFailed, "train-cascade: "+want+"\n", append([]string{"samples"}, args...)...); out != "" {
			t.Errorf("%q: stdout %q", args, out)
		}
	}
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Errorf("%v was written", entries)
	}
}

// scenery draws a logo, and backgrounds with their list.
func scenery(t *testing.T, sides ...int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	drawLogo(t, filepath.Join(dir, "logo.png"), 64)
	list := ""
	for i, side := range sides {
		name := fmt.Sprintf("g%d.png", i)
		save(t, filepath.Join(dir, name), picturetest.Grey(side, side, func(x, y int) byte {
			k := y*side + x
			return byte(60 + 10*i + (k*k*7+y*13)%40)
		}))
		list += name + "\n"
	}
	putFile(t, filepath.Join(dir, "bg.txt"), list)
	return dir
}

// Test pictures of opencv_createsamples: its command line, names and list.
func TestScenes(t *testing.T) {
	dir := scenery(t, 150, 200, 25)
	info := filepath.Join(dir, "test", "info.dat")
	line := []string{"samples", "-img", filepath.Join(dir, "logo.png"), "-bg", filepath.Join(dir, "bg.txt"), "-info", info, "-num", "40", "-bgcolor", "0", "-bgthresh", "10",
		"-maxxangle", "0.3", "-maxyangle", "0.3", "-maxzangle", "0.2", "-maxidev", "0", "-w", "20", "-h", "24"}
	out := says(t, statusOK, "-num is 40, and there is one test picture for each of 3 backgrounds\n ... 1 backgrounds have no room for a window of 20x24 with a margin\n", line...)
	sheet := filepath.Join(dir, "test", "info-sheet.png")
	if out != fmt.Sprintf("%s: 2 test pictures\n%s: their mean and 2 of 2 windows\n", info, sheet) {
		t.Fatalf("stdout %q", out)
	}
	photos, err := samples.ReadTruth(info, samples.Auto)
	if err != nil || len(photos) != 2 {
		t.Fatalf("%+v, %v", photos, err)
	}
	for i, p := range photos {
		b := p.Objects[0].Box
		if want := fmt.Sprintf("%04d_%04d_%04d_%04d_%04d.png", i+1, b.Min.X, b.Min.Y, b.Dx(), b.Dy()); filepath.Base(p.File) != want {
			t.Errorf("%s has the box %v, want the name %s", p.File, b, want)
		}
		got := decodePNG(t, p.File).(*image.Gray)
		was := decodePNG(t, filepath.Join(dir, fmt.Sprintf("g%d.png", i))).(*image.Gray)
		if got.Rect != was.Rect || !b.In(got.Rect) || b.Dx() < 20 || b.Dx()*24 < b.Dy()*20-24 || float64(b.Dx()) > 0.7*float64(got.Rect.Dx())+1 {
			t.Errorf("%s of %v with the box %v in a background of %v", p.File, got.Rect, b, was.Rect)
		}
		changed := image.Rectangle{}
		for y := range got.Rect.Dy() {
			for x := range got.Rect.Dx() {
				if got.GrayAt(x, y) != was.GrayAt(x, y) {
					changed = changed.Union(image.Rect(x, y, x+1, y+1))
				}
			}
		}
		// Black is transparent, an eighth of the logo at each side.
		if !changed.In(b) || changed.Dx() < b.Dx()/2 || changed.Eq(b) {
			t.Errorf("%s: %v changed, and the box is %v", p.File, changed, b)
		}
		if c := got.At(b.Min.X+b.Dx()/2, b.Min.Y+b.Dy()/3).(color.Gray); c.Y < 200 {
			t.Errorf("%s: %d in the upper half of the logo, want it light", p.File, c.Y)
		}
	}
	// What is there is not replaced, and the same seed gives the same bytes.
	ends(t, statusUsage, info+" exists: name another folder, or add -overwrite", line...)
	first := contents(t, photos[1].File)
	if works(t, append(line, "-overwrite", "-workers", "2")...); contents(t, photos[1].File) != first {
		t.Error("the second run gave other bytes")
	}
	// They become training windows, as with OpenCV.
	works(t, "samples", "-info", info, "-vec", filepath.Join(dir, "a.vec"), "-num", "2", "-sheet", "none")
}

// The layout of -pngoutput.
func TestScenesAsPNG(t *testing.T) {
	dir := scenery(t, 150, 200)
	info := filepath.Join(dir, "set", "info.lst")
	out := says(t, statusOK, "-pngoutput has no value; info is not used", "samples", "-img", filepath.Join(dir, "logo.png"), "-bg", filepath.Join(dir, "bg.txt"), "-info", info, "-pngoutput", "info", "-num", "1", "-maxscale", "2", "-sheet", "none")
	if out != info+": 1 test pictures\n" {
		t.Fatalf("stdout %q", out)
	}
	photos, err := samples.ReadTruth(info, samples.Auto)
	if err != nil || len(photos) != 1 || filepath.Dir(photos[0].File) != filepath.Join(dir, "set", "pos") {
		t.Fatalf("%+v, %v", photos, err)
	}
	b, stem := photos[0].Objects[0].Box, strings.TrimSuffix(filepath.Base(photos[0].File), ".png")
	if b.Dx() < 24 || b.Dx() > 48 {
		t.Errorf("a box of %v, want 24 to 48", b)
	}
	text, err := os.ReadFile(filepath.Join(dir, "set", "annotations", stem+".txt"))
	want := fmt.Sprintf("Image filename : \"pos/%s.png\"\nBounding box for object 1 \"PASperson\" (Xmin, Ymin) - (Xmax, Ymax) : (%d, %d) - (%d, %d)\n", stem, b.Min.X, b.Min.Y, b.Max.X, b.Max.Y)
	if err != nil || string(text) != want {
		t.Errorf("%v, %q, want %q", err, text, want)
	}
}

func TestScenesWrongCalls(t *testing.T) {
	dir := scenery(t, 20)
	logo, bg, info := filepath.Join(dir, "logo.png"), filepath.Join(dir, "bg.txt"), filepath.Join(dir, "new", "info.dat")
	for want, args := range map[string][]string{
		"-img with -info makes test pictures, which need backgrounds: give -bg too":                             {"-img", logo, "-info", info},
		"-img and photographs are two ways to make windows: give one of them":                                   {"-img", logo, "-info", info, "-bg", bg, "x"},
		"-maxscale is 0.5, want 1 or more":                                                                      {"-img", logo, "-info", info, "-bg", bg, "-maxscale", "0.5"},
		"-maxscale is for test pictures: give -img, -bg and -info, without -vec and -out":                       {"-img", logo, "-vec", info, "-maxscale", "2"},
		"-jitter is for windows, and means nothing for test pictures; train-cascade mosaic makes degraded ones": {"-img", logo, "-info", info, "-bg", bg, "-jitter", "press"},
	} {
		fails(t, statusUsage, want+"\n", append([]string{"samples"}, args...)...)
	}
	says(t, statusFailed, "no test pictures: no background has room for a window of 18x18 with a margin\n", "samples", "-img", logo, "-bg", bg, "-info", info, "-w", "18", "-h", "18")
	if _, err := os.Stat(filepath.Dir(info)); err == nil {
		t.Error("a folder was left behind")
	}
}
