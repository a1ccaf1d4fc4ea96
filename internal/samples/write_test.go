package samples

import (
	"encoding/json"
	"image"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// written are photographs with all that formats can say.
func written(t *testing.T) []Photo {
	t.Helper()
	put(t, map[string][]byte{"photos/a.png": nil, "photos/sub/b <&> ü.png": nil, "photos/sub/empty.png": nil})
	return []Photo{
		{filepath.FromSlash("photos/a.png"), []Object{
			{Box: image.Rect(0, 0, 40, 30), Tags: class("cup & saucer")},
			{Box: image.Rect(3, 5, 4, 6), Tags: class("bus")},
			{Box: image.Rect(7, 11, 30, 29), Tags: class("bus")},
		}},
		{filepath.FromSlash("photos/sub/b <&> ü.png"), []Object{{Box: image.Rect(1, 2, 20, 21), Ignore: true, Tags: class("bus")}}},
		{filepath.FromSlash("photos/sub/empty.png"), nil},
	}
}

// same compares what was read with what was written, whatever form the paths have.
func same(t *testing.T, got []Photo, err error, want []Photo) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	for i := range got {
		path, err := filepath.Rel(".", got[i].File)
		if abs, e := filepath.Abs(got[i].File); e == nil {
			here, _ := filepath.Abs(".")
			path, err = filepath.Rel(here, abs)
		}
		if err != nil {
			t.Fatal(err)
		}
		got[i].File = path
	}
	slices.SortFunc(got, func(a, b Photo) int { return strings.Compare(a.File, b.File) })
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestWriteVOC(t *testing.T) {
	photos := written(t)
	photos[0].Objects[1].Tags = map[string]string{"class": "bus", "pose": "Left", "truncated": "1", "occluded": "0"}
	for range 2 { // the second replaces the first
		must.Do(WriteVOC("out/voc", photos))
		got, err := ReadTruth("out/voc", VOC)
		same(t, got, err, photos)
	}
	text, err := os.ReadFile("out/voc/a.xml")
	if err != nil || !strings.Contains(string(text), "<xmin>4</xmin>") || !strings.Contains(string(text), "<xmax>4</xmax>") ||
		!strings.Contains(string(text), "<width>40</width>") || !strings.Contains(string(text), "<path>../../photos/a.png</path>") {
		t.Errorf("%v\n%s", err, text)
	}
	// Nothing else is overwritten.
	must.Do(os.WriteFile("out/voc/notes.txt", []byte("mine"), 0o666))
	sameError(t, "another file", WriteVOC("out/voc", photos), "out/voc: this folder is replaced as a whole, but it holds notes.txt: move that, or name another folder")
	if left, _ := filepath.Glob("out/.*"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestWriteCOCO(t *testing.T) {
	photos := written(t)
	must.Do(os.Mkdir("out", 0o777))
	must.Do(WriteCOCO("out/all.json", photos, nil))
	got, err := ReadTruth("out/all.json", COCO)
	same(t, got, err, photos)
	text := must.Get(os.ReadFile("out/all.json"))
	var all struct {
		Images []struct {
			File          string `json:"file_name"`
			Width, Height int
		}
		Annotations []struct{ ID, Area int }
		Categories  []struct{ Name string }
	}
	must.Do(json.Unmarshal(text, &all))
	if all.Images[0].File != "../photos/a.png" || all.Images[0].Width != 40 || all.Images[0].Height != 30 || len(all.Annotations) != 4 ||
		all.Annotations[0].Area != 1200 || len(all.Categories) != 2 || all.Categories[0].Name != "bus" {
		t.Errorf("got %+v", all)
	}
	if strings.Contains(string(text), "keypoints") {
		t.Error("there are keypoints without landmarks")
	}
	// Landmarks are keypoints.
	photos[0].Objects[1].Marks = []Point{{3.5, 5.25}, {3, 6}}
	must.Do(WriteCOCO("out/points.json", photos, []string{"left", "right"}))
	got, err = ReadTruth("out/points.json", COCO)
	same(t, got, err, photos)
	text, err = os.ReadFile("out/points.json")
	if err != nil || strings.Count(string(text), `"keypoints":[3.5,5.25,2,3,6,2],"num_keypoints":2`) != 1 || strings.Count(string(text), `"keypoints":["left","right"]`) != 2 {
		t.Errorf("%v: %s", err, text)
	}
	// Nothing at all is COCO too.
	must.Do(WriteCOCO("out/none.json", nil, nil))
	if got, err := ReadTruth("out/none.json", COCO); err != nil || len(got) != 0 {
		t.Errorf("nothing: %v, %v", got, err)
	}
}

func TestWriteYOLO(t *testing.T) {
	photos := written(t)
	for range 2 {
		ignored, err := WriteYOLO("out/yolo", photos)
		if err != nil || ignored != 1 {
			t.Fatalf("%d ignored, %v", ignored, err)
		}
	}
	got, err := ReadTruth("out/yolo", YOLO)
	want := slices.Clone(photos)
	want[1].Objects = nil // was ignored, which YOLO cannot say
	for i := range want {
		want[i].File = filepath.Join("out", "yolo", "images", strings.TrimPrefix(want[i].File, "photos"))
	}
	same(t, got, err, want)
	for name, text := range map[string]string{
		"classes.txt": "bus\ncup & saucer\n",
		"data.yaml":   "path: .\ntrain: images\nval: images\nnames:\n  0: \"bus\"\n  1: \"cup & saucer\"\n",
	} {
		if b, err := os.ReadFile(filepath.Join("out/yolo", name)); err != nil || string(b) != text {
			t.Errorf("%s: %v %q", name, err, b)
		}
	}
	photos[0].Objects[0].Tags["class"] = "#1"
	if _, err := WriteYOLO("out/other", photos); err == nil || !strings.Contains(err.Error(), `"#1"`) {
		t.Errorf("a class that is a comment: %v", err)
	}
	if _, err := os.Stat("out/other"); err == nil {
		t.Error("a folder was made")
	}
}

// YOLO's boxes come back to the pixel, also in large pictures.
func TestWriteYOLOExactly(t *testing.T) {
	put(t, map[string][]byte{"big.png": picturetest.PNG(picturetest.Even(9973, 7, 3))})
	var p = Photo{File: "big.png"}
	for x := 0; x < 9973; x += 17 {
		p.Objects = append(p.Objects, Object{Box: image.Rect(x, 1, min(x+1+x%300, 9973), 6), Tags: map[string]string{"class": "object"}})
	}
	must.Get(WriteYOLO("y", []Photo{p}))
	got, err := ReadTruth("y", YOLO)
	if err != nil || len(got) != 1 || !reflect.DeepEqual(got[0].Objects, p.Objects) {
		t.Errorf("%v: the boxes are others", err)
	}
}

// Names of labels differ, also where names of pictures do so only by their folder or
// extension.
func TestStems(t *testing.T) {
	names := []string{"x/a.png", "x/a.jpg", "x/A.bmp", "x/a_jpg.png", "x/sub/a.png"}
	var photos []Photo
	for _, n := range names {
		photos = append(photos, Photo{File: filepath.FromSlash(n)})
	}
	got, err := stems(photos)
	if want := []string{"a", "a_jpg", "A_bmp", "a_jpg_png", "sub/a"}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
