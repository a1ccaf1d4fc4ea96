package samples

import (
	"bytes"
	"errors"
	"image"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// vecBytes is a .vec file of constant windows, written by hand: two of 2x3
// pixels with 7 and 255.
var vecBytes = []byte{
	2, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0,
	0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0, 7, 0,
	9, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0, 255, 0,
}

func TestVec(t *testing.T) {
	crops := must.Get(decodeVec(bytes.NewReader(vecBytes), -1, 2, 3))
	if len(crops) != 2 || crops[0].Rect != image.Rect(0, 0, 2, 3) || !bytes.Equal(crops[0].Pix, []byte{7, 7, 7, 7, 7, 7}) || crops[1].GrayAt(1, 2).Y != 255 {
		t.Errorf("%+v", crops)
	}
	t.Chdir(t.TempDir())
	whole := textured(50, 40, 1)
	want := []*image.Gray{whole.SubImage(image.Rect(3, 4, 27, 28)).(*image.Gray), textured(24, 24, 2)}
	must.Do(WriteVec("a.vec", want))
	got, err := ReadVec("a.vec", 0, 0)
	if err != nil || len(got) != 2 {
		t.Fatal(len(got), err)
	}
	for i := range want {
		for y := range 24 {
			for x := range 24 {
				if a, b := got[i].GrayAt(x, y), want[i].GrayAt(want[i].Rect.Min.X+x, want[i].Rect.Min.Y+y); a != b {
					t.Fatalf("window %d, pixel %d,%d: %v, want %v", i, x, y, a, b)
				}
			}
		}
	}
	if again, err := ReadVec("a.vec", 24, 24); err != nil || len(again) != 2 {
		t.Errorf("with its size: %d, %v", len(again), err)
	}
	if names, _ := filepath.Glob("*"); len(names) != 1 {
		t.Errorf("left behind: %v", names)
	}
}

func TestVecErrors(t *testing.T) {
	changed := func(at int, v byte) []byte {
		b := bytes.Clone(vecBytes)
		b[at] = v
		return b
	}
	put(t, map[string][]byte{
		"good.vec": vecBytes, "empty.vec": {}, "head.vec": vecBytes[:11], "cut.vec": vecBytes[:len(vecBytes)-1], "long.vec": append(bytes.Clone(vecBytes), 1),
		"minus.vec": changed(3, 0x80), "none.vec": changed(4, 0), "huge.vec": changed(7, 0x7f), "over.vec": changed(14, 1), "square.vec": changed(4, 4),
		"count.vec": changed(3, 0x7f),
	})
	for _, test := range []struct {
		file string
		w, h int
		want string
	}{
		{"absent.vec", 2, 3, "absent.vec: no such file or directory"},
		{".", 2, 3, ".: a folder, want a .vec file"},
		{"good.vec", 24, 24, "good.vec: windows of 6 pixels, want 24x24, which are 576"},
		{"square.vec", 24, 24, "square.vec: windows of 4 pixels (perhaps 2x2), want 24x24, which are 576"},
		{"good.vec", 0, 0, "good.vec: windows of 6 pixels, which is no square: give width and height"},
		{"good.vec", 0, 3, "good.vec: window of 0x3, want a width and a height, or 0 and 0 for the file's square"},
		{"good.vec", -2, -3, "good.vec: window of -2x-3, want a width and a height, or 0 and 0 for the file's square"},
		{"empty.vec", 2, 3, "empty.vec: cut off: 0 bytes, but the header alone has 12"},
		{"head.vec", 2, 3, "head.vec: cut off: 11 bytes, but the header alone has 12"},
		{"cut.vec", 2, 3, "cut.vec: cut off: the header says 2 windows of 2x3, the file has 1"},
		{"count.vec", 2, 3, "count.vec: cut off: the header says 2130706434 windows of 2x3, the file has 2"},
		{"long.vec", 2, 3, "long.vec: 1 bytes follow the last of 2 windows of 2x3"},
		{"minus.vec", 2, 3, "minus.vec: the header says -2147483646 windows: this is not a .vec file"},
		{"none.vec", 2, 3, "none.vec: the header says windows of 0 pixels, want 1 to 1048576: this is not a .vec file"},
		{"huge.vec", 2, 3, "huge.vec: the header says windows of 2130706438 pixels, want 1 to 1048576: this is not a .vec file"},
		{"over.vec", 2, 3, "over.vec: window 0, pixel 0,0: 263, want 0 to 255"},
	} {
		_, err := ReadVec(test.file, test.w, test.h)
		sameError(t, test.file, err, test.want)
	}
	// A stream has no known length.
	for n := range vecBytes {
		if _, err := decodeVec(bytes.NewReader(vecBytes[:n]), -1, 2, 3); err == nil || !strings.HasPrefix(err.Error(), "cut off: ") {
			t.Errorf("the first %d bytes: %v", n, err)
		}
	}
	_, err := decodeVec(bytes.NewReader(append(bytes.Clone(vecBytes), 1)), -1, 2, 3)
	sameError(t, "longer stream", err, "something follows the last of 2 windows of 2x3")
}

func TestWriteVecErrors(t *testing.T) {
	put(t, map[string][]byte{"old.vec": vecBytes})
	a, b := flat(3, 4, 1), flat(4, 3, 1)
	sameError(t, "none", WriteVec("old.vec", nil), "old.vec: no windows to write")
	sameError(t, "sizes", WriteVec("old.vec", []*image.Gray{a, b}), "old.vec: window 1 is 4x3, those before it 3x4: a .vec file has one size")
	sameError(t, "empty", WriteVec("old.vec", []*image.Gray{flat(0, 4, 1)}), "old.vec: windows of 0x4, want 1 to 1048576 pixels")
	sameError(t, "folder", WriteVec("none/new.vec", []*image.Gray{a}), "none/new.vec: no such file or directory")

	// If writing fails, the old file stays and nothing is left beside it.
	full := errors.New("no space left on device")
	err := WriteAtomically("old.vec", func(w io.Writer) error {
		w.Write(make([]byte, 1<<20))
		return full
	})
	sameError(t, "full disk", err, "old.vec: no space left on device")
	if data, err := os.ReadFile("old.vec"); err != nil || !bytes.Equal(data, vecBytes) {
		t.Errorf("the old file: %v, %v", data, err)
	}
	if names, _ := filepath.Glob(".*"); len(names) != 0 {
		t.Errorf("left behind: %v", names)
	}
}

func FuzzVec(f *testing.F) {
	f.Add(vecBytes, 2, 3)
	f.Add(vecBytes[:20], 0, 0)
	f.Add([]byte("\x01\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x05\x00"), 0, 0)
	f.Fuzz(func(t *testing.T, data []byte, w, h int) {
		crops, err := decodeVec(bytes.NewReader(data), -1, w, h)
		if err != nil || len(crops) == 0 {
			return
		}
		var out bytes.Buffer
		must.Do(EncodeVec(&out, crops))
		if out.Len() != len(data) {
			t.Errorf("%d bytes were read and %d written", len(data), out.Len())
		}
	})
}
