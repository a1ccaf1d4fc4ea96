package frames

import (
	"image"
	"strings"
	"testing"
)

// Where the kernel's cameras are not read, ffmpeg is told of them.
func TestCameraArgs(t *testing.T) {
	for _, test := range []struct {
		system, device string
		size           image.Point
		want           string
	}{
		{"darwin", "1", image.Pt(640, 480), "-f avfoundation -framerate 30 -video_size 640x480 -i 1:none"},
		{"darwin", "film.mp4", image.Point{}, ""},
		{"windows", "video=USB Camera", image.Point{}, "-f dshow -i video=USB Camera"},
		{"linux", "0", image.Pt(640, 480), ""},
	} {
		if got := strings.Join(cameraArgs(test.system, test.device, test.size), " "); got != test.want {
			t.Errorf("%s, %s: %q, want %q", test.system, test.device, got, test.want)
		}
	}
}
