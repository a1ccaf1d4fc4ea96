package picture

import (
	"encoding/binary"
	"errors"
	"image/color"
	"strings"
	"testing"
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
		class     Class
		convert   string
	}{
		{"", "an empty file", NoPicture, ""},
		{"\x00\x00\x00\x00\x00", "a file of zero bytes", NoPicture, ""},
		{box("heic", "mif1", "heic"), "a HEIC picture", OtherPicture, "heif-convert"},
		{box("heix"), "a HEIC picture", OtherPicture, "heif-convert"},
		{box("mif1", "heic"), "a HEIC picture", OtherPicture, "heif-convert"},
		{box("mif1", "miaf", "avif"), "an AVIF picture", OtherPicture, "avifdec"},
		{box("avif", "mif1"), "an AVIF picture", OtherPicture, "avifdec"},
		{box("crx ", "isom"), "a camera RAW picture", OtherPicture, "darktable"},
		{box("isom", "avc1"), "a video", Video, "ffmpeg"},
		{box("qt  "), "a video", Video, "ffmpeg"},
		{box("M4A "), "a sound file", NoPicture, ""},
		{"\x00\x00\x00\x0cJXL \r\n\x87\n", "a JPEG XL picture", OtherPicture, "djxl"},
		{"\xff\x0a\x7a\x01", "a JPEG XL picture", OtherPicture, "djxl"},
		{"\x00\x00\x00\x0cjP  \r\n\x87\n", "a JPEG 2000 picture", OtherPicture, "opj_decompress"},
		{"8BPS\x00\x01", "a Photoshop picture", OtherPicture, "magick"},
		{"II*\x00\x10\x00\x00\x00CR\x02\x00", "a camera RAW picture", OtherPicture, "darktable"},
		{tiffWith(tag{tagNewSubfileType, 4, []uint32{1}}, long(256, 160), tag{tagSubIFDs, 4, []uint32{900}}), "a camera RAW picture", OtherPicture, "darktable"},
		{tiffWith(tag{tagNewSubfileType, 4, []uint32{0}}, long(256, 160), long(tagDNGVersion, 0x0401)), "a camera RAW picture", OtherPicture, "darktable"},
		{"FUJIFILMCCD-RAW 0201", "a camera RAW picture", OtherPicture, "darktable"},
		{animated, "an animated WebP picture", OtherPicture, "webpmux"},
		{"%PDF-1.7\n", "a PDF document", NoPicture, "pdftoppm"},
		{"<svg xmlns=", "an SVG drawing", OtherPicture, "rsvg-convert"},
		{"<?xml version=\"1.0\"?>\n<!-- c -->\n<svg ", "an SVG drawing", OtherPicture, "rsvg-convert"},
		{"<?xml version=\"1.0\"?><annotation>", "a text file", NoPicture, ""},
		{"<!DOCTYPE html><html>", "a web page", NoPicture, ""},
		{"\x1a\x45\xdf\xa3\x01", "a video", Video, "ffmpeg"},
		{"RIFF\x00\x00\x00\x00AVI LIST", "a video", Video, "ffmpeg"},
		{"RIFF\x00\x00\x00\x00WAVEfmt ", "a sound file", NoPicture, ""},
		{"PK\x03\x04\x14\x00", "an archive", NoPicture, ""},
		{"\x7fELF\x02\x01", "a program", NoPicture, ""},
		{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "a document of older Microsoft programs", NoPicture, ""},
		{"version https://git-lfs.github.com/spec/v1\n", "a Git LFS pointer", NoPicture, "git lfs pull"},
		{strings.Repeat("\x00", 128) + "DICM", "a DICOM picture", OtherPicture, "dcm2pnm"},
		{"Dear reader", "a text file", NoPicture, ""},
		{"BMW is a maker of cars.", "a text file", NoPicture, ""},
		{"P2 is the second point.", "a text file", NoPicture, ""},
		{"gr\u00fc\u00df dich\n", "a text file", NoPicture, ""},
		{strings.Repeat("\u00fc", 2000), "a text file", NoPicture, ""},
		{"x" + strings.Repeat("\u00fc", 2000), "a text file", NoPicture, ""},
		{"\xff\xfeh\x00i\x00", "a text file", NoPicture, ""},
	} {
		_, err := readBytes([]byte(test.data), nil)
		var kind *KindError
		if !errors.As(err, &kind) || !errors.Is(err, ErrFormat) {
			t.Errorf("%.20q: %v, want a KindError", test.data, err)
			continue
		}
		if kind.Kind.String() != test.say || kind.Kind.Class != test.class || !strings.HasPrefix(kind.Kind.Convert, test.convert) || test.convert == "" != (kind.Kind.Convert == "") {
			t.Errorf("%.20q: %v, class %d, %q; want %s", test.data, kind.Kind, kind.Kind.Class, kind.Kind.Convert, test.say)
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
		if ext != strings.ToLower(ext) || ext[0] != '.' || k.Class == NoPicture || k.Convert == "" {
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
