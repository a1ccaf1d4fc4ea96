package frames_test

import (
	"errors"
	"image"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/internal/app/detecttest"
	"haarlem/internal/app/frames"
)

// What was opened before, such as standard input, is no camera, whatever
// folder its name is in; and who sends a stream has no plug to pull.
func TestWhereFramesComeFrom(t *testing.T) {
	for _, test := range []struct {
		name                  string
		stdin, device, stream bool
	}{
		{"/dev/stdin", true, false, false},
		{"/dev/fd/3", true, false, false},
		{"/proc/self/fd/0", true, false, false},
		{"/dev/video0", false, true, false},
		{"rtsp://camera/1", false, false, true},
		{"udp://@:1234", false, false, true},
		{"in.mp4", false, false, false},
		{"https://host/in.mp4", false, false, false},
	} {
		if frames.IsStdin(test.name) != test.stdin || frames.IsDevice(test.name) != test.device || frames.IsStream(test.name) != test.stream {
			t.Errorf("%s: stdin %v, device %v, stream %v", test.name, frames.IsStdin(test.name), frames.IsDevice(test.name), frames.IsStream(test.name))
		}
	}
	for name, say := range map[string]string{"rtsp://camera/1": "has the sender ended, or the network failed?", "camera 0": "was it unplugged or switched off?"} {
		if err := (frames.Footage{Name: name, Live: true, FPS: 25}).Ended(7, 0); !strings.Contains(err.Error(), say) {
			t.Errorf("%v, want %q", err, say)
		}
	}
	if err := (frames.Footage{Name: "/dev/stdin", FPS: 25, Frames: 100}).Ended(0, 0); !strings.Contains(err.Error(), "pipe") {
		t.Errorf("%v, want something about pipes", err)
	}
}

func TestEnded(t *testing.T) {
	for _, test := range []struct {
		a     frames.Footage
		read  int
		last  time.Duration
		whole bool
	}{
		{frames.Footage{FPS: 25, Frames: 100}, 100, 3960 * time.Millisecond, true},
		{frames.Footage{FPS: 25, Frames: 100}, 98, 3880 * time.Millisecond, true}, // decoders keep the last ones
		{frames.Footage{FPS: 25, Frames: 100}, 60, 2360 * time.Millisecond, false},
		{frames.Footage{FPS: 25, Frames: 100}, 60, 3960 * time.Millisecond, true}, // frames of unequal length
		{frames.Footage{FPS: 25, Frames: 100}, 0, 0, false},
		{frames.Footage{FPS: 25}, 60, 0, true}, // nobody knows
		{frames.Footage{FPS: 25}, 0, 0, false},
		{frames.Footage{FPS: 25, Live: true}, 1000, 0, false},
	} {
		if err := test.a.Ended(test.read, test.last); errors.Is(err, io.EOF) != test.whole {
			t.Errorf("%+v, %d frames until %v: %v", test.a, test.read, test.last, err)
		}
	}
}

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
