package samples

import (
	"bytes"
	"errors"
	"image"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

func TestCSV(t *testing.T) {
	put(t, map[string][]byte{
		"a.png": nil, "b, c.png": nil, "empty.png": nil,
		"boxes.csv":  []byte("\ufeffHeight,width,y,x,file,who,ignore\r\n9,8,7,6,a.png,Ann,\r\n4,3,2,1,\"b, c.png\",\"Bob \"\"B\"\"\",1\r\n,,,,empty.png,,\r\n2.4,2.6,1,0,a.png,,no\r\n"),
		"corner.txt": []byte("filename;xmin;ymin;xmax;ymax\na.png;1;2;11;22\n"),
		"none.csv":   []byte("file,x,y,width,height\n"),
	})
	reads(t, "boxes.csv", Auto, []Photo{
		{"a.png", []Object{
			{Box: image.Rect(6, 7, 14, 16), Tags: map[string]string{"who": "Ann"}},
			{Box: image.Rect(0, 1, 3, 3), Tags: map[string]string{"who": ""}}}},
		{"b, c.png", []Object{{Box: image.Rect(1, 2, 4, 6), Ignore: true, Tags: map[string]string{"who": `Bob "B"`}}}},
		{"empty.png", nil},
	})
	reads(t, "corner.txt", Auto, []Photo{{"a.png", []Object{{Box: image.Rect(1, 2, 11, 22)}}}})
	reads(t, "none.csv", Auto, nil)
}

func TestLandmarks(t *testing.T) {
	put(t, map[string][]byte{
		"a.png":     nil,
		"marks.csv": []byte("file,left_eye_x,left_eye_y,noseX,noseY,pose,x\na.png,1.5,2,3,4.25,frontal,7\n"),
		"both.csv":  []byte("file,x,y,w,h,ex,ey\na.png,1,1,5,5,2,3\n"),
	})
	want := []Photo{{"a.png", []Object{{Marks: []Point{{1.5, 2}, {3, 4.25}}, Tags: map[string]string{"pose": "frontal", "x": "7"}}}}}
	reads(t, "marks.csv", Auto, want)
	want = []Photo{{"a.png", []Object{{Box: image.Rect(1, 1, 6, 6), Marks: []Point{{2, 3}}}}}}
	reads(t, "both.csv", Landmarks, want)
	sameError(t, "landmarks as boxes", errorOf(ReadTruth("marks.csv", CSV)), `marks.csv:1: no column is called "y", "width", "height"; found "file", "left_eye_x", "left_eye_y", "noseX", "noseY", "pose", "x"`)
}

func TestCSVErrors(t *testing.T) {
	const h = "file,x,y,width,height\n"
	refuses(t, func(r io.Reader) ([]Photo, error) { return readCSV(r, "t.csv", CSV) }, [][2]string{
		{"", "t.csv: the file is empty, want a header line such as file,x,y,width,height"},
		{"\n\nfle,x,y,width,height\n", `t.csv:3: no column is called "file"; found "fle", "x", "y", "width", "height"`},
		{"file,x,y,width\n", `t.csv:1: no column is called "height"; found "file", "x", "y", "width"`},
		{"file,x,X,y,width,height\n", `t.csv:1: two columns are called "X"`},
		{h + "a,NaN,1,2,3", `t.csv:2: column "x": "NaN", want a number`},
		{h + "a,1,2,3,4\na,1,+Inf,2,3", `t.csv:3: column "y": "+Inf", want a number`},
		{h + "a,1,2,1e999,3", `t.csv:2: column "width": 1e999, want a number from -1000000 to 1000000`},
		{h + "a,-1000001,2,1,3", `t.csv:2: column "x": -1000001, want a number from -1000000 to 1000000`},
		{h + "a,0x10,2,1,3", `t.csv:2: column "x": "0x10", want a number`},
		{h + "a,1,,1,3", `t.csv:2: column "y": empty, but other columns of the box are not`},
		{h + "a,1,2,0,3", "t.csv:2: width 0, want more than 0"},
		{h + "a,1,2,3,-1", "t.csv:2: height -1, want more than 0"},
		{h + ",1,2,3,4", `t.csv:2: column "file": empty, want the name of a picture`},
		{h + "a,1,2,3", "t.csv:2: another number of columns than the header has"},
		{h + "a,1,2,3,4\n\"a,1,2,3,4\n", "t.csv:3: a \" that has no partner or stands inside a word (column 12 of line 3)"},
		{h + "a\"b,1,2,3,4\n", "t.csv:2: a \" that has no partner or stands inside a word (column 2 of line 2)"},
		{"file,x,y,width,height,ignore\na,1,2,3,4,perhaps", `t.csv:2: column "ignore": "perhaps", want 1 or 0`},
		{"file" + strings.Repeat(",c", 1000), "t.csv:1: 1001 columns, want at most 1000: over the limit"},
	})
	sameError(t, "neither", errorOf(readCSV(strings.NewReader("file,a,b\n"), "t.csv", boxesOrLandmarks)), `t.csv:1: neither boxes (x,y,width,height) nor landmarks (NAME_x,NAME_y): found "file", "a", "b"`)
	sameError(t, "no landmarks", errorOf(readCSV(strings.NewReader("file,x,y,width,height\n"), "t.csv", Landmarks)), `t.csv:1: no landmarks: want pairs of columns NAME_x,NAME_y (or NAMEx,NAMEy); found "file", "x", "y", "width", "height"`)
	sameError(t, "NaN in a landmark", errorOf(readCSV(strings.NewReader("file,eye_x,eye_y\na,1,nan\n"), "t.csv", Landmarks)), `t.csv:2: column "eye_y": "nan", want a number`)
}

func FuzzCSV(f *testing.F) {
	fuzz(f, func(r io.Reader) ([]Photo, error) { return readCSV(r, "t.csv", boxesOrLandmarks) },
		"file,x,y,width,height\na,1,2,3,4\n", "file;ex;ey\r\n\"a\";1;2\r\n", "file,xmin,ymin,xmax,ymax,ignore\na,,,,,\na,1,1,2,2,1", "\ufefffile,x_x,x_y,pose\na,1,2,\"q\nr\"\n",
	)
}

// All bad lines are listed, not only the first.
func TestBadLinesAreListed(t *testing.T) {
	_, err := readCSV(strings.NewReader("file,x,y,width,height\na.png,1,2,3,4\na.png,x,2,3,4\nb.png,1,2,3,4\nb.png,1,2,y,4\n"), "t.csv", Auto)
	if err == nil || !strings.Contains(err.Error(), "t.csv:3: ") || !strings.Contains(err.Error(), "t.csv:5: ") {
		t.Errorf("%v, want lines 3 and 5", err)
	}
}

// Points may be numbered instead of named, beside a box and columns that only
// resemble a point's.
func TestNumberedMarks(t *testing.T) {
	photos := must.Get(readCSV(strings.NewReader("file,x1,y1,x10,y10,x,y,width,height,xa,ya,x3\na.png,1,2,3,4,5,6,7,8,9,10,11\n"), "t.csv", boxesOrLandmarks))
	o := photos[0].Objects[0]
	if want := []Point{{1, 2}, {3, 4}}; !slices.Equal(o.Marks, want) {
		t.Errorf("the points are %v, want %v", o.Marks, want)
	}
	if o.Box.Min.X != 5 || o.Box.Dy() != 8 || o.Tags["xa"] != "9" || o.Tags["x3"] != "11" {
		t.Errorf("the object is %+v", o)
	}
}

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
	want := []Photo{
		{"val2017/a.png", []Object{{Box: image.Rect(1, 2, 12, 22), Tags: class("face")}, {Box: image.Rect(0, 0, 5, 1), Ignore: true, Tags: class("face")}}},
		{"none.png", nil},
		{"annotations/sub/b.png", []Object{
			{Box: image.Rect(3, 3, 6, 6), Marks: []Point{{3, 3.5}, {4.25, 5}}, Tags: class("cat")},
			{Box: image.Rect(6, 6, 9, 9), Tags: class("cat")}, // a point of it is not labelled
		}},
	}
	reads(t, "annotations/instances_val2017.json", Auto, want)
}

func TestCOCOErrors(t *testing.T) {
	with := func(annotation string) string {
		return `{"images": [{"id": 1, "file_name": "a"}], "categories": [{"id": 1, "name": "face"}], "annotations": [` + annotation + `]}`
	}
	refuses(t, func(r io.Reader) ([]Photo, error) { return readCOCO(r, "t.json") }, [][2]string{
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
	})
}

func FuzzCOCO(f *testing.F) {
	fuzz(f, func(r io.Reader) ([]Photo, error) { return readCOCO(r, "t.json") },
		cocoText,
		`{"images":[{"id":1,"file_name":"a"}],"annotations":[{"image_id":1,"bbox":[0,0,0,0],"iscrowd":1,"keypoints":[1,2,1]}]}`,
	)
}

const imglabText = `<?xml version='1.0' encoding='ISO-8859-1'?>
<?xml-stylesheet type='text/xsl' href='image_metadata_stylesheet.xsl'?>
<dataset>
<name>faces</name>
<comment>box and image are words</comment>
<images>
  <image file='a&amp;b.png' width='40' height='30'>
    <box top='2' left='1' width='9' height='18' occluded='1' gender='female'>
      <label>face</label>
      <part name='10' x='7' y='8'/>
      <part name='9' x='5' y='6'/>
    </box>
    <box top='-1' left='3' width='4' height='5' ignore='1'/>
  </image>
  <image file='none.png'>
  </image>
  <image file='a&amp;b.png'>
    <box top='0' left='0' width='1' height='1'><part name='9' x='1' y='1'/></box>
  </image>
</images>
</dataset>`

func TestImglab(t *testing.T) {
	put(t, map[string][]byte{"set/t.xml": []byte(imglabText), "set/a&b.png": nil, "none.png": nil})
	want := []Photo{
		{"set/a&b.png", []Object{
			{Box: image.Rect(1, 2, 10, 20), Tags: map[string]string{"class": "face", "occluded": "1", "gender": "female"}, Marks: []Point{{5, 6}, {7, 8}}},
			{Box: image.Rect(3, -1, 7, 4), Ignore: true},
			{Box: image.Rect(0, 0, 1, 1)}, // lacks a part
		}},
		{"none.png", nil},
	}
	for _, f := range []Format{Auto, Imglab} {
		reads(t, "set/t.xml", f, want)
	}
}

// dlib writes names as it is given them, and always says that they are ISO 8859-1.
func TestImglabNames(t *testing.T) {
	text := func(name string) string {
		return "<?xml version='1.0' encoding='ISO-8859-1'?><dataset><images><image file='" + name + "'/></images></dataset>"
	}
	for _, name := range []string{"M\u00fcller.png", "M\xfcller.png"} {
		photos, err := readImglab(strings.NewReader(text(name)), "t.xml")
		if err != nil || len(photos) != 1 || photos[0].File != "M\u00fcller.png" {
			t.Errorf("%q: %+v, %v", name, photos, err)
		}
	}
}

func TestImglabErrors(t *testing.T) {
	in := func(inner string) string {
		return "<dataset><images>\n<image file='a'>" + inner + "</image></images></dataset>"
	}
	box := func(attributes string) string { return in("\n<box " + attributes + "/>") }
	refuses(t, func(r io.Reader) ([]Photo, error) { return readImglab(r, "t.xml") }, [][2]string{
		{"", "t.xml: no element, want <dataset>"},
		{"<annotation/>", "t.xml:1: <annotation>, want <dataset>: this is not dlib's imglab"},
		{"<dataset><images>\n<image/>", "t.xml:2: <image> without a file='...'"},
		{box("top='1' left='2' width='3'"), "t.xml:3: <box> without a height='...'"},
		{box("top='1' left='2' width='x' height='3'"), `t.xml:3: <box>, width: "x", want a number`},
		{box("top='1' left='2' width='3' height='0'"), "t.xml:3: <box>: height 0, want more than 0"},
		{box("top='1' left='2' width='3' height='1e8'"), "t.xml:3: <box>, height: 1e8, want a number from -1000000 to 1000000"},
		{in("<box top='1' left='2' width='3' height='4'>\n<part x='1' y='2'/>"), "t.xml:3: <part> without a name='...'"},
		{in("<box top='1' left='2' width='3' height='4'>\n<part name='1' x='1'/>"), "t.xml:3: <part> without a y='...'"},
		{in("<box top='1' left='2' width='3' height='4'><part name='1' x='1' y='2'/>\n<part name='1' x='1' y='2'/>"), `t.xml:3: two points of one object are called "1"`},
	})
}

func FuzzImglab(f *testing.F) {
	fuzz(f, func(r io.Reader) ([]Photo, error) { return readImglab(r, "t.xml") },
		imglabText,
		"<dataset><images><image file='a'><box top='0' left='0' width='1' height='1'><part name='x' x='1' y='1'/></box></image></images></dataset>",
	)
}

func TestInfoDat(t *testing.T) {
	put(t, map[string][]byte{
		"photos/a.png": nil, "photos/my face 1.png": nil, "photos/odd 1 0 0 2 2": nil, "elsewhere.png": nil, "photos/sub/w.png": nil,
		"photos/info.dat": []byte("\ufeff# made by hand\r\na.png 2 1 2 10 20 30 5 6 7\r\n\r\nmy face 1.png  1  0 0 9 9\n" +
			"elsewhere.png\t0\na.png 1 -3 0 5.6 4\nodd 1 0 0 2 2 1 3 3 4 4\n\"sub\\w.png\" 1 1 1 2 2\n"),
	})
	box := func(x, y, w, h int) Object { return Object{Box: image.Rect(x, y, x+w, y+h)} }
	reads(t, "photos/info.dat", Auto, []Photo{
		{"photos/a.png", []Object{box(1, 2, 10, 20), box(30, 5, 6, 7), box(-3, 0, 6, 4)}},
		{"photos/my face 1.png", []Object{box(0, 0, 9, 9)}},
		{"elsewhere.png", nil},
		{"photos/odd 1 0 0 2 2", []Object{box(3, 3, 4, 4)}},
		{"photos/sub/w.png", []Object{box(1, 1, 2, 2)}},
	})
}

func TestInfoDatErrors(t *testing.T) {
	refuses(t, func(r io.Reader) ([]Photo, error) { return readInfoDat(r, "t.dat", func(string) bool { return false }) }, [][2]string{
		{"a.png", "t.dat:1: a name alone, want the number of boxes behind it: NAME COUNT and X Y WIDTH HEIGHT of each"},
		{"\"a b.png\"", "t.dat:1: a name alone, want the number of boxes behind it: NAME COUNT and X Y WIDTH HEIGHT of each"},
		{"\"a b.png 1 2 3 4 5", `t.dat:1: a name in quotes, want "NAME" and then the number of boxes`},
		{"#\na.png 2 1 2 3 4 5 6 7", "t.dat:2: 2 boxes need 8 numbers (x y width height of each), found 7"},
		{"a.png one 1 2 3 4", "t.dat:1: 1 boxes need 4 numbers (x y width height of each), found 3"},
		{"a.png one", `t.dat:1: "one", want the number of boxes: NAME COUNT and X Y WIDTH HEIGHT of each`},
		{"a.png -1", `t.dat:1: "-1", want the number of boxes: NAME COUNT and X Y WIDTH HEIGHT of each`},
		{"a.png 1 1 2 NaN 4", `t.dat:1: box 1, width: "NaN", want a number`},
		{"a.png 2 1 2 3 4 1 2 3 1e9", "t.dat:1: box 2, height: 1e9, want a number from -1000000 to 1000000"},
		{"a.png 1 1 2 0 4", "t.dat:1: box 1: width 0, want more than 0"},
		{"a.png 1 1 2 3 -4", "t.dat:1: box 1: height -4, want more than 0"},
		{"a\x00.png 1 1 2 3 4", "t.dat:1: a zero byte: this is not text (or UTF-16: save it as UTF-8)"},
		{strings.Repeat("x", maxLine+1), "t.dat:1: a line of more than 1048576 bytes: over the limit"},
	})
}

func FuzzInfoDat(f *testing.F) {
	fuzz(f, func(r io.Reader) ([]Photo, error) {
		return readInfoDat(r, "t.dat", func(n string) bool { return len(n)%2 == 0 })
	},
		"a.png 1 2 3 4 5\n", "a b 1 c.png 2 1 2 3 4 5 6 7 8\r\n", "\"x y\" 0", "# c\n\ufeffa 0", "a 1 1 1 1 1e400", "a 4 1 4 1 4 1 4 1 4 1 4 1 4 1 4 0",
	)
}

// refuses checks what a reader says of texts that are wrong.
func refuses[T any](t *testing.T, read func(io.Reader) (T, error), tests [][2]string) {
	t.Helper()
	for _, test := range tests {
		sameError(t, clip(test[0]), errorOf(read(strings.NewReader(test[0]))), test[1])
	}
}

// fuzz checks with [sound] what a reader makes of any text.
func fuzz(f *testing.F, read func(io.Reader) ([]Photo, error), seeds ...string) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		photos, err := read(strings.NewReader(s))
		sound(t, photos, err)
	})
}

// sound checks the invariants of every reader's result.
func sound(t *testing.T, photos []Photo, err error) {
	t.Helper()
	if err != nil {
		return
	}
	seen := map[string]bool{}
	for _, p := range photos {
		if p.File == "" || seen[p.File] {
			t.Errorf("photograph %q is empty or there twice", p.File)
		}
		seen[p.File] = true
		for _, o := range p.Objects {
			if o.Box.Empty() && len(o.Marks) == 0 {
				t.Errorf("%q: an object without a place: %+v", p.File, o)
			}
			if b := o.Box; b.Min.X < -maxPlace-1 || b.Min.Y < -maxPlace-1 || b.Max.X > 2*maxPlace+1 || b.Max.Y > 2*maxPlace+1 {
				t.Errorf("%q: %v", p.File, b)
			}
			for _, m := range o.Marks {
				if checkPlace(m.X) != nil || checkPlace(m.Y) != nil {
					t.Errorf("%q: landmark %v", p.File, m)
				}
			}
		}
	}
}

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
		reads(t, path, Auto, want)
	}
	reads(t, "set/labels/a.json", Auto, want[:1])
	sameError(t, "every file", errorOf(ReadTruth("set", LabelMe)), `set/labels/config.json: no "shapes": this is not LabelMe`)
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
	refuses(t, func(r io.Reader) (*labelled, error) { return readLabelMe(r, "t.json") }, [][2]string{
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
	})
}

func FuzzLabelMe(f *testing.F) {
	f.Add(labelMeText)
	f.Add(`{"shapes": [{"shape_type": "point", "group_id": 1, "points": [[1, 2]]}, {"group_id": 1, "shape_type": "mask", "points": [[1, 2], [1, 2]]}]}`)
	f.Fuzz(func(t *testing.T, s string) {
		l, err := readLabelMe(strings.NewReader(s), "t.json")
		if err != nil {
			l = &labelled{}
		}
		if len(l.marks) != len(l.objects) {
			t.Errorf("%d objects and points of %d", len(l.objects), len(l.marks))
		}
		sound(t, []Photo{{"t", l.objects}}, err)
	})
}

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
	put(t, map[string][]byte{"set/export.json": []byte(labelStudioText), "set/min.json": []byte(labelStudioMin), "set/a.png": nil, "set/images/deep/b.png": nil, "set/images/b.png": nil, "c.png": nil})
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
	reads(t, "set/export.json", Auto, want)
	want = []Photo{{"set/a.png", []Object{{Box: image.Rect(10, 3, 30, 9), Tags: class("face")}}}, {"set/images/b.png", nil}}
	reads(t, "set/min.json", Auto, want)
}

// Where an export lacks the size of a picture, it is read from the picture. What is not
// there is reported as ever.
func TestLabelStudioWithoutSizes(t *testing.T) {
	without := regexp.MustCompile(`"original_(width|height)": \d+,? ?`)
	text := strings.ReplaceAll(without.ReplaceAllString(labelStudioText, ""), ", }", "}")
	pictures := map[string][]byte{"set/export.json": []byte(labelStudioText), "set/bare.json": []byte(text), "set/a.png": nil, "set/images/deep/b.png": nil, "c.png": nil}
	put(t, pictures)
	want := must.Get(ReadTruth("set/export.json", Auto))
	reads(t, "set/bare.json", Auto, want)
	if strings.Contains(text, "original") {
		t.Errorf("there are sizes in %s", text)
	}
	must.Do(os.Remove("set/a.png"))
	got, err := ReadTruth("set/bare.json", Auto)
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
	refuses(t, func(r io.Reader) ([]Photo, error) { return readLabelStudio(r, "t.json", noSizes) }, [][2]string{
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
	})
}

func FuzzLabelStudio(f *testing.F) {
	fuzz(f, func(r io.Reader) ([]Photo, error) { return readLabelStudio(r, "t.json", noSizes) },
		labelStudioText,
		labelStudioMin,
	)
}

// Roboflow's folders train, valid and test, and what stands beside them.
func TestRoboflow(t *testing.T) {
	yolo := map[string][]byte{
		"README.dataset.txt": []byte("# cups > 2024\n"), "README.roboflow.txt": []byte("5 4 3 2 1\n"),
		"data.yaml":               []byte("train: ../train/images\nval: ../valid/images\n\nnc: 2\nnames: ['tea cup', \"mug\"]\n\nroboflow:\n  workspace: x\n"),
		"train/images/a.png":      nil,
		"train/labels/a.txt":      []byte("1 0.5 0.5 0.25 0.2\n0 0.1 0.1 0.5 0.1 0.5 0.5\n"),
		"valid/images/b.png":      nil,
		"valid/labels/b.txt":      []byte(""),
		"test/images/c.jpg.1.png": nil,
		"test/labels/c.jpg.1.txt": []byte("0 .5 .5 1 1"),
	}
	boxes := func(a, b, c string) []Photo {
		return []Photo{
			{c, []Object{{Box: image.Rect(0, 0, 40, 30), Tags: class("tea cup")}}},
			{a, []Object{{Box: image.Rect(15, 12, 25, 18), Tags: class("mug")}, {Box: image.Rect(4, 3, 20, 15), Tags: class("tea cup")}}},
			{b, nil},
		}
	}
	voc := map[string][]byte{
		"README.dataset.txt": []byte("x"),
		"test/c.png":         nil, "test/c.xml": []byte(`<annotation><filename>c.png</filename><object><name>tea cup</name><bndbox><xmin>1</xmin><xmax>40</xmax><ymin>1</ymin><ymax>30</ymax></bndbox></object></annotation>`),
		"train/a.png": nil, "train/a.xml": []byte(`<annotation><filename>a.png</filename><object><name>mug</name><bndbox><xmin>16</xmin><xmax>25</xmax><ymin>13</ymin><ymax>18</ymax></bndbox></object>
			<object><name>tea cup</name><bndbox><xmin>5</xmin><xmax>20</xmax><ymin>4</ymin><ymax>15</ymax></bndbox></object></annotation>`),
		"valid/b.png": nil, "valid/b.xml": []byte(`<annotation><filename>b.png</filename></annotation>`),
	}
	categories := `"categories": [{"id": 0, "name": "cups", "supercategory": "none"}, {"id": 1, "name": "mug", "supercategory": "cups"}, {"id": 2, "name": "tea cup", "supercategory": "cups"}]`
	coco := map[string][]byte{
		"README.roboflow.txt": []byte("x"),
		"test/c.png":          nil, "test/_annotations.coco.json": []byte(`{"info": {"year": "2024"}, ` + categories + `, "images": [{"id": 0, "file_name": "c.png"}], "annotations": [{"id": 0, "image_id": 0, "category_id": 2, "bbox": [0, 0, 40, 30]}]}`),
		"train/a.png": nil, "train/_annotations.coco.json": []byte(`{` + categories + `, "images": [{"id": 0, "file_name": "a.png"}], "annotations": [{"image_id": 0, "category_id": 1, "bbox": [15, 12, 10, 6]}, {"image_id": 0, "category_id": 2, "bbox": [4, 3, 16, 12]}]}`),
		"valid/b.png": nil, "valid/_annotations.coco.json": []byte(`{` + categories + `, "images": [{"id": 0, "file_name": "b.png"}], "annotations": []}`),
	}
	// The size of the picture is a tag, as any column is that a CSV has besides a box.
	sized := boxes("set/train/a.png", "", "set/test/c.png")[:2]
	for _, p := range sized {
		for _, o := range p.Objects {
			o.Tags["width"], o.Tags["height"] = "40", "30"
		}
	}
	table := map[string][]byte{
		"test/c.png": nil, "test/_annotations.csv": []byte("filename,width,height,class,xmin,ymin,xmax,ymax\nc.png,40,30,tea cup,0,0,40,30\n"),
		"train/a.png": nil, "train/_annotations.csv": []byte("filename,width,height,class,xmin,ymin,xmax,ymax\na.png,40,30,mug,15,12,25,18\na.png,40,30,tea cup,4,3,20,15\n"),
		"notes.csv": []byte("a,b\n"),
	}
	for _, test := range []struct {
		name  string
		files map[string][]byte
		want  []Photo
		train string
	}{
		{"YOLO", yolo, boxes("set/train/images/a.png", "set/valid/images/b.png", "set/test/images/c.jpg.1.png"), "set/train"},
		{"VOC", voc, boxes("set/train/a.png", "set/valid/b.png", "set/test/c.png"), "set/train"},
		{"CSV", table, sized, "set/train/_annotations.csv"},
		{"COCO", coco, boxes("set/train/a.png", "set/valid/b.png", "set/test/c.png"), "set/train/_annotations.coco.json"},
	} {
		in := map[string][]byte{}
		for name, data := range test.files {
			in["set/"+name] = data
		}
		t.Run(test.name, func(t *testing.T) {
			put(t, in)
			reads(t, "set", Auto, test.want)
			reads(t, test.train, Auto, test.want[1:2])
		})
	}
}

func TestYAMLAsTruth(t *testing.T) {
	put(t, map[string][]byte{"set/data.yaml": []byte("names: [a]\n")})
	sameError(t, "YAML", errorOf(ReadTruth("set/data.yaml", Auto)), "set/data.yaml: a description of a data set of YOLO: name its folder, or a folder in it such as train")
}

func TestYAMLNames(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
	}{
		{"nc: 1\n", nil},
		{"names: [a, 'b, c', \"d\"]\n", []string{"a", "b, c", "d"}},
		{"names: ['a',\n  'b',\n]\nnc: 2\n", []string{"a", "b"}},
		{"names:\n- a # the first\n- 'b'\nnc: 2\n", []string{"a", "b"}},
		{"\ufeffnames:\r\n  0: a\r\n  1: b c\r\ntrain: x\r\n", []string{"a", "b c"}},
		{"names: {0: a, 1: b}\n", []string{"a", "b"}},
		{"names: []\n", []string{}},
		{"other:\n  names: [x]\nnames: [y]\n", []string{"y"}},
	} {
		got, err := readYAMLNames(strings.NewReader(test.text), "d.yaml")
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%q: got %q, %v, want %q", test.text, got, err, test.want)
		}
	}
	refuses(t, func(r io.Reader) ([]string, error) { return readYAMLNames(r, "d.yaml") }, [][2]string{
		{"names: [a, 'b, c', \"d\"] # three\n", "d.yaml: the list of names does not end"},
		{"nc: 1\nnames: cat\n", `d.yaml:2: names are "cat", want a list such as [cat, dog]`},
		{"names:\n  1: a\n", `d.yaml:2: "1: a", want 0: and the name of this class`},
		{"names: [a\n", "d.yaml: the list of names does not end"},
		{"names: [a]\nnames: [b]\n", `d.yaml:2: "names" stands twice`},
	})
}

func FuzzYAMLNames(f *testing.F) {
	f.Add("names: ['a', b]\n")
	f.Add("nc: 2\nnames:\n  0: a\n  1: b\n")
	f.Add("names:\n- a\n- b\n")
	f.Fuzz(func(t *testing.T, s string) {
		names, err := readYAMLNames(strings.NewReader(s), "d.yaml")
		if err == nil && len(names) > len(s) {
			t.Errorf("%d names in %d bytes", len(names), len(s))
		}
	})
}

const vocText = `<?xml version="1.0"?>
<!-- a person, with a head -->
<annotation>
	<folder>VOC2007</folder><filename>R &amp; B.png</filename>
	<source><database>x</database></source>
	<size><width>40</width><height>30</height><depth>1</depth></size>
	<object>
		<name>face</name><pose>Frontal</pose><truncated>1</truncated><difficult>0</difficult>
		<bndbox><xmin>1</xmin><ymin>2</ymin><xmax>10</xmax><ymax>20</ymax></bndbox>
		<part><name>eye</name><bndbox><xmin>3</xmin><ymin>3</ymin><xmax>4</xmax><ymax>4</ymax></bndbox></part>
	</object>
	<object>
		<bndbox><xmax>12.2</xmax><ymax>9</ymax><xmin>5.4</xmin><ymin>9</ymin></bndbox>
		<name>face</name><difficult>1</difficult>
	</object>
</annotation>`

func TestVOC(t *testing.T) {
	put(t, map[string][]byte{
		"Annotations/1.xml": []byte(vocText), "JPEGImages/R & B.png": nil,
		"Annotations/deep/2.xml":         []byte(`<annotation><filename>2</filename></annotation>`),
		"Annotations/deep/2.png":         nil,
		"Annotations/3.xml":              []byte(`<annotation><path>C:\photos\three.png</path></annotation>`),
		"Annotations/three.png":          nil,
		"Annotations/.hidden/broken.xml": []byte(`<`),
	})
	want := []Photo{
		{"JPEGImages/R & B.png", []Object{
			{Box: image.Rect(0, 1, 10, 20), Tags: map[string]string{"class": "face", "pose": "Frontal", "truncated": "1"}},
			{Box: image.Rect(4, 8, 12, 9), Ignore: true, Tags: map[string]string{"class": "face"}}}},
		{"Annotations/three.png", nil},
		{"Annotations/deep/2.png", nil},
	}
	reads(t, "Annotations", Auto, want)
	reads(t, "Annotations/1.xml", Auto, want[:1])
	must.Do(os.Remove("JPEGImages/R & B.png"))
	got, err := ReadTruth("Annotations", VOC)
	sameError(t, "missing", err, "Annotations: 1 of 3 pictures do not exist (looked beside this file, and in the working directory):\n  R & B.png")
	if !reflect.DeepEqual(got, want[1:]) {
		t.Errorf("beside the error: %+v", got)
	}
}

func TestVOCErrors(t *testing.T) {
	object := func(inner string) string { return "<annotation>\n<object>" + inner + "</object></annotation>" }
	box := "<xmin>1</xmin><ymin>2</ymin><xmax>3</xmax><ymax>4</ymax>"
	refuses(t, func(r io.Reader) (*labelled, error) { return readVOC(r, "t.xml") }, [][2]string{
		{"", "t.xml: no element, want <annotation>"},
		{"<images/>", "t.xml:1: <images>, want <annotation>: this is not Pascal VOC"},
		{"<annotation/>\n<annotation/>", "t.xml:2: a second <annotation>, want one a file"},
		{"<!DOCTYPE annotation>\n<annotation/>", "t.xml:1: a document type, want none"},
		{"<annotation>\n<filename>&bomb;</filename>", "t.xml:2: not XML: invalid character entity &bomb;"},
		{`<?xml version="1.0" encoding="GBK"?><annotation/>`, `t.xml:1: not read: xml: opening charset "GBK": encoding "GBK", want UTF-8`},
		{"<annotation>\n<object></annotation>", "t.xml:2: </annotation> ends nothing"},
		{"<annotation>\n<object>", "t.xml:2: the file ends, but <object> does not"},
		{"<annotation>\n<obj", "t.xml:2: not XML: unexpected EOF"},
		{object("<name>a</name>"), "t.xml:2: object 1: no <xmin> in a <bndbox>"},
		{object("<bndbox>" + strings.Replace(box, "3", "NaN", 1) + "</bndbox>"), `t.xml:2: object 1: <xmax>: "NaN", want a number`},
		{object("<bndbox>" + strings.Replace(box, "3", "3e8", 1) + "</bndbox>"), `t.xml:2: object 1: <xmax>: 3e8, want a number from -1000000 to 1000000`},
		{object("<bndbox>" + strings.Replace(box, "3", "0", 1) + "</bndbox>"), "t.xml:2: object 1: <xmax> 0 is less than <xmin> 1"},
		{object("<bndbox>" + strings.Replace(box, "4", "1", 1) + "</bndbox>"), "t.xml:2: object 1: <ymax> 1 is less than <ymin> 2"},
		{"<annotation>" + strings.Repeat("<a>", maxDepth), "t.xml:1: elements nested deeper than 64: over the limit"},
		{"<annotation>" + strings.Repeat("<a/>", maxElements), "t.xml:1: more than 1000000 elements: over the limit"},
	})
	put(t, map[string][]byte{"folder/a.png": nil})
	sameError(t, "no XML", errorOf(ReadTruth("folder", VOC)), "folder: no .xml file in this folder")
	sameError(t, "neither", errorOf(ReadTruth("folder", Auto)), "folder: a folder with neither .xml files of Pascal VOC, nor .txt files of YOLO beside pictures, nor .json files of LabelMe, COCO or Label Studio, nor _annotations.csv")
	sameError(t, "no JSON", errorOf(ReadTruth("folder", COCO)), "folder: no .json file in this folder")
	sameError(t, "no folder", errorOf(ReadTruth("folder", CSV)), "folder: no _annotations.csv in this folder")
}

func FuzzVOC(f *testing.F) {
	f.Add(vocText)
	f.Add("<annotation><object><bndbox><xmin>1</xmin></bndbox></object></annotation>")
	f.Add("<annotation><a><b/></a><![CDATA[x]]></annotation>")
	f.Fuzz(func(t *testing.T, s string) {
		v, err := readVOC(strings.NewReader(s), "t.xml")
		if err == nil {
			sound(t, []Photo{{"t", v.objects}}, nil)
		}
	})
}

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
	want := []Photo{
		{"set/images/a.png", []Object{{Box: image.Rect(15, 12, 25, 18), Tags: class("face")}, {Box: image.Rect(39, 2, 40, 3), Tags: class("cat")}}},
		{"set/images/b.png", nil},
		{"set/images/c.png", []Object{{Ignore: true}}},
	}
	reads(t, "set", Auto, want)
	want = []Photo{{"flat/sub/y.png", []Object{{Box: image.Rect(0, 0, 40, 30), Tags: class("3")}}}, {"flat/x.png", nil}}
	reads(t, "flat", Auto, want)
	reads(t, "flat/sub/y.txt", Auto, want[:1])
	// CVAT's and Darknet's folders list their pictures, and a picture may be called train.
	put(t, map[string][]byte{
		"cvat/obj.names": []byte("face\n"), "cvat/train.txt": []byte("data/obj_train_data/train.png\n"),
		"cvat/obj_train_data/train.png": nil, "cvat/obj_train_data/train.txt": []byte("0 .5 .5 .5 .2\n"),
	})
	want = []Photo{{"cvat/obj_train_data/train.png", []Object{{Box: image.Rect(10, 12, 30, 18), Tags: class("face")}}}}
	reads(t, "cvat", Auto, want)
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
	refuses(t, func(r io.Reader) ([]Object, error) { return readYOLO(r, "t.txt", []string{"a", "b"}, 40, 30) }, [][2]string{
		{"0 .5 .5 .5", "t.txt:1: 4 numbers, want 5: class, centre x, centre y, width, height"},
		{"face .5 .5 .5 .5", `t.txt:1: class "face", want a number from 0`},
		{"-1 .5 .5 .5 .5", `t.txt:1: class "-1", want a number from 0`},
		{"2 .5 .5 .5 .5", "t.txt:1: class 2, but there are 2 names of classes"},
		{"\n1 .5 NaN .5 .5", `t.txt:2: centre y: "NaN", want a number`},
		{"1 .5 .5 15 .5", "t.txt:1: width: 15, want a part of the picture, from 0 to 1"},
		{"1 -.5 .5 .5 .5", "t.txt:1: centre x: -.5, want a part of the picture, from 0 to 1"},
		{"1 .5 .5 .5 0", "t.txt:1: height: 0, want more than 0"},
	})
	put(t, map[string][]byte{"folder/a.png": nil})
	sameError(t, "no labels", errorOf(ReadTruth("folder", YOLO)), "folder: no .txt file with labels in this folder")
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

// vecBytes is a .vec file of constant windows, written by hand: two of 2x3
// pixels with 7 and 255.
var vecBytes = []byte{
	2, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
	0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0,
	9, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0,
}

func TestVec(t *testing.T) {
	crops := must.Get(decodeVec(bytes.NewReader(vecBytes), -1, 2, 3))
	if len(crops) != 2 || crops[0].Rect != image.Rect(0, 0, 2, 3) || !bytes.Equal(crops[0].Pix, []byte{7, 7, 7, 7, 7, 7}) || crops[1].GrayAt(1, 2).Y != 255 {
		t.Errorf("%+v", crops)
	}
	t.Chdir(t.TempDir())
	whole := textured(50, 40, 1)
	want := []*image.Gray{whole.SubImage(image.Rect(3, 4, 27, 28)).(*image.Gray), textured(24, 24, 2)}
	must.Do(WriteVec("a.vec", want))
	got, err := ReadVec("a.vec", 0, 0)
	if err != nil || len(got) != 2 {
		t.Fatal(len(got), err)
	}
	for i := range want {
		for y := range 24 {
			for x := range 24 {
				if a, b := got[i].GrayAt(x, y), want[i].GrayAt(want[i].Rect.Min.X+x, want[i].Rect.Min.Y+y); a != b {
					t.Fatalf("window %d, pixel %d,%d: %v, want %v", i, x, y, a, b)
				}
			}
		}
	}
	if again, err := ReadVec("a.vec", 24, 24); err != nil || len(again) != 2 {
		t.Errorf("with its size: %d, %v", len(again), err)
	}
	if names, _ := filepath.Glob("*"); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

func TestVecErrors(t *testing.T) {
	changed := func(at int, v byte) []byte {
		b := bytes.Clone(vecBytes)
		b[at] = v
		return b
	}
	put(t, map[string][]byte{
		"good.vec": vecBytes, "empty.vec": {}, "head.vec": vecBytes[:11], "cut.vec": vecBytes[:len(vecBytes)-1], "long.vec": append(bytes.Clone(vecBytes), 1),
		"minus.vec": changed(3, 0x80), "none.vec": changed(4, 0), "huge.vec": changed(7, 0x7f), "over.vec": changed(14, 1), "square.vec": changed(4, 4),
		"count.vec": changed(3, 0x7f),
	})
	for _, test := range []struct {
		file string
		w, h int
		want string
	}{
		{"absent.vec", 2, 3, "absent.vec: no such file or directory"},
		{".", 2, 3, ".: a folder, want a .vec file"},
		{"good.vec", 24, 24, "good.vec: windows of 6 pixels, want 24x24, which are 576"},
		{"square.vec", 24, 24, "square.vec: windows of 4 pixels (perhaps 2x2), want 24x24, which are 576"},
		{"good.vec", 0, 0, "good.vec: windows of 6 pixels, which is no square: give width and height"},
		{"good.vec", 0, 3, "good.vec: window of 0x3, want a width and a height, or 0 and 0 for the file's square"},
		{"good.vec", -2, -3, "good.vec: window of -2x-3, want a width and a height, or 0 and 0 for the file's square"},
		{"empty.vec", 2, 3, "empty.vec: cut off: 0 bytes, but the header alone has 12"},
		{"head.vec", 2, 3, "head.vec: cut off: 11 bytes, but the header alone has 12"},
		{"cut.vec", 2, 3, "cut.vec: cut off: the header says 2 windows of 2x3, the file has 1"},
		{"count.vec", 2, 3, "count.vec: cut off: the header says 2130706434 windows of 2x3, the file has 2"},
		{"long.vec", 2, 3, "long.vec: 1 bytes follow the last of 2 windows of 2x3"},
		{"minus.vec", 2, 3, "minus.vec: the header says -2147483646 windows: this is not a .vec file"},
		{"none.vec", 2, 3, "none.vec: the header says windows of 0 pixels, want 1 to 1048576: this is not a .vec file"},
		{"huge.vec", 2, 3, "huge.vec: the header says windows of 2130706438 pixels, want 1 to 1048576: this is not a .vec file"},
		{"over.vec", 2, 3, "over.vec: window 0, pixel 0,0: 263, want 0 to 255"},
	} {
		sameError(t, test.file, errorOf(ReadVec(test.file, test.w, test.h)), test.want)
	}
	// A stream has no known length.
	for n := range vecBytes {
		if _, err := decodeVec(bytes.NewReader(vecBytes[:n]), -1, 2, 3); err == nil || !strings.HasPrefix(err.Error(), "cut off: ") {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
	sameError(t, "longer stream", errorOf(decodeVec(bytes.NewReader(append(bytes.Clone(vecBytes), 1)), -1, 2, 3)), "something follows the last of 2 windows of 2x3")
}

func TestWriteVecErrors(t *testing.T) {
	put(t, map[string][]byte{"old.vec": vecBytes})
	a, b := picturetest.Even(3, 4, 1), picturetest.Even(4, 3, 1)
	sameError(t, "none", WriteVec("old.vec", nil), "old.vec: no windows to write")
	sameError(t, "sizes", WriteVec("old.vec", []*image.Gray{a, b}), "old.vec: window 1 is 4x3, those before it 3x4: a .vec file has one size")
	sameError(t, "empty", WriteVec("old.vec", []*image.Gray{picturetest.Even(0, 4, 1)}), "old.vec: windows of 0x4, want 1 to 1048576 pixels")
	sameError(t, "folder", WriteVec("none/new.vec", []*image.Gray{a}), "none/new.vec: no such file or directory")

	// If writing fails, the old file stays and nothing is left beside it.
	full := errors.New("no space left on device")
	err := WriteAtomically("old.vec", func(w io.Writer) error {
		w.Write(make([]byte, 1<<20))
		return full
	})
	sameError(t, "full disk", err, "old.vec: no space left on device")
	if data, err := os.ReadFile("old.vec"); err != nil || !bytes.Equal(data, vecBytes) {
		t.Errorf("the old file: %v, %v", data, err)
	}
	if names, _ := filepath.Glob(".*"); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

func FuzzVec(f *testing.F) {
	f.Add(vecBytes, 2, 3)
	f.Add(vecBytes[:20], 0, 0)
	f.Add([]byte("\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x05\x00"), 0, 0)
	f.Fuzz(func(t *testing.T, data []byte, w, h int) {
		crops, err := decodeVec(bytes.NewReader(data), -1, w, h)
		if err != nil || len(crops) == 0 {
			return
		}
		var out bytes.Buffer
		must.Do(EncodeVec(&out, crops))
		if out.Len() != len(data) {
			t.Errorf("%d bytes were read and %d written", len(data), out.Len())
		}
	})
}

// Every truncated file is an error.
func TestCutOff(t *testing.T) {
	for _, c := range []struct {
		name, text string
		read       func(io.Reader) error
	}{
		{"COCO", strings.TrimSpace(cocoText), func(r io.Reader) error { _, err := readCOCO(r, "t.json"); return err }},
		{"imglab", imglabText[:len(imglabText)-1], func(r io.Reader) error { _, err := readImglab(r, "t.xml"); return err }},
		{"LabelMe", labelMeText, func(r io.Reader) error { _, err := readLabelMe(r, "t.json"); return err }},
		{"Label Studio", labelStudioText, func(r io.Reader) error { _, err := readLabelStudio(r, "t.json", noSizes); return err }},
		{"VOC", vocText[:len(vocText)-1], func(r io.Reader) error { _, err := readVOC(r, "t.xml"); return err }},
	} {
		for n := range len(c.text) {
			if c.read(strings.NewReader(c.text[:n])) == nil {
				t.Fatalf("%s: the first %d of %d bytes are read without an error", c.name, n, len(c.text))
			}
		}
	}
}
