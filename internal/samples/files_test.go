package samples

import (
	"image"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// put writes files into a new folder and makes it the working directory, so
// that errors contain short names. Nil content is a picture of 40x30.
func put(t *testing.T, files map[string][]byte) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, data := range files {
		if data == nil {
			data = picturetest.PNG(textured(40, 30, len(name)))
		}
		must.Do(os.MkdirAll(filepath.Dir(name), 0o755))
		must.Do(os.WriteFile(name, data, 0o644))
	}
}

// textured is an image with contrast everywhere, which depends on the seed.
func textured(w, h, seed int) *image.Gray {
	state := uint32(seed)*2654435761 + 12345
	return picturetest.Grey(w, h, func(x, y int) byte {
		state = state*1664525 + 1013904223
		// Coarse patches, so that averages differ too.
		return byte(state>>26) + byte((x*7/w*37+y*5/h*91+seed*53)%190)
	})
}

// sameError compares the whole text, since users see it.
func sameError(t *testing.T, what string, err error, want string) {
	t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		t.Errorf("%s:\n got %s\nwant %s", what, got, want)
	}
}

// errorOf is the error of a call that has a value too.
func errorOf[T any](_ T, err error) error { return err }

// reads reads a truth, and compares it.
func reads(t *testing.T, path string, format Format, want []Photo) {
	t.Helper()
	if got, err := ReadTruth(path, format); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%s: got  %+v, %v\nwant %+v", path, got, err, want)
	}
}

// class is the tags of an object that has only a class.
func class(name string) map[string]string { return map[string]string{"class": name} }
