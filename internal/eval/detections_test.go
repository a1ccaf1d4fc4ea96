package eval

import (
	"context"
	"errors"
	"image"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

const twoPhotos = `{"file":"x/a.jpg","width":80,"height":60,"milliseconds":0.5,"faces":[{"x":1,"y":2,"width":30,"height":31,"score":0.75,"neighbors":4}]}
{"file":"x/b.jpg","faces":[]}
`

func TestDecodeDetections(t *testing.T) {
	want := []DetectionsFile{
		{"x/a.jpg", []Detected{{image.Rect(1, 2, 31, 33), 0.75, 4}}},
		{"x/b.jpg", nil},
	}
	lines := strings.Split(strings.TrimSpace(twoPhotos), "\n")
	for name, text := range map[string]string{
		"lines":  twoPhotos,
		"array":  "[\n " + lines[0] + ",\n " + lines[1] + "\n]\n",
		"others": strings.ReplaceAll(strings.Replace(twoPhotos, `"x":1,"y":2`, `"x":1.4,"y":1.5`, 1), "faces", "detections"),
	} {
		d, err := DecodeDetections(strings.NewReader(text), "f")
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		equal := func(a, b DetectionsFile) bool { return a.File == b.File && slices.Equal(a.Found, b.Found) }
		if !slices.EqualFunc(d.Files, want, equal) {
			t.Errorf("%s: %v", name, d.Files)
		}
	}
}

func TestDecodeDetectionsErrors(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", "f:1: no photograph in it"},
		{"[]", "f:1: no photograph in it"},
		{`{"file":"a","faces":[]}` + "\n" + `{"file":"a","faces":[]}`, "f:2: a is there twice"},
		{`{"faces":[]}`, "f:1: an object without a file: say which photograph it is about"},
		{`{"file":"a"}`, "f:1: a: neither faces nor detections: write an empty list for none"},
		{`{"file":"a","faces":[],"detections":[]}`, "f:1: a: both faces and detections, want one of them"},
		{`{"file":"a","faces":[{"x":1,"y":2,"width":3}]}`, "f:1: a: detection 1: no height"},
		{`{"file":"a","faces":[{"x":1,"y":2,"width":3,"height":4}]}`, "f:1: a: detection 1: no score"},
		{`{"file":"a","faces":[{"x":1,"y":2,"width":0,"height":4,"score":1}]}`, "f:1: a: detection 1: width 0, want 1 to 16777216"},
		{`{"file":"a","faces":[{"x":1e30,"y":2,"width":2,"height":4,"score":1}]}`, "f:1: a: detection 1: x 1e+30, want -16777216 to 16777216"},
		{`{"file":"a","faces":[{"x":"1"}]}`, "f:1: a: detection 1: json: cannot unmarshal string"},
		{`[{"file":"a","faces":[]}`, "f:1: the file is cut off: no ] at its end"},
		{`[{"file":"a","faces":[]}] 7`, "f:1: something behind the array's end"},
		{"\n\n" + `{"file":"a","fa`, "f:3: the file is cut off in the object that begins here"},
		{"file,x,y\n", "want an object with file and faces: invalid character 'i'"},
	} {
		_, err := DecodeDetections(strings.NewReader(c.text), "f")
		if !errors.Is(err, ErrDetections) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.text, err, c.want)
		}
	}
	// Every truncated array is an error.
	text := "[" + strings.ReplaceAll(strings.TrimSpace(twoPhotos), "\n", ",") + "]"
	for n := range len(text) {
		if _, err := DecodeDetections(strings.NewReader(text[:n]), "f"); err == nil {
			t.Errorf("cut off after %d bytes: no error", n)
		}
	}
}

func TestDetectionsContender(t *testing.T) {
	d := must.Get(DecodeDetections(strings.NewReader(twoPhotos), "dir/pigo.jsonl"))
	photos := []Photo{{File: "/data/x/a.jpg"}}
	c, unknown, err := d.Contender(photos, SweepAuto)
	if err != nil || unknown != 1 || c.Name != "pigo" || c.Sweep != SweepScore {
		t.Fatalf("%+v, %d unknown, %v", c, unknown, err)
	}
	f, err := c.Find(context.Background(), photos[0].File, nil)
	if err != nil || !slices.Equal(f, []Found{{Box: image.Rect(1, 2, 31, 33), Rank: 0.75}}) {
		t.Errorf("%v, %v", f, err)
	}
	c, _, _ = d.Contender(photos, SweepNeighbors)
	if f, _ := c.Find(context.Background(), photos[0].File, nil); f[0].Rank != 4 {
		t.Errorf("by neighbours: %v", f)
	}
	for _, c := range []struct {
		files  []string
		photos []string
		want   string
	}{
		{[]string{"a.jpg"}, []string{"b.jpg"}, "d says nothing of b.jpg: write an empty list where nothing was found"},
		{[]string{"p/a.jpg", "q/a.jpg"}, []string{"a.jpg"}, "d has several files that may be a.jpg: write longer paths"},
		{[]string{"a.jpg"}, []string{"p/a.jpg", "q/a.jpg"}, "d: a.jpg may be p/a.jpg or q/a.jpg: write longer paths"},
		{[]string{"p/a.jpg", `C:\q\a.jpg`}, []string{"/r/q/a.jpg", "/r/p/a.jpg"}, ""},
	} {
		d := &Detections{Name: "d"}
		for _, f := range c.files {
			d.Files = append(d.Files, DetectionsFile{File: f})
		}
		var photos []Photo
		for _, p := range c.photos {
			photos = append(photos, Photo{File: p})
		}
		_, _, err := d.Contender(photos, SweepScore)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasSuffix(err.Error(), c.want)) {
			t.Errorf("%v for %v: %v, want %q", c.files, c.photos, err, c.want)
		}
	}
}

func FuzzDetections(f *testing.F) {
	f.Add([]byte(twoPhotos))
	f.Add([]byte(`[{"file":"a","detections":[{"x":-1.5,"y":2,"width":3,"height":4,"score":-1e300}]}]`))
	f.Add([]byte("[{}]"))
	f.Add([]byte(`{"file":"","faces":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := DecodeDetections(strings.NewReader(string(data)), "f")
		if err != nil {
			if !errors.Is(err, ErrDetections) {
				t.Errorf("an error of another kind: %v", err)
			}
			return
		}
		for _, p := range d.Files {
			for _, v := range p.Found {
				if v.Box.Empty() {
					t.Errorf("an empty box: %v", v)
				}
			}
		}
	})
}
