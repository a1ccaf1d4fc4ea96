package mining

import (
	"encoding/json"
	"image"
	"reflect"
	"strings"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/train"
)

// A line has windows with their boxes, and is read back. One that an older program
// wrote has no boxes.
func TestLine(t *testing.T) {
	want := train.Finding{Visited: 500, Passed: 2}
	for i := range 2 {
		want.Windows = append(want.Windows, &image.Gray{Pix: []byte{1, 2, 3, 4, 5, byte(i)}, Stride: 3, Rect: image.Rect(0, 0, 3, 2)})
		want.Boxes = append(want.Boxes, image.Rect(-1, 4+i, 29, 24))
	}
	made, err := result("a.png", want, nil)
	if err != nil || made.Objects != 2 {
		t.Fatalf("%+v, %v", made, err)
	}
	read := func(text string) (train.Finding, error) {
		var l line
		must.Do(json.Unmarshal([]byte(text), &l))
		return l.finding(3, 2)
	}
	if got, err := read(string(made.Line)); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %+v, %v", made.Line, got, err)
	}
	const older = `{"file":"a.png","visited":500,"passed":2,"windows":["AQIDBAUA","AQIDBAUB"]}`
	want.Boxes = nil
	if got, err := read(older); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: %+v, %v", older, got, err)
	}
	for text, message := range map[string]string{
		`{"file":"a.png","windows":["AQIDBAUA"],"boxes":[[0,0,3,2],[1,1,3,2]]}`:  "a.png: 1 windows with 2 boxes, want a box of each, or none",
		`{"file":"a.png","windows":["AQIDBAUA"],"boxes":[[0,0,-3,2]]}`:           "a.png: a window's box is [0 0 -3 2], want x, y, width, height in a picture",
		`{"file":"a.png","windows":["AQIDBAUA"],"boxes":[[0,0,3,99999999999]]}`:  "want x, y, width, height in a picture",
		`{"file":"a.png","windows":["AQIDBAUA"],"boxes":[[-99999999999,0,3,2]]}`: "want x, y, width, height in a picture",
		`{"file":"a.png","windows":["AQID"],"boxes":[[0,0,3,2]]}`:                "a.png: a window of 3 bytes, want 3x2",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), message) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

func FuzzLine(f *testing.F) {
	f.Add(`{"file":"a.png","visited":500,"passed":2,"windows":["AQIDBAUA","AQIDBAUB"],"boxes":[[0,0,3,2],[1,1,30,20]]}`)
	f.Add(`{"file":"a.png","visited":500,"passed":2,"windows":["AQIDBAUA"]}`)
	f.Add(`{"boxes":[[0,0,3,2]]}`)
	f.Fuzz(func(t *testing.T, text string) {
		var l line
		if json.Unmarshal([]byte(text), &l) != nil {
			return
		}
		found, err := l.finding(3, 2)
		if err != nil {
			return
		}
		if n := len(found.Boxes); n != 0 && n != len(found.Windows) {
			t.Errorf("%d windows with %d boxes", len(found.Windows), n)
		}
		for _, b := range found.Boxes {
			if b.Dx() < 0 || b.Dy() < 0 {
				t.Errorf("box %v", b)
			}
		}
	})
}
