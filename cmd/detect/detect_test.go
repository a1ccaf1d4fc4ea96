package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"image"
	"image/draw"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/app/console"
	"haarlem/internal/app/detecttest"
	"haarlem/internal/jsonout"
	"haarlem/internal/must"
	"haarlem/internal/picturetest"
	"haarlem/models"
	"haarlem/track"
)

var update = flag.Bool("update", false, "write the golden files anew")

// found runs the program, which has to succeed, and reads its JSON.
func found(t *testing.T, stdin io.Reader, args ...string) []jsonout.Picture {
	t.Helper()
	return parse(t, given(stdin).Works(t, append([]string{"-model", detecttest.Drawn, "-format", "json"}, args...)...))
}

// facesIn are those of the first of the pictures that a call searches.
func facesIn(t *testing.T, args ...string) []jsonout.Face {
	t.Helper()
	return parse(t, works(t, append(args, "-format", "json")...))[0].Faces
}

func parse(t *testing.T, out string) []jsonout.Picture {
	t.Helper()
	var all []jsonout.Picture
	d := json.NewDecoder(strings.NewReader(out))
	d.DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		t.Fatalf("%v in:\n%s", err, out)
	}
	return all
}

var milliseconds = regexp.MustCompile(`("milliseconds":|, )[0-9.]+(,"faces"| ms)`)

// withoutTimes makes output comparable.
func withoutTimes(out string) string { return milliseconds.ReplaceAllString(out, "${1}0${2}") }

func TestGolden(t *testing.T) {
	for _, format := range []string{"text", "json", "jsonl", "csv"} {
		out := quietly(t, "-model", detecttest.Drawn, "-format", format, detecttest.Group, detecttest.Room)
		golden(t, "group."+format, withoutTimes(out))
	}
	clitest.Contains(t, works(t, "model", "../../models/stopsign/stop-sign.cascade"), "verifier     250 trees of 3713 nodes verify each detection")
	golden(t, "model.text", works(t, "model", "testdata/drawn.cascade"))
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		detecttest.WriteBytes(t, path, []byte(got))
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatalf("%v (go test ./cmd/detect -update writes it)", err)
	}
	if got != string(want) {
		t.Errorf("%s: got\n%s\nwant\n%s", name, got, want)
	}
}

// What is found is the truth, by the drawn model, by the built-in one, and by that when it
// is named. The goldens show that all formats tell it.
func TestFormatsAgreeWithTheTruth(t *testing.T) {
	f := must.Get(os.Open("../../samples/group.csv"))
	defer f.Close()
	truth := must.Get(csv.NewReader(f).ReadAll())
	for _, model := range [][]string{{"-model", detecttest.Drawn}, nil, {"-model", models.Default}} {
		all := parse(t, works(t, append(model, "-format", "json", detecttest.Group, detecttest.Room)...))
		if len(all) != 2 || all[0].File != detecttest.Group || all[0].Width != 800 || all[0].Height != 500 || len(all[0].Faces) != len(truth)-1 || len(all[1].Faces) != 0 {
			t.Fatalf("%q: %+v", model, all)
		}
		for _, row := range truth[1:] {
			var n [4]int
			for i := range n {
				n[i] = must.Get(strconv.Atoi(row[1+i]))
			}
			want := image.Rect(n[0], n[1], n[0]+n[2], n[1]+n[3])
			if !slices.ContainsFunc(all[0].Faces, func(f jsonout.Face) bool {
				return track.Overlap(image.Rect(f.X, f.Y, f.X+f.Width, f.Y+f.Height), want) > 0.5
			}) {
				t.Errorf("%q: no face at %v", model, want)
			}
		}
		if !slices.IsSortedFunc(all[0].Faces, func(a, b jsonout.Face) int { return int(b.Score*1e6) - int(a.Score*1e6) }) {
			t.Errorf("%q: faces are not sorted, best first", model)
		}
	}
}

// What is wrong with the call is said in one line, before anything is done.
func TestUsageErrors(t *testing.T) {
	dir := t.TempDir()
	empty := filepath.Join(dir, "empty")
	must.Do(os.Mkdir(empty, 0o755))
	noModel := detecttest.WriteBytes(t, filepath.Join(dir, "no-model.xml"), []byte("<html></html>"))
	asFile := detecttest.WriteBytes(t, filepath.Join(dir, "file"), nil)
	with := func(args ...string) []string { return append([]string{"-model", detecttest.Drawn}, args...) }
	for _, test := range []struct {
		args []string
		say  string
	}{
		{nil, "no pictures"},
		{with(), "no pictures"},
		{[]string{"-model", filepath.Join(dir, "none.xml"), detecttest.Group}, "there is no such file"},
		{[]string{"-model", noModel, detecttest.Group}, "no-model.xml"},
		{[]string{"-model", "backface", detecttest.Group}, "built-in models are face"},
		{with(detecttest.Group, "-scale", "1"), "above 1"},
		{with(detecttest.Group, "-scale", "0"), "above 1"},
		{with(detecttest.Group, "-pad", "51"), "-pad: want a number from 0 to 50"},
		{with(detecttest.Group, "-enlarge", "0"), "-enlarge: want a number from 1 to 8"},
		{with(detecttest.Group, "-enlarge", "9"), "-enlarge: want a number from 1 to 8"},
		{with(detecttest.Group, "-min-neighbors", "-2"), "-min-neighbors: want a whole number, -1 or more"},
		{with(detecttest.Group, "-workers", "-1"), "negative"},
		{with(detecttest.Group, "-min-size", "0"), "want a size in pixels"},
		{with(detecttest.Group, "-min-size", "40x"), "want a size in pixels"},
		{with(detecttest.Group, "-max-size", "-40"), "want a size in pixels"},
		{with(detecttest.Group, "-min-size", "50", "-max-size", "40"), "larger than"},
		{with(detecttest.Group, "-rotate", "0,left"), `"left" is not an angle`},
		{with(detecttest.Group, "-rotate", "900"), "degrees from -360 to 360"},
		{with(detecttest.Group, "-max-pixels", "many"), "want a number of pixels"},
		{with(detecttest.Group, "-max-pixels", "0"), "want a number of pixels"},
		{with(detecttest.Group, "-format", "yaml"), "want text, json, jsonl or csv"},
		{with(empty), "no pictures in this folder"},
		{with(detecttest.Group, empty), "no pictures in this folder"},
		{with(filepath.Join(dir, "*.jpg")), "no file matches"},
		{with(filepath.Join(dir, "[.jpg")), "not a pattern"},
		{with("-", "-"), "given twice"},
		{with(detecttest.Group, ""), "empty"},
		{with(detecttest.Group, "-annotate", filepath.Join(asFile, "x")), "not a directory"},
		{[]string{"model"}, "want one model"},
		{[]string{"model", "a", "b"}, "want one model"},
		{[]string{"model", filepath.Join(dir, "none")}, "there is no such file"},
		{[]string{"convert", detecttest.Drawn}, "want two arguments"},
		{[]string{"convert", detecttest.Drawn, detecttest.Drawn}, "one file"},
		{[]string{"convert", filepath.Join(dir, "none"), filepath.Join(dir, "b")}, "there is no such file"},
	} {
		fails(t, statusUsage, test.say, test.args...)
	}
}

func TestOptionsReachTheDetector(t *testing.T) {
	all := found(t, nil, detecttest.Group)[0].Faces
	for name, test := range map[string]struct {
		args []string
		keep func(jsonout.Face) bool
	}{
		"max":   {[]string{"-max-size", "60"}, func(f jsonout.Face) bool { return f.Width <= 60 }},
		"min":   {[]string{"-min-size", "60"}, func(f jsonout.Face) bool { return f.Width >= 60 }},
		"score": {[]string{"-min-score", "100"}, func(f jsonout.Face) bool { return f.Score >= 100 }},
	} {
		got := found(t, nil, append(test.args, detecttest.Group)...)[0].Faces
		if len(got) == 0 || len(got) >= len(all) || !slices.ContainsFunc(all, func(f jsonout.Face) bool { return !test.keep(f) }) {
			t.Errorf("%s: %d of %d faces", name, len(got), len(all))
		}
		for _, f := range got {
			if !test.keep(f) {
				t.Errorf("%s: %+v", name, f)
			}
		}
	}
	raw := found(t, nil, "-min-neighbors", "0", detecttest.Group)[0].Faces
	groups := found(t, nil, "-min-neighbors", "-1", detecttest.Group)[0].Faces
	if len(raw) < 10*len(all) || len(groups) < len(all) || len(groups) >= len(raw) {
		t.Errorf("%d single hits, %d groups, %d faces", len(raw), len(groups), len(all))
	}
}

// The order is that of the arguments, whoever finishes first.
func TestOrderWithManyWorkers(t *testing.T) {
	dir := t.TempDir()
	small := detecttest.OneFace(t)
	var args []string
	for i := range 24 {
		path := filepath.Join(dir, string(rune('a'+(i*7)%26))+".png") // not sorted
		if i%8 == 0 {
			path = filepath.Join(dir, string(rune('a'+(i*7)%26))+"-large.png")
			detecttest.WritePNG(t, path, detecttest.ReadPicture(t, detecttest.Room))
		} else {
			detecttest.WritePNG(t, path, small)
		}
		args = append(args, path)
	}
	one := works(t, append([]string{"-model", detecttest.Drawn, "-format", "json", "-workers", "1"}, args...)...)
	for _, workers := range []string{"2", "7", "60"} {
		many := works(t, append([]string{"-model", detecttest.Drawn, "-format", "json", "-workers", workers}, args...)...)
		if withoutTimes(many) != withoutTimes(one) {
			t.Errorf("%s workers give another result than one", workers)
		}
	}
	for i, p := range parse(t, one) {
		if p.File != args[i] {
			t.Errorf("picture %d is %s, want %s", i, p.File, args[i])
		}
		if want := min(i%8, 1); len(p.Faces) != want {
			t.Errorf("%s: %d faces, want %d", p.File, len(p.Faces), want)
		}
	}
}

// A broken file costs nothing but itself.
func TestBrokenFiles(t *testing.T) {
	dir := t.TempDir()
	good := detecttest.WritePNG(t, filepath.Join(dir, "good.png"), detecttest.OneFace(t))
	data := must.Get(os.ReadFile(good))
	cut := detecttest.WriteBytes(t, filepath.Join(dir, "cut.png"), data[:len(data)/2])
	text := detecttest.WriteBytes(t, filepath.Join(dir, "text.jpg"), []byte("no picture"))
	missing := filepath.Join(dir, "missing.png")
	last := detecttest.WritePNG(t, filepath.Join(dir, "last.png"), detecttest.OneFace(t))
	for _, format := range []string{"json", "jsonl", "csv", "text"} {
		status, out, stderr := call("-model", detecttest.Drawn, "-strict", "-format", format, cut, good, text, missing, last)
		if status != statusFailed {
			t.Errorf("%s: status %d, want 1", format, status)
		}
		lines := strings.Split(strings.TrimSpace(stderr), "\n")
		if len(lines) != 3 || !strings.Contains(lines[0], cut) || !strings.Contains(lines[1], text) || !strings.Contains(lines[2], missing) {
			t.Errorf("%s: stderr, in order, wants cut, text, missing:\n%s", format, stderr)
		}
		if i, j := strings.Index(out, "good.png"), strings.Index(out, "last.png"); i < 0 || j < i {
			t.Errorf("%s: not all other results are there:\n%s", format, out)
		}
		if format == "json" && len(parse(t, out)) != 2 {
			t.Errorf("not two pictures: %s", out)
		}
	}
	many := image.NewGray(image.Rect(0, 0, 660, 600))
	for y := range 6 {
		for x := range 6 {
			draw.Draw(many, image.Rect(110*x, 100*y, 110*x+110, 100*y+100), detecttest.OneFace(t), image.Point{}, draw.Src)
		}
	}
	full := detecttest.WritePNG(t, filepath.Join(dir, "full.png"), many)
	out := says(t, statusFailed, full+": more windows pass the model than in any picture of single objects: try a larger -min-size or -scale",
		"-model", "frontalface-opencv", "-scale", "1.001", "-min-size", "62", "-format", "jsonl", full, good)
	if strings.Contains(out, "full.png") || !strings.Contains(out, "good.png") {
		t.Errorf("a picture full of faces: %q", out)
	}
	if out := says(t, statusFailed, "too large", "-model", detecttest.Drawn, "-format", "json", "-max-pixels", "0.01M", good); out != "[]\n" {
		t.Errorf("-max-pixels: %q", out)
	}
}

func TestStdin(t *testing.T) {
	dir := t.TempDir()
	all := found(t, bytes.NewReader(picturetest.PNG(detecttest.OneFace(t))), "-", "-crop", dir)
	if len(all) != 1 || all[0].File != "-" || len(all[0].Faces) != 1 {
		t.Errorf("%+v", all)
	}
	detecttest.ReadPicture(t, filepath.Join(dir, "stdin-face1.png"))
}

func TestFoldersAndPatterns(t *testing.T) {
	dir := t.TempDir()
	face := detecttest.OneFace(t)
	detecttest.WritePNG(t, filepath.Join(dir, "b.png"), face)
	detecttest.WritePNG(t, filepath.Join(dir, "A.PNG"), face)
	detecttest.WritePNG(t, filepath.Join(dir, ".hidden.png"), face)
	detecttest.WritePNG(t, filepath.Join(dir, "sub", "c.png"), face)
	detecttest.WritePNG(t, filepath.Join(dir, "sub", "deep", "d.jpeg"), face) // the name does not matter
	detecttest.WritePNG(t, filepath.Join(dir, ".thumbs", "e.png"), face)
	detecttest.WriteBytes(t, filepath.Join(dir, "notes.txt"), []byte("notes"))
	detecttest.WritePNG(t, filepath.Join(dir, "odd[1].png"), face)
	detecttest.WritePNG(t, filepath.Join(dir, "model"), face)
	for _, test := range []struct{ args, want string }{
		{".", "A.PNG b.png model odd[1].png"}, // content says what the name does not
		{". -recursive", "A.PNG b.png model odd[1].png sub/c.png sub/deep/d.jpeg"},
		{"*.png", "b.png odd[1].png"}, // as in a shell, nothing hidden
		{".h*", ".hidden.png"},
		{"sub/*", "sub/c.png sub/deep/d.jpeg"},
		{"odd[1].png", "odd[1].png"}, // it exists: no pattern
		{"[bA].*", "A.PNG b.png"},
		{"b.png . b.png", "b.png A.PNG b.png model odd[1].png b.png"},
		{"b.png model", "b.png model"}, // no command behind the first place
		{"./model", "model"},
	} {
		var args []string
		for word := range strings.FieldsSeq(test.args) {
			if word == "-recursive" {
				args = append(args, word)
			} else {
				args = append(args, filepath.Join(dir, word))
			}
		}
		var got []string
		for _, p := range found(t, nil, args...) {
			name := must.Get(filepath.Rel(dir, p.File))
			got = append(got, filepath.ToSlash(name))
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q, want %q", test.args, got, test.want)
		}
	}
}

func TestAnnotateAndCrop(t *testing.T) {
	dir := t.TempDir()
	face := detecttest.OneFace(t)
	a := detecttest.WritePNG(t, filepath.Join(dir, "in", "one", "X.png"), face)
	b := detecttest.WritePNG(t, filepath.Join(dir, "in", "two", "x.png"), face)
	c := detecttest.WriteBytes(t, filepath.Join(dir, "in", "x-2.jpg"), picturetest.JPEG(face, 95))
	boxes, faces := filepath.Join(dir, "out", "boxes"), filepath.Join(dir, "out", "faces")
	args := []string{"-model", detecttest.Drawn, "-format", "json", "-annotate", boxes, "-crop", faces, "-workers", "3", a, b, c, a}
	out := works(t, args...)
	names := func(dir string) string {
		entries := must.Get(os.ReadDir(dir))
		var all []string
		for _, e := range entries {
			all = append(all, e.Name())
		}
		return strings.Join(all, " ")
	}
	if got := names(boxes); got != "X-3.png X.png x-2-2.jpg x-2.png" {
		t.Errorf("annotated: %s", got)
	}
	if got := names(faces); got != "X-3-face1.png X-face1.png x-2-2-face1.jpg x-2-face1.png" {
		t.Errorf("faces: %s", got)
	}
	f := parse(t, out)[0].Faces[0]
	box := image.Rect(f.X, f.Y, f.X+f.Width, f.Y+f.Height)
	crop := detecttest.ReadPicture(t, filepath.Join(faces, "X-face1.png"))
	if crop.Bounds().Size() != box.Size() || crop.At(crop.Bounds().Min.X+9, crop.Bounds().Min.Y+9) != face.At(box.Min.X+9, box.Min.Y+9) {
		t.Errorf("the crop is %v, want what is in %v", crop.Bounds(), box)
	}
	marked := detecttest.ReadPicture(t, filepath.Join(boxes, "X.png"))
	if marked.Bounds() != face.Bounds() || marked.At(box.Min.X-1, box.Min.Y+20) == face.At(box.Min.X-1, box.Min.Y+20) {
		t.Error("there is no box in the copy")
	}

	// A second run replaces nothing but when told to.
	status, out, stderr := call(args...)
	if status != statusFailed || strings.Count(stderr, "it exists (-overwrite replaces it)") != 8 || len(parse(t, out)) != 4 {
		t.Errorf("second run: status %d, stderr %s", status, stderr)
	}
	works(t, append(args, "-overwrite")...)
	// And never a picture that it was given.
	before := must.Get(os.ReadFile(a))
	says(t, statusFailed, "one of the pictures", "-model", detecttest.Drawn, "-annotate", filepath.Dir(a), "-overwrite", a)
	if after := must.Get(os.ReadFile(a)); !bytes.Equal(before, after) {
		t.Error("the input is another")
	}
	if got := names(filepath.Dir(a)); got != "X.png" {
		t.Errorf("something is left behind: %s", got)
	}
}

// Copies and crops of a folder are where its pictures are.
func TestFoldersStay(t *testing.T) {
	dir, out := t.TempDir(), t.TempDir()
	for _, name := range []string{"a/x.png", "b/x.png", "c.png"} {
		detecttest.WritePNG(t, filepath.Join(dir, name), detecttest.OneFace(t))
	}
	for flag, args := range map[string][]string{"-annotate": nil, "-crop": nil, "-out": {"blur"}} {
		to := filepath.Join(out, flag)
		works(t, append(args, "-model", detecttest.Drawn, "-recursive", flag, to, dir)...)
		end := ".png"
		if flag == "-crop" {
			end = "-face1.png"
		}
		for _, name := range []string{"a/x", "b/x", "c"} {
			if _, err := os.Stat(filepath.Join(to, name+end)); err != nil {
				t.Errorf("%s: %v", flag, err)
			}
		}
	}
}

// asTerminal makes w a terminal for the rest of a test.
func asTerminal(t *testing.T, w io.Writer) {
	before := console.IsTerminal
	console.IsTerminal = func(other io.Writer) bool { return other == w }
	t.Cleanup(func() { console.IsTerminal = before })
}

// many pictures get a bar.
const many = 5

// A bar is drawn only where somebody can see it, and leaves nothing behind.
func TestProgress(t *testing.T) {
	path := detecttest.WritePNG(t, filepath.Join(t.TempDir(), "x.png"), detecttest.OneFace(t))
	args := []string{"-model", detecttest.Drawn, "-format", "jsonl"}
	for range many {
		args = append(args, path)
	}
	draw := func(terminal bool, args []string) (out, err string) {
		var o, e bytes.Buffer
		if terminal {
			asTerminal(t, &e)
		}
		if status := run(t.Context(), args, nil, &o, &e); status != statusOK {
			t.Fatal(e.String())
		}
		return o.String(), e.String()
	}
	out, bar := draw(true, args)
	if !strings.Contains(bar, "pictures   0%") || !strings.Contains(bar, "/5)") || !strings.HasSuffix(bar, "\r") {
		t.Errorf("no bar, or it was left behind: %q", bar)
	}
	if strings.Count(out, "\n") != many || strings.Contains(out, "\r") {
		t.Errorf("stdout: %q", out)
	}
	if _, bar := draw(true, args[:len(args)-1]); bar != "" {
		t.Errorf("a bar for few pictures: %q", bar)
	}
	if _, bar := draw(false, args); bar != "" {
		t.Errorf("without a terminal: %q", bar)
	}
}

// Ctrl-C: complete output of what is done, a line, status 130.
func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var out, stderr bytes.Buffer
	args := []string{"-model", detecttest.Drawn, "-format", "json", "-workers", "2"}
	for range 200 {
		args = append(args, detecttest.Room)
	}
	status := run(ctx, args, nil, detecttest.WriterFunc(func(p []byte) (int, error) {
		if bytes.Contains(p, []byte("room.png")) {
			cancel()
		}
		return out.Write(p)
	}), &stderr)
	if status != statusInterrupted {
		t.Errorf("status %d, want 130", status)
	}
	if n := len(parse(t, out.String())); n < 1 || n > 20 {
		t.Errorf("%d pictures", n)
	}
	if got := stderr.String(); strings.Count(got, "\n") != 1 || !strings.Contains(got, "interrupted after") {
		t.Errorf("stderr %q", got)
	}
}

// Results that cannot be written are an error, not a quiet end.
func TestFullDisk(t *testing.T) {
	for _, format := range []string{"text", "json", "jsonl", "csv"} {
		fullStdout(t, "-model", detecttest.Drawn, "-format", format, detecttest.Group)
	}
}

// fullStdout makes a call whose results cannot be written.
func fullStdout(t *testing.T, args ...string) {
	t.Helper()
	var stderr bytes.Buffer
	full := detecttest.WriterFunc(func([]byte) (int, error) { return 0, io.ErrShortWrite })
	if status := run(t.Context(), args, nil, full, &stderr); status != statusFailed || !strings.Contains(stderr.String(), "writing results") {
		t.Errorf("%q: status %d, stderr %q", args, status, stderr.String())
	}
}

func TestConvert(t *testing.T) {
	dir := t.TempDir()
	xml, back := filepath.Join(dir, "drawn.XML"), filepath.Join(dir, "back.cascade")
	for _, step := range [][]string{{"convert", detecttest.Drawn, xml}, {"convert", "-object", "face", xml, back}} {
		works(t, step...)
	}
	first, _ := os.ReadFile(detecttest.Drawn)
	second, err := os.ReadFile(back)
	if err != nil || !bytes.Equal(first, second) {
		t.Errorf("there and back again is not the same: %v", err)
	}
	if data, _ := os.ReadFile(xml); !bytes.Contains(data, []byte("opencv_storage")) {
		t.Errorf("not OpenCV's format: %.60q", data)
	}
	fails(t, statusFailed, "exists", "convert", detecttest.Drawn, back)
	works(t, "convert", "-overwrite", detecttest.Drawn, back)
}

// onSide writes the group turned clockwise, and returns its path.
func onSide(t *testing.T) string {
	t.Helper()
	src := detecttest.ReadPicture(t, detecttest.Group)
	b := src.Bounds()
	m := image.NewRGBA(image.Rect(0, 0, b.Dy(), b.Dx()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			m.Set(b.Dy()-1-y, x, src.At(x, y))
		}
	}
	return detecttest.WritePNG(t, filepath.Join(t.TempDir(), "turned.png"), m)
}

// What OpenCV cannot express is not written, and the message says what.
func TestConvertRefuses(t *testing.T) {
	dir := t.TempDir()
	m := must.Get(cascade.Open(detecttest.Drawn))
	for i := range m.Exits {
		m.Exits[i].Restart = false
	}
	b := must.Bytes(m.Encode)
	chain := detecttest.WriteBytes(t, filepath.Join(dir, "chain.cascade"), b)
	xml := filepath.Join(dir, "chain.xml")
	fails(t, statusFailed, "restart", "convert", chain, xml)
	if _, err := os.Stat(xml); err == nil {
		t.Error("a file was left behind")
	}
	clitest.Contains(t, works(t, "model", chain), "24x24 Haar features, chain, ")
}

// Every built-in model is described.
func TestBuiltInModel(t *testing.T) {
	for _, name := range models.Names() {
		clitest.Contains(t, works(t, "model", name), "weak classifiers a window")
	}
}
