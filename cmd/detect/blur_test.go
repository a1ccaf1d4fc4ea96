package main

import (
	"bytes"
	"image"
	"image/draw"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/search"
	"haarlem/internal/must"
	"haarlem/internal/obscure"
	"haarlem/models/frontalface"
	"haarlem/picture"
)

// What may be a face is hidden, also where detect would not call it one.
func TestBlurDoubtful(t *testing.T) {
	doubtful := calibratedFrom(t, detecttest.Drawn, -1, 0.9) // scores of about 0.3
	count := func(args ...string) int {
		t.Helper()
		status, out, stderr := call(nil, append(args, "-model", doubtful, "-format", "json", detecttest.Group)...)
		if status != statusOK {
			t.Fatalf("detect %q: status %d, %s", args, status, stderr)
		}
		return len(parse(t, out)[0].Faces)
	}
	hide := func(name string, args ...string) int {
		t.Helper()
		return count(append([]string{"blur", "-out", filepath.Join(t.TempDir(), name)}, args...)...)
	}
	if n := count("pixelate", "-out", filepath.Join(t.TempDir(), "c.png")); n < 11 {
		t.Errorf("pixelate hides %d of 11", n)
	}
	found, any, hidden, asked := count(), count("-min-score", "0"), hide("a.png"), hide("b.png", "-min-score", "0.9")
	if found != 0 || any < 11 || hidden != any || asked != 0 {
		t.Errorf("%d found, %d with any score, %d hidden, %d with -min-score 0.9; want 0, 11 or more, as many, 0", found, any, hidden, asked)
	}
}

// A face that the picture's edge cuts is found, unless nothing may lie beyond the
// edge.
func TestPadFlag(t *testing.T) {
	src := detecttest.ReadPicture(t, detecttest.Group).(interface {
		SubImage(image.Rectangle) image.Image
	})
	cut := filepath.Join(t.TempDir(), "cut.png")
	detecttest.WritePNG(t, cut, src.SubImage(image.Rect(76, 0, 800, 500))) // 30 of the 103 pixels of a face are gone
	count := func(args ...string) int {
		t.Helper()
		status, out, stderr := call(nil, append(args, "-model", "frontalface", "-format", "json", cut)...)
		if status != statusOK {
			t.Fatalf("detect %q: status %d, %s", args, status, stderr)
		}
		return len(parse(t, out)[0].Faces)
	}
	if found, with, without := count(), count("-pad", "30"), count("-pad", "0"); found != 11 || with != 11 || without != 10 {
		t.Errorf("%d faces, %d with -pad 30, %d with -pad 0; want 11, 11 and 10", found, with, without)
	}
}

// Faces smaller than the model's window are found with -enlarge.
func TestEnlargeFlag(t *testing.T) {
	src := detecttest.ReadPicture(t, detecttest.Group)
	small := image.NewRGBA(image.Rect(0, 0, 800/3, 500/3))
	for y := range small.Rect.Dy() {
		for x := range small.Rect.Dx() {
			small.Set(x, y, src.At(3*x+1, 3*y+1))
		}
	}
	file := filepath.Join(t.TempDir(), "small.png")
	detecttest.WritePNG(t, file, small)
	lower := func(args ...string) (smallest, faces int) {
		t.Helper()
		status, out, stderr := call(nil, append(args, "-model", "frontalface", "-format", "json", file)...)
		if status != statusOK {
			t.Fatalf("detect %q: status %d, %s", args, status, stderr)
		}
		smallest = 1 << 30
		for _, f := range parse(t, out)[0].Faces {
			smallest = min(smallest, f.Width)
		}
		return smallest, len(parse(t, out)[0].Faces)
	}
	plain, some := lower()
	enlarged, more := lower("-enlarge", "2.5")
	if plain < 20 || enlarged > 15 || more < some+3 {
		t.Errorf("%d faces of at least %d pixels, with -enlarge 2.5 %d of at least %d", some, plain, more, enlarged)
	}
	// A search that cannot find what -min-size asks for says so, and its advice helps.
	for _, test := range []struct{ args, says string }{
		{"-min-size 12", "no face of less than 24 pixels is looked for; -enlarge 2 would look for those of 12 and more"},
		{"-min-size 20", "no face of less than 24 pixels is looked for; -enlarge 1.3 would look for those of 20 and more"},
		{"-min-size 20 -enlarge 1.2", "no face of less than 22 pixels is looked for; -enlarge 1.3 would look for those of 20 and more"},
		{"-min-size 1", "no face of less than 24 pixels is looked for; -enlarge 7.5 would look for those of 3 and more"},
		{"-min-size 12 -enlarge 2", ""},
		{"-min-size 20 -enlarge 1.3", ""},
		{"-min-size 23", ""}, // no size is between it and the window's
		{"-min-size 20x60", ""},
		{"-min-size 24", ""},
		{"", ""},
	} {
		_, _, stderr := call(nil, append(strings.Fields(test.args), "-model", "frontalface", file)...)
		if want := "detect: " + test.says + "\n"; stderr != want && test.says+stderr != "" {
			t.Errorf("detect %s: %q, want %q", test.args, stderr, want)
		}
	}
	if smallest, _ := lower("-min-size", "12", "-enlarge", "2"); smallest < 12 || smallest > 14 {
		t.Errorf("with -min-size 12 -enlarge 2 the smallest face has %d pixels", smallest)
	}
}

// A folder: every face is hidden, all else is as it was, no file is lost, and
// the results are told as detect tells them.
func TestBlurFolder(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	detecttest.WritePNG(t, filepath.Join(in, "a.png"), detecttest.ReadPicture(t, detecttest.Group))
	detecttest.WritePNG(t, filepath.Join(in, "b.png"), detecttest.ReadPicture(t, detecttest.Room))
	detecttest.WriteBytes(t, filepath.Join(in, "c.png"), []byte("no picture"))
	for _, name := range []string{"blur", "pixelate"} {
		out := filepath.Join(dir, name)
		status, text, stderr := call(nil, name, "-model", detecttest.Drawn, "-format", "json", "-out", out, in)
		if status != statusFailed || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "c.png") {
			t.Errorf("%s: status %d, %s", name, status, stderr)
		}
		all := parse(t, text)
		if len(all) != 2 || len(all[0].Faces) != 11 {
			t.Fatalf("%s: %s", name, text)
		}
		src, got := detecttest.ReadPicture(t, detecttest.Group), detecttest.ReadPicture(t, filepath.Join(out, "a.png"))
		var boxes []image.Rectangle
		for _, f := range all[0].Faces {
			box := image.Rect(f.X, f.Y, f.X+f.Width, f.Y+f.Height)
			if share := detecttest.Differs(src, got, box); share < 0.3 {
				t.Errorf("%s: %.2f of the pixels of the face at %v changed", name, share, box)
			}
			boxes = append(boxes, obscure.Enlarge(box, picture.UsualMargin))
		}
		for y := range 500 {
			for x := range 800 {
				p := image.Pt(x, y)
				if !slices.ContainsFunc(boxes, p.In) && src.At(x, y) != got.At(x, y) && detecttest.Differs(src, got, image.Rect(x, y, x+1, y+1)) > 0 {
					t.Fatalf("%s: pixel %v is outside of all boxes and changed", name, p)
				}
			}
		}
		if n := len(found(t, nil, filepath.Join(out, "a.png"))[0].Faces); n > 1 {
			t.Errorf("%s: %d faces can still be found", name, n)
		}
		if detecttest.Differs(detecttest.ReadPicture(t, detecttest.Room), detecttest.ReadPicture(t, filepath.Join(out, "b.png")), image.Rect(0, 0, 300, 200)) > 0 {
			t.Errorf("%s: a picture without faces changed", name)
		}
	}
}

// The built-in model finds no face again of those that were hidden, wherever
// cells begin on it.
func TestHiddenFromTheModel(t *testing.T) {
	m := must.Get(frontalface.Cascade())
	d := must.Get(detector.New(&detector.Options{MinSize: image.Pt(40, 40)}, m))
	find := func(img image.Image) []detector.Detection {
		t.Helper()
		return must.Get(d.Detect(t.Context(), img))
	}
	whole := detecttest.ReadPicture(t, detecttest.Group)
	hidden := 0
	for left := 0; left <= 160; left += 10 {
		img := image.NewRGBA(image.Rect(0, 0, 640, 480))
		draw.Draw(img, img.Rect, whole, image.Pt(left, 20), draw.Src)
		var boxes []image.Rectangle
		for _, f := range find(img) {
			boxes = append(boxes, f.Box)
		}
		hidden += len(boxes)
		for name, hide := range map[string]func(image.Image, []image.Rectangle, float64) *image.RGBA{"blur": picture.Blur, "pixelate": picture.Pixelate} {
			for _, f := range find(hide(img, boxes, picture.UsualMargin)) {
				for _, b := range boxes {
					if i := f.Box.Intersect(b); 2*i.Dx()*i.Dy() > b.Dx()*b.Dy() {
						t.Errorf("%s, %d pixels to the left: the face at %v is found again, with a score of %.2f", name, left, b, f.Score)
					}
				}
			}
		}
	}
	if hidden < 100 {
		t.Errorf("%d faces were hidden, want more", hidden)
	}
}

// One picture goes to the file that is named, which is not replaced, and with
// nothing of what the camera noted.
func TestBlurOneFile(t *testing.T) {
	dir := t.TempDir()
	var encoded bytes.Buffer
	must.Do(jpeg.Encode(&encoded, detecttest.OneFace(t), &jpeg.Options{Quality: 95}))
	note := []byte("Exif\x00\x00the camera's secret")
	note = append([]byte{0xFF, 0xD8, 0xFF, 0xE1, 0, byte(len(note) + 2)}, note...)
	in := detecttest.WriteBytes(t, filepath.Join(dir, "in.jpg"), append(note, encoded.Bytes()[2:]...))
	out := filepath.Join(dir, "out.jpg")
	status, text, stderr := call(nil, "blur", "-model", detecttest.Drawn, "-out", out, in)
	if status != statusOK || stderr != "" || !strings.Contains(text, "1 face") {
		t.Fatalf("status %d, %s%s", status, text, stderr)
	}
	got, err := os.ReadFile(out)
	if err != nil || bytes.Contains(got, []byte("secret")) || bytes.Contains(got, []byte("Exif")) {
		t.Errorf("what the camera noted is in the copy, or there is none: %v", err)
	}
	if share := detecttest.Differs(detecttest.ReadPicture(t, in), detecttest.ReadPicture(t, out), image.Rect(25, 30, 85, 90)); share < 0.2 {
		t.Errorf("%.2f of the face changed", share)
	}
	if status, _, stderr = call(nil, "blur", "-model", detecttest.Drawn, "-out", out, in); status != statusFailed || !strings.Contains(stderr, "exists") {
		t.Errorf("again: status %d, %s", status, stderr)
	}
	if status, _, stderr = call(nil, "blur", "-model", detecttest.Drawn, "-overwrite", "-out", in, in); status != statusFailed || !strings.Contains(stderr, "one of the pictures") {
		t.Errorf("over the picture itself: status %d, %s", status, stderr)
	}
	if status, _, stderr = call(nil, "pixelate", "-model", detecttest.Drawn, "-out", filepath.Join(dir, "x.png"), in); status != statusOK {
		t.Errorf("as PNG: status %d, %s", status, stderr)
	}
	detecttest.ReadPicture(t, filepath.Join(dir, "x.png"))
}

// In a video every face of every frame is hidden.
func TestBlurVideo(t *testing.T) {
	p := detecttest.NewPan(t, 30)
	for _, name := range []string{"blur", "pixelate"} {
		movie := detecttest.FakeBackend(t, p.Source("in.mp4"))
		out := filepath.Join(t.TempDir(), "out.mp4")
		status, text, stderr := call(nil, append([]string{name, "-out", out, "in.mp4"}, detecttest.PanArgs...)...)
		if status != statusOK || stderr != "" || !strings.Contains(text, "30 frames") {
			t.Fatalf("%s: status %d, %s%s", name, status, text, stderr)
		}
		p.CheckHidden(t, movie.Images)
	}
	// A source that breaks off: all that was read is there, those still
	// waiting for what comes behind them too.
	source := p.Source("in.mp4")
	source.Images, source.End = source.Images[:5], source.Info.Ended(5, 0)
	movie := detecttest.FakeBackend(t, source)
	out := filepath.Join(t.TempDir(), "out.mp4")
	status, _, stderr := call(nil, append([]string{"blur", "-out", out, "in.mp4"}, detecttest.PanArgs...)...)
	if status != statusFailed || !strings.Contains(stderr, "ends after frame 5 of 30") || len(movie.Images) != 5 {
		t.Errorf("status %d, %d frames, %s", status, len(movie.Images), stderr)
	}
	p.CheckHidden(t, movie.Images)
	// A picture from a pipe can be blurred as one, and a video as one.
	detecttest.FakeBackend(t, detecttest.NewPan(t, 6).Source("/dev/stdin"))
	if status, text, stderr := call(nil, append([]string{"blur", "/dev/stdin", "-out", filepath.Join(t.TempDir(), "x.mp4")}, detecttest.PanArgs...)...); status != statusOK || !strings.Contains(text, "6 frames") {
		t.Errorf("from a pipe: status %d, %s%s", status, text, stderr)
	}
}

// calibratedFrom is a copy of a model with scores that can be told from each other to the
// end, and one that detections need.
func calibratedFrom(t *testing.T, name string, offset, smallest float64) string {
	t.Helper()
	c := must.Get(search.OpenModel(name))
	c.Search.MinCandidates, c.Search.MinScore = 0, smallest
	c.Calibration = &cascade.Calibration{Slope: 0.001, Offset: offset}
	var file bytes.Buffer
	must.Do(c.Encode(&file))
	return detecttest.WriteBytes(t, filepath.Join(t.TempDir(), "calibrated.cascade"), file.Bytes())
}
