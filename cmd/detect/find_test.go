package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/pico"
	"haarlem/cascade/pico/picotest"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/search"
	"haarlem/internal/jsonout"
	"haarlem/internal/must"
	"haarlem/models/face5"
	"haarlem/picture"
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
		text := works(t, append([]string{"blur", "-solid", "-format", "json", "-out", out, in}, args...)...)
		if p := parse(t, text)[0]; len(args) > 0 && (p.Object != "object" || len(p.Faces) < 2) {
			t.Errorf("%q: %+v", args, p)
		}
		return detecttest.ReadPicture(t, out)
	}
	video := func(args ...string) image.Image {
		t.Helper()
		out := filepath.Join(t.TempDir(), "out.y4m")
		works(t, append([]string{"blur", "-solid", "-out", out, filepath.Join(dir, "%04d.png")}, args...)...)
		_, frames := detecttest.FramesOf(t, must.Get(os.ReadFile(out)))
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
		fails(t, statusUsage, say, args...)
	}
}

// A folder is models of several objects: each detection says of what it is.
func TestModelFolder(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"facefast/face-fast", "stopsign/stop-sign"} {
		data := must.Get(os.ReadFile("../../models/" + name + ".cascade"))
		must.Do(os.WriteFile(filepath.Join(dir, filepath.Base(name)+".cascade"), data, 0o666))
	}
	for format, want := range map[string]string{"text": "  face\n", "csv": ",face\n", "json": `"object":"face"}`} {
		if out := works(t, "-model", dir, "-format", format, detecttest.Group); strings.Count(out, want) != 11 {
			t.Errorf("%s: %s", format, out)
		}
	}
	var drawn [2][]byte
	for i, model := range []string{dir, "face-fast"} {
		out := t.TempDir()
		works(t, "-model", model, "-annotate", out, detecttest.Group)
		drawn[i], _ = os.ReadFile(filepath.Join(out, "group.png"))
	}
	if len(drawn[0]) == 0 || bytes.Equal(drawn[0], drawn[1]) {
		t.Error("annotated without names")
	}
	list := detecttest.WriteBytes(t, filepath.Join(dir, "names.txt"), []byte(detecttest.Group))
	fails(t, statusUsage, "here a model is one file", "-model", dir, "-list", list, "-out", t.TempDir())
	fails(t, statusUsage, "want a folder with models", "-model", t.TempDir(), detecttest.Group)
}

// Boxes of the model, of faces and of heads are of the same faces, one larger than the
// other.
func TestBox(t *testing.T) {
	faces := func(args ...string) []jsonout.Face {
		t.Helper()
		return found(t, nil, append(args, "-model", "face-fast", detecttest.Group)...)[0].Faces
	}
	own, eyes, face, head := faces(), faces("-box", "eyes"), faces("-box", "face"), faces("-box", "head")
	if len(own) < 11 || len(eyes) != len(own) || len(face) != len(own) || len(head) != len(own) {
		t.Fatalf("%d, %d, %d and %d faces", len(own), len(eyes), len(face), len(head))
	}
	for i := range own {
		if own[i] != face[i] {
			t.Errorf("face %d: %+v is not the box of the face %+v, which is the model's own", i, own[i], face[i])
		}
		if !(eyes[i].Height < face[i].Height && face[i].Height < head[i].Height) || own[i].Score != head[i].Score {
			t.Errorf("face %d: heights %d, %d and %d, want growing ones", i, eyes[i].Height, face[i].Height, head[i].Height)
		}
	}
	fails(t, statusUsage, `"leukocyte"`, "-box", "head", "-model", "../../models/bloodcells/leukocyte.cascade", detecttest.Group)
}

// The boxes of videos are of heads too.
func TestBoxOfVideo(t *testing.T) {
	p := detecttest.NewPan(t, 2)
	height := func(args ...string) int {
		t.Helper()
		detecttest.FakeBackend(t, p.Source("pan.mp4"))
		faces := parseFrames(t, works(t, append([]string{"video", "pan.mp4", "-model", "face-fast", "-min-size", "40"}, args...)...))[0].Faces
		if len(faces) == 0 {
			t.Fatal("no faces")
		}
		return faces[0].Height
	}
	if face, head := height("-box", "face"), height("-box", "head"); head <= face {
		t.Errorf("a head of %d pixels, and a face of %d", head, face)
	}
}

// With -rotate any, faces of a picture that lies on its side are found, and their angle
// is told.
func TestRotateAny(t *testing.T) {
	path := onSide(t)
	for args, want := range map[string]int{"": 0, "-rotate 0,90": len(found(t, nil, detecttest.Group)[0].Faces)} {
		if got := len(found(t, nil, append(strings.Fields(args), path)...)[0].Faces); got != want {
			t.Errorf("%d faces with %q, want %d", got, args, want)
		}
	}
	out := works(t, "-rotate", "any", "-format", "csv", path)
	lines, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || len(lines) == 0 || lines[0][len(lines[0])-1] != "angle" {
		t.Fatalf("%v, %q", err, out)
	}
	right := 0
	for _, line := range lines[1:] {
		if a := line[len(line)-1]; a == "90" || a == "60" || a == "120" {
			right++
		}
	}
	if right < 10 || right < len(lines)-2 {
		t.Errorf("%d of %d faces are at about 90 degrees, want 11", right, len(lines)-1)
	}
	clitest.Contains(t, works(t, "-rotate", "any", path), "  angle 90\n")
	fails(t, statusUsage, "or any", "-rotate", "all", path)
}

// What -points finds in the drawn group is in JSON and CSV, on annotated copies,
// and levels the eyes of crops.
func TestPoints(t *testing.T) {
	dir := t.TempDir()
	boxes, crops := filepath.Join(dir, "boxes"), filepath.Join(dir, "crops")
	all := parse(t, works(t, "-points", "face5", "-format", "json", "-annotate", boxes, "-crop", crops, detecttest.Group))
	if len(all) != 1 || len(all[0].Faces) < 11 {
		t.Fatalf("%+v, want the faces of the group", all)
	}
	annotated := detecttest.ReadPicture(t, filepath.Join(boxes, "group.png"))
	for i, f := range all[0].Faces {
		if f.Points == nil || len(*f.Points) != 5 {
			t.Fatalf("face %d has points %v", i, f.Points)
		}
		// Eyes, nose and mouth in their order, inside the box.
		p := *f.Points
		for k, q := range p {
			if x, y := (q[0]-float64(f.X))/float64(f.Width), (q[1]-float64(f.Y))/float64(f.Height); !(x > 0.1 && x < 0.9 && y > 0.1 && y < 1) {
				t.Errorf("face %d: point %d is at %.2f, %.2f of the box", i, k, x, y)
			}
			if r, g, _, _ := annotated.At(int(q[0]), int(q[1])).RGBA(); !(g>>8 > 0xC0 && r>>8 < 0x40) {
				t.Errorf("face %d: there is no dot at %v", i, q)
			}
		}
		if !(p[0][0] < p[2][0] && p[2][0] < p[1][0] && p[0][1] < p[2][1] && p[2][1] < p[3][1] && p[3][0] < p[4][0]) {
			t.Errorf("face %d: points %v are not where eyes, nose and mouth are", i, p)
		}
		crop := detecttest.ReadPicture(t, filepath.Join(crops, "group-face"+strconv.Itoa(i+1)+".png"))
		if crop.Bounds().Size() != image.Pt(f.Width, f.Width) {
			t.Errorf("crop %d is %v", i, crop.Bounds())
		}
	}

	text := works(t, "-points", "face5", "-format", "csv", detecttest.Group)
	lines, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil || len(lines) != 1+len(all[0].Faces) || strings.Join(lines[0][7:], " ") != "x1 y1 x2 y2 x3 y3 x4 y4 x5 y5" {
		t.Fatalf("%v, %q", err, text)
	}
	for i, line := range lines[1:] {
		for k, q := range *all[0].Faces[i].Points {
			x, _ := strconv.ParseFloat(line[7+2*k], 64)
			y, _ := strconv.ParseFloat(line[8+2*k], 64)
			if math.Abs(x-q[0])+math.Abs(y-q[1]) > 1e-9 {
				t.Errorf("face %d, point %d is %v, %v in CSV and %v in JSON", i, k, x, y, q)
			}
		}
	}
}

func TestPointsRefuses(t *testing.T) {
	bad := detecttest.WriteBytes(t, filepath.Join(t.TempDir(), "bad.points"), []byte("no model"))
	fails(t, statusUsage, face5.Name+" and ", "-points", "nosuch", detecttest.Group)
	fails(t, statusFailed, bad+": ", "-points", bad, detecttest.Group)
}

// A cascade of pico is known by its bytes, and gives clusters, best first.
func TestPico(t *testing.T) {
	model := picotest.File(t)
	search := []string{"-model", model, "-min-size", "60", "-max-size", "200", "-scale", "1.2", detecttest.Group}
	got := facesIn(t, search...)
	m := must.Get(pico.Open(model))
	p := must.Get(picture.Open(detecttest.Group, nil))
	g := image.NewGray(p.Image.Bounds())
	draw.Draw(g, g.Rect, p.Image, g.Rect.Min, draw.Src)
	all := must.Get(m.Search(context.Background(), nil, g, &pico.Options{MinSize: 60, MaxSize: 200, Scale: 1.2}))
	want := map[image.Rectangle]int{}
	clusters := must.Get(pico.Cluster(t.Context(), all, 0.2))
	for _, c := range clusters {
		if c.Q >= 5 {
			want[c.Box()] += c.N
		}
	}
	if len(got) < 3 || len(got) != len(want) {
		t.Fatalf("%d detections, and pico has %d", len(got), len(want))
	}
	for i, f := range got {
		box := image.Rect(f.X, f.Y, f.X+f.Width, f.Y+f.Height)
		if want[box] != f.Neighbors || f.Score < 5 || i > 0 && f.Score > got[i-1].Score {
			t.Errorf("%d: %+v, and pico has %d windows there", i, f, want[box])
		}
	}
	// -min-score replaces pigo's 5.
	if faces := facesIn(t, append(search, "-min-score", "1e9")...); len(faces) != 0 {
		t.Errorf("%d detections of such a score", len(faces))
	}
}

func TestPicoWrongCalls(t *testing.T) {
	model := picotest.File(t)
	for want, args := range map[string][]string{
		"-rotate is not for a cascade of pico, which -model " + model + " is":                                {"-rotate", "20"},
		"-min-neighbors is not for a cascade of pico, which -model " + model + " is":                         {"-min-neighbors", "2"},
		"-points is not for a cascade of pico, which -model " + model + " is":                                {"-points", "face5"},
		"-box is not for a cascade of pico, which -model " + model + " is":                                   {"-box", "head"},
		"-min-size and -max-size are 40x60 and none, and windows of pico are squares: want a side in pixels": {"-min-size", "40x60"},
	} {
		if out := ends(t, statusUsage, want, append(append([]string{"-model", model}, args...), detecttest.Group)...); out != "" {
			t.Errorf("%q: it prints %q", args, out)
		}
	}
	data, _ := os.ReadFile(model)
	must.Do(os.WriteFile(model, data[:len(data)-1], 0o666))
	fails(t, statusUsage, "1551 bytes, but 12 trees of depth 4 need 1552", "-model", model, detecttest.Group)
	// Where only our own can be used, the error says what the file is.
	for _, args := range [][]string{{"convert", model, filepath.Join(t.TempDir(), "x.xml")}, {"serve", "-model", model}, {"blur", "-out", t.TempDir(), "-also", model, detecttest.Group}} {
		says(t, statusUsage, "a cascade of pico or pigo: detect runs it on pictures, videos and cameras", args...)
	}
}

// Frames of a video are searched as pictures are.
func TestPicoVideo(t *testing.T) {
	model, dir := picotest.File(t), t.TempDir()
	data := must.Get(os.ReadFile(detecttest.Group))
	for i := range 3 {
		must.Do(os.WriteFile(filepath.Join(dir, fmt.Sprintf("%d.png", i)), data, 0o666))
	}
	search := []string{"-model", model, "-min-size", "60", "-max-size", "200", "-scale", "1.2"}
	want := facesIn(t, append(slices.Clone(search), detecttest.Group)...)
	out := works(t, append(append([]string{"video"}, search...), filepath.Join(dir, "%d.png"))...)
	lines := bytes.Split(bytes.TrimSpace([]byte(out)), []byte("\n"))
	if len(lines) != 3 {
		t.Fatalf("%d lines, want one a frame:\n%s", len(lines), out)
	}
	for _, line := range lines {
		var frame struct {
			Faces []struct {
				Score float64
				Track int
			}
		}
		must.Do(json.Unmarshal(line, &frame))
		if len(frame.Faces) != len(want) || frame.Faces[0].Score != want[0].Score || frame.Faces[0].Track == 0 {
			t.Errorf("%s, and the picture has %d faces", line, len(want))
		}
	}
}

// renamed is the drawn model as a file that says another object; without one it
// says none, as OpenCV's do.
func renamed(t *testing.T, object string) string {
	t.Helper()
	dir := t.TempDir()
	xml, file := filepath.Join(dir, "m.xml"), filepath.Join(dir, "m.cascade")
	works(t, "convert", detecttest.Drawn, xml)
	if object == "" {
		return xml
	}
	works(t, "convert", "-object", object, xml, file)
	return file
}

// What is written says what the model finds, and not that it is faces.
func TestObjectsHaveTheirName(t *testing.T) {
	dir := t.TempDir()
	one := detecttest.WritePNG(t, filepath.Join(dir, "one.png"), detecttest.OneFace(t))
	none := detecttest.WritePNG(t, filepath.Join(dir, "none.png"), image.NewGray(image.Rect(0, 0, 40, 30)))
	for _, test := range []struct{ object, singular, plural string }{
		{"", "object", "objects"}, {"bus,buses", "bus", "buses"}, {"cat", "cat", "cats"},
	} {
		model := renamed(t, test.object)
		status, out, stderr := call("-model", model, one, one, none)
		if status != statusOK || strings.Contains(out+stderr, "face") || !strings.Contains(out, ", 1 "+test.singular+", ") ||
			!strings.Contains(out, "\n2 "+test.plural+" in 3 pictures\n") || !strings.Contains(out, ", no "+test.plural+", ") {
			t.Errorf("%q: status %d, %s%s", test.object, status, out, stderr)
		}
		crops := filepath.Join(dir, test.singular)
		out = says(t, statusOK, "no "+test.singular+" of less than 24 pixels", "-model", model, "-format", "jsonl", "-min-size", "1", "-crop", crops, one)
		clitest.Contains(t, out, fmt.Sprintf(`,"object":%q,"milliseconds":`, test.singular))
		if cut, err := filepath.Glob(filepath.Join(crops, "*")); err != nil || len(cut) != 1 || filepath.Base(cut[0]) != "one-"+test.singular+"1.png" {
			t.Errorf("%q: cut out as %q, %v", test.object, cut, err)
		}
		clitest.Contains(t, works(t, "blur", "-model", model, "-out", filepath.Join(dir, test.singular+".png"), one), ", 1 "+test.singular+", ")
		if out = works(t, "model", model); strings.Contains(out, "\nobject       "+test.singular+", "+test.plural+"\n") != (test.object != "") {
			t.Errorf("detect model, %q:\n%s", test.object, out)
		}
		detecttest.FakeBackend(t, detecttest.NewPan(t, 2).Source("in"))
		out = works(t, "video", "in", "-model", model, "-min-size", "40", "-scale", "1.15")
		if frames := parseFrames(t, out); len(frames) != 2 || frames[0].Object != test.singular {
			t.Errorf("video, %q: %s", test.object, out)
		}
	}
}

// Converting to a model with a name says how, so that what repeats the training
// gives these bytes; nothing but the name changes.
func TestConvertObject(t *testing.T) {
	dir := t.TempDir()
	was := must.Get(search.OpenModel("face-fast"))
	to := filepath.Join(dir, "to.cascade")
	works(t, "convert", "-object", "mask", "face-fast", to)
	is := must.Get(cascade.Open(to))
	was.Object = cascade.Object{Singular: "mask", Plural: "masks"}
	was.Provenance.Command += "\ndetect convert -object mask face-fast.cascade out/face-fast.cascade"
	a, _ := json.Marshal(was)
	b, _ := json.Marshal(is)
	if !bytes.Equal(a, b) {
		t.Errorf("%s\nis not\n%s", b, a)
	}
	for _, args := range [][]string{{"-object", "", detecttest.Drawn, filepath.Join(dir, "x")}, {"-object", "face", detecttest.Drawn, filepath.Join(dir, "x.xml")}} {
		fails(t, statusUsage, "-object", append([]string{"convert"}, args...)...)
	}
	if _, err := os.Stat(filepath.Join(dir, "x")); err == nil {
		t.Error("something was written")
	}
}
