package samples

import (
	"image"
	"reflect"
	"strings"
	"testing"
)

const cocoText = `{"info": {"year": [2026, {"a": null}]},
"annotations": [
 {"id": 1, "image_id": 7, "category_id": 3, "bbox": [1.4, 2, 10.2, 20], "iscrowd": 0, "area": 204, "segmentation": [[1, 2, 3]]},
 {"id": 2, "image_id": 7, "category_id": 3, "bbox": [0, 0, 5, 0], "iscrowd": 1, "segmentation": {"counts": [1], "size": [2, 2]}},
 {"id": 3, "image_id": 9, "category_id": 4, "bbox": [3, 3, 3, 3], "num_keypoints": 2, "keypoints": [3, 3.5, 1, 4.25, 5, 2]},
 {"id": 4, "image_id": 9, "category_id": 4, "bbox": [6, 6, 3, 3], "num_keypoints": 1, "keypoints": [6, 6, 2, 0, 0, 0]}
],
"categories": [{"id": 3, "name": "face"}, {"id": 4, "name": "cat"}],
"images": [{"id": 7, "file_name": "a.png", "width": 40}, {"id": 8, "file_name": "none.png"}, {"id": 9, "file_name": "sub/b.png"}]}
`

func TestCOCO(t *testing.T) {
	files := map[string][]byte{
		"annotations/instances_val2017.json": []byte(cocoText),
		"val2017/a.png":                      nil, "none.png": nil, "annotations/sub/b.png": nil,
	}
	put(t, files)
	class := func(s string) map[string]string { return map[string]string{"class": s} }
	want := []Photo{
		{"val2017/a.png", []Object{{Box: image.Rect(1, 2, 12, 22), Tags: class("face")}, {Box: image.Rect(0, 0, 5, 1), Ignore: true, Tags: class("face")}}},
		{"none.png", nil},
		{"annotations/sub/b.png", []Object{
			{Box: image.Rect(3, 3, 6, 6), Marks: []Point{{3, 3.5}, {4.25, 5}}, Tags: class("cat")},
			{Box: image.Rect(6, 6, 9, 9), Tags: class("cat")}, // a point of it is not labelled
		}},
	}
	got, err := ReadTruth("annotations/instances_val2017.json", Auto)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
}

func TestCOCOErrors(t *testing.T) {
	with := func(annotation string) string {
		return `{"images": [{"id": 1, "file_name": "a"}], "categories": [{"id": 1, "name": "face"}], "annotations": [` + annotation + `]}`
	}
	for _, test := range []struct{ text, want string }{
		{"", "t.json: the file ends too early, behind byte 0"},
		{"[]", "t.json: [, want {: this is not COCO"},
		{"{}", `t.json: no "images": this is not COCO`},
		{`{"images": []}`, `t.json: no "annotations": this is not COCO`},
		{`{"images": {}}`, `t.json: "images" is {, want an array`},
		{`{"images": [], "images": []}`, `t.json: "images" stands twice`},
		{`{"images": [{"file_name": "a"}]}`, `t.json: images[0]: no "id"`},
		{`{"images": [{"id": 1}]}`, `t.json: images[0]: no "file_name"`},
		{`{"images": [{"id": 1, "file_name": 3}]}`, `t.json: images[0]: "file_name" is a number, want a string`},
		{`{"images": [{"id": 1, "file_name": "a"}, {"id": 1, "file_name": "b"}]}`, "t.json: images[1]: id 1 is given to two images"},
		{`{"categories": [{"name": "a"}]}`, `t.json: categories[0]: no "id"`},
		{with(`{}`), `t.json: annotations[0]: no "image_id"`},
		{with(`{"image_id": 1, "bbox": [1, 2, 3]}`), `t.json: annotations[0]: "bbox" has 3 numbers, want x, y, width, height`},
		{with(`{"image_id": 1, "bbox": [1, 2, 3, 4e7]}`), `t.json: annotations[0]: "bbox": 4e+07, want a number from -1000000 to 1000000`},
		{with(`{"image_id": 1, "bbox": [1, 2, -3, 4]}`), `t.json: annotations[0]: "bbox" is -3x4 large, want no less than 0`},
		{with(`{"image_id": 1, "bbox": [1, 2, 3, "4"]}`), `t.json: annotations[0]: "bbox" is a string, want a number`},
		{with(`{"image_id": 1, "bbox": [1, 2, 3, 4], "keypoints": [1, 2]}`), `t.json: annotations[0]: "keypoints" has 2 numbers, want x, y and visibility of each`},
		{with(`{"image_id": 1, "bbox": [1, 2, 3, 4], "keypoints": [1, 4e7, 2]}`), `t.json: annotations[0]: "keypoints": 4e+07, want a number from -1000000 to 1000000`},
		{with(`{"image_id": 1, "bbox": [1, 2, 3, 4], "keypoints": [1, 4, 3]}`), `t.json: annotations[0]: "keypoints": a visibility of 3, want 0, 1 or 2`},
		{with(`{"image_id": 1, "bbox": [1, 2, 3, 4], "keypoints": [0` + strings.Repeat(", 0", 3002) + `]}`), `t.json: annotations[0]: "keypoints" has more than 1000 points: over the limit`},
		{with(`{"image_id": 2, "bbox": [1, 2, 3, 4]}`), "t.json: annotations[0]: no image has the id 2"},
		{with(`{"image_id": 1, "category_id": 2, "bbox": [1, 2, 3, 4]}`), "t.json: annotations[0]: no category has the id 2"},
		{with("") + "x", "t.json: something follows the last }"},
		{`{"a": ` + strings.Repeat("[", maxDepth+1), "t.json: nested deeper than 64: over the limit"},
		{`{"images": [NaN]}`, "t.json: not JSON: invalid character 'N' looking for beginning of value (near byte 12)"},
	} {
		_, err := readCOCO(strings.NewReader(test.text), "t.json")
		sameError(t, clip(test.text), err, test.want)
	}
}

func TestCOCOCutOff(t *testing.T) {
	whole := strings.TrimSpace(cocoText)
	for n := range len(whole) {
		if _, err := readCOCO(strings.NewReader(whole[:n]), "t.json"); err == nil {
			t.Fatalf("the first %d of %d bytes are read without an error", n, len(whole))
		}
	}
}

func FuzzCOCO(f *testing.F) {
	f.Add(cocoText)
	f.Add(`{"images":[{"id":1,"file_name":"a"}],"annotations":[{"image_id":1,"bbox":[0,0,0,0],"iscrowd":1,"keypoints":[1,2,1]}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		photos, err := readCOCO(strings.NewReader(s), "t.json")
		sound(t, photos, err)
	})
}
