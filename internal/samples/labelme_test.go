package samples

import (
	"image"
	"reflect"
	"strings"
	"testing"
)

const labelMeText = `{"version": "5.2.1", "flags": {}, "shapes": [
 {"label": "face", "points": [[10.4, 20], [1, 2]], "group_id": 1, "shape_type": "rectangle", "flags": {"occluded": true}},
 {"label": "nose", "points": [[5.5, 9]], "group_id": 1, "shape_type": "point", "flags": {}},
 {"label": "eye", "points": [[3, 4]], "group_id": 1, "shape_type": "point", "flags": {}},
 {"label": "stray", "points": [[3, 4]], "group_id": null, "shape_type": "point", "flags": {}},
 {"label": "face", "points": [[3, 4], [9, 5], [6, 11]], "group_id": null, "shape_type": "polygon", "difficult": true},
 {"label": "ball", "points": [[20, 20], [23, 24]], "group_id": null, "shape_type": "circle", "flags": {}},
 {"label": "road", "points": [[0, 0], [9, 9]], "group_id": null, "shape_type": "linestrip", "flags": {}}
 ], "imagePath": "..\\photos\\a.png", "imageData": null, "imageHeight": 30, "imageWidth": 40}`

func TestLabelMe(t *testing.T) {
	class := func(s string) map[string]string { return map[string]string{"class": s} }
	put(t, map[string][]byte{
		"set/labels/a.json": []byte(labelMeText), "set/photos/a.png": nil,
		"set/labels/b.json":      []byte(`{"shapes": [], "imagePath": "/home/somebody/b.png"}`),
		"set/labels/b.png":       nil,
		"set/labels/c.json":      []byte(`{"shapes": [{"label": "x", "points": [[0, 0], [1, 0], [0, 1]]}], "imagePath": "lost.png"}`),
		"set/labels/c.png":       nil,
		"set/labels/config.json": []byte(`{"colours": [1, 2]}`),
	})
	want := []Photo{
		{"set/photos/a.png", []Object{
			{Box: image.Rect(1, 2, 10, 20), Tags: map[string]string{"class": "face", "occluded": "1"}, Marks: []Point{{3, 4}, {5.5, 9}}},
			{Box: image.Rect(3, 4, 9, 11), Ignore: true, Tags: class("face")},
			{Box: image.Rect(15, 15, 25, 25), Tags: class("ball")},
		}},
		{"set/labels/b.png", nil},
		{"set/labels/c.png", []Object{{Box: image.Rect(0, 0, 1, 1), Tags: class("x")}}},
	}
	for _, path := range []string{"set", "set/labels/?.json"} {
		got, err := ReadTruth(path, Auto)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got  %+v, %v\nwant %+v", path, got, err, want)
		}
	}
	got, err := ReadTruth("set/labels/a.json", Auto)
	if err != nil || !reflect.DeepEqual(got, want[:1]) {
		t.Errorf("one file: %+v, %v", got, err)
	}
	_, err = ReadTruth("set", LabelMe)
	sameError(t, "every file", err, `set/labels/config.json: no "shapes": this is not LabelMe`)
}

func TestLabelMeMissing(t *testing.T) {
	put(t, map[string][]byte{"l/a.json": []byte(`{"shapes": [], "imagePath": "lost.png"}`)})
	got, err := ReadTruth("l", Auto)
	sameError(t, "missing", err, "l: 1 of 1 pictures do not exist (looked beside this file, and in the working directory):\n  lost.png")
	if len(got) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestLabelMeErrors(t *testing.T) {
	shape := func(s string) string { return `{"shapes": [{"label": "a", ` + s + `}]}` }
	for _, test := range []struct{ text, want string }{
		{"", "t.json: the file ends too early, behind byte 0"},
		{"[]", "t.json: a JSON array, want {: this is not LabelMe"},
		{"{}", `t.json: no "shapes": this is not LabelMe`},
		{`{"shapes": []} x`, "t.json: something follows the last }"},
		{shape(`"shape_type": "rectangle", "points": [[1, 2]]`), "t.json: shapes[0]: a rectangle of 1 points, want 2 at least"},
		{shape(`"shape_type": "polygon", "points": [[1, 2], [3, 4]]`), "t.json: shapes[0]: a polygon of 2 points, want 3 at least"},
		{shape(`"shape_type": "point", "points": []`), "t.json: shapes[0]: a point of 0 points, want 1 at least"},
		{shape(`"shape_type": "rectangle", "points": [[1, 2], [3]]`), "t.json: shapes[0].points[1] has 1 numbers, want x and y"},
		{shape(`"shape_type": "rectangle", "points": [[1, 2], [3, 1e7]]`), "t.json: shapes[0].points[1]: 1e+07, want a number from -1000000 to 1000000"},
		{shape(`"shape_type": "circle", "points": [[0, 0], [1e6, 1e6]]`), "t.json: shapes[0]: a box of (-1414214,-1414214)-(1414214,1414214), want places from -1000000 to 2000000"},
		{shape(`"shape_type": "cube", "points": []`), `t.json: shapes[0]: "shape_type" is "cube", want rectangle, polygon, circle, mask, point, line or linestrip`},
		{shape(`"shape_type": "rectangle", "points": [["1", 2]]`), `t.json: "shapes.points", behind byte 69, is a string, want a number`},
		{`{"shapes": [{"label": "f", "group_id": 1, "shape_type": "rectangle", "points": [[0, 0], [9, 9]]},
			{"label": "eye", "group_id": 1, "shape_type": "point", "points": [[0, 0]]}, {"label": "eye", "group_id": 1, "shape_type": "point", "points": [[1, 1]]}]}`,
			`t.json: shapes[2]: two points of one object are called "eye"`},
	} {
		_, _, _, err := readLabelMe(strings.NewReader(test.text), "t.json")
		sameError(t, clip(test.text), err, test.want)
	}
}

func TestLabelMeCutOff(t *testing.T) {
	for n := range len(labelMeText) {
		if _, _, _, err := readLabelMe(strings.NewReader(labelMeText[:n]), "t.json"); err == nil {
			t.Fatalf("the first %d of %d bytes are read without an error", n, len(labelMeText))
		}
	}
}

func FuzzLabelMe(f *testing.F) {
	f.Add(labelMeText)
	f.Add(`{"shapes": [{"shape_type": "point", "group_id": 1, "points": [[1, 2]]}, {"group_id": 1, "shape_type": "mask", "points": [[1, 2], [1, 2]]}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		_, objects, marks, err := readLabelMe(strings.NewReader(s), "t.json")
		if err == nil && len(marks) != len(objects) {
			t.Errorf("%d objects and points of %d", len(objects), len(marks))
		}
		sound(t, []Photo{{"t", objects}}, err)
	})
}
