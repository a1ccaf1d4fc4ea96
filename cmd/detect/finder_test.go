package main

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/app/detecttest"
	"haarlem/internal/must"
)

// painted is the share of a box that has the grey of -solid, or nearly.
func painted(img image.Image, box image.Rectangle) float64 {
	n := 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if v := color.GrayModel.Convert(img.At(x, y)).(color.Gray).Y; v >= 44 && v <= 52 {
				n++
			}
		}
	}
	return float64(n) / float64(box.Dx()*box.Dy())
}

// -also hides number plates beside faces, in pictures and videos: each by its own
// model, whatever scores that has.
func TestAlso(t *testing.T) {
	dir := t.TempDir()
	const model = "testdata/plate.xml" // its scores are no probabilities, as those of the default model are
	face, plate := image.Rect(20, 20, 130, 120), image.Rect(220, 200, 316, 224)
	img := image.NewRGBA(image.Rect(0, 0, 400, 300))
	draw.Draw(img, img.Rect, image.NewUniform(color.Gray{120}), image.Point{}, draw.Src)
	draw.Draw(img, face, detecttest.OneFace(t), image.Point{}, draw.Src)
	draw.Draw(img, plate, image.White, image.Point{}, draw.Src)
	for x := plate.Min.X + 6; x < plate.Max.X-6; x += 14 {
		draw.Draw(img, image.Rect(x, plate.Min.Y+6, x+4, plate.Max.Y-6), image.Black, image.Point{}, draw.Src)
	}
	middle := face.Inset(30)
	in := detecttest.WritePNG(t, filepath.Join(dir, "0001.png"), img)
	detecttest.WritePNG(t, filepath.Join(dir, "0002.png"), img)

	picture := func(args ...string) image.Image {
		t.Helper()
		out := filepath.Join(t.TempDir(), "out.png")
		status, text, stderr := call(nil, append([]string{"blur", "-solid", "-format", "json", "-out", out, in}, args...)...)
		if status != statusOK {
			t.Fatalf("%q: status %d, %s", args, status, stderr)
		}
		if p := parse(t, text)[0]; len(args) > 0 && (p.Object != "object" || len(p.Faces) < 2) {
			t.Errorf("%q: %+v", args, p)
		}
		return detecttest.ReadPicture(t, out)
	}
	video := func(args ...string) image.Image {
		t.Helper()
		out := filepath.Join(t.TempDir(), "out.y4m")
		status, _, stderr := call(nil, append([]string{"blur", "-solid", "-out", out, filepath.Join(dir, "%04d.png")}, args...)...)
		if status != statusOK {
			t.Fatalf("%q: status %d, %s", args, status, stderr)
		}
		data := must.Get(os.ReadFile(out))
		_, frames := detecttest.FramesOf(t, data)
		return frames[1]
	}
	for name, hide := range map[string]func(...string) image.Image{"picture": picture, "video": video} {
		if m := hide(); painted(m, middle) < 0.99 || painted(m, plate) > 0.3 {
			t.Errorf("%s: %.2f of the face and %.2f of the plate are hidden", name, painted(m, middle), painted(m, plate))
		}
		if m := hide("-also", model); painted(m, middle) < 0.99 || painted(m, plate) < 0.99 {
			t.Errorf("%s with -also: %.2f of the face and %.2f of the plate are hidden", name, painted(m, middle), painted(m, plate))
		}
	}
	for say, args := range map[string][]string{
		"nothing.xml: there is no such file": {"blur", "-also", "nothing.xml", "-out", t.TempDir(), in},
		"-also is not for -list":             {"blur", "-also", model, "-list", "x.txt", "-out", t.TempDir()},
	} {
		if status, _, stderr := call(nil, args...); status != statusUsage || !strings.Contains(stderr, say) {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
}

// A folder is models of several objects: each detection says of what it is.
func TestModelFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"frontalface/frontalface", "stopsign/stop-sign"} {
		data, err := os.ReadFile("../../models/" + name + ".cascade")
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, filepath.Base(name)+".cascade"), data, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for format, want := range map[string]string{"text": "  face\n", "csv": ",face\n", "json": `"object":"face"}`} {
		status, out, errs := call(nil, "-model", dir, "-format", format, "../../samples/group.png")
		if status != 0 || strings.Count(out, want) != 11 {
			t.Errorf("%s: status %d, %s%s", format, status, out, errs)
		}
	}
	var drawn [2][]byte
	for i, model := range []string{dir, "frontalface"} {
		out := t.TempDir()
		call(nil, "-model", model, "-annotate", out, "../../samples/group.png")
		drawn[i], _ = os.ReadFile(filepath.Join(out, "group.png"))
	}
	if len(drawn[0]) == 0 || bytes.Equal(drawn[0], drawn[1]) {
		t.Error("annotated without names")
	}
	list := filepath.Join(dir, "names.txt")
	must.Do(os.WriteFile(list, []byte("../../samples/group.png"), 0o666))
	if status, _, errs := call(nil, "-model", dir, "-list", list, "-out", t.TempDir()); status != 2 || !strings.Contains(errs, "here a model is one file") {
		t.Errorf("of a list: status %d, %s", status, errs)
	}
	if status, _, errs := call(nil, "-model", t.TempDir(), "../../samples/group.png"); status != 2 || !strings.Contains(errs, "want a folder with models") {
		t.Errorf("an empty folder: status %d, %s", status, errs)
	}
}
