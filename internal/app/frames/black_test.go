package frames_test

import (
	"errors"
	"image"
	"io"
	"slices"
	"testing"

	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/frames"
)

// A film may be black, and a camera that has shown something may become so.
func TestBlackIsNoMistake(t *testing.T) {
	black, grey := image.NewRGBA(image.Rect(0, 0, 64, 48)), image.NewRGBA(image.Rect(0, 0, 64, 48))
	for i := range grey.Pix {
		grey.Pix[i] = 90
	}
	for name, test := range map[string]struct {
		live   bool
		images []*image.RGBA
	}{
		"a film":       {false, slices.Repeat([]*image.RGBA{black}, 150)},
		"a camera":     {true, append([]*image.RGBA{black, grey}, slices.Repeat([]*image.RGBA{black}, 150)...)},
		"a slow start": {true, append(slices.Repeat([]*image.RGBA{black}, 60), grey)},
	} {
		s := frames.WatchBlack(&detecttest.FakeSource{Info: frames.Footage{Name: "x", FPS: detecttest.PanFPS, Live: test.live}, Images: test.images, End: io.EOF})
		n := 0
		var err error
		for ; err == nil; n++ {
			_, err = s.Next()
		}
		if !errors.Is(err, io.EOF) || n != len(test.images)+1 {
			t.Errorf("%s: %v after %d of %d frames", name, err, n-1, len(test.images))
		}
	}
}
