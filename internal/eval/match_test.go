package eval

import (
	"context"
	"errors"
	"image"
	"math"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
)

func box(x, y, side int) image.Rectangle { return image.Rect(x, y, x+side, y+side) }

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		found image.Rectangle
		fit   float64
		ok    bool
	}{
		{box(0, 0, 30), 1, true},
		{image.Rect(0, 0, 30, 15), 0.5, true}, // exactly the threshold
		{image.Rect(0, 0, 30, 14), 14.0 / 30, false},
		{box(10, 0, 30), 0.5, true},
		{box(11, 0, 30), 19.0 / 41, false},
		{box(30, 0, 30), 0, false},
		{image.Rectangle{}, 0, false},
	} {
		fit, ok := Overlap{}.Match(box(0, 0, 30), c.found)
		if fit != c.fit || ok != c.ok {
			t.Errorf("%v: %v, %v, want %v, %v", c.found, fit, ok, c.fit, c.ok)
		}
	}
	if _, ok := (Overlap{IoU: 0.4}).Match(box(0, 0, 30), box(11, 0, 30)); !ok {
		t.Error("a lower threshold was not used")
	}
}

func TestCentre(t *testing.T) {
	truth := box(100, 100, 40)
	for _, c := range []struct {
		found image.Rectangle
		ok    bool
	}{
		{truth, true},
		{truth.Add(image.Pt(20, 0)), true}, // exactly half of its size away
		{truth.Add(image.Pt(21, 0)), false},
		{truth.Add(image.Pt(12, -16)), true}, // 20 pixels, diagonally
		{truth.Add(image.Pt(13, -16)), false},
		{truth.Inset(10), true}, // exactly half as large
		{truth.Inset(11), false},
		{truth.Inset(-20), true}, // exactly twice as large
		{truth.Inset(-21), false},
		{image.Rect(80, 110, 160, 130), true}, // as large by its area
		{image.Rectangle{}, false},
	} {
		if _, ok := (Centre{}).Match(truth, c.found); ok != c.ok {
			t.Errorf("%v: %v, want %v", c.found, ok, c.ok)
		}
	}
	near, _ := Centre{}.Match(truth, truth.Add(image.Pt(3, 0)))
	far, _ := Centre{}.Match(truth, truth.Add(image.Pt(4, 0)))
	large, _ := Centre{}.Match(truth, truth.Inset(-5).Add(image.Pt(3, 0)))
	if !(near > far && near > large) {
		t.Errorf("fits: near %v, further %v, larger %v", near, far, large)
	}
}

func TestParseMatcher(t *testing.T) {
	for _, c := range []struct {
		name      string
		threshold float64
		want      string // of the matcher or the error
	}{
		{"overlap", 0, "overlap: intersection over union of at least 0.5"},
		{"overlap", 0.7, "overlap: intersection over union of at least 0.7"},
		{"centre", 0, "centre: centres at most 0.5 of the object's size apart, size between 1/2 and 2 of the object's"},
		{"centre", 0.3, "centre: centres at most 0.3 of the object's size apart, size between 1/2 and 2 of the object's"},
		{"iou", 0, `no matcher is called "iou", want centre or overlap`},
		{"overlap", 1.5, "threshold 1.5 of the matcher, want more than 0 and at most 1"},
	} {
		m, err := ParseMatcher(c.name, c.threshold)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = m.String()
		}
		if !strings.Contains(got, c.want) {
			t.Errorf("%s %v: %q, want %q", c.name, c.threshold, got, c.want)
		}
	}
}

func found(b image.Rectangle, rank float64) Found { return Found{Box: b, Rank: rank} }

func verdicts(all []Judged) []Verdict {
	var v []Verdict
	for _, j := range all {
		v = append(v, j.Verdict)
	}
	return v
}

func TestJudge(t *testing.T) {
	a, b := box(0, 0, 40), box(100, 0, 40)
	shift := func(r image.Rectangle, dx int) image.Rectangle { return r.Add(image.Pt(dx, 0)) }
	crowd := Object{Box: image.Rect(200, 0, 300, 50), Ignore: true}
	for _, c := range []struct {
		name    string
		objects []Object
		found   []Found
		want    []Verdict // best first
	}{
		{"one each", []Object{{Box: a}, {Box: b}}, []Found{found(b, 1), found(a, 2)}, []Verdict{Right, Right}},
		{"the second is a false positive", []Object{{Box: a}}, []Found{found(a, 1), found(shift(a, 5), 2)}, []Verdict{Right, Duplicate}},
		{"nothing there", []Object{{Box: a}}, []Found{found(b, 1)}, []Verdict{FalsePositive}},
		{"no objects at all", nil, []Found{found(b, 1)}, []Verdict{FalsePositive}},
		// The better one takes its best match, though the other order would
		// find both.
		{"best fit", []Object{{Box: a}, {Box: shift(a, 25)}}, []Found{found(shift(a, 11), 2), found(shift(a, 20), 1)}, []Verdict{Right, Right}},
		{"a taken object leaves the next one", []Object{{Box: a}, {Box: shift(a, 15)}}, []Found{found(a, 3), found(a, 2), found(a, 1)}, []Verdict{Right, Right, Duplicate}},
		{"ignored", []Object{{Box: a, Ignore: true}}, []Found{found(a, 1), found(a, 2)}, []Verdict{Ignored, Ignored}},
		{"an object comes before one to be ignored", []Object{{Box: a, Ignore: true}, {Box: a}}, []Found{found(a, 1)}, []Verdict{Right}},
		{"a duplicate is none less beside one to be ignored", []Object{{Box: a, Ignore: true}, {Box: a}}, []Found{found(a, 1), found(a, 2)}, []Verdict{Right, Duplicate}},
		{"in a crowd", []Object{crowd}, []Found{found(box(280, 20, 20), 1)}, []Verdict{Ignored}},
		{"beside a crowd", []Object{crowd}, []Found{found(box(291, 20, 20), 1)}, []Verdict{FalsePositive}},
		{"too large for the crowd", []Object{crowd}, []Found{found(box(140, -80, 201), 1)}, []Verdict{FalsePositive}},
	} {
		got := verdicts(judge(Centre{}, 0, c.objects, c.found))
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// The order in which a detector lists its detections does not change the
// verdicts.
func TestJudgeKnowsNoOrder(t *testing.T) {
	objects := []Object{{Box: box(0, 0, 40)}, {Box: box(20, 0, 40)}, {Box: box(40, 10, 30), Ignore: true}}
	var all []Found
	for i := range 8 {
		all = append(all, found(box(7*i, i, 36+i), float64(i/3)))
	}
	want := judge(Centre{}, 0, objects, all)
	for range len(all) {
		all = append(all[1:], all[0])
		if got := judge(Centre{}, 0, objects, all); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

func TestCurve(t *testing.T) {
	j := func(rank float64, v Verdict) Judged { return Judged{Found: Found{Rank: rank}, Verdict: v} }
	all := []Judged{
		j(9, Right), j(8, Ignored), j(7, Right), j(7, FalsePositive), j(7, Right), j(5, Duplicate), j(4, Right), j(3, Ignored),
	}
	points := curve(all)
	want := []Point{{9, 1, 0}, {7, 3, 1}, {5, 3, 2}, {4, 4, 2}}
	if !slices.Equal(points, want) {
		t.Fatalf("%v, want %v", points, want)
	}
	for _, c := range []struct{ alarms, found int }{{0, 1}, {1, 3}, {2, 4}, {100, 4}} {
		if p, ok := at(points, c.alarms); !ok || p.Found != c.found {
			t.Errorf("at %d: %v %v, want %d found", c.alarms, p, ok, c.found)
		}
	}
	// By hand: 1 of 5 objects at precision 1, up to 3 at 3/4, up to 4 at 4/6,
	// one is never found.
	if ap, want := averagePrecision(points, 5), (1*1+2*0.75+1*4.0/6)/5; math.Abs(ap-want) > 1e-12 {
		t.Errorf("average precision %v, want %v", ap, want)
	}
	// Precision is made to decrease: a false positive at the top costs those
	// below only as much as the best threshold.
	late := curve([]Judged{j(3, FalsePositive), j(2, Right), j(1, Right)})
	if ap := averagePrecision(late, 2); math.Abs(ap-2.0/3) > 1e-12 {
		t.Errorf("average precision %v, want 2/3", ap)
	}
	if _, ok := at(late, 0); ok {
		t.Error("a point without false positives where there is none")
	}
	if len(curve(nil)) != 0 || averagePrecision(nil, 3) != 0 || averagePrecision(points, 0) != 0 {
		t.Error("nothing found, or nothing to find, is not 0")
	}
}

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
