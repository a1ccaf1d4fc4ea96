package samples

import (
	"errors"
	"image"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"haarlem/internal/must"
)

const labelStudioText = `[
{"id": 1, "file_upload": "0a1b2c3d-a.png", "data": {"image": "/data/upload/7/0a1b2c3d-a.png", "note": "x"},
 "annotations": [
  {"id": 1, "was_cancelled": true, "result": [{"type": "rectanglelabels", "value": {}}]},
  {"id": 2, "was_cancelled": false, "result": [
   {"id": "r1", "type": "rectanglelabels", "from_name": "label", "original_width": 40, "original_height": 30, "image_rotation": 0,
    "value": {"x": 25, "y": 10, "width": 50, "height": 20, "rotation": 0, "rectanglelabels": ["face", "old"]}},
   {"id": "r1", "type": "choices", "from_name": "pose", "value": {"choices": ["left"]}},
   {"id": "r2", "type": "ellipselabels", "original_width": 40, "original_height": 30, "value": {"x": 50, "y": 50, "radiusX": 10, "radiusY": 20, "rotation": 0, "ellipselabels": ["ball"]}},
   {"id": "r3", "type": "polygonlabels", "original_width": 40, "original_height": 30, "value": {"points": [[0, 0], [50, 0], [25, 50]], "polygonlabels": ["tree"]}},
   {"id": "r4", "type": "rectangle", "original_width": 40, "original_height": 30, "value": {"x": 50, "y": 50, "width": 25, "height": 10, "rotation": 90}},
   {"id": "r4", "type": "labels", "value": {"labels": ["pole"]}},
   {"id": "r5", "type": "keypointlabels", "original_width": 40, "original_height": 30, "value": {"x": 50, "y": 50, "width": 1}},
   {"id": "r6", "type": "choices", "from_name": "whole", "value": {"choices": ["day"]}}
  ]}], "predictions": []},
{"id": 2, "data": {"image": "/data/local-files/?d=deep/b.png"}, "annotations": []},
{"id": 3, "data": {"photo": "s3://bucket/c.png?versionId=1"}, "annotations": [{"result": []}, {"ground_truth": true, "result": [
  {"type": "rectanglelabels", "original_width": 40, "original_height": 30, "value": {"x": 0, "y": 0, "width": 10, "height": 10}}]}]}
]`

const labelStudioMin = `[{"image": "/data/upload/7/0a1b2c3d-a.png", "id": 1, "annotator": 1, "lead_time": 3.2,
 "label": [{"x": 25, "y": 10, "width": 50, "height": 20, "rotation": 0, "rectanglelabels": ["face"], "original_width": 40, "original_height": 30}]},
 {"image": "b.png", "id": 2}]`

func TestLabelStudio(t *testing.T) {
	class := func(s string) map[string]string { return map[string]string{"class": s} }
	put(t, map[string][]byte{"set/export.json": []byte(labelStudioText), "set/min.json": []byte(labelStudioMin), "set/a.png": nil, "set/images/deep/b.png": nil, "set/images/b.png": nil, "c.png": nil})
	got, err := ReadTruth("set/export.json", Auto)
	want := []Photo{
		{"set/a.png", []Object{
			{Box: image.Rect(10, 3, 30, 9), Tags: map[string]string{"class": "face", "pose": "left"}},
			{Box: image.Rect(16, 9, 24, 21), Tags: class("ball")},
			{Box: image.Rect(0, 0, 20, 15), Tags: class("tree")},
			{Box: image.Rect(17, 15, 20, 25), Tags: class("pole")},
		}},
		{"set/images/deep/b.png", nil},
		{"c.png", []Object{{Box: image.Rect(0, 0, 4, 3)}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	got, err = ReadTruth("set/min.json", Auto)
	want = []Photo{{"set/a.png", []Object{{Box: image.Rect(10, 3, 30, 9), Tags: class("face")}}}, {"set/images/b.png", nil}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("JSON-MIN: got  %+v, %v\nwant %+v", got, err, want)
	}
}

// Where an export lacks the size of a picture, it is read from the picture. What is not
// there is reported as ever.
func TestLabelStudioWithoutSizes(t *testing.T) {
	without := regexp.MustCompile(`"original_(width|height)": \d+,? ?`)
	text := strings.ReplaceAll(without.ReplaceAllString(labelStudioText, ""), ", }", "}")
	pictures := map[string][]byte{"set/export.json": []byte(labelStudioText), "set/bare.json": []byte(text), "set/a.png": nil, "set/images/deep/b.png": nil, "c.png": nil}
	put(t, pictures)
	want := must.Get(ReadTruth("set/export.json", Auto))
	got, err := ReadTruth("set/bare.json", Auto)
	if err != nil || !reflect.DeepEqual(got, want) || strings.Contains(text, "original") {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	must.Do(os.Remove("set/a.png"))
	got, err = ReadTruth("set/bare.json", Auto)
	if gone := (*MissingError)(nil); !errors.As(err, &gone) || gone.Count != 1 || !reflect.DeepEqual(got, want[1:]) {
		t.Errorf("without a picture: %+v, %v", got, err)
	}
}

// noSizes is for tests without pictures.
func noSizes(string) (image.Point, error) { return image.Pt(40, 30), nil }

// No name of an export leads out of the folders that are searched.
func TestLabelStudioNames(t *testing.T) {
	got := studioNames("/data/local-files/?d=../../deep/0123abcd-x.png")
	want := []string{"/data/local-files/?d=../../deep/0123abcd-x.png", "deep/0123abcd-x.png", "0123abcd-x.png", "x.png"}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestLabelStudioErrors(t *testing.T) {
	result := func(s string) string {
		return `[{"data": {"image": "a.png"}, "annotations": []}, {"data": {"image": "a.png"}, "annotations": [{"result": [` + s + `]}]}]`
	}
	value := func(s string) string {
		return result(`{"type": "rectanglelabels", "original_width": 40, "original_height": 30, "value": ` + s + `}`)
	}
	for _, test := range []struct{ text, want string }{
		{"", "t.json: the file ends too early, behind byte 0"},
		{"{}", "t.json: {, want [: this is not an export of Label Studio"},
		{"[1]", "t.json: [0]: a number, want a JSON object as Label Studio exports it"},
		{`[{"id": 1}]`, `t.json: [0]: neither "data" nor a text that names a picture: this is not an export of Label Studio`},
		{`[{"data": {"text": "hello"}, "annotations": []}]`, `t.json: [0].data: no text that names a picture, want "image": "..."`},
		{`[{"data": {"image": "a"}, "predictions": []}]`, `t.json: [0]: no "annotations"; predictions are not read`},
		{`[{"data": {"image": "a"}, "annotations": [{"result": [{"value": {"x": "1"}}]}]}]`, "t.json: [0].annotations.result.value.x: a string, want a number"},
		{"[] x", "t.json: something follows the last ]"},
		{value(`{"x": 1, "y": 2, "width": 0, "height": 5}`), "t.json: [1].annotations[0].result[0]: a rectangle of 0 by 5 per cent, want more than 0"},
		{value(`{"x": 1, "y": 2000, "width": 5, "height": 5}`), `t.json: [1].annotations[0].result[0]: "y" is 2000, want per cent of the picture`},
		{value(`{"x": 1, "y": 2, "width": 5, "height": 5, "rotation": 1e9}`), `t.json: [1].annotations[0].result[0]: "rotation" is 1e+09, want degrees`},
		{result(`{"type": "rectangle", "original_width": 1e6, "original_height": 30, "value": {"x": 900, "y": 0, "width": 5, "height": 5}}`), "t.json: [1].annotations[0].result[0]: a box of (9000000,0)-(9050000,2), want places from -1000000 to 2000000"},
		{result(`{"type": "rectangle", "original_height": 30, "value": {}}`), `t.json: [1].annotations[0].result[0]: "original_width" and "original_height" are 0 and 30, want the picture's size in pixels`},
		{result(`{"type": "rectangle", "image_rotation": 90, "value": {}}`), `t.json: [1].annotations[0].result[0]: "image_rotation" is 90: the picture was turned in Label Studio; turn the file instead`},
		{result(`{"type": "ellipse", "original_width": 4, "original_height": 3, "value": {"radiusX": 1}}`), "t.json: [1].annotations[0].result[0]: an ellipse with radii of 1 and 0 per cent, want more than 0"},
		{result(`{"type": "polygon", "original_width": 4, "original_height": 3, "value": {"points": [[1, 2], [3, 4]]}}`), "t.json: [1].annotations[0].result[0]: a polygon of 2 points, want 3 at least"},
		{result(`{"type": "polygon", "original_width": 4, "original_height": 3, "value": {"points": [[1, 2], [3, 4], [5]]}}`), "t.json: [1].annotations[0].result[0]: points[2] is [5], want x and y in per cent of the picture"},
	} {
		_, err := readLabelStudio(strings.NewReader(test.text), "t.json", noSizes)
		sameError(t, clip(test.text), err, test.want)
	}
}

func TestLabelStudioCutOff(t *testing.T) {
	for n := range len(labelStudioText) {
		if _, err := readLabelStudio(strings.NewReader(labelStudioText[:n]), "t.json", noSizes); err == nil {
			t.Fatalf("the first %d of %d bytes are read without an error", n, len(labelStudioText))
		}
	}
}

func FuzzLabelStudio(f *testing.F) {
	f.Add(labelStudioText)
	f.Add(labelStudioMin)
	f.Fuzz(func(t *testing.T, s string) {
		photos, err := readLabelStudio(strings.NewReader(s), "t.json", noSizes)
		sound(t, photos, err)
	})
}
