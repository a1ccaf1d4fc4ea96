package facemodel

import (
	"bytes"
	"errors"
	"image"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"haarlem/internal/must"
)

// small is a model made by hand: 4x4 pixels, a mean, and two components.
func small() *Model {
	m := &Model{
		about: "made by hand", width: 4, height: 4, window: image.Rect(1, 1, 3, 3),
		oval: oval{32, 32, 32, 32}, marks: [NumMarks]mark{{1229, 1556}, {2867, 1556}, {2048, 2519}, {1339, 3289}, {2757, 3289}},
		shapes: [][NumMarks]mark{{{}, {}, {100, -7}, {}, {}}},
	}
	m.setHalf()
	for i := range m.half {
		m.mean = append(m.mean, int16(1000*i-3000))
	}
	for k := range 2 {
		c := component{odd: k == 1, scale: int32(900 + k)}
		for i := range m.half {
			c.pix = append(c.pix, int8(40*i-100+k))
		}
		m.components = append(m.components, c)
	}
	return m
}

func encode(t testing.TB, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(m.Encode(&b))
	return b.Bytes()
}

func TestFileComesBack(t *testing.T) {
	for name, data := range map[string][]byte{"by hand": encode(t, small()), "built in": frontalFile} {
		m, err := Read(iotest.OneByteReader(bytes.NewReader(data)))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !bytes.Equal(encode(t, m), data) {
			t.Errorf("%s: other bytes come back", name)
		}
	}
	if n := len(frontalFile); n > 150_000 {
		t.Errorf("the built-in model has %d bytes, want at most 150,000", n)
	}
}

func TestTruncatedFiles(t *testing.T) {
	data := encode(t, small())
	for n := range data {
		_, err := Read(bytes.NewReader(data[:n]))
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "cut off") {
			t.Fatalf("%d of %d bytes: %v", n, len(data), err)
		}
	}
}

// Every changed byte of a file is detected.
func TestChangedFiles(t *testing.T) {
	data := encode(t, small())
	about := bytes.Index(data, []byte("made by hand"))
	for i := range data {
		if i >= about && i < about+len("made by hand") {
			continue
		}
		changed := bytes.Clone(data)
		changed[i] ^= 1
		m, err := Read(bytes.NewReader(changed))
		if err == nil && !bytes.Equal(encode(t, m), changed) {
			t.Errorf("byte %d (%q) changed, and what is read says something else", i, data[i])
		}
	}
}

func TestBadFiles(t *testing.T) {
	good := string(encode(t, small()))
	for _, c := range []struct{ from, to, want string }{
		{"haarlem-facemodel 1", "haarlem-facemodel 2", `line 1: "haarlem-facemodel 2", want "haarlem-facemodel 1"`},
		{"about", "abaut", `line 2: want "about" and a text`},
		{"made by hand", "made\tby hand", "line 2: about: a control character, want one line of text"},
		{"made by hand", strings.Repeat("x", 2000), "line 2: longer than 1015 bytes"},
		{"size 4 4", "size 4", `line 3: "size 4", want "size" and 2 numbers`},
		{"size 4 4", "size 4 04", `line 3: size: "04", want a number from 1 to 256`},
		{"size 4 4", "size 4 257", `line 3: size: "257", want a number from 1 to 256`},
		{"size 4 4", "size 5 4", "line 5: size is 5x4, want 2x2 to 256x256 and an even width"},
		{"window 1 1 2", "window 0 1 2", "line 5: window is (0,1)-(2,3), want one inside 4x4 and in the middle from left to right"},
		{"oval 32 32 32 32", "oval 32 32 32 1", "line 5: oval is {cx:32 cy:32 rx:32 ry:1}, want half axes of 16 to 4096 and its centre at x = 32 and inside the texture"},
		{"marks 1229", "marks 20000", `line 6: marks: "20000", want a number from -16384 to 16384`},
		{"shapes 1", "shapes 11", `line 7: shapes: "11", want a number from 0 to 10`},
		{"shapes 1", "shapes 2", `line 9: "components 2", want "shape" and 10 numbers`},
		{"even 900", "evil 900", `line 10: "evil 900", want "even" or "odd" and a number`},
		{"even 900", "even 0", `line 10: even: "0", want a number from 1 to 1048576`},
		{"bytes 24", "bytes 25", "line 12: bytes: 25, want 24 for such textures"},
	} {
		if !strings.Contains(good, c.from) {
			t.Fatalf("no %q in\n%s", c.from, good)
		}
		_, err := Read(strings.NewReader(strings.Replace(good, c.from, c.to, 1)))
		if want := ErrFormat.Error() + ": " + c.want; err == nil || err.Error() != want {
			t.Errorf("%s:\ngot  %v\nwant %s", c.to, err, want)
		}
	}
	_, err := Read(strings.NewReader(good + "x"))
	if want := ErrFormat.Error() + ": there is more behind its last byte"; err == nil || err.Error() != want {
		t.Errorf("longer: %v", err)
	}
	damaged := []byte(good)
	damaged[len(damaged)-1]++
	if _, err := Read(bytes.NewReader(damaged)); err == nil || !strings.Contains(err.Error(), "have the checksum") {
		t.Errorf("damaged: %v", err)
	}
	broken := errors.New("the disk is broken")
	if _, err := Read(io.MultiReader(strings.NewReader(good[:240]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("a reader's error: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(encode(f, small()))
	f.Add([]byte("haarlem-facemodel 1\nabout x\nsize 256 256\nwindow 100 100 56\noval 2048 2048 4096 4096\nmarks 0 0 0 0 0 0 0 0 0 0\nshapes 0\ncomponents 1024\n"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		if !bytes.Equal(encode(t, m), data) {
			t.Fatal("there are two ways to write one model")
		}
		m.MeanFace().Window(9)
	})
}
