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
	s := newTerminal(&b, newTerminalInput(), terminalAbilities{}, func() (int, int) { return 40, 5 })
	must.Do(s.show(halves(80, 40)))
	text := b.String()
	if n := strings.Count(text, "▀"); n != 20*5 { // ten pixels high, twenty wide
		t.Errorf("%d characters:\n%q", n, text)
	}
	for _, want := range []string{"38;2;0;10;20;48;2;0;10;20m", "38;2;255;10;20;48;2;255;10;20m", "\x1b[?1049h"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	if err := s.close(); err != nil || !strings.HasSuffix(b.String(), "\x1b[?25h\x1b[?1049l") {
		t.Errorf("%v, %q", err, b.String()[len(text):])
	}
}

// kitty gets the picture itself.
func TestTerminalPixels(t *testing.T) {
	var b bytes.Buffer
	s := newTerminal(&b, newTerminalInput(), terminalAbilities{kitty: true}, func() (int, int) { return 80, 24 })
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

// Sixels are as large as the picture, or as the terminal without its last row.
func TestTerminalSixels(t *testing.T) {
	for _, test := range []struct {
		size image.Point
		want string
	}{
		{image.Pt(320, 200), `"1;1;320;200#`},
		{image.Pt(1600, 800), `"1;1;640;320#`},
		{image.Pt(400, 800), `"1;1;192;384#`},
	} {
		var b bytes.Buffer
		s := newTerminal(&b, newTerminalInput(), terminalAbilities{sixel: true, registers: 256, cell: image.Pt(8, 16)}, func() (int, int) { return 80, 25 })
		must.Do(s.show(halves(test.size.X, test.size.Y)))
		if text := b.String(); !strings.HasPrefix(text, "\x1b[?1049h\x1b[?25l\x1b[2J\x1b[H\x1bP0;1q"+test.want) || !strings.HasSuffix(text, "\x1b\\") {
			t.Errorf("%v: %.80q", test.size, text)
		}
	}
}

// A terminal says what it can do, in pieces and between keys; one that says nothing is
// not waited for.
func TestTerminalAbilities(t *testing.T) {
	for _, test := range []struct {
		answer []string
		want   terminalAbilities
	}{
		{[]string{"\x1b_Gi=31;OK\x1b\\\x1b[6;20;10t\x1b[?62;22c"}, terminalAbilities{kitty: true, registers: 256, cell: image.Pt(10, 20)}},
		{[]string{"\x1b_Gi=31;ENOTSUPPORTED:no\x1b\\", "s\x1b[?1;0;1024S\x1b[6;1", "8;9t\x1b[?6", "4;1;4;22c"}, terminalAbilities{sixel: true, registers: 1024, cell: image.Pt(9, 18)}},
		{[]string{"\x1b[?1;3;0S\x1b[6;0;0t\x1b[?64;14;40c"}, terminalAbilities{registers: 256}},
		{[]string{"\x1b[?4c"}, terminalAbilities{registers: 256}}, // a VT132
		{[]string{"\x1b]" + strings.Repeat("x", 1000)}, terminalAbilities{registers: 256}},
	} {
		in := newTerminalInput()
		r, w := io.Pipe()
		go in.read(r)
		asked := make(chan terminalAbilities, 1)
		var question bytes.Buffer
		go func() {
			can, _ := in.ask(&question, 200*time.Millisecond)
			asked <- can
		}()
		for _, text := range test.answer {
			must.Get(io.WriteString(w, text))
		}
		if got := <-asked; got != test.want {
			t.Errorf("%q: %+v, want %+v", test.answer, got, test.want)
		}
		if !strings.HasSuffix(question.String(), "\x1b[c") {
			t.Errorf("it is asked %q", question.String())
		}
		for len(in.keys) > 0 {
			if key := <-in.keys; key != 's' && !strings.HasPrefix(test.answer[0], "\x1b]") {
				t.Errorf("%q: a key %d that nobody pressed", test.answer, key)
			}
		}
		w.Close()
		<-in.ended
	}
}

// Keys come through, arrows do not, Ctrl-C ends, and so does the end of the input.
func TestTerminalKeys(t *testing.T) {
	in := newTerminalInput()
	s := newTerminal(io.Discard, in, terminalAbilities{}, nil)
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
