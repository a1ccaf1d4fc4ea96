package picture

import (
	"encoding/binary"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// A class is what a file that is no picture of a [Format] can show.
type class uint8

const (
	noPicture    class = iota // nothing to see, as far as is known here
	otherPicture              // a picture, or a drawing, that cannot be read here
	film
	noFile // a folder, pipe or device
)

// A Kind is what a file is that is not of a [Format] that can be read.
type Kind struct {
	Name string // "HEIC picture"

	class class

	// Convert is a command that makes a picture of it that can be read, of a
	// program that many have. Empty where there is none.
	Convert string
}

// Video reports whether it is a video.
func (k Kind) Video() bool { return k.class == film }

// String puts an article in front of the name.
func (k Kind) String() string {
	for _, sound := range []string{"A", "E", "I", "O", "a", "e", "i", "o", "SVG", "X", "MNG"} {
		if strings.HasPrefix(k.Name, sound) {
			return "an " + k.Name
		}
	}
	return "a " + k.Name
}

// A KindError says what a file is that cannot be read. It wraps [ErrFormat].
type KindError struct{ Kind Kind }

func (e *KindError) Error() string {
	text := fmt.Sprintf("%v: it is %v", ErrFormat, e.Kind)
	if e.Kind.class == noFile {
		return text + ", want a file"
	}
	text += ", want " + wanted
	if e.Kind.Convert != "" {
		text += "; to convert it: " + e.Kind.Convert
	}
	return text
}

func (e *KindError) Unwrap() error { return ErrFormat }

// The kinds that more than one rule leads to.
var (
	heic      = Kind{"HEIC picture", otherPicture, "heif-convert IN.heic OUT.jpg"}
	avif      = Kind{"AVIF picture", otherPicture, "avifdec IN.avif OUT.png"}
	jpegXL    = Kind{"JPEG XL picture", otherPicture, "djxl IN.jxl OUT.png"}
	jpeg2000  = Kind{"JPEG 2000 picture", otherPicture, "opj_decompress -i IN.jp2 -o OUT.png"}
	raw       = Kind{"camera RAW picture", otherPicture, "darktable-cli IN OUT.jpg"}
	photoshop = magick("Photoshop picture")
	svg       = Kind{"SVG drawing", otherPicture, "rsvg-convert IN.svg -o OUT.png"}
	postScr   = Kind{"PostScript drawing", otherPicture, "gs -sDEVICE=png16m -r150 -o OUT.png IN.eps"}
	video     = Kind{"video", film, "ffmpeg -i IN frame%04d.png"}
	sound     = Kind{"sound file", noPicture, ""}
	archive   = Kind{"archive", noPicture, ""}
	program   = Kind{"program", noPicture, ""}
	text      = Kind{"text file", noPicture, ""}
	webPage   = Kind{"web page", noPicture, ""}
	animated  = Kind{"animated WebP picture", otherPicture, "webpmux -get frame 1 IN.webp -o OUT.webp"}
)

// magick is a picture that ImageMagick converts.
func magick(name string) Kind { return Kind{name, otherPicture, "magick IN OUT.png"} }

// signatures are the first bytes of files, told apart from the top.
var signatures = []struct {
	at   int
	head string
	kind Kind
}{
	{0, "\x00\x00\x00\x0cJXL \r\n\x87\n", jpegXL},
	{0, "\xff\x0a", jpegXL},
	{0, "\x00\x00\x00\x0cjP  \r\n\x87\n", jpeg2000},
	{0, "\xff\x4f\xff\x51", jpeg2000},
	{0, "8BPS", photoshop},
	{0, "FUJIFILMCCD-RAW", raw},                          // RAF
	{0, "IIRO", raw}, {0, "IIRS", raw}, {0, "MMOR", raw}, // ORF
	{0, "IIU\x00", raw}, // RW2
	{0, "\x00MRM", raw}, // MRW
	{0, "FOVb", raw},    // X3F
	{6, "HEAPCCDR", raw},
	{0, "II\xbc\x01", magick("JPEG XR picture")},
	{0, "II+\x00", magick("BigTIFF picture")}, {0, "MM\x00+", magick("BigTIFF picture")},
	{0, "gimp xcf", magick("GIMP picture")},
	{0, "\x76\x2f\x31\x01", magick("OpenEXR picture")},
	{0, "#?RADIANCE", magick("Radiance HDR picture")}, {0, "#?RGBE", magick("Radiance HDR picture")},
	{0, "DDS ", magick("DDS picture")},
	{0, "qoif", magick("QOI picture")},
	{0, "BPG\xfb", magick("BPG picture")},
	{0, "FLIF", magick("FLIF picture")},
	{0, "\x8aMNG\r\n\x1a\n", magick("MNG picture")}, {0, "\x8bJNG\r\n\x1a\n", magick("JNG picture")},
	{0, "\x59\xa6\x6a\x95", magick("Sun raster picture")},
	{0, "\x00\x00\x01\x00", magick("Windows icon")}, {0, "\x00\x00\x02\x00", magick("Windows cursor")},
	{0, "icns", magick("Apple icon")},
	{0, "PF\n", magick("PFM picture")}, {0, "Pf\n", magick("PFM picture")},
	{0, "farbfeld", magick("farbfeld picture")},
	{0, "/* XPM */", magick("XPM picture")},
	{0, "SIMPLE  =", magick("FITS picture")},
	{128, "DICM", Kind{"DICOM picture", otherPicture, "dcm2pnm +on IN.dcm OUT.png"}},
	{0, "AT&TFORM", Kind{"DjVu document", otherPicture, "ddjvu -format=tiff IN.djvu OUT.tif"}},
	{0, "\xd7\xcd\xc6\x9a", magick("Windows metafile")},
	{0, "%!PS", postScr}, {0, "\xc5\xd0\xd3\xc6", postScr},
	{0, "%PDF", Kind{"PDF document", noPicture, "pdftoppm -png IN.pdf OUT"}},

	{0, "\x1a\x45\xdf\xa3", video}, // Matroska, WebM
	{0, "FLV\x01", video},
	{0, "\x00\x00\x01\xba", video}, {0, "\x00\x00\x01\xb3", video}, // MPEG
	{0, "\x30\x26\xb2\x75\x8e\x66\xcf\x11", video}, // ASF
	{4, "moov", video}, {4, "mdat", video}, {4, "wide", video},
	{0, "OggS", Kind{"Ogg file", noPicture, ""}},
	{0, "ID3", sound}, {0, "fLaC", sound}, {0, "MThd", sound},

	{0, "PK\x03\x04", archive}, {0, "PK\x05\x06", archive}, {0, "\x1f\x8b", archive}, {0, "7z\xbc\xaf\x27\x1c", archive},
	{0, "Rar!\x1a\x07", archive}, {0, "BZh", archive}, {0, "\xfd7zXZ\x00", archive}, {0, "\x28\xb5\x2f\xfd", archive}, {257, "ustar", archive},
	{0, "\x7fELF", program}, {0, "MZ\x90\x00", program}, {0, "\xcf\xfa\xed\xfe", program}, {0, "#!", program},
	{0, "SQLite format 3\x00", Kind{"SQLite database", noPicture, ""}},
	{0, "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", Kind{"document of older Microsoft programs", noPicture, ""}}, // Thumbs.db
	{0, "\x00\x05\x16\x07", Kind{"note of macOS about another file", noPicture, ""}},                     // AppleDouble
	{0, "version https://git-lfs.", Kind{"Git LFS pointer", noPicture, "git lfs pull"}},
}

// kindOf says what a file is that begins so and is of no Format.
func kindOf(head string) (Kind, bool) {
	if head == "" {
		return Kind{"empty file", noPicture, ""}, true
	}
	if k, ok := boxed(head); ok {
		return k, true
	}
	if len(head) >= 12 && head[:4] == "RIFF" {
		switch head[8:12] {
		case "AVI ":
			return video, true
		case "WAVE":
			return sound, true
		}
	}
	for _, s := range signatures {
		if len(head) >= s.at && strings.HasPrefix(head[s.at:], s.head) {
			return s.kind, true
		}
	}
	if strings.Trim(head, "\x00") == "" {
		return Kind{"file of zero bytes", noPicture, ""}, true
	}
	return written(head)
}

// boxed tells files of ISO 14496-12 apart by the brands in their first box.
func boxed(head string) (Kind, bool) {
	if len(head) < 12 || head[4:8] != "ftyp" {
		return Kind{}, false
	}
	box := head[:min(len(head), max(12, int(binary.BigEndian.Uint32([]byte(head[:4])))))]
	brands := []string{box[8:12]}
	for at := 16; at+4 <= len(box); at += 4 {
		brands = append(brands, box[at:at+4])
	}
	has := func(names ...string) bool {
		return slices.ContainsFunc(brands, func(b string) bool { return slices.Contains(names, b) })
	}
	first := brands[0]
	switch {
	case first == "crx ": // CR3
		return raw, true
	case first == "avif" || first == "avis":
		return avif, true
	case first == "heic" || first == "heix" || first == "heim" || first == "heis" || first == "hevc" || first == "hevx":
		return heic, true
	case first == "mif1" || first == "msf1" || first == "miaf":
		if has("avif", "avis") {
			return avif, true
		}
		return heic, true
	case first == "jxl ":
		return jpegXL, true
	case first == "jp2 " || first == "jpx ":
		return jpeg2000, true
	case first == "M4A " || first == "M4B ":
		return sound, true
	}
	return video, true
}

// written tells kinds of text apart.
func written(head string) (Kind, bool) {
	if strings.HasPrefix(head, "\xff\xfe") || strings.HasPrefix(head, "\xfe\xff") {
		return text, true // UTF-16
	}
	head = strings.TrimPrefix(head, "\ufeff")
	for range utf8.UTFMax - 1 { // the last character may be cut
		if r, n := utf8.DecodeLastRuneInString(head); r == utf8.RuneError && n == 1 && len(head) > sniffed/2 {
			head = head[:len(head)-1]
		}
	}
	if !utf8.ValidString(head) || strings.ContainsFunc(head, func(r rune) bool {
		return r < ' ' && r != '\n' && r != '\r' && r != '\t' && r != '\f' && r != '\x1b'
	}) {
		return Kind{}, false
	}
	low := strings.ToLower(strings.TrimSpace(head))
	switch {
	case strings.HasPrefix(low, "<svg"), strings.HasPrefix(low, "<?xml") && strings.Contains(low, "<svg"), strings.HasPrefix(low, "<!doctype svg"):
		return svg, true
	case strings.HasPrefix(low, "<!doctype html"), strings.HasPrefix(low, "<html"):
		return webPage, true
	}
	return text, true
}

// Tags by which the RAW files of cameras differ from the pictures that they
// seem to be: their first picture is a small copy, or they say that they are
// DNG.
const (
	tagNewSubfileType = 254
	tagSubIFDs        = 330
	tagDNGVersion     = 50706
)

// within finds other kinds in the dress of a format.
func within(format Format, r io.ReaderAt, head string) (Kind, bool) {
	switch format {
	case WebP:
		const hasAnimation = 1 << 1
		if len(head) > 20 && head[12:16] == "VP8X" && head[20]&hasAnimation != 0 {
			return animated, true
		}
	case TIFF:
		if len(head) > 10 && head[8:10] == "CR" { // CR2
			return raw, true
		}
		d, err := readDirectory(r)
		if err != nil {
			return Kind{}, false // the decoder will say it
		}
		reduced, _ := d.value(tagNewSubfileType, 0)
		if d.has(tagDNGVersion) || reduced&1 == 1 && d.has(tagSubIFDs) {
			return raw, true
		}
	}
	return Kind{}, false
}

// endings are those of pictures that cannot be read. Many of the formats say
// what they are in their first bytes, too; but not all, and not if damaged.
var endings = map[string]Kind{
	".heic": heic, ".heif": heic, ".hif": heic, ".avif": avif, ".avifs": avif, ".jxl": jpegXL,
	".jp2": jpeg2000, ".j2k": jpeg2000, ".jpf": jpeg2000, ".jpx": jpeg2000, ".j2c": jpeg2000,
	".psd": photoshop, ".psb": photoshop, ".xcf": magick("GIMP picture"), ".svg": svg, ".svgz": svg, ".eps": postScr,
	".cr2": raw, ".cr3": raw, ".crw": raw, ".nef": raw, ".nrw": raw, ".arw": raw, ".srf": raw, ".sr2": raw, ".dng": raw, ".raf": raw,
	".orf": raw, ".rw2": raw, ".pef": raw, ".srw": raw, ".x3f": raw, ".mrw": raw, ".3fr": raw, ".iiq": raw, ".erf": raw, ".kdc": raw,
	".tga": magick("Targa picture"), ".pcx": magick("PCX picture"), ".ico": magick("Windows icon"), ".exr": magick("OpenEXR picture"),
	".hdr": magick("Radiance HDR picture"), ".jxr": magick("JPEG XR picture"), ".wdp": magick("JPEG XR picture"),
	".pfm": magick("PFM picture"), ".qoi": magick("QOI picture"), ".dds": magick("DDS picture"), ".xpm": magick("XPM picture"),
	".ras": magick("Sun raster picture"), ".sgi": magick("SGI picture"), ".dcm": {"DICOM picture", otherPicture, "dcm2pnm +on IN.dcm OUT.png"},

	".mp4": video, ".m4v": video, ".mov": video, ".avi": video, ".mkv": video, ".webm": video, ".mpg": video, ".mpeg": video, ".wmv": video, ".3gp": video, ".flv": video,
}

// ending is a file name's, as the tables have it.
func ending(path string) string { return strings.ToLower(filepath.Ext(path)) }
