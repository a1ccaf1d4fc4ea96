package main

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"haarlem/cascade/detector"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/luma"
	"haarlem/internal/must"
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
		{clip.New(m, &clip.Options{People: 2, Turns: true, Posts: true, Seed: 5, Frames: 50}), clip.New(m, &clip.Options{People: 2, Turns: true, Seed: 6, Frames: 50})},
		{clip.New(m, &clip.Options{People: 3, Turns: true, Seed: 2, Width: 640, Frames: 75})},
		{clip.New(m, &clip.Options{People: 3, Together: true, Turns: true, Seed: 8, Frames: 60})},
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
			var status int
			var text, stderr string
			if way == "file" {
				status, _, stderr = call(nil, "blur", "-solid", "-out", out, in)
				file, err := os.ReadFile(out)
				if err != nil {
					t.Fatal(err, stderr)
				}
				text = string(file)
			} else {
				status, text, stderr = call(bytes.NewReader(data), "blur", "-solid", "-out", "-", "-")
			}
			if status != statusOK {
				t.Fatalf("status %d, %s", status, stderr)
			}
			_, frames := detecttest.FramesOf(t, []byte(text))
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
	c := clip.New(facemodel.Builtin(), &clip.Options{People: people, Seed: 12, Width: 960, Frames: 45, Smallest: 60})
	data := y4mOf(t, c)
	model := must.Get(models.Open("frontalface"))
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
		_, frames := detecttest.FramesOf(t, data)
		if way.args != nil {
			status, out, stderr := call(bytes.NewReader(data), append(way.args, "-out", "-", "-")...)
			if status != statusOK {
				t.Fatal(stderr)
			}
			_, frames = detecttest.FramesOf(t, []byte(out))
		}
		// What the attacker has are the first frames.
		var gallery [people + 1][]*track.Descriptor
		right, tried, found, faces := 0, 0, 0, 0
		for i, img := range frames {
			got := must.Get(d.Detect(context.Background(), img))
			for _, o := range visibleFaces(c.Truth(i)) {
				faces++
				if slices.ContainsFunc(got, func(d detector.Detection) bool { return track.Overlap(d.Box, o.Box) > 0.3 }) {
					found++
				}
				look := describe(img, o.Box)
				if i < 15 {
					gallery[o.ID] = append(gallery[o.ID], look)
					continue
				}
				if i < 30 {
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
	c := clip.New(facemodel.Builtin(), &clip.Options{People: 2, Seed: 7, Frames: 25, Smallest: 60})
	data := y4mOf(t, c)
	hidden := func(args ...string) (shares [3]float64, all float64, report string) {
		t.Helper()
		status, out, stderr := call(bytes.NewReader(data), append([]string{"blur", "-solid", "-model", "frontalface", "-out", "-", "-"}, args...)...)
		if status != statusOK {
			t.Fatalf("%q: status %d, %s", args, status, stderr)
		}
		_, frames := detecttest.FramesOf(t, []byte(out))
		if len(frames) != 25 {
			t.Fatalf("%d frames", len(frames))
		}
		for _, o := range c.Truth(12) {
			shares[o.ID] = covered(frames[12], o.Face)
		}
		return shares, covered(frames[12], frames[12].Bounds()), stderr
	}
	if s, _, _ := hidden(); s[1] < 0.9 || s[2] < 0.9 {
		t.Fatalf("without flags %v is hidden", s)
	}
	if s, _, _ := hidden("-keep", "1"); (s[1] < 0.2) == (s[2] < 0.2) {
		t.Errorf("-keep 1: %v is hidden", s)
	}
	if s, _, _ := hidden("-max-faces", "1"); min(s[1], s[2]) > 0.2 || max(s[1], s[2]) < 0.9 {
		t.Errorf("-max-faces 1: %v is hidden", s)
	}
	if s, _, _ := hidden("-roi", "0,0,240,320"); s[1] < 0.9 || s[2] > 0.2 {
		t.Errorf("-roi: %v is hidden", s)
	}
	for say, args := range map[string][]string{
		"want X,Y,WIDTH,HEIGHT": {"-roi", "1,2,3"},
		"the number of a track": {"-keep", "0"},
		"-max-faces -1":         {"-max-faces", "-1"},
		"ends in .html":         {"-report", "x.txt"},
		"-sound":                {"-sound"},
	} {
		if status, _, stderr := call(bytes.NewReader(data), append([]string{"blur", "-out", "-", "-"}, args...)...); status != statusUsage || !strings.Contains(stderr, say) {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
	if status, _, stderr := call(nil, "blur", "-keep", "1", "-out", t.TempDir(), detecttest.Group); status != statusUsage || !strings.Contains(stderr, "-keep: is for videos") {
		t.Errorf("pictures: status %d, %s", status, stderr)
	}
}

// The list of uncertain frames shows the result, in runs, and nothing else of the video.
// With -whole-frame nothing can be seen of a frame in which the place of a face is not
// known.
func TestDoubtSheet(t *testing.T) {
	c := clip.New(facemodel.Builtin(), &clip.Options{People: 1, Turns: true, Seed: 2, Frames: 100, Smallest: 60})
	dir := t.TempDir()
	in := detecttest.WriteBytes(t, filepath.Join(dir, "in.y4m"), y4mOf(t, c))
	out, report := filepath.Join(dir, "out.y4m"), filepath.Join(dir, "check.html")
	status, text, stderr := call(nil, "blur", "-solid", "-model", "frontalface", "-whole-frame", "-report", report, "-out", out, in)
	if status != statusOK || !strings.Contains(text, "to check in "+report) {
		t.Fatalf("status %d, %s%s", status, text, stderr)
	}
	page := must.Get(os.ReadFile(report))
	html := string(page)
	if n := strings.Count(html, "data:image/jpeg;base64,"); n < 1 || n > 20 || !strings.Contains(html, "The place of a face is not known") {
		t.Errorf("%d pictures in\n%.3000s", n, html)
	}
	if strings.Contains(html, "<script") || strings.Contains(html, "http") {
		t.Error("the page wants something from elsewhere")
	}
	file := must.Get(os.ReadFile(out))
	whole := 0
	_, frames := detecttest.FramesOf(t, file)
	for _, img := range frames {
		if covered(img, img.Bounds()) == 1 {
			whole++
		}
	}
	if whole == 0 || whole > 80 {
		t.Errorf("%d frames are hidden as a whole", whole)
	}
}

// A file that breaks off is hidden as far as it goes, in one line of words; a run that is
// interrupted while it searches says that nothing is written, and can be resumed.
func TestBlurBreaksOff(t *testing.T) {
	p := detecttest.NewPan(t, 12)
	data := p.Y4M(t)
	dir := t.TempDir()
	in, out := detecttest.WriteBytes(t, filepath.Join(dir, "in.y4m"), data[:len(data)*2/3]), filepath.Join(dir, "out.y4m")
	args := append([]string{"blur", in, "-out", out}, detecttest.PanArgs...)
	status, text, stderr := call(nil, args...)
	if status != statusFailed || text != "" || strings.Count(stderr, "\n") != 1 || !strings.Contains(stderr, "frame 7: damaged video") || !strings.Contains(stderr, "complete up to there") {
		t.Errorf("status %d, %s%s", status, text, stderr)
	}
	file := must.Get(os.ReadFile(out))
	_, before := detecttest.FramesOf(t, p.Y4M(t))
	_, frames := detecttest.FramesOf(t, file)
	if len(frames) != 7 {
		t.Fatalf("%d frames are written", len(frames))
	}
	for i, img := range frames {
		for _, face := range p.Faces[i] {
			if share := detecttest.Differs(before[i], img, face); share < 0.25 {
				t.Errorf("frame %d: %.2f of the face at %v changed", i, share, face)
			}
		}
	}

	in, out = detecttest.WriteBytes(t, filepath.Join(dir, "whole.y4m"), data), filepath.Join(dir, "whole-out.y4m")
	args = append([]string{"blur", in, "-out", out, "-workers", "1"}, detecttest.PanArgs...)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan bool)
	go func() { // until something is found
		defer close(done)
		for ctx.Err() == nil {
			if text, err := os.ReadFile(out + ".detections"); err == nil && bytes.Count(text, []byte("\n")) > 3 {
				cancel()
			}
		}
	}()
	var so, se bytes.Buffer
	status = run(ctx, args, nil, &so, &se)
	cancel()
	<-done
	if status == statusOK || strings.Contains(se.String(), "complete up to there") {
		t.Skip("all was searched before it could be interrupted")
	}
	if status != statusInterrupted || !strings.Contains(se.String(), "-resume goes on") {
		t.Errorf("status %d, %s", status, se.String())
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("there is a film")
	}
	if status, text, stderr := call(nil, append(args, "-resume")...); status != statusOK || !strings.Contains(text, "12 frames") {
		t.Errorf("resumed: status %d, %s", status, stderr)
	}
}
