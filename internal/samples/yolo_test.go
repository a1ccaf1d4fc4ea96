package samples

import (
	"image"
	"reflect"
	"strings"
	"testing"
)

func TestYOLO(t *testing.T) {
	put(t, map[string][]byte{
		"set/classes.txt":  []byte("cat\nface\n"),
		"set/images/a.png": nil, // 40x30
		"set/labels/a.txt": []byte("1 0.5 0.5 0.25 0.2\r\n\n0 1 0.1 1e-3 0.001\n"),
		"set/images/b.png": nil,
		"set/images/c.png": []byte("no picture"),
		"set/labels/c.txt": []byte("1 0.5 0.5 0.25 0.2\n"),
		"flat/x.png":       nil,
		"flat/x.txt":       []byte(""),
		"flat/sub/y.png":   nil,
		"flat/sub/y.txt":   []byte("3 0.5 0.5 1.0005 1\n"),
	})
	class := func(s string) map[string]string { return map[string]string{"class": s} }
	got, err := ReadTruth("set", Auto)
	want := []Photo{
		{"set/images/a.png", []Object{{Box: image.Rect(15, 12, 25, 18), Tags: class("face")}, {Box: image.Rect(39, 2, 40, 3), Tags: class("cat")}}},
		{"set/images/b.png", nil},
		{"set/images/c.png", []Object{{Ignore: true}}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	got, err = ReadTruth("flat", Auto)
	want = []Photo{{"flat/sub/y.png", []Object{{Box: image.Rect(0, 0, 40, 30), Tags: class("3")}}}, {"flat/x.png", nil}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	if got, err = ReadTruth("flat/sub/y.txt", Auto); err != nil || !reflect.DeepEqual(got, want[:1]) {
		t.Errorf("one file: %+v, %v", got, err)
	}
	// CVAT's and Darknet's folders list their pictures, and a picture may be called train.
	put(t, map[string][]byte{
		"cvat/obj.names": []byte("face\n"), "cvat/train.txt": []byte("data/obj_train_data/train.png\n"),
		"cvat/obj_train_data/train.png": nil, "cvat/obj_train_data/train.txt": []byte("0 .5 .5 .5 .2\n"),
	})
	got, err = ReadTruth("cvat", Auto)
	want = []Photo{{"cvat/obj_train_data/train.png", []Object{{Box: image.Rect(10, 12, 30, 18), Tags: class("face")}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("CVAT: got  %+v, %v\nwant %+v", got, err, want)
	}
}

// Labels without a picture are named, beside those that have one.
func TestYOLOWithoutPictures(t *testing.T) {
	put(t, map[string][]byte{"lost/labels/q.txt": []byte(""), "lost/labels/r.txt": []byte("0 .5 .5 .5 .5"), "lost/images/r.png": nil, "lost/images/rr.png": nil})
	got, err := ReadTruth("lost", YOLO)
	sameError(t, "missing", err, "lost: 1 of 2 pictures do not exist (looked beside this file, and in the working directory):\n  the picture of lost/labels/q.txt")
	if len(got) != 2 || got[0].File != "lost/images/r.png" || len(got[0].Objects) != 1 {
		t.Errorf("beside the error: %+v", got)
	}
}

func TestYOLOErrors(t *testing.T) {
	for _, test := range []struct{ text, want string }{
		{"0 .5 .5 .5", "t.txt:1: 4 numbers, want 5: class, centre x, centre y, width, height"},
		{"face .5 .5 .5 .5", `t.txt:1: class "face", want a number from 0`},
		{"-1 .5 .5 .5 .5", `t.txt:1: class "-1", want a number from 0`},
		{"2 .5 .5 .5 .5", "t.txt:1: class 2, but there are 2 names of classes"},
		{"\n1 .5 NaN .5 .5", `t.txt:2: centre y: "NaN", want a number`},
		{"1 .5 .5 15 .5", "t.txt:1: width: 15, want a part of the picture, from 0 to 1"},
		{"1 -.5 .5 .5 .5", "t.txt:1: centre x: -.5, want a part of the picture, from 0 to 1"},
		{"1 .5 .5 .5 0", "t.txt:1: height: 0, want more than 0"},
	} {
		_, err := readYOLO(strings.NewReader(test.text), "t.txt", []string{"a", "b"}, 40, 30)
		sameError(t, clip(test.text), err, test.want)
	}
	put(t, map[string][]byte{"folder/a.png": nil})
	_, err := ReadTruth("folder", YOLO)
	sameError(t, "no labels", err, "folder: no .txt file with labels in this folder")
}

func FuzzYOLO(f *testing.F) {
	f.Add("0 .5 .5 .5 .5\n1 1 1 1 1\r\n", 40, 30)
	f.Add("0 1e-300 0 1e-300 1", 1, 1)
	f.Fuzz(func(t *testing.T, s string, w, h int) {
		if w < 1 || h < 1 || w > 100_000 || h > 100_000 {
			return
		}
		objects, err := readYOLO(strings.NewReader(s), "t.txt", nil, w, h)
		sound(t, []Photo{{"t", objects}}, err)
	})
}
