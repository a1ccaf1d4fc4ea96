package samples

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

func TestListPictures(t *testing.T) {
	put(t, map[string][]byte{
		"all/b.png": nil, "all/A.JPG": nil, "all/deep/c.webp": nil, "all/notes.txt": []byte("x"), "all/.hidden.png": nil, "all/.git/d.png": nil,
		"lists/bg.txt":  []byte("\ufeff# none of them\r\n../all/b.png\r\n  with space.png\n\nhere.png\n..\\all\\A.JPG\n"),
		"here.png":      nil,
		"odd":           nil, // a picture without extension
		"lists/bad.txt": []byte("#\n"),
	})
	must.Do(os.WriteFile("lists/with space.png", []byte("any"), 0o644))
	for _, test := range []struct {
		path string
		want []string
	}{
		{"all", []string{"all/A.JPG", "all/b.png", "all/deep/c.webp"}},
		{"all/", []string{"all/A.JPG", "all/b.png", "all/deep/c.webp"}},
		{"lists/bg.txt", []string{"all/b.png", "lists/with space.png", "here.png", "all/A.JPG"}},
		{"all/b.png", []string{"all/b.png"}},
		{"odd", []string{"odd"}},
	} {
		got, err := ListPictures(test.path)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, %v; want %q", test.path, got, err, test.want)
		}
	}
	if err := os.Symlink("all", "link"); err == nil {
		if got, err := ListPictures("link"); err != nil || len(got) != 3 || got[0] != filepath.Join("link", "A.JPG") {
			t.Errorf("a link to a folder: %q, %v", got, err)
		}
	}
	for path, want := range map[string]string{
		"absent":        "absent: no such file or directory",
		"lists":         "",
		"lists/bad.txt": "lists/bad.txt: a list of pictures that names none",
	} {
		sameError(t, path, errorOf(ListPictures(path)), want)
	}
	must.Do(os.Mkdir("void", 0o755))
	sameError(t, "void", errorOf(ListPictures("void")), "void: no pictures in this folder or its folders; looked for .jpg .jpeg .jpe .jfif .png .gif .bmp .dib .tif .tiff .webp .pbm .pgm .ppm .pnm .pam")
	must.Do(os.WriteFile("binary", []byte("GIF8\x00\x01\n"), 0o644))
	sameError(t, "binary", errorOf(ListPictures("binary")), "binary:1: a zero byte: this is not text (or UTF-16: save it as UTF-8)")
}

// The first ten are named, then a count; existing ones are returned too.
func TestMissingFiles(t *testing.T) {
	var list, info strings.Builder
	for i := range 13 {
		fmt.Fprintf(&list, "gone%d.png\n", i)
		fmt.Fprintf(&info, "gone%d.png 1 1 2 3 4\n", i)
	}
	list.WriteString("a.png\n")
	info.WriteString("a.png 1 1 2 3 4\n")
	put(t, map[string][]byte{"d/a.png": nil, "d/bg.txt": []byte(list.String()), "d/info.dat": []byte(info.String()), "d/one.csv": []byte("file,x,y,w,h\n\"e\x1bvil\",1,2,3,4\n")})
	text := func(file string) string {
		s := file + ": 13 of 14 pictures do not exist (looked beside this file, and in the working directory):"
		for i := range 10 {
			s += fmt.Sprintf("\n  gone%d.png", i)
		}
		return s + "\n  and 3 more"
	}
	files, err := ListPictures("d/bg.txt")
	sameError(t, "list", err, text("d/bg.txt"))
	if !reflect.DeepEqual(files, []string{"d/a.png"}) {
		t.Errorf("beside it: %q", files)
	}
	photos, err := ReadTruth("d/info.dat", InfoDat)
	sameError(t, "truth", err, text("d/info.dat"))
	if len(photos) != 1 || photos[0].File != "d/a.png" {
		t.Errorf("beside it: %+v", photos)
	}
	var missing *MissingError
	if !errors.As(err, &missing) || missing.List != "d/info.dat" || missing.Count != 13 || missing.Of != 14 || len(missing.Names) != 10 {
		t.Errorf("%+v", missing)
	}
	back, err := Backgrounds([]string{"d/bg.txt", "d/a.png"}, nil)
	sameError(t, "backgrounds", err, text("d/bg.txt"))
	if !errors.As(err, &missing) || len(back) != 2 {
		t.Errorf("beside it: %+v", back)
	}
	sameError(t, "control characters", errorOf(ReadTruth("d/one.csv", Auto)), "d/one.csv: 1 of 1 pictures do not exist (looked beside this file, and in the working directory):\n  \"e\\x1bvil\"")
}

func TestParseFormat(t *testing.T) {
	for name, want := range map[string]Format{"": Auto, "auto": Auto, "INFO": InfoDat, "info.dat": InfoDat, "opencv": InfoDat, "csv": CSV, "voc": VOC, "Pascal": VOC, "coco": COCO, "yolo": YOLO, "landmarks": Landmarks, "dlib": Imglab, "labelme": LabelMe, "Label-Studio": LabelStudio} {
		if got, err := ParseFormat(name); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", name, got, err, want)
		}
	}
	for f := Auto; f <= LabelStudio; f++ {
		if got, err := ParseFormat(f.String()); err != nil || got != f {
			t.Errorf("%v: %v, %v", f, got, err)
		}
	}
	sameError(t, "xls", errorOf(ParseFormat("xls")), `format "xls", want one of auto, info, csv, voc, coco, yolo, landmarks, imglab, labelme, labelstudio`)
	sameError(t, "no format", errorOf(ReadTruth("absent", Format(10))), "absent: Format(10) is no format")
	sameError(t, "absent", errorOf(ReadTruth("absent", Auto)), "absent: no such file or directory")
}

func TestGuess(t *testing.T) {
	put(t, map[string][]byte{
		"a.xml": []byte("-"), "a.JSON": []byte("-"), "a.csv": []byte("-"),
		"json.txt": []byte("\n {"), "xml.txt": []byte("\ufeff<annotation>"), "table": []byte("# x\nx,y,width,height,File\n"),
		"tabs.txt": []byte("\"image\"\tx\n"), "yolo.txt": []byte("0 .5 .5 .1 .1\n"), "info.txt": []byte("a.png 1 2 3 4 5\n"), "bare.txt": []byte("#\n"),
		"empty.txt": {}, "a.vec": vecBytes,
	})
	for file, want := range map[string]Format{"a.xml": VOC, "a.JSON": COCO, "a.csv": boxesOrLandmarks, "json.txt": COCO, "xml.txt": VOC,
		"table": boxesOrLandmarks, "tabs.txt": boxesOrLandmarks, "yolo.txt": YOLO, "info.txt": InfoDat, "bare.txt": InfoDat} {
		if got, err := formatOf(file); err != nil || got != want {
			t.Errorf("%s: %v, %v; want %v", file, got, err, want)
		}
	}
	sameError(t, "empty", errorOf(ReadTruth("empty.txt", Auto)), "empty.txt: the file is empty")
	sameError(t, "vec", errorOf(ReadTruth("a.vec", Auto)), "a.vec: a .vec file holds finished windows, not photographs with objects")
}

func TestPatterns(t *testing.T) {
	put(t, map[string][]byte{
		"d/x1.png": nil, "d/x2.png": nil, "d/y.png": nil, "d/[odd].png": nil,
		"l1.txt": []byte("d/x1.png 1 1 2 3 4\n"), "l2.txt": []byte("d/y.png 0\nd/x1.png 1 5 6 7 8\n"),
	})
	for _, test := range []struct {
		path string
		want []string
	}{
		{"d/x*.png", []string{"d/x1.png", "d/x2.png"}},
		{"d/[xy]?.png", []string{"d/x1.png", "d/x2.png"}},
		{"d/[odd].png", []string{"d/[odd].png"}},
	} {
		got, err := ListPictures(test.path)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, %v, want %q", test.path, got, err, test.want)
		}
	}
	sameError(t, "nothing", errorOf(ListPictures("d/z*.png")), "d/z*.png: no file has a name of this pattern")
	sameError(t, "bad", errorOf(ListPictures("d/[.png")), "d/[.png: syntax error in pattern of file names: want * for any letters, ? for one, [a-z] for one of these")
	photos, err := ReadTruth("l*.txt", Auto)
	if err != nil || len(photos) != 2 || photos[0].File != "d/x1.png" || len(photos[0].Objects) != 2 || len(photos[1].Objects) != 0 {
		t.Errorf("lists: %+v, %v", photos, err)
	}
	sameError(t, "no truth", errorOf(ReadTruth("k*.txt", Auto)), "k*.txt: no file has a name of this pattern")
}

// Photographs stay on their side, whatever else is in the list and wherever the
// folder is.
func TestSplit(t *testing.T) {
	var names []string
	for i := range 2000 {
		names = append(names, string(rune('a'+i%26))+string(rune('0'+i/26%10))+string(rune('A'+i/260))+".jpg")
	}
	own := func(name string) string { return name }
	kept, apart := Split(names, own, 0.2, 3)
	if len(kept)+len(apart) != len(names) || math.Abs(float64(len(apart))-400) > 60 {
		t.Fatalf("%d kept and %d apart of %d", len(kept), len(apart), len(names))
	}
	side := map[string]bool{}
	for _, name := range apart {
		side[name] = true
	}
	moved := []string{"x/y/" + names[17], names[17], "z/" + names[18], names[19]}
	kept, apart = Split(moved, own, 0.2, 3)
	if len(kept)+len(apart) != len(moved) {
		t.Errorf("%d kept and %d apart of %d", len(kept), len(apart), len(moved))
	}
	for _, name := range moved {
		if side[filepath.Base(name)] != slices.Contains(apart, name) {
			t.Errorf("%s changed its side", name)
		}
	}
	if _, apart := Split(names, own, 0, 3); apart != nil {
		t.Error("a share of 0 holds some apart")
	}
	if kept, _ := Split(names, own, 1, 3); kept != nil {
		t.Error("a share of 1 keeps some")
	}
}
