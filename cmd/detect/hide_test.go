package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"image/jpeg"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/search"
	"haarlem/internal/luma"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/internal/samples/synth/clip"
	"haarlem/internal/samples/synth/facemodel"
	"haarlem/internal/video"
	"haarlem/models"
	"haarlem/track"
)

// y4mOf are clips one after another: shots.
func y4mOf(t *testing.T, clips ...*clip.Clip) []byte {
	t.Helper()
	var b bytes.Buffer
	w := video.NewY4M(&b, video.Rate{Num: clips[0].Rate(), Den: 1}, "")
	for _, c := range clips {
		for i := range c.Frames() {
			must.Do(w.Write(c.Frame(i), 0))
		}
	}
	return b.Bytes()
}

// covered is the share of a box that is painted over by -solid.
func covered(img image.Image, box image.Rectangle) float64 {
	m := img.(*image.YCbCr)
	dark := color.YCbCrModel.Convert(color.RGBA{48, 48, 48, 255}).(color.YCbCr).Y
	box = box.Intersect(m.Rect)
	n := 0
	for y := box.Min.Y; y < box.Max.Y; y++ {
		for x := box.Min.X; x < box.Max.X; x++ {
			if m.Y[m.YOffset(x, y)] == dark {
				n++
			}
		}
	}
	return float64(n) / float64(max(1, box.Dx()*box.Dy()))
}

// visibleFaces are those of which half or more can be seen.
func visibleFaces(truth []clip.Object) []clip.Object {
	return slices.DeleteFunc(truth, func(o clip.Object) bool { return o.Visible < 0.5 })
}

// No frame of the clips leaves a face visible: turned heads, faces behind posts and
// after each other, a change of shots; from a file, and from a stream, in which only
// what is seen more than a second before it is found may be missed.
func TestBlurLeavesNoFace(t *testing.T) {
	m := facemodel.Builtin()
	sets := [][]*clip.Clip{
		{clip.New(m, &clip.Options{People: 2, Turns: true, Posts: true, Seed: 5, Frames: 24, Rate: 12}), clip.New(m, &clip.Options{People: 2, Turns: true, Seed: 6, Frames: 24, Rate: 12})},
		{clip.New(m, &clip.Options{People: 3, Turns: true, Seed: 2, Width: 640, Frames: 36, Rate: 12})},
		{clip.New(m, &clip.Options{People: 3, Together: true, Turns: true, Seed: 8, Frames: 29, Rate: 12})},
		{clip.New(m, &clip.Options{People: 2, Posts: true, Turns: true, Seed: 9, Speed: 1.5, Frames: 75})},
	}
	if testing.Short() {
		sets = [][]*clip.Clip{{clip.New(m, &clip.Options{People: 2, Turns: true, Posts: true, Seed: 5, Frames: 40})}}
	}
	for n, set := range sets {
		data := y4mOf(t, set...)
		dir := t.TempDir()
		in, out := detecttest.WriteBytes(t, filepath.Join(dir, "in.y4m"), data), filepath.Join(dir, "out.y4m")
		ways := []string{"file", "stream"}
		if n > 0 {
			ways = ways[:1] // two passes or one: what is hidden differs little
		}
		for _, way := range ways {
			var text []byte
			if way == "file" {
				works(t, "blur", "-solid", "-out", out, in)
				text = must.Get(os.ReadFile(out))
			} else {
				text = []byte(given(bytes.NewReader(data)).Works(t, "blur", "-solid", "-out", "-", "-"))
			}
			_, frames := detecttest.FramesOf(t, text)
			at, faces, left := 0, 0, 0
			area := 0.0
			for _, c := range set {
				for i := range c.Frames() {
					for _, o := range visibleFaces(c.Truth(i)) {
						faces++
						if share := covered(frames[at], o.Face); share < 0.9 {
							left++
							t.Errorf("clips %d, from a %s, frame %d: %.2f of the face at %v is hidden", n, way, at, share, o.Face)
						}
					}
					area += covered(frames[at], frames[at].Bounds())
					at++
				}
			}
			if at != len(frames) {
				t.Errorf("%d frames of %d", len(frames), at)
			}
			if area > 0.6*float64(at) {
				t.Errorf("clips %d, from a %s: %.2f of the picture is hidden", n, way, area/float64(at))
			}
			t.Logf("clips %d, from a %s: %d of %d faces visible, %.2f of the picture hidden", n, way, left, faces, area/float64(at))
		}
	}
}

// An attack: whoever has pictures of the same people, hidden in the same way, compares
// what is left of a face with each of them; and a detector looks for faces. Painted over,
// a face says nothing. Blurred or pixelated, a face is told from five others of the same
// clip nearly always, as docs/video.md says: what is left of it is no likeness, but it is
// a number of colours that others have not. This holds what is said there.
func TestAttackOnHiddenFaces(t *testing.T) {
	if testing.Short() {
		t.Skip("hides some hundred frames")
	}
	const people = 6
	model := must.Get(models.Open("face-fast"))
	d := must.Get(detector.New(&detector.Options{MinSize: image.Pt(40, 40)}, model))
	var describer track.Describer
	describe := func(img image.Image, box image.Rectangle) *track.Descriptor {
		g, _ := luma.Of(img, nil)
		return describer.Describe(g.Gray(), box)
	}
	for _, way := range []struct {
		name    string
		args    []string
		largest float64 // share of faces that are told apart
	}{{"in the open", nil, 1}, {"blurred", []string{"blur"}, 0.95}, {"pixelated", []string{"pixelate"}, 0.95}, {"painted over", []string{"blur", "-solid"}, 0.34}} {
		right, tried, found, faces := 0, 0, 0, 0
		for seed := range uint64(2) {
			c := clip.New(facemodel.Builtin(), &clip.Options{People: people, Seed: 12 + seed, Width: 960, Frames: 24, Rate: 13, Smallest: 60})
			data := y4mOf(t, c)
			_, frames := detecttest.FramesOf(t, data)
			if way.args != nil {
				_, frames = detecttest.FramesOf(t, []byte(given(bytes.NewReader(data)).Works(t, append(way.args, "-out", "-", "-")...)))
			}
			// What the attacker has are the first frames.
			var gallery [people + 1][]*track.Descriptor
			for i, img := range frames {
				got := must.Get(d.Detect(context.Background(), img))
				for _, o := range visibleFaces(c.Truth(i)) {
					faces++
					if slices.ContainsFunc(got, func(d detector.Detection) bool { return track.Overlap(d.Box, o.Box) > 0.3 }) {
						found++
					}
					look := describe(img, o.Box)
					if i < 8 {
						gallery[o.ID] = append(gallery[o.ID], look)
						continue
					}
					if i < 16 {
						continue
					}
					best, who := -2.0, 0
					for id, all := range gallery {
						for _, have := range all {
							if s := track.Similarity(have, look); s > best {
								best, who = s, id
							}
						}
					}
					tried++
					if who == o.ID {
						right++
					}
				}
			}
		}
		share := float64(right) / float64(max(tried, 1))
		t.Logf("%s: %d of %d faces found, %d of %d told apart (by chance %d)", way.name, found, faces, right, tried, tried/people)
		if way.args == nil {
			if share < 0.9 || found < faces*8/10 {
				t.Errorf("%s: an attack that fails there says nothing", way.name)
			}
			continue
		}
		if found > faces/100 || share > way.largest {
			t.Errorf("%s: %d faces found, %.2f told apart", way.name, found, share)
		}
	}
}

// -keep, -roi, -max-faces and -whole-frame.
func TestHideFlags(t *testing.T) {
	c := clip.New(facemodel.Builtin(), &clip.Options{People: 2, Seed: 7, Frames: 13, Rate: 13, Smallest: 60})
	data := y4mOf(t, c)
	hidden := func(args ...string) (shares [3]float64) {
		t.Helper()
		out := given(bytes.NewReader(data)).Works(t, append([]string{"blur", "-solid", "-model", "face-fast", "-out", "-", "-"}, args...)...)
		_, frames := detecttest.FramesOf(t, []byte(out))
		if len(frames) != 13 {
			t.Fatalf("%d frames", len(frames))
		}
		for _, o := range c.Truth(6) {
			shares[o.ID] = covered(frames[6], o.Face)
		}
		return shares
	}
	if s := hidden(); s[1] < 0.9 || s[2] < 0.9 {
		t.Fatalf("without flags %v is hidden", s)
	}
	if s := hidden("-keep", "1"); (s[1] < 0.2) == (s[2] < 0.2) {
		t.Errorf("-keep 1: %v is hidden", s)
	}
	if s := hidden("-max-faces", "1"); min(s[1], s[2]) > 0.2 || max(s[1], s[2]) < 0.9 {
		t.Errorf("-max-faces 1: %v is hidden", s)
	}
	if s := hidden("-roi", "0,0,240,320"); s[1] < 0.9 || s[2] > 0.2 {
		t.Errorf("-roi: %v is hidden", s)
	}
	for say, args := range map[string][]string{
		"want X,Y,WIDTH,HEIGHT": {"-roi", "1,2,3"},
		"the number of a track": {"-keep", "0"},
		"-max-faces -1":         {"-max-faces", "-1"},
		"ends in .html":         {"-report", "x.txt"},
		"-sound":                {"-sound"},
	} {
		given(bytes.NewReader(data)).Says(t, statusUsage, say, append([]string{"blur", "-out", "-", "-"}, args...)...)
	}
	fails(t, statusUsage, "-keep: is for videos", "blur", "-keep", "1", "-out", t.TempDir(), detecttest.Group)
}

// The list of uncertain frames shows the result, in runs, and nothing else of the video.
// With -whole-frame nothing can be seen of a frame in which the place of a face is not
// known.
func TestDoubtSheet(t *testing.T) {
	c := clip.New(facemodel.Builtin(), &clip.Options{People: 1, Turns: true, Seed: 2, Frames: 50, Rate: 12, Smallest: 60})
	dir := t.TempDir()
	in := detecttest.WriteBytes(t, filepath.Join(dir, "in.y4m"), y4mOf(t, c))
	out, report := filepath.Join(dir, "out.y4m"), filepath.Join(dir, "check.html")
	clitest.Contains(t, works(t, "blur", "-solid", "-model", "face-fast", "-whole-frame", "-report", report, "-out", out, in), "to check in "+report)
	html := string(must.Get(os.ReadFile(report)))
	if n := strings.Count(html, "data:image/jpeg;base64,"); n < 1 || n > 20 || !strings.Contains(html, "The place of a face is not known") {
		t.Errorf("%d pictures in\n%.3000s", n, html)
	}
	if strings.Contains(html, "<script") || strings.Contains(html, "http") {
		t.Error("the page wants something from elsewhere")
	}
	whole := 0
	_, frames := detecttest.FramesOf(t, must.Get(os.ReadFile(out)))
	for _, img := range frames {
		if covered(img, img.Bounds()) == 1 {
			whole++
		}
	}
	if whole == 0 || whole > 40 {
		t.Errorf("%d frames are hidden as a whole", whole)
	}
}

// A run that is interrupted while it searches says that nothing is written, and can be
// resumed.
func TestBlurInterrupted(t *testing.T) {
	dir := t.TempDir()
	in, out := detecttest.WriteBytes(t, filepath.Join(dir, "in.y4m"), detecttest.NewPan(t, 12).Y4M(t)), filepath.Join(dir, "out.y4m")
	args := append([]string{"blur", in, "-out", out, "-workers", "1"}, detecttest.PanArgs...)
	interrupted := func(when func(bar []byte) bool) {
		t.Helper()
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var so, se bytes.Buffer
		bar := detecttest.WriterFunc(func(p []byte) (int, error) {
			if when(p) {
				cancel()
			}
			return se.Write(p)
		})
		asTerminal(t, &bar)
		if status := run(ctx, args, nil, &so, &bar); status != statusInterrupted || !strings.Contains(se.String(), "-resume goes on") {
			t.Errorf("status %d, %s", status, se.String())
		}
		if _, err := os.Stat(out); err == nil {
			t.Error("there is a film")
		}
	}
	interrupted(func([]byte) bool { // as soon as something is found
		text, err := os.ReadFile(out + ".detections")
		return err == nil && bytes.Count(text, []byte("\n")) > 3
	})
	args = append(args, "-resume")
	interrupted(func(bar []byte) bool { return bytes.Contains(bar, []byte("frames written")) })
	clitest.Contains(t, works(t, args...), "12 frames")
}

// What may be a face is hidden, also where detect would not call it one.
func TestBlurDoubtful(t *testing.T) {
	doubtful := calibratedFrom(t, detecttest.Drawn, -1, 0.9) // scores of about 0.3
	count := func(args ...string) int {
		t.Helper()
		return len(facesIn(t, append(args, "-model", doubtful, detecttest.Group)...))
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
	part := image.NewRGBA(image.Rect(76, 0, 800, 500)) // 30 of the 103 pixels of a face are gone
	draw.Draw(part, part.Rect, detecttest.ReadPicture(t, detecttest.Group), part.Rect.Min, draw.Src)
	cut := detecttest.WritePNG(t, filepath.Join(t.TempDir(), "cut.png"), part)
	count := func(args ...string) int {
		t.Helper()
		return len(facesIn(t, append(args, "-model", "../../models/frontalfaceopen/frontalface-open.cascade", cut)...))
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
	file := detecttest.WritePNG(t, filepath.Join(t.TempDir(), "small.png"), small)
	lower := func(args ...string) (smallest, faces int) {
		t.Helper()
		smallest = 1 << 30
		all := facesIn(t, append(args, "-model", "frontalface-opencv", file)...)
		for _, f := range all {
			smallest = min(smallest, f.Width)
		}
		return smallest, len(all)
	}
	plain, some := lower()
	enlarged, more := lower("-enlarge", "2.5")
	if plain < 20 || enlarged > 15 || more < some+3 {
		t.Errorf("%d faces of at least %d pixels, with -enlarge 2.5 %d of at least %d", some, plain, more, enlarged)
	}
	// A search that cannot find what -min-size asks for says so, and its advice helps. The
	// detector's TestSmallest has the numbers.
	for _, test := range []struct{ args, says string }{
		{"-min-size 12", "no face of less than 24 pixels is looked for; -enlarge 2 would look for those of 12 and more"},
		{"-min-size 20 -enlarge 1.2", "no face of less than 22 pixels is looked for; -enlarge 1.3 would look for those of 20 and more"},
		{"-min-size 12 -enlarge 2", ""},
		{"-min-size 20x60", ""},
		{"", ""},
	} {
		ends(t, statusOK, test.says, append(strings.Fields(test.args), "-model", "frontalface-opencv", file)...)
	}
	if smallest, _ := lower("-min-size", "12", "-enlarge", "2"); smallest < 12 || smallest > 14 {
		t.Errorf("with -min-size 12 -enlarge 2 the smallest face has %d pixels", smallest)
	}
}

// A folder: every face is hidden, no file is lost, and the results are told as detect tells them.
func TestBlurFolder(t *testing.T) {
	dir := t.TempDir()
	in := filepath.Join(dir, "in")
	detecttest.WritePNG(t, filepath.Join(in, "a.png"), detecttest.ReadPicture(t, detecttest.Group))
	detecttest.WritePNG(t, filepath.Join(in, "b.png"), detecttest.ReadPicture(t, detecttest.Room))
	detecttest.WriteBytes(t, filepath.Join(in, "c.png"), []byte("no picture"))
	for _, name := range []string{"blur", "pixelate"} {
		out := filepath.Join(dir, name)
		all := parse(t, says(t, statusFailed, "c.png", name, "-model", detecttest.Drawn, "-format", "json", "-out", out, in))
		if len(all) != 2 || len(all[0].Faces) != 11 {
			t.Fatalf("%s: %+v", name, all)
		}
		src, got := detecttest.ReadPicture(t, detecttest.Group), detecttest.ReadPicture(t, filepath.Join(out, "a.png"))
		for _, f := range all[0].Faces {
			box := image.Rect(f.X, f.Y, f.X+f.Width, f.Y+f.Height)
			if share := detecttest.Differs(src, got, box); share < 0.3 {
				t.Errorf("%s: %.2f of the pixels of the face at %v changed", name, share, box)
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

// One picture goes to the file that is named, which is not replaced.
func TestBlurOneFile(t *testing.T) {
	dir := t.TempDir()
	in, out := detecttest.WriteBytes(t, filepath.Join(dir, "in.jpg"), picturetest.JPEG(detecttest.OneFace(t), 95)), filepath.Join(dir, "out.jpg")
	clitest.Contains(t, quietly(t, "blur", "-model", detecttest.Drawn, "-out", out, in), "1 face")
	if share := detecttest.Differs(detecttest.ReadPicture(t, in), detecttest.ReadPicture(t, out), image.Rect(25, 30, 85, 90)); share < 0.2 {
		t.Errorf("%.2f of the face changed", share)
	}
	// The text about the picture is printed all the same.
	says(t, statusFailed, "exists", "blur", "-model", detecttest.Drawn, "-out", out, in)
	says(t, statusFailed, "one of the pictures", "blur", "-model", detecttest.Drawn, "-overwrite", "-out", in, in)
	works(t, "pixelate", "-model", detecttest.Drawn, "-out", filepath.Join(dir, "x.png"), in)
	detecttest.ReadPicture(t, filepath.Join(dir, "x.png"))
}

// In a video every face of every frame is hidden.
func TestBlurVideo(t *testing.T) {
	p := detecttest.NewPan(t, 30)
	for _, name := range []string{"blur", "pixelate"} {
		movie := detecttest.FakeBackend(t, p.Source("in.mp4"))
		out := filepath.Join(t.TempDir(), "out.mp4")
		clitest.Contains(t, quietly(t, append([]string{name, "-out", out, "in.mp4"}, detecttest.PanArgs...)...), "30 frames")
		p.CheckHidden(t, movie.Images)
	}
	// A source that breaks off: all that was read is there, those still
	// waiting for what comes behind them too.
	source := p.Source("in.mp4")
	source.Images, source.End = source.Images[:5], source.Info.Ended(5, 0)
	movie := detecttest.FakeBackend(t, source)
	out := filepath.Join(t.TempDir(), "out.mp4")
	says(t, statusFailed, "ends after frame 5 of 30", append([]string{"blur", "-out", out, "in.mp4"}, detecttest.PanArgs...)...)
	if len(movie.Images) != 5 {
		t.Errorf("%d frames", len(movie.Images))
	}
	p.CheckHidden(t, movie.Images)
	// A picture from a pipe can be blurred as one, and a video as one.
	detecttest.FakeBackend(t, detecttest.NewPan(t, 6).Source("/dev/stdin"))
	clitest.Contains(t, works(t, append([]string{"blur", "/dev/stdin", "-out", filepath.Join(t.TempDir(), "x.mp4")}, detecttest.PanArgs...)...), "6 frames")
}

// calibratedFrom is a copy of a model with scores that can be told from each other to the
// end, and one that detections need.
func calibratedFrom(t *testing.T, name string, offset, smallest float64) string {
	t.Helper()
	c := must.Get(search.OpenModel(name))
	c.Search.MinCandidates, c.Search.MinScore = 0, smallest
	c.Calibration = &cascade.Calibration{Slope: 0.001, Offset: offset}
	return detecttest.WriteBytes(t, filepath.Join(t.TempDir(), "calibrated.cascade"), must.Bytes(c.Encode))
}

const secret = "SECRET-PLACE-AND-NAME"

// segmentOf is a segment of JPEG.
func segmentOf(marker byte, text string) []byte {
	return append([]byte{0xFF, marker, byte((len(text) + 2) >> 8), byte(len(text) + 2)}, text...)
}

// pngChunk is a chunk of PNG.
func pngChunk(name, text string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	b = append(append(b, name...), text...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// Whatever a picture or a video says besides its pixels, its copy does not: EXIF with a
// thumbnail, XMP, colour profiles, comments, and what is behind the end.
func TestNothingButPixelsIsCopied(t *testing.T) {
	img := detecttest.OneFace(t)
	dir := t.TempDir()
	jpg := picturetest.JPEG(img, jpeg.DefaultQuality)
	full := slices.Concat(jpg[:2], segmentOf(0xE1, "Exif\x00\x00"+secret+string(jpg[:300])), segmentOf(0xE1, "http://ns.adobe.com/xap/1.0/\x00"+secret),
		segmentOf(0xE2, "ICC_PROFILE\x00\x01\x01"+secret), segmentOf(0xED, secret), segmentOf(0xFE, secret), jpg[2:], []byte(secret), jpg)
	pngFile := picturetest.PNG(img)
	head := 8 + 25 // signature and IHDR
	pngFull := slices.Concat(pngFile[:head], pngChunk("tEXt", "Comment\x00"+secret), pngChunk("eXIf", secret), pngChunk("iTXt", "a\x00\x00\x00\x00\x00"+secret), pngFile[head:], []byte(secret))
	files := map[string][]byte{
		"a.jpg": full, "b.png": pngFull,
		"c.gif":  append(must.Bytes(func(w io.Writer) error { return gif.Encode(w, img, nil) }), secret...),
		"d.bmp":  append(must.Bytes(func(w io.Writer) error { return bmp.Encode(w, img) }), secret...),
		"e.tiff": append(must.Bytes(func(w io.Writer) error { return tiff.Encode(w, img, nil) }), secret...),
	}
	args := []string{"blur", "-out", filepath.Join(dir, "out"), "-model", detecttest.Drawn}
	for name, data := range files {
		args = append(args, detecttest.WriteBytes(t, filepath.Join(dir, name), data))
	}
	works(t, args...)
	made, err := os.ReadDir(filepath.Join(dir, "out"))
	if err != nil || len(made) != len(files) {
		t.Fatalf("%d files, %v", len(made), err)
	}
	for _, e := range made {
		data := must.Get(os.ReadFile(filepath.Join(dir, "out", e.Name())))
		if bytes.Contains(data, []byte(secret)) || bytes.Contains(data, []byte("Exif")) {
			t.Errorf("%s: something else than pixels is there", e.Name())
		}
		if strings.HasSuffix(e.Name(), ".jpg") {
			onlyPixels(t, data)
		}
	}
	// Videos.
	m := detecttest.NewPan(t, 2).Images[0]
	var mjpeg bytes.Buffer
	for range 3 {
		one := picturetest.JPEG(m, jpeg.DefaultQuality)
		mjpeg.Write(slices.Concat(one[:2], segmentOf(0xE1, "Exif\x00\x00"+secret), segmentOf(0xFE, secret), one[2:]))
	}
	var y4m bytes.Buffer
	must.Do(video.NewY4M(&y4m, video.Rate{Num: 25, Den: 1}, "Ip X"+secret).Write(m, 0))
	for name, data := range map[string][]byte{"Motion JPEG": mjpeg.Bytes(), "Y4M": y4m.Bytes()} {
		if !bytes.Contains(data, []byte(secret)) {
			t.Fatal("there is no secret")
		}
		out := given(bytes.NewReader(data)).Works(t, "blur", "-model", detecttest.Drawn, "-out", "-", "-")
		if strings.Contains(out, secret) {
			t.Errorf("%s: something else than pixels is there", name)
		}
		if name == "Motion JPEG" {
			onlyPixels(t, []byte(out))
		}
	}
}

// onlyPixels checks that a JPEG has tables, a frame and a scan, and nothing else before it.
func onlyPixels(t *testing.T, data []byte) {
	t.Helper()
	for at := 2; at+4 < len(data); at += 2 + int(binary.BigEndian.Uint16(data[at+2:])) {
		switch m := data[at+1]; m {
		case 0xDB, 0xC4, 0xC0:
		case 0xDA:
			return
		default:
			t.Errorf("a JPEG with a segment %#x", m)
			return
		}
	}
}
