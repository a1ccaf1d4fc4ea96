package camera

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"
)

// A terminalScreen shows pictures in a terminal: as pixels where it has kitty's graphics,
// otherwise as characters that are each two pixels high, one upper half block in two
// colours.
type terminalScreen struct {
	w       io.Writer
	size    func() (columns, rows int)
	pixels  bool // kitty's graphics
	in      *terminalInput
	restore func() error
	out     []byte
	begun   bool
	shown   image.Point // the size of the terminal, in characters
}

// openTerminal takes over the terminal of this process.
func openTerminal() (*terminalScreen, error) {
	in, out := int(os.Stdin.Fd()), int(os.Stdout.Fd())
	if !term.IsTerminal(in) || !term.IsTerminal(out) {
		return nil, errors.New("there is no terminal to show pictures in: -show page shows them in a browser")
	}
	before, err := term.MakeRaw(in)
	if err != nil {
		return nil, err
	}
	restore := func() error { return term.Restore(in, before) }
	input := newTerminalInput()
	go input.read(os.Stdin)
	t := newTerminal(os.Stdout, input, hasKitty(os.Getenv), func() (int, int) {
		columns, rows, err := term.GetSize(out)
		if err != nil {
			return 80, 24
		}
		return columns, rows
	})
	t.restore = restore
	return t, nil
}

// hasKitty tells whether the environment names a terminal that knows kitty's graphics
// protocol.
func hasKitty(env func(string) string) bool {
	program := strings.ToLower(env("TERM_PROGRAM"))
	return env("KITTY_WINDOW_ID") != "" || env("TERM") == "xterm-kitty" || env("TERM") == "xterm-ghostty" || program == "wezterm" || program == "ghostty"
}

func newTerminal(w io.Writer, in *terminalInput, pixels bool, size func() (int, int)) *terminalScreen {
	return &terminalScreen{w: w, size: size, in: in, pixels: pixels}
}

func (t *terminalScreen) show(m *image.RGBA) error {
	t.out = t.out[:0]
	columns, rows := t.size()
	columns, rows = max(columns, 2), max(rows, 2)
	if !t.begun {
		t.begun = true
		t.out = append(t.out, "\x1b[?1049h\x1b[?25l"...) // another page, no cursor
	}
	if now := image.Pt(columns, rows); now != t.shown {
		t.shown = now
		t.out = append(t.out, "\x1b[2J"...) // what pixels of another size left
	}
	t.out = append(t.out, "\x1b[H"...)
	if !t.pixels {
		t.blocks(m, columns, rows)
	} else if err := t.kitty(m, columns, rows); err != nil {
		return err
	}
	_, err := t.w.Write(t.out)
	return err
}

// fitted is the largest size of a picture within a box.
func fitted(size image.Point, w, h int) (int, int) {
	if size.X*h > size.Y*w {
		return w, max(1, size.Y*w/size.X)
	}
	return max(1, size.X*h/size.Y), h
}

// blocks writes the picture as half blocks. A character is taken to be twice as high as
// wide.
func (t *terminalScreen) blocks(m *image.RGBA, columns, rows int) {
	w, h := fitted(m.Rect.Size(), columns, 2*rows)
	h = max(2, h/2*2)
	var last [6]byte
	for y := 0; y < h; y += 2 {
		t.out = fmt.Appendf(t.out, "\x1b[%d;1H", y/2+1)
		for x := range w {
			a, b := average(m, x, y, w, h), average(m, x, y+1, w, h)
			both := [6]byte{a[0], a[1], a[2], b[0], b[1], b[2]}
			if x == 0 || both != last {
				t.out = fmt.Appendf(t.out, "\x1b[38;2;%d;%d;%d;48;2;%d;%d;%dm", a[0], a[1], a[2], b[0], b[1], b[2])
				last = both
			}
			t.out = append(t.out, "▀"...)
		}
		t.out = append(t.out, "\x1b[0m\x1b[K"...)
	}
	t.out = append(t.out, "\x1b[J"...)
}

// average is the mean colour of a part of the picture: that at (x, y) of w by h.
func average(m *image.RGBA, x, y, w, h int) [3]byte {
	size := m.Rect.Size()
	x0, x1 := x*size.X/w, max((x+1)*size.X/w, x*size.X/w+1)
	y0, y1 := y*size.Y/h, max((y+1)*size.Y/h, y*size.Y/h+1)
	var sum [3]int
	n := 0
	// At most four by four samples: it is seen once.
	for j := y0; j < min(y1, size.Y); j += max(1, (y1-y0)/4) {
		for i := x0; i < min(x1, size.X); i += max(1, (x1-x0)/4) {
			p := m.Pix[j*m.Stride+4*i:]
			sum[0], sum[1], sum[2], n = sum[0]+int(p[0]), sum[1]+int(p[1]), sum[2]+int(p[2]), n+1
		}
	}
	n = max(n, 1)
	return [3]byte{byte(sum[0] / n), byte(sum[1] / n), byte(sum[2] / n)}
}

// kitty writes the picture for kitty, as PNG in pieces of 4096 letters, scaled by the
// terminal.
func (t *terminalScreen) kitty(m *image.RGBA, columns, rows int) error {
	var file bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := e.Encode(&file, m); err != nil {
		return err
	}
	text := base64.StdEncoding.EncodeToString(file.Bytes())
	w, h := fitted(m.Rect.Size(), columns, 2*(rows-1))
	head := fmt.Sprintf("a=T,f=100,i=1,p=1,q=2,C=1,c=%d,r=%d,", w, max(1, h/2))
	for len(text) > 0 {
		n := min(len(text), 4096)
		more := 0
		if n < len(text) {
			more = 1
		}
		t.out = fmt.Appendf(t.out, "\x1b_G%sm=%d;%s\x1b\\", head, more, text[:n])
		head, text = "", text[n:]
	}
	return nil
}

func (t *terminalScreen) key(wait time.Duration) (int, bool) {
	select {
	case k := <-t.in.keys:
		return k, true
	case <-t.in.ended:
		return noKey, false
	case <-time.After(wait):
		return noKey, true
	}
}

func (t *terminalScreen) close() error {
	var errs []error
	if t.begun {
		end := "\x1b[0m\x1b[?25h\x1b[?1049l"
		if t.pixels {
			end = "\x1b_Ga=d,q=2\x1b\\" + end
		}
		_, err := io.WriteString(t.w, end)
		errs = append(errs, err)
	}
	if t.restore != nil {
		errs = append(errs, t.restore())
	}
	return errors.Join(errs...)
}
