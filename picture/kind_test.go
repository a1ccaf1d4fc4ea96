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
