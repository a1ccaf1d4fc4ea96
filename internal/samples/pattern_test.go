package samples

import (
	"reflect"
	"testing"
)

func TestPatterns(t *testing.T) {
	put(t, map[string][]byte{
		"d/x1.png": nil, "d/x2.png": nil, "d/y.png": nil, "d/[odd].png": nil,
		"l1.txt": []byte("d/x1.png 1 1 2 3 4\n"), "l2.txt": []byte("d/y.png 0\nd/x1.png 1 5 6 7 8\n"),
	})
	for _, test := range []struct {
		path string
		want []string
	}{
		{"d/x*.png", []string{"d/x1.png", "d/x2.png"}},
		{"d/[xy]?.png", []string{"d/x1.png", "d/x2.png"}},
		{"d/[odd].png", []string{"d/[odd].png"}},
	} {
		got, err := ListPictures(test.path)
		if err != nil || !reflect.DeepEqual(got, test.want) {
			t.Errorf("%s: %q, %v, want %q", test.path, got, err, test.want)
		}
	}
	_, err := ListPictures("d/z*.png")
	sameError(t, "nothing", err, "d/z*.png: no file has a name of this pattern")
	_, err = ListPictures("d/[.png")
	sameError(t, "bad", err, "d/[.png: syntax error in pattern of file names: want * for any letters, ? for one, [a-z] for one of these")
	photos, err := ReadTruth("l*.txt", Auto)
	if err != nil || len(photos) != 2 || photos[0].File != "d/x1.png" || len(photos[0].Objects) != 2 || len(photos[1].Objects) != 0 {
		t.Errorf("lists: %+v, %v", photos, err)
	}
	_, err = ReadTruth("k*.txt", Auto)
	sameError(t, "no truth", err, "k*.txt: no file has a name of this pattern")
}

// opencv_annotation writes names as it was given the folder, often with one
// blank and no objects.
func TestOpenCVAnnotation(t *testing.T) {
	put(t, map[string][]byte{"images/a b.png": nil, "images/c.png": nil, "notes/annotations.txt": []byte("images/a b.png 2 1 2 3 4 5 6 7 8\nimages/c.png 0\n")})
	photos, err := ReadTruth("notes/annotations.txt", Auto)
	if err != nil || len(photos) != 2 || photos[0].File != "images/a b.png" || len(photos[0].Objects) != 2 || len(photos[1].Objects) != 0 {
		t.Errorf("%+v, %v", photos, err)
	}
}
