package main

import (
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/app/output"
	"haarlem/internal/must"
	"haarlem/internal/samples"
)

// scenery draws a logo, and backgrounds with their list.
func scenery(t *testing.T, sides ...int) (dir string) {
	t.Helper()
	dir = t.TempDir()
	drawLogo(t, filepath.Join(dir, "logo.png"), 64)
	var list strings.Builder
	for i, side := range sides {
		img := image.NewGray(image.Rect(0, 0, side, side))
		for k := range img.Pix {
			img.Pix[k] = byte(60 + 10*i + (k*k*7+k/side*13)%40)
		}
		name := fmt.Sprintf("g%d.png", i)
		must.Do(output.WritePNG(filepath.Join(dir, name), img))
		fmt.Fprintln(&list, name)
	}
	must.Do(os.WriteFile(filepath.Join(dir, "bg.txt"), []byte(list.String()), 0o666))
	return dir
}

// Test pictures of opencv_createsamples: its command line, names and list.
func TestScenes(t *testing.T) {
	dir := scenery(t, 150, 200, 25)
	info := filepath.Join(dir, "test", "info.dat")
	line := []string{"samples", "-img", filepath.Join(dir, "logo.png"), "-bg", filepath.Join(dir, "bg.txt"), "-info", info, "-num", "40", "-bgcolor", "0", "-bgthresh", "10",
		"-maxxangle", "0.3", "-maxyangle", "0.3", "-maxzangle", "0.2", "-maxidev", "0", "-w", "20", "-h", "24"}
	out, errs, status := call(t, line...)
	sheet := filepath.Join(dir, "test", "info-sheet.png")
	if status != 0 || out != fmt.Sprintf("%s: 2 test pictures\n%s: their mean and 2 of 2 windows\n", info, sheet) {
		t.Fatalf("status %d, stdout %q, stderr %q", status, out, errs)
	}
	for _, want := range []string{"-num is 40, and there is one test picture for each of 3 backgrounds\n", "1 backgrounds have no room for a window of 20x24 with a margin\n"} {
		if !strings.Contains(errs, want) {
			t.Errorf("stderr %q, want %q", errs, want)
		}
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
	if _, errs, status := call(t, line...); status != statusUsage || errs != "train-cascade: "+info+" exists: name another folder, or add -overwrite\n" {
		t.Errorf("status %d, stderr %q", status, errs)
	}
	first, _ := os.ReadFile(photos[1].File)
	if _, errs, status := call(t, append(line, "-overwrite", "-workers", "2")...); status != 0 {
		t.Fatal(errs)
	}
	if again, err := os.ReadFile(photos[1].File); err != nil || string(again) != string(first) {
		t.Errorf("the second run gave other bytes: %v", err)
	}
	// They become training windows, as with OpenCV.
	if out, errs, status := call(t, "samples", "-info", info, "-vec", filepath.Join(dir, "a.vec"), "-num", "2", "-sheet", "none"); status != 0 {
		t.Errorf("stdout %q, stderr %q", out, errs)
	}
}

// The layout of -pngoutput.
func TestScenesAsPNG(t *testing.T) {
	dir := scenery(t, 150, 200)
	info := filepath.Join(dir, "set", "info.lst")
	out, errs, status := call(t, "samples", "-img", filepath.Join(dir, "logo.png"), "-bg", filepath.Join(dir, "bg.txt"), "-info", info, "-pngoutput", "info", "-num", "1", "-maxscale", "2", "-sheet", "none")
	if status != 0 || out != info+": 1 test pictures\n" || !strings.Contains(errs, "-pngoutput has no value; info is not used") {
		t.Fatalf("status %d, stdout %q, stderr %q", status, out, errs)
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
		out, errs, status := call(t, append([]string{"samples"}, args...)...)
		if status != statusUsage || out != "" || errs != "train-cascade: "+want+"\n" {
			t.Errorf("%q: status %d, stdout %q, stderr %q\nwant %s", args, status, out, errs, want)
		}
	}
	_, errs, status := call(t, "samples", "-img", logo, "-bg", bg, "-info", info, "-w", "18", "-h", "18")
	if status != statusFailed || !strings.HasSuffix(errs, "no test pictures: no background has room for a window of 18x18 with a margin\n") {
		t.Errorf("status %d, stderr %q", status, errs)
	}
	if _, err := os.Stat(filepath.Dir(info)); err == nil {
		t.Error("a folder was left behind")
	}
}
