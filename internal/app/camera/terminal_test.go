package camera

import (
	"bytes"
	"encoding/base64"
	"image"
	"image/color"
	"image/png"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"time"

	"haarlem/internal/app/cli/clitest"
	"haarlem/internal/must"
)

func halves(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetRGBA(x, y, color.RGBA{uint8(255 * (2 * y / h)), 10, 20, 255})
		}
	}
	return m
}

// Half blocks: the upper half of the picture in one colour and the lower in another, in
// the shape that the picture has, and the terminal is given back as it was.
func TestTerminalBlocks(t *testing.T) {
	var b bytes.Buffer
	s := newTerminal(&b, newTerminalInput(), false, func() (int, int) { return 40, 5 })
	must.Do(s.show(halves(80, 40)))
	text := b.String()
	if n := strings.Count(text, "▀"); n != 20*5 { // ten pixels high, twenty wide
		t.Errorf("%d characters:\n%q", n, text)
	}
	clitest.Contains(t, text, "38;2;0;10;20;48;2;0;10;20m", "38;2;255;10;20;48;2;255;10;20m", "\x1b[?1049h")
	if err := s.close(); err != nil || !strings.HasSuffix(b.String(), "\x1b[?25h\x1b[?1049l") {
		t.Errorf("%v, %q", err, b.String()[len(text):])
	}
}

// kitty gets the picture itself.
func TestTerminalPixels(t *testing.T) {
	var b bytes.Buffer
	s := newTerminal(&b, newTerminalInput(), true, func() (int, int) { return 80, 24 })
	m := image.NewRGBA(image.Rect(0, 0, 90, 70))
	for i := range m.Pix {
		m.Pix[i] = byte(i * i / 7) // so that it takes more than one piece
	}
	must.Do(s.show(m))
	pieces := regexp.MustCompile("\x1b_G[^;]*;([^\x1b]*)\x1b\\\\").FindAllStringSubmatch(b.String(), -1)
	if len(pieces) < 2 {
		t.Fatalf("%d pieces", len(pieces))
	}
	var text strings.Builder
	for _, p := range pieces {
		if len(p[1]) > 4096 {
			t.Errorf("a piece of %d letters", len(p[1]))
		}
		text.WriteString(p[1])
	}
	got, err := png.Decode(base64.NewDecoder(base64.StdEncoding, strings.NewReader(text.String())))
	if err != nil || got.Bounds() != m.Rect {
		t.Fatalf("%v, %v", got, err)
	}
	env := func(name, value string) func(string) string {
		return func(n string) string { return map[string]string{name: value}[n] }
	}
	if !hasKitty(env("TERM", "xterm-kitty")) || !hasKitty(env("TERM_PROGRAM", "WezTerm")) || hasKitty(env("TERM", "xterm-256color")) {
		t.Error("terminals are taken for others")
	}
}

// Keys come through, arrows do not, Ctrl-C ends, and so does the end of the input.
func TestTerminalKeys(t *testing.T) {
	in := newTerminalInput()
	s := newTerminal(io.Discard, in, false, nil)
	r, w := io.Pipe()
	go in.read(r)
	for text, want := range map[string]int{"s": 's', "\x03": 'q', "\x1b": escape} {
		must.Get(w.Write([]byte("\x1b[A")))
		must.Get(w.Write([]byte(text)))
		if key, open := s.key(time.Second); key != want || !open {
			t.Errorf("%q is key %d, %v", text, key, open)
		}
	}
	if key, open := s.key(time.Millisecond); key != noKey || !open {
		t.Errorf("a key %d that nobody pressed, %v", key, open)
	}
	w.Close()
	<-in.ended
	if _, open := s.key(time.Second); open {
		t.Error("it is open without an input")
	}
}

// The page shows pictures, passes keys on, and answers no page of a stranger.
func TestPageScreen(t *testing.T) {
	var said bytes.Buffer
	s := must.Get(openPage("detect: <camera>", &said))
	url := regexp.MustCompile(`http://\S+/`).FindString(said.String())
	must.Do(s.show(halves(64, 48)))
	get := func(path string) *http.Response {
		t.Helper()
		return must.Get(http.Get(url + path))
	}
	page, err := io.ReadAll(get("").Body)
	if err != nil || !strings.Contains(string(page), "detect: &lt;camera&gt;") {
		t.Errorf("%s, %v", page, err)
	}
	stream := get("stream")
	head := make([]byte, 300)
	if _, err := io.ReadFull(stream.Body, head); err != nil || !bytes.Contains(head, []byte("image/jpeg")) || !bytes.Contains(head, []byte("\xff\xd8\xff")) {
		t.Errorf("%q, %v", head, err)
	}
	stream.Body.Close()
	if r, err := http.Post(url+"key", "text/plain", strings.NewReader("s")); err != nil || r.StatusCode != http.StatusNoContent {
		t.Errorf("%v, %v", r, err)
	}
	if key, open := s.key(time.Second); key != 's' || !open {
		t.Errorf("key %d, %v", key, open)
	}
	stranger := must.Get(http.NewRequest("POST", url+"key", strings.NewReader("q")))
	stranger.Header.Set("Origin", "https://stranger.example")
	if r, err := http.DefaultClient.Do(stranger); err != nil || r.StatusCode != http.StatusForbidden {
		t.Errorf("a stranger's page: %v, %v", r, err)
	}
	if err := s.close(); err != nil {
		t.Error(err)
	}
}
