package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// box is a file of ISO 14496-12 with these brands, and something behind.
func box(brands ...string) string {
	body := "ftyp" + brands[0] + "\x00\x00\x00\x00" + strings.Join(brands[1:], "")
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(body)+4))) + body + "\x00\x00\x00\x08mdat"
}

func TestKinds(t *testing.T) {
	animated := string(webpFile(4, 4, color.NRGBA{1, 2, 3, 255}, exifBlock(binary.LittleEndian, 1)))
	animated = animated[:20] + string(animated[20]|2) + animated[21:]
	tiffWith := func(tags ...tag) string {
		return string(tiffFile(binary.LittleEndian, tags, 0, nil))
	}
	for _, test := range []struct {
		data, say string
		class     class
		convert   string
	}{
		{"", "an empty file", noPicture, ""},
		{"\x00\x00\x00\x00\x00", "a file of zero bytes", noPicture, ""},
		{box("heic", "mif1", "heic"), "a HEIC picture", otherPicture, "heif-convert"},
		{box("heix"), "a HEIC picture", otherPicture, "heif-convert"},
		{box("mif1", "heic"), "a HEIC picture", otherPicture, "heif-convert"},
		{box("mif1", "miaf", "avif"), "an AVIF picture", otherPicture, "avifdec"},
		{box("avif", "mif1"), "an AVIF picture", otherPicture, "avifdec"},
		{box("crx ", "isom"), "a camera RAW picture", otherPicture, "darktable"},
		{box("isom", "avc1"), "a video", film, "ffmpeg"},
		{box("qt  "), "a video", film, "ffmpeg"},
		{box("M4A "), "a sound file", noPicture, ""},
		{"\x00\x00\x00\x0cJXL \r\n\x87\n", "a JPEG XL picture", otherPicture, "djxl"},
		{"\xff\x0a\x7a\x01", "a JPEG XL picture", otherPicture, "djxl"},
		{"\x00\x00\x00\x0cjP  \r\n\x87\n", "a JPEG 2000 picture", otherPicture, "opj_decompress"},
		{"8BPS\x00\x01", "a Photoshop picture", otherPicture, "magick"},
		{"II*\x00\x10\x00\x00\x00CR\x02\x00", "a camera RAW picture", otherPicture, "darktable"},
		{tiffWith(tag{tagNewSubfileType, 4, []uint32{1}}, long(256, 160), tag{tagSubIFDs, 4, []uint32{900}}), "a camera RAW picture", otherPicture, "darktable"},
		{tiffWith(tag{tagNewSubfileType, 4, []uint32{0}}, long(256, 160), long(tagDNGVersion, 0x0401)), "a camera RAW picture", otherPicture, "darktable"},
		{"FUJIFILMCCD-RAW 0201", "a camera RAW picture", otherPicture, "darktable"},
		{animated, "an animated WebP picture", otherPicture, "webpmux"},
		{"%PDF-1.7\n", "a PDF document", noPicture, "pdftoppm"},
		{"<svg xmlns=", "an SVG drawing", otherPicture, "rsvg-convert"},
		{"<?xml version=\"1.0\"?>\n<!-- c -->\n<svg ", "an SVG drawing", otherPicture, "rsvg-convert"},
		{"<?xml version=\"1.0\"?><annotation>", "a text file", noPicture, ""},
		{"<!DOCTYPE html><html>", "a web page", noPicture, ""},
		{"\x1a\x45\xdf\xa3\x01", "a video", film, "ffmpeg"},
		{"RIFF\x00\x00\x00\x00AVI LIST", "a video", film, "ffmpeg"},
		{"RIFF\x00\x00\x00\x00WAVEfmt ", "a sound file", noPicture, ""},
		{"PK\x03\x04\x14\x00", "an archive", noPicture, ""},
		{"\x7fELF\x02\x01", "a program", noPicture, ""},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of older Microsoft programs", noPicture, ""},
		{"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer", noPicture, "git lfs pull"},
		{strings.Repeat("\x00", 128) + "DICM", "a DICOM picture", otherPicture, "dcm2pnm"},
		{"Dear reader", "a text file", noPicture, ""},
		{"BMW is a maker of cars.", "a text file", noPicture, ""},
		{"P2 is the second point.", "a text file", noPicture, ""},
		{"gr\u00fc\u00df dich\n", "a text file", noPicture, ""},
		{strings.Repeat("\u00fc", 2000), "a text file", noPicture, ""},
		{"x" + strings.Repeat("\u00fc", 2000), "a text file", noPicture, ""},
		{"\xff\xfeh\x00i\x00", "a text file", noPicture, ""},
	} {
		_, err := readBytes([]byte(test.data), nil)
		var kind *KindError
		if !errors.As(err, &kind) || !errors.Is(err, ErrFormat) {
			t.Errorf("%.20q: %v, want a KindError", test.data, err)
			continue
		}
		if kind.Kind.String() != test.say || kind.Kind.class != test.class || !strings.HasPrefix(kind.Kind.Convert, test.convert) || test.convert == "" != (kind.Kind.Convert == "") {
			t.Errorf("%.20q: %v, class %d, %q; want %s", test.data, kind.Kind, kind.Kind.class, kind.Kind.Convert, test.say)
		}
		if text := err.Error(); strings.ContainsAny(text, "\x00\n") || !strings.Contains(text, "it is "+test.say+", want JPEG, PNG") {
			t.Errorf("%.20q: %q", test.data, text)
		}
	}
}

// Every ending that is known leads to a kind that is to be mentioned, and to
// one only.
func TestEndings(t *testing.T) {
	for ext, k := range endings {
		if ext != strings.ToLower(ext) || ext[0] != '.' || k.class == noPicture || k.Convert == "" {
			t.Errorf("%s: %+v", ext, k)
		}
	}
	for _, ext := range Extensions() {
		if _, twice := endings[ext]; twice {
			t.Errorf("%s can be read and not", ext)
		}
	}
}

// No first bytes make the test of kinds fail, or name a picture of a Format.
func FuzzKind(f *testing.F) {
	for _, s := range []string{box("heic", "mif1"), "II*\x00\x10\x00\x00\x00CR\x02\x00", "<?xml?><svg", "\xff\xfeh\x00", "RIFF\x00\x00\x00\x00AVI ", strings.Repeat("\u00fc", 600)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		k, known := kindOf(string(data[:min(len(data), sniffed)]))
		if known == (k.Name == "") {
			t.Fatalf("%+v, %v", k, known)
		}
	})
}

// Size says what Open would give, in every orientation, from the header alone.
func TestSize(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, data []byte) string {
		path := filepath.Join(dir, name)
		must.Do(os.WriteFile(path, data, 0o644))
		return path
	}
	for turn := 1; turn <= 8; turn++ {
		path := write("turned.jpg", jpegWithExif(picturetest.JPEG(stored(picked(16, 8), turn), 95), exifBlock(binary.BigEndian, turn)))
		if w, h, err := Size(path, nil); w != 16 || h != 8 || err != nil {
			t.Errorf("orientation %d: %dx%d, %v; want 16x8", turn, w, h, err)
		}
	}
	whole := picturetest.PNG(picked(30, 20))
	if w, h, err := Size(write("cut.png", whole[:60]), nil); w != 30 || h != 20 || err != nil {
		t.Errorf("without its pixels: %dx%d, %v", w, h, err)
	}
	for name, test := range map[string]struct {
		data []byte
		o    *Options
		is   error
	}{
		"short.png": {whole[:20], nil, ErrDamaged},
		"large.png": {whole, &Options{MaxPixels: 599}, ErrTooLarge},
		"text.png":  {[]byte("hello"), nil, ErrFormat},
		"empty.png": {nil, nil, ErrFormat},
	} {
		path := write(name, test.data)
		_, _, err := Size(path, test.o)
		_, openErr := Open(path, test.o)
		if !errors.Is(err, test.is) || openErr == nil || err.Error() != openErr.Error() {
			t.Errorf("%s: %v; Open says %v", name, err, openErr)
		}
	}
	if _, _, err := Size(dir, nil); !errors.Is(err, ErrFormat) {
		t.Errorf("folder: %v", err)
	}
	if _, _, err := Size(filepath.Join(dir, "absent"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent: %v", err)
	}
}

// Files as Netpbm's manual pages define them, and what is in them: the pixels
// in reading order, as 16-bit red, green, blue and alpha, not premultiplied.
func TestPNM(t *testing.T) {
	grey := func(v ...uint16) (c []color.NRGBA64) {
		for _, g := range v {
			c = append(c, color.NRGBA64{g, g, g, 0xFFFF})
		}
		return c
	}
	const half = 0x8080
	for _, test := range []struct {
		name, data    string
		width, height int
		kind          image.Image
		want          []color.NRGBA64
	}{
		{"P1", "P1\n# a comment\n3 2\n0 1 0\n1 0 1\n", 3, 2, &image.Gray{}, grey(0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0)},
		{"P1 without spaces", "P1 3 2 010101", 3, 2, &image.Gray{}, grey(0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0)},
		{"P2", "P2\n3\n1\n255\n0 128 255\n", 3, 1, &image.Gray{}, grey(0, half, 0xFFFF)},
		{"P2 of 15", "P2 2 1 15 15 8", 2, 1, &image.Gray{}, grey(0xFFFF, 0x8888)},
		{"P2 of 1000", "P2 2 1 1000 1000 500", 2, 1, &image.Gray16{}, grey(0xFFFF, 32768)},
		{"P2 with comments everywhere", "P2#one\n#two\n2#three\n 1 # four 9\n255\n#five\n7#six\n9", 2, 1, &image.Gray{}, grey(0x0707, 0x0909)},
		{"P3", "P3 1 2 255 255 0 0\n0 128 255", 1, 2, &image.RGBA{}, []color.NRGBA64{{0xFFFF, 0, 0, 0xFFFF}, {0, half, 0xFFFF, 0xFFFF}}},
		{"P3 of 65535", "P3 1 1 65535 65535 1 256", 1, 1, &image.RGBA64{}, []color.NRGBA64{{0xFFFF, 1, 256, 0xFFFF}}},
		{"P4, rows end with bytes", "P4\n10 2\n\xAA\x80\x55\x40", 10, 2, &image.Gray{},
			grey(0, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0, 0xFFFF, 0)},
		{"P5", "P5 3 1 255\n\x00\x80\xFF", 3, 1, &image.Gray{}, grey(0, half, 0xFFFF)},
		{"P5, pixels like spaces and comments", "P5 3 1 255\n\n# ", 3, 1, &image.Gray{}, grey(0x0A0A, 0x2323, 0x2020)},
		{"P5, a comment behind the header's last number", "P5 2 1 255#c\nAB", 2, 1, &image.Gray{}, grey(0x4141, 0x4242)},
		{"P5 of 1", "P5 2 1 1\n\x00\x01", 2, 1, &image.Gray{}, grey(0, 0xFFFF)},
		{"P5 of 65535", "P5 2 1 65535\n\x12\x34\xFF\xFE", 2, 1, &image.Gray16{}, grey(0x1234, 0xFFFE)},
		{"P5 of 4095", "P5 2 1 4095\n\x0F\xFF\x08\x00", 2, 1, &image.Gray16{}, grey(0xFFFF, 32776)},
		{"P6", "P6\n# GIMP\n1 2\n255\n\xFF\x00\x00\x00\x80\xFF", 1, 2, &image.RGBA{}, []color.NRGBA64{{0xFFFF, 0, 0, 0xFFFF}, {0, half, 0xFFFF, 0xFFFF}}},
		{"P6 of 65535", "P6 1 1 65535\n\x00\x01\x02\x03\x04\x05", 1, 1, &image.RGBA64{}, []color.NRGBA64{{1, 0x0203, 0x0405, 0xFFFF}}},
		{"two P5 in one", "P5 1 1 255\n\x01P5 1 1 255\n\x02", 1, 1, &image.Gray{}, grey(0x0101)},
		{"P7 bitmap", "P7\nWIDTH 2\nHEIGHT 1\nDEPTH 1\nMAXVAL 1\nTUPLTYPE BLACKANDWHITE\nENDHDR\n\x00\x01", 2, 1, &image.Gray{}, grey(0, 0xFFFF)},
		{"P7 grey, alpha", "P7\n# c\nHEIGHT 1\nWIDTH 1\n\nDEPTH 2\nMAXVAL 255\nTUPLTYPE GRAYSCALE_ALPHA\nENDHDR\n\xFF\x40", 1, 1, &image.NRGBA{}, []color.NRGBA64{{0xFFFF, 0xFFFF, 0xFFFF, 0x4040}}},
		{"P7 colour", "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 3\nMAXVAL 255\nENDHDR\n\x01\x02\x03", 1, 1, &image.RGBA{}, []color.NRGBA64{{0x0101, 0x0202, 0x0303, 0xFFFF}}},
		{"P7 all, deep", "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 4\nMAXVAL 65535\nENDHDR\n\x00\x01\x00\x02\x00\x03\xFF\xFF", 1, 1, &image.NRGBA64{}, []color.NRGBA64{{1, 2, 3, 0xFFFF}}},
	} {
		p, err := readBytes([]byte(test.data), nil)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if b := p.Image.Bounds(); p.Format != PNM || b != image.Rect(0, 0, test.width, test.height) || fmt.Sprintf("%T", p.Image) != fmt.Sprintf("%T", test.kind) {
			t.Errorf("%s: %s, %T of %v", test.name, p.Format, p.Image, b)
			continue
		}
		for i, want := range test.want {
			got := color.NRGBA64Model.Convert(p.Image.At(i%test.width, i/test.width)).(color.NRGBA64)
			if got != want {
				t.Errorf("%s: pixel %d is %v, want %v", test.name, i, got, want)
			}
		}
		// A file that ends too early, or a zero for a size, is no picture.
		if strings.Contains(test.name, "two") {
			continue
		}
		for n := range len(test.data) {
			if p, err := readBytes([]byte(test.data[:n]), nil); err == nil && !bytes.ContainsAny([]byte(test.data[n-1:n]), "0123456789 \n") {
				t.Errorf("%s, %d bytes of %d: read as %v", test.name, n, len(test.data), p.Image.Bounds())
			} else if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrFormat) {
				t.Errorf("%s, %d bytes: an error without a kind: %v", test.name, n, err)
			}
		}
	}
}

func TestPNMErrors(t *testing.T) {
	for _, test := range []struct {
		name, data string
		kind       error
		say        string
	}{
		{"nothing wide", "P5 0 4 255\n", ErrDamaged, "0x4"},
		{"maximal value of 0", "P5 1 1 0\n\x00", ErrDamaged, "the maximal value is 0, want 1 to 65535"},
		{"maximal value too large", "P5 1 1 65536\n\x00\x00", ErrDamaged, "the maximal value is above 65535"},
		{"sample above it", "P5 2 1 100\n\x64\x65", ErrDamaged, "row 0: a sample is 101, above the maximal value of 100"},
		{"plain sample above it", "P2 2 1 100 100 101", ErrDamaged, "a sample is 101"},
		{"no number", "P2 2 1 255 1 x", ErrDamaged, `row 0: a sample has the character 'x', want digits`},
		{"negative", "P5 -1 1 255\n", ErrFormat, "it is a text file"},
		{"no bit", "P1 2 1 0 2", ErrDamaged, `the character '2', want 0 or 1`},
		{"too short", "P5 2 2 255\nabc", ErrDamaged, "the file ends too early"},
		{"cut off", "P6 20 20 255\n" + strings.Repeat("x", 1190), ErrDamaged, "the file ends too early"},
		{"large", "P5 100000 100000 255\n", ErrTooLarge, "10000.0 megapixels"},
		{"a lie", "P5 9000 9000 255\nabc", ErrDamaged, "needs at least 81000000 bytes"},
		{"a plain lie", "P2 9000 9000 255\n1 2 3", ErrDamaged, "needs at least 161999999 bytes"},
		{"sizes beyond counting", "P5 99999999999999999999 1 255\n", ErrDamaged, "the width is above"},
		{"an endless comment", "P5 #" + strings.Repeat("x", 1<<17) + "\n1 1 255\na", ErrDamaged, "a header of more than 65536 bytes"},
		{"unknown word", "P7\nWIDTH 1\nLENGTH 2\n", ErrDamaged, `"LENGTH"`},
		{"five samples", "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 5\nMAXVAL 255\nENDHDR\n12345", ErrDamaged, "5 samples a pixel, want 1 to 4"},
		{"no depth", "P7\nWIDTH 1\nHEIGHT 1\nMAXVAL 255\nENDHDR\n1", ErrDamaged, "0 samples"},
	} {
		p, err := readBytes([]byte(test.data), nil)
		if err == nil || !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.say) {
			t.Errorf("%s: %v, %v; want an error with %q", test.name, p, err, test.say)
		}
	}
}

// Whatever the header says, the samples read are those of a slow reading of
// the manual page.
func FuzzPNM(f *testing.F) {
	for _, s := range []string{"P1 3 2 010101", "P2 2 1 1000 1000 500", "P3 1 1 255 1 2 3", "P4\n10 2\n\xAA\x80\x55\x40", "P5 3 1 255\n\n# ",
		"P5 2 1 65535\n\x12\x34\xFF\xFE", "P6#c\n1 2\n7\n\x07\x00\x00\x00\x05\x06", "P7\nWIDTH 1\nHEIGHT 1\nDEPTH 2\nMAXVAL 255\nENDHDR\n\x80\x40"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) < 2 || data[0] != 'P' {
			return
		}
		p, err := readBytes(data, &Options{MaxPixels: 1 << 16})
		if err != nil {
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrFormat) && !errors.Is(err, ErrTooLarge) {
				t.Fatalf("an error without a kind: %v", err)
			}
			return
		}
		b := p.Image.Bounds()
		if p.Format != PNM || b.Empty() || b.Dx()*b.Dy() > 1<<16 {
			t.Fatalf("%s %v", p.Format, b)
		}
		if g, ok := p.Image.(*image.Gray); ok && data[1] == '5' && bytes.HasPrefix(data[2:], fmt.Appendf(nil, "\n%d %d\n255\n", b.Dx(), b.Dy())) {
			raw := data[len(fmt.Sprintf("P5\n%d %d\n255\n", b.Dx(), b.Dy())):]
			if !bytes.Equal(g.Pix, raw[:len(g.Pix)]) {
				t.Fatal("the pixels are not those of the file")
			}
		}
	})
}
