//go:build unix

package camera

import (
	"image"

	"golang.org/x/sys/unix"
)

// cellOf is the size of a character in pixels, as the system knows it of a terminal;
// zero if it does not.
func cellOf(terminal int) image.Point {
	w, err := unix.IoctlGetWinsize(terminal, unix.TIOCGWINSZ)
	if err != nil || w.Col == 0 || w.Row == 0 {
		return image.Point{}
	}
	return image.Pt(int(w.Xpixel/w.Col), int(w.Ypixel/w.Row))
}
