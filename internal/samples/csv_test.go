package samples

import (
	"image"
	"reflect"
	"strings"
	"testing"
)

func TestCSV(t *testing.T) {
	put(t, map[string][]byte{
		"a.png": nil, "b, c.png": nil, "empty.png": nil,
		"boxes.csv":  []byte("\ufeffHeight,width,y,x,file,who,ignore\r\n9,8,7,6,a.png,Ann,\r\n4,3,2,1,\"b, c.png\",\"Bob \"\"B\"\"\",1\r\n,,,,empty.png,,\r\n2.4,2.6,1,0,a.png,,no\r\n"),
		"corner.txt": []byte("filename;xmin;ymin;xmax;ymax\na.png;1;2;11;22\n"),
		"none.csv":   []byte("file,x,y,width,height\n"),
	})
	got, err := ReadTruth("boxes.csv", Auto)
	if err != nil {
		t.Fatal(err)
	}
	want := []Photo{
		{"a.png", []Object{
			{Box: image.Rect(6, 7, 14, 16), Tags: map[string]string{"who": "Ann"}},
			{Box: image.Rect(0, 1, 3, 3), Tags: map[string]string{"who": ""}}}},
		{"b, c.png", []Object{{Box: image.Rect(1, 2, 4, 6), Ignore: true, Tags: map[string]string{"who": `Bob "B"`}}}},
		{"empty.png", nil},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	got, err = ReadTruth("corner.txt", Auto)
	if want := []Photo{{"a.png", []Object{{Box: image.Rect(1, 2, 11, 22)}}}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("corners: %+v, %v", got, err)
	}
	if got, err = ReadTruth("none.csv", Auto); err != nil || len(got) != 0 {
		t.Errorf("header alone: %+v, %v", got, err)
	}
}

func TestLandmarks(t *testing.T) {
	put(t, map[string][]byte{
		"a.png":     nil,
		"marks.csv": []byte("file,left_eye_x,left_eye_y,noseX,noseY,pose,x\na.png,1.5,2,3,4.25,frontal,7\n"),
		"both.csv":  []byte("file,x,y,w,h,ex,ey\na.png,1,1,5,5,2,3\n"),
	})
	got, err := ReadTruth("marks.csv", Auto)
	want := []Photo{{"a.png", []Object{{Marks: []Point{{1.5, 2}, {3, 4.25}}, Tags: map[string]string{"pose": "frontal", "x": "7"}}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	got, err = ReadTruth("both.csv", Landmarks)
	want = []Photo{{"a.png", []Object{{Box: image.Rect(1, 1, 6, 6), Marks: []Point{{2, 3}}}}}}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v, %v\nwant %+v", got, err, want)
	}
	_, err = ReadTruth("marks.csv", CSV)
	sameError(t, "landmarks as boxes", err, `marks.csv:1: no column is called "y", "width", "height"; found "file", "left_eye_x", "left_eye_y", "noseX", "noseY", "pose", "x"`)
}

func TestCSVErrors(t *testing.T) {
	const h = "file,x,y,width,height\n"
	for _, test := range []struct{ text, want string }{
		{"", "t.csv: the file is empty, want a header line such as file,x,y,width,height"},
		{"\n\nfle,x,y,width,height\n", `t.csv:3: no column is called "file"; found "fle", "x", "y", "width", "height"`},
		{"file,x,y,width\n", `t.csv:1: no column is called "height"; found "file", "x", "y", "width"`},
		{"file,x,X,y,width,height\n", `t.csv:1: two columns are called "X"`},
		{h + "a,NaN,1,2,3", `t.csv:2: column "x": "NaN", want a number`},
		{h + "a,1,2,3,4\na,1,+Inf,2,3", `t.csv:3: column "y": "+Inf", want a number`},
		{h + "a,1,2,1e999,3", `t.csv:2: column "width": 1e999, want a number from -1000000 to 1000000`},
		{h + "a,-1000001,2,1,3", `t.csv:2: column "x": -1000001, want a number from -1000000 to 1000000`},
		{h + "a,0x10,2,1,3", `t.csv:2: column "x": "0x10", want a number`},
		{h + "a,1,,1,3", `t.csv:2: column "y": "", want a number`},
		{h + "a,1,2,0,3", "t.csv:2: width 0, want more than 0"},
		{h + "a,1,2,3,-1", "t.csv:2: height -1, want more than 0"},
		{h + ",1,2,3,4", `t.csv:2: column "file": empty, want the name of a picture`},
		{h + "a,1,2,3", "t.csv:2: another number of columns than the header has"},
		{h + "a,1,2,3,4\n\"a,1,2,3,4\n", "t.csv:3: a \" that has no partner or stands inside a word (column 12 of line 3)"},
		{h + "a\"b,1,2,3,4\n", "t.csv:2: a \" that has no partner or stands inside a word (column 2 of line 2)"},
		{"file,x,y,width,height,ignore\na,1,2,3,4,perhaps", `t.csv:2: column "ignore": "perhaps", want 1 or 0`},
		{"file" + strings.Repeat(",c", 1000), "t.csv:1: 1001 columns, want at most 1000: over the limit"},
	} {
		_, err := readCSV(strings.NewReader(test.text), "t.csv", CSV)
		sameError(t, clip(test.text), err, test.want)
	}
	_, err := readCSV(strings.NewReader("file,a,b\n"), "t.csv", boxesOrLandmarks)
	sameError(t, "neither", err, `t.csv:1: neither boxes (x,y,width,height) nor landmarks (NAME_x,NAME_y): found "file", "a", "b"`)
	_, err = readCSV(strings.NewReader("file,x,y,width,height\n"), "t.csv", Landmarks)
	sameError(t, "no landmarks", err, `t.csv:1: no landmarks: want pairs of columns NAME_x,NAME_y (or NAMEx,NAMEy); found "file", "x", "y", "width", "height"`)
	_, err = readCSV(strings.NewReader("file,eye_x,eye_y\na,1,nan\n"), "t.csv", Landmarks)
	sameError(t, "NaN in a landmark", err, `t.csv:2: column "eye_y": "nan", want a number`)
}

func FuzzCSV(f *testing.F) {
	for _, s := range []string{"file,x,y,width,height\na,1,2,3,4\n", "file;ex;ey\r\n\"a\";1;2\r\n", "file,xmin,ymin,xmax,ymax,ignore\na,,,,,\na,1,1,2,2,1", "\ufefffile,x_x,x_y,pose\na,1,2,\"q\nr\"\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		photos, err := readCSV(strings.NewReader(s), "t.csv", boxesOrLandmarks)
		sound(t, photos, err)
	})
}

// All bad lines are listed, not only the first.
func TestBadLinesAreListed(t *testing.T) {
	_, err := readCSV(strings.NewReader("file,x,y,width,height\na.png,1,2,3,4\na.png,x,2,3,4\nb.png,1,2,3,4\nb.png,1,2,y,4\n"), "t.csv", Auto)
	if err == nil || !strings.Contains(err.Error(), "t.csv:3: ") || !strings.Contains(err.Error(), "t.csv:5: ") {
		t.Errorf("%v, want lines 3 and 5", err)
	}
}
