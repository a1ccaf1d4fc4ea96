//go:build gocv

package camera

import (
	"errors"
	"fmt"
	"image"
	"net"
	"os"
	"runtime"
	"strings"
	"time"

	"gocv.io/x/gocv"
)

func init() { openWindow = openOpenCVWindow }

// A window is a screen of OpenCV.
type window struct {
	w    *gocv.Window
	code gocv.Mat
}

// furniture is the height of the buttons and the line of text that OpenCV's
// window has where it is built with Qt, as in Debian.
const furniture = 48

// openOpenCVWindow checks for a display before OpenCV does, which would end the
// program if there is none.
func openOpenCVWindow(title string, size image.Point) (screen, error) {
	if runtime.GOOS == "linux" {
		if err := display(); err != nil {
			return nil, err
		}
	}
	w := gocv.NewWindow(title) // it stays on this thread
	w.ResizeWindow(size.X, size.Y+furniture)
	return &window{w, gocv.NewMat()}, nil
}

func display() error {
	name := os.Getenv("DISPLAY")
	if name == "" && os.Getenv("WAYLAND_DISPLAY") != "" {
		return nil
	}
	if name == "" {
		return errors.New("there is no screen to show a window on: DISPLAY is not set")
	}
	number, local := strings.CutPrefix(name, ":")
	if !local {
		return nil
	}
	number, _, _ = strings.Cut(number, ".")
	// The name that begins with a zero byte, which Go writes @, is that of
	// servers without a place in the file system.
	for _, path := range []string{"/tmp/.X11-unix/X" + number, "@/tmp/.X11-unix/X" + number} {
		if c, err := net.Dial("unix", path); err == nil {
			return c.Close()
		}
	}
	return fmt.Errorf("there is no screen to show a window on: nobody answers at DISPLAY=%s", name)
}

func (w *window) show(img *image.RGBA) error {
	size := img.Rect.Size()
	m, err := gocv.NewMatFromBytes(size.Y, size.X, gocv.MatTypeCV8UC4, img.Pix)
	if err != nil {
		return err
	}
	defer m.Close()
	gocv.CvtColor(m, &w.code, gocv.ColorRGBAToBGR)
	w.w.IMShow(w.code)
	return nil
}

func (w *window) key(wait time.Duration) (key int, open bool) {
	k := w.w.WaitKey(max(1, int(wait.Milliseconds())))
	if w.w.GetWindowProperty(gocv.WindowPropertyVisible) < 1 {
		return noKey, false
	}
	if k < 0 {
		return noKey, true
	}
	return k & 0xFF, true
}

func (w *window) close() error { return errors.Join(w.w.Close(), w.code.Close()) }
