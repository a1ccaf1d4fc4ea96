package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"image/gif"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"haarlem/internal/must"
	"haarlem/internal/orient"
	"haarlem/internal/picturetest"
)

func readBytes(data []byte, o *Options) (*Picture, error) {
	return Read(bytes.NewReader(data), "test.file", o)
}

// filled is a picture of one colour in the given form.
func filled(m draw.Image, c color.Color) image.Image {
	draw.Draw(m, m.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
	return m
}

func TestEveryFormatAndColourModel(t *testing.T) {
	r := image.Rect(0, 0, 19, 13)
	grey := color.Gray{0x60}
	orange := color.NRGBA{0xE0, 0x80, 0x20, 0xFF}
	var gifFile, bmpFile bytes.Buffer
	must.Do(gif.Encode(&gifFile, filled(image.NewPaletted(r, palette.WebSafe), color.RGBA{0xCC, 0x66, 0, 0xFF}), nil))
	must.Do(bmp.Encode(&bmpFile, filled(image.NewRGBA(r), orange)))
	for _, test := range []struct {
		name   string
		data   []byte
		format Format
		kind   image.Image
		want   color.Color
		near   int // of 255
	}{
		{"JPEG grey", picturetest.JPEG(filled(image.NewGray(r), grey), 95), JPEG, &image.Gray{}, grey, 1},
		{"JPEG colour", picturetest.JPEG(filled(image.NewRGBA(r), orange), 95), JPEG, &image.YCbCr{}, orange, 3},
		{"JPEG CMYK", picturetest.CMYK(8, "00"), JPEG, &image.CMYK{}, color.CMYK{0x80, 0x80, 0x80, 0x80}, 1},
		{"PNG grey", picturetest.PNG(filled(image.NewGray(r), grey)), PNG, &image.Gray{}, grey, 0},
		{"PNG grey 16", picturetest.PNG(filled(image.NewGray16(r), color.Gray16{0x6123})), PNG, &image.Gray16{}, color.Gray16{0x6123}, 0},
		{"PNG colour", picturetest.PNG(filled(image.NewNRGBA(r), orange)), PNG, &image.RGBA{}, orange, 0},
		{"PNG colour 16", picturetest.PNG(filled(image.NewNRGBA64(r), color.NRGBA64{1000, 30000, 60000, 40000})), PNG, &image.NRGBA64{}, color.NRGBA64{1000, 30000, 60000, 40000}, 0},
		{"PNG palette", picturetest.PNG(filled(image.NewPaletted(r, palette.WebSafe), color.RGBA{0xCC, 0x66, 0, 0xFF})), PNG, &image.Paletted{}, color.RGBA{0xCC, 0x66, 0, 0xFF}, 0},
		{"GIF", gifFile.Bytes(), GIF, &image.Paletted{}, color.RGBA{0xCC, 0x66, 0, 0xFF}, 0},
		{"BMP", bmpFile.Bytes(), BMP, &image.RGBA{}, orange, 0},
		{"TIFF", encodeTIFF(filled(image.NewRGBA(r), orange), nil), TIFF, &image.RGBA{}, orange, 0},
		{"TIFF deflate 16", encodeTIFF(filled(image.NewGray16(r), color.Gray16{0x6123}), &tiff.Options{Compression: tiff.Deflate, Predictor: true}), TIFF, &image.Gray16{}, color.Gray16{0x6123}, 0},
		{"WebP lossless", webpFile(19, 13, orange, nil), WebP, &image.NRGBA{}, orange, 0},
	} {
		p, err := readBytes(test.data, nil)
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		if p.Format != test.format || p.Orientation != 1 {
			t.Errorf("%s: format %s, orientation %d", test.name, p.Format, p.Orientation)
		}
		if got, want := fmt.Sprintf("%T", p.Image), fmt.Sprintf("%T", test.kind); got != want {
			t.Errorf("%s: image is a %s, want a %s", test.name, got, want)
		}
		if b := p.Image.Bounds(); test.name != "JPEG CMYK" && b != r {
			t.Errorf("%s: bounds %v, want %v", test.name, b, r)
		}
		if got := p.Image.At(5, 6); distance(got, test.want) > test.near {
			t.Errorf("%s: colour %v, want %v", test.name, got, test.want)
		}
	}
}

// distance is the largest difference of two colours in a channel, of 255.
func distance(a, b color.Color) int {
	r0, g0, b0, a0 := a.RGBA()
	r1, g1, b1, a1 := b.RGBA()
	d := 0
	for _, v := range [][2]uint32{{r0, r1}, {g0, g1}, {b0, b1}, {a0, a1}} {
		d = max(d, int(v[0]>>8)-int(v[1]>>8), int(v[1]>>8)-int(v[0]>>8))
	}
	return d
}

// The lossy WebP was written by libwebp; see testdata/README.md.
func TestLossyWebP(t *testing.T) {
	p := must.Get(Open(filepath.Join("testdata", "ramp.webp"), nil))
	if _, ok := p.Image.(*image.YCbCr); !ok || p.Format != WebP || p.Image.Bounds() != image.Rect(0, 0, 40, 24) {
		t.Fatalf("%s %T %v, want a WebP, YCbCr, 40x24", p.Format, p.Image, p.Image.Bounds())
	}
	for _, x := range []int{2, 20, 37} {
		got, _, _, _ := p.Image.At(x, 12).RGBA()
		if want := 10 + 230*x/39; math.Abs(float64(got>>8)-float64(want)) > 5 {
			t.Errorf("level %d at %d, want about %d: the range is that of video", got>>8, x, want)
		}
	}
}

func TestOrientations(t *testing.T) {
	want := picked(11, 7)
	for o := 1; o <= 8; o++ {
		for _, order := range []binary.ByteOrder{binary.LittleEndian, binary.BigEndian} {
			m := stored(want, o)
			w, h := m.Rect.Dx(), m.Rect.Dy()
			tags := []tag{long(256, uint32(w)), long(257, uint32(h)), short(258, 8), short(259, 1), short(262, 1),
				long(273, 0), short(tagOrientation, uint32(o)), short(277, 1), long(278, uint32(h)), long(279, uint32(w*h))}
			for name, data := range map[string][]byte{
				"PNG":  pngWithExif(picturetest.PNG(m), exifBlock(order, o)),
				"TIFF": tiffFile(order, tags, 273, m.Pix),
			} {
				p, err := readBytes(data, nil)
				if err != nil {
					t.Fatalf("%s, orientation %d: %v", name, o, err)
				}
				got, ok := p.Image.(*image.Gray)
				if !ok || p.Orientation != o || got.Rect != want.Rect || !bytes.Equal(got.Pix, want.Pix) {
					t.Errorf("%s, orientation %d, %v: not upright", name, o, order)
				}
			}
			for _, mark := range []string{"", exifMark} {
				p, err := readBytes(webpFile(w, h, color.NRGBA{1, 2, 3, 255}, append([]byte(mark), exifBlock(order, o)...)), nil)
				if err != nil || p.Orientation != o || p.Image.Bounds() != want.Rect {
					t.Errorf("WebP, orientation %d, %v, mark %q: %v, %v", o, order, mark, p, err)
				}
			}
		}
	}
}

// A turned colour JPEG keeps its Y plane to the bit, and its colours.
func TestOrientationOfColourJPEG(t *testing.T) {
	src := image.NewYCbCr(image.Rect(0, 0, 37, 22), image.YCbCrSubsampleRatio420) // odd width
	for i := range src.Y {
		src.Y[i] = uint8(i * 7)
	}
	for i := range src.Cb {
		src.Cb[i], src.Cr[i] = uint8(60+i), uint8(200-i)
	}
	data := picturetest.JPEG(src, 95)
	plain := must.Get(readBytes(data, nil))
	flat := plain.Image.(*image.YCbCr)
	if flat.SubsampleRatio != image.YCbCrSubsampleRatio420 {
		t.Errorf("an upright JPEG was converted to %v", flat.SubsampleRatio)
	}
	for o := 2; o <= 8; o++ {
		p := must.Get(readBytes(jpegWithExif(data, exifBlock(binary.BigEndian, o)), nil))
		m := p.Image.(*image.YCbCr)
		tu := orient.Of(o, 37, 22)
		for y := range tu.Height {
			for x := range tu.Width {
				sx, sy := tu.From(x, y)
				if m.YCbCrAt(x, y) != flat.YCbCrAt(sx, sy) {
					t.Fatalf("orientation %d: colour at %d,%d differs", o, x, y)
				}
			}
		}
	}
}

// Every image type that a decoder may return turns like the grey one.
func TestUprightTypes(t *testing.T) {
	r := image.Rect(0, 0, 5, 3)
	types := []draw.Image{image.NewGray(r), image.NewGray16(r), image.NewRGBA(r), image.NewNRGBA(r), image.NewRGBA64(r),
		image.NewNRGBA64(r), image.NewCMYK(r), image.NewPaletted(r, palette.Plan9), image.NewAlpha(r)}
	for _, m := range types {
		for y := range 3 {
			for x := range 5 {
				m.Set(x, y, color.NRGBA{uint8(40 * x), uint8(90 * y), uint8(10 * x * y), 255})
			}
		}
		for o := 1; o <= 8; o++ {
			up := upright(m, o)
			tu := orient.Of(o, 5, 3)
			if up.Bounds() != image.Rect(0, 0, tu.Width, tu.Height) {
				t.Fatalf("%T, orientation %d: bounds %v", m, o, up.Bounds())
			}
			for y := range tu.Height {
				for x := range tu.Width {
					want := m.At(tu.From(x, y))
					if distance(up.At(x, y), want) != 0 {
						t.Fatalf("%T, orientation %d, pixel %d,%d: %v, want %v", m, o, x, y, up.At(x, y), want)
					}
				}
			}
		}
	}
	withAlpha := image.NewNYCbCrA(r, image.YCbCrSubsampleRatio420)
	for i := range withAlpha.A {
		withAlpha.A[i], withAlpha.Y[i] = uint8(i*16), uint8(i*9)
	}
	if up := upright(withAlpha, 3).(*image.NYCbCrA); up.NYCbCrAAt(0, 0).A != withAlpha.NYCbCrAAt(4, 2).A || up.NYCbCrAAt(0, 0).Y != withAlpha.NYCbCrAAt(4, 2).Y {
		t.Error("a picture with alpha did not turn")
	}
}

// A GIF's first frame may be a part of the picture, somewhere in it.
func TestFirstGIFFrameLiesInThePicture(t *testing.T) {
	red, blue := color.RGBA{255, 0, 0, 255}, color.RGBA{0, 0, 255, 255}
	colours := color.Palette{color.Black, red, blue}
	first := filled(image.NewPaletted(image.Rect(3, 2, 8, 6), colours), red).(*image.Paletted)
	second := filled(image.NewPaletted(image.Rect(0, 0, 12, 9), colours), blue).(*image.Paletted)
	var b bytes.Buffer
	must.Do(gif.EncodeAll(&b, &gif.GIF{Image: []*image.Paletted{first, second}, Delay: []int{1, 1},
		Config: image.Config{Width: 12, Height: 9, ColorModel: colours}}))
	p := must.Get(readBytes(b.Bytes(), nil))
	if p.Image.Bounds() != image.Rect(0, 0, 12, 9) {
		t.Fatalf("bounds %v, want all of the picture", p.Image.Bounds())
	}
	if distance(p.Image.At(3, 2), red) != 0 || distance(p.Image.At(7, 5), red) != 0 {
		t.Error("the first frame is not where it belongs")
	}
	if _, _, _, a := p.Image.At(2, 2).RGBA(); a != 0 {
		t.Error("there is something beside the first frame")
	}
}

// A broken note about the orientation does not make the picture unreadable.
func TestBrokenExifIsIgnored(t *testing.T) {
	data := picturetest.JPEG(picked(16, 8), 95)
	for name, exif := range map[string][]byte{
		"empty":       {},
		"cut":         exifBlock(binary.LittleEndian, 6)[:20],
		"not TIFF":    []byte("hello, world"),
		"far away":    []byte("II*\x00\xff\xff\xff\x7f"),
		"orientation": exifBlock(binary.LittleEndian, 9),
	} {
		p, err := readBytes(jpegWithExif(data, exif), nil)
		if err != nil || p.Orientation != 1 || p.Image.Bounds() != image.Rect(0, 0, 16, 8) {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
}

// pngHeader is a PNG file that promises a picture and ends.
func pngHeader(width, height uint32, rest []byte) []byte {
	h := binary.BigEndian.AppendUint32(nil, width)
	h = append(binary.BigEndian.AppendUint32(h, height), 16, 6, 0, 0, 0)
	return append(append([]byte("\x89PNG\r\n\x1a\n"), pngChunk("IHDR", h)...), rest...)
}

func TestErrors(t *testing.T) {
	// What panicked in a known library (CVE-2023-36308): a palette of 4, and
	// pixels that use colour 200.
	paletted := tiffFile(binary.LittleEndian, []tag{long(256, 4), long(257, 4), short(258, 8), short(259, 1), short(262, 3),
		long(273, 0), short(277, 1), long(278, 4), long(279, 16), short(320, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)},
		273, bytes.Repeat([]byte{200}, 16))
	tiffOf := func(w, h, compression uint32, pixels []byte) []byte {
		return tiffFile(binary.BigEndian, []tag{long(256, w), long(257, h), short(258, 8), short(259, compression), short(262, 1),
			long(273, 0), short(277, 1), long(278, h), long(279, uint32(len(pixels)))}, 273, pixels)
	}
	bmpOf := func(w, h uint32) []byte {
		b := make([]byte, 54)
		copy(b, "BM")
		b[10], b[14] = 54, 40
		binary.LittleEndian.PutUint32(b[18:], w)
		binary.LittleEndian.PutUint32(b[22:], h)
		b[26], b[28] = 1, 24
		return b
	}
	jpegOf := func(w, h int) []byte { // a true header of another size
		data := picturetest.JPEG(image.NewGray(image.Rect(0, 0, 8, 8)), 95)
		at := bytes.Index(data, []byte{0xFF, 0xC0})
		binary.BigEndian.PutUint16(data[at+5:], uint16(h))
		binary.BigEndian.PutUint16(data[at+7:], uint16(w))
		return data
	}
	good := picturetest.PNG(picked(30, 20))
	small := &Options{MaxPixels: 599}
	for _, test := range []struct {
		name string
		data []byte
		o    *Options
		kind error
		say  string
	}{
		{"nothing", nil, nil, ErrFormat, "empty"},
		{"text", []byte("Dear reader, this is no picture."), nil, ErrFormat, `it is a text file, want JPEG, PNG, GIF, BMP, TIFF, WebP or PNM`},
		{"bytes", []byte{1, 2, 3, 200}, nil, ErrFormat, `begins with "\x01\x02\x03\xc8", want JPEG, PNG, GIF, BMP, TIFF, WebP or PNM`},
		{"PDF", []byte("%PDF-1.7"), nil, ErrFormat, "want JPEG"},
		{"one byte", []byte{0xFF}, nil, ErrFormat, "want JPEG"},
		{"600 of 599 pixels", good, small, ErrTooLarge, "30x20"},
		{"half a PNG", good[:len(good)/2], nil, ErrDamaged, "PNG"},
		{"JPEG without pixels", picturetest.JPEG(picked(16, 16), 95)[:200], nil, ErrDamaged, "ends too early"},
		{"palette too short", paletted, nil, ErrDamaged, "TIFF"},
		{"PNG of 4 terapixels", pngHeader(1<<21, 1<<21, nil), nil, ErrTooLarge, "4398046.5 megapixels, the limit is 100.0"},
		{"PNG that lies", pngHeader(9000, 9000, make([]byte, 100)), nil, ErrDamaged, "needs at least"},
		{"TIFF that lies", tiffOf(9000, 9000, 1, make([]byte, 100)), nil, ErrDamaged, "needs at least 81000000 bytes"},
		{"deflated TIFF that lies", tiffOf(9000, 9000, 8, make([]byte, 100)), nil, ErrDamaged, "needs at least"},
		{"LZW TIFF that lies", tiffOf(9000, 9000, 5, make([]byte, 100)), nil, ErrDamaged, "needs at least"},
		{"PackBits TIFF that lies", tiffOf(9000, 9000, 32773, make([]byte, 100)), nil, ErrDamaged, "needs at least"},
		{"TIFF too large", tiffOf(1<<20, 1<<20, 1, nil), nil, ErrTooLarge, "limit"},
		{"BMP that lies", bmpOf(9000, 9000), nil, ErrDamaged, "needs at least 243000000 bytes"},
		{"BMP of nothing", bmpOf(0, 0), nil, ErrDamaged, "0x0"},
		{"JPEG that lies", jpegOf(9000, 9000), nil, ErrDamaged, "needs at least"},
		{"WebP too large", webpFile(16000, 16000, color.NRGBA{}, nil), nil, ErrTooLarge, "16000x16000"},
		{"TIFF of an unknown kind", tiffOf(4, 4, 7, make([]byte, 16)), nil, ErrFormat, "compression"},
		{"stream too long", good, &Options{MaxBytes: 50}, ErrTooLarge, "50 bytes"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		p, err := readBytes(test.data, test.o)
		runtime.ReadMemStats(&after)
		if err == nil {
			t.Errorf("%s: read as %s %v, want an error", test.name, p.Format, p.Image.Bounds())
			continue
		}
		if !errors.Is(err, test.kind) || !strings.Contains(err.Error(), test.say) || !strings.HasPrefix(err.Error(), "test.file: ") {
			t.Errorf("%s: error %q, want %q in it, kind %q", test.name, err, test.say, test.kind)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 4<<20 {
			t.Errorf("%s: %d bytes were taken for a file of %d", test.name, took, len(test.data))
		}
	}
	if _, err := readBytes(good, &Options{MaxPixels: 600, MaxBytes: int64(len(good))}); err != nil {
		t.Errorf("exactly at both limits: %v", err)
	}
}

// No cut of a good file is read as a picture of wrong size, and none panics.
func TestTruncations(t *testing.T) {
	for name, data := range map[string][]byte{
		"JPEG": jpegWithExif(picturetest.JPEG(picked(40, 24), 95), exifBlock(binary.LittleEndian, 6)),
		"PNG":  pngWithExif(picturetest.PNG(picked(40, 24)), exifBlock(binary.LittleEndian, 6)),
		"TIFF": encodeTIFF(picked(40, 24), &tiff.Options{Compression: tiff.Deflate}),
		"WebP": webpFile(24, 40, color.NRGBA{9, 9, 9, 255}, exifBlock(binary.LittleEndian, 6)),
	} {
		for n := range data {
			p, err := readBytes(data[:n], nil)
			if err == nil && p.Image.Bounds().Dx()*p.Image.Bounds().Dy() != 40*24 {
				t.Errorf("%s of %d bytes: %v", name, n, p.Image.Bounds())
			}
			if err != nil && !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrFormat) {
				t.Errorf("%s of %d bytes: an error without a kind: %v", name, n, err)
			}
		}
	}
}

func TestPaletteIsChecked(t *testing.T) {
	m := image.NewPaletted(image.Rect(0, 0, 3, 2), color.Palette{color.Black, color.White})
	if _, err := onCanvas(m, 3, 2); err != nil {
		t.Error(err)
	}
	m.Pix[4] = 2
	if _, err := onCanvas(m, 3, 2); err == nil || !strings.Contains(err.Error(), "pixel 1,1 has colour 2 of a palette of 2") {
		t.Errorf("error %v does not name the pixel", err)
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir, nil); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "folder") {
		t.Errorf("a folder: %v", err)
	}
	if _, err := Open(filepath.Join(dir, "none.png"), nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
	path := filepath.Join(dir, "named-wrongly.txt")
	must.Do(os.WriteFile(path, encodeTIFF(picked(9, 5), nil), 0o600))
	p, err := Open(path, nil)
	if err != nil || p.Format != TIFF {
		t.Errorf("a TIFF of another name: %v, %v", p, err)
	}
}

func TestAnnotate(t *testing.T) {
	grey := color.RGBA{0x80, 0x80, 0x80, 0xFF}
	src := filled(image.NewRGBA(image.Rect(0, 0, 400, 300)), grey).(*image.RGBA)
	box := image.Rect(100, 80, 200, 180)
	markColour := color.RGBA{0x2B, 0xE0, 0x6A, 0xFF}
	out := Annotate(src, []Mark{{Box: box, Label: "12.5"}, {Box: image.Rect(-20, -20, 30, 30), Label: "edge"}, {Box: image.Rect(390, 290, 500, 400)}})
	if src.RGBAAt(99, 100) != grey {
		t.Fatal("the original was drawn on")
	}
	if out.RGBAAt(99, 130) != markColour || out.RGBAAt(200, 130) != markColour || out.RGBAAt(150, 79) != markColour || out.RGBAAt(150, 180) != markColour {
		t.Error("the box is not around the face")
	}
	if out.RGBAAt(150, 130) != grey || out.RGBAAt(101, 81) != grey {
		t.Error("the inside of the box was drawn on")
	}
	letters := 0
	for y := 50; y < 78; y++ {
		for x := 95; x < 160; x++ {
			if c := out.RGBAAt(x, y); c.R < 0x20 && c.G < 0x30 {
				letters++
			}
		}
	}
	if letters < 20 {
		t.Errorf("%d dark pixels above the box, want letters", letters)
	}
	// Pictures of all sizes, and an origin elsewhere.
	for _, r := range []image.Rectangle{{}, image.Rect(0, 0, 1, 1), image.Rect(-7, 5, 40, 33), image.Rect(0, 0, 3000, 30)} {
		m := image.NewGray(r)
		if got := Annotate(m, []Mark{{Box: r, Label: "all"}}).Bounds(); got != r {
			t.Errorf("bounds %v, want %v", got, r)
		}
	}
}

func TestCrop(t *testing.T) {
	m := picked(20, 10)
	if got := Crop(m, image.Rect(5, -3, 12, 4)).Bounds(); got != image.Rect(5, 0, 12, 4) {
		t.Errorf("bounds %v", got)
	}
	if got := Crop(opaque{m}, image.Rect(5, 2, 8, 4)); got.Bounds() != image.Rect(5, 2, 8, 4) || distance(got.At(6, 3), m.At(6, 3)) != 0 {
		t.Errorf("an image without SubImage: %v", got.Bounds())
	}
}

// opaque hides all methods but those of image.Image.
type opaque struct{ image.Image }

// Nothing in a file may make the reader panic or take much memory.
func FuzzRead(f *testing.F) {
	f.Add(jpegWithExif(picturetest.JPEG(picked(20, 9), 95), exifBlock(binary.BigEndian, 6)))
	f.Add(pngWithExif(picturetest.PNG(picked(20, 9)), exifBlock(binary.LittleEndian, 7)))
	f.Add(encodeTIFF(picked(20, 9), &tiff.Options{Compression: tiff.Deflate, Predictor: true}))
	f.Add(webpFile(20, 9, color.NRGBA{1, 2, 3, 255}, exifBlock(binary.BigEndian, 5)))
	f.Add([]byte("GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"))
	f.Add(must.Bytes(func(w io.Writer) error { return bmp.Encode(w, picked(5, 4)) }))
	f.Add(picturetest.JPEG(manyColours(20, 40), 95)[:1400])
	f.Add(progressiveJPEG()[:500])
	f.Add(threeScanJPEG()[:500])
	f.Add(picturetest.PNG(manyColours(20, 40))[:300])
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := readBytes(data, &Options{MaxPixels: 1 << 16, Partial: true})
		if strict, err2 := readBytes(data, &Options{MaxPixels: 1 << 16}); (err2 == nil) != (err == nil && p.Truncated == nil) {
			t.Fatalf("with Partial %+v, %v; without %+v, %v", p, err, strict, err2)
		}
		if err != nil {
			return
		}
		b := p.Image.Bounds()
		if e := p.Truncated; e != nil && (e.Rows < 1 || e.Rows > e.Height) {
			t.Fatalf("%+v", e)
		}
		if b.Min != (image.Point{}) || b.Empty() || b.Dx()*b.Dy() > 1<<16 {
			t.Fatalf("bounds %v", b)
		}
		p.Image.At(b.Max.X-1, b.Max.Y-1).RGBA()
		if p.Orientation < 1 || p.Orientation > 8 {
			t.Fatalf("orientation %d", p.Orientation)
		}
	})
}

func FuzzOrientation(f *testing.F) {
	f.Add(exifBlock(binary.LittleEndian, 3))
	f.Add(exifBlock(binary.BigEndian, 8))
	f.Add(exifBlock(binary.BigEndian, 8)[:30])
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := orientation(bytes.NewReader(data))
		if err == nil && (o < 1 || o > 8) {
			t.Fatalf("orientation %d", o)
		}
		if err != nil && !errors.Is(err, errExif) {
			t.Fatalf("an error without a kind: %v", err)
		}
	})
}

// heicFile is a file that begins as HEIC pictures do.
func heicFile(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "-odd name.heic")
	must.Do(os.WriteFile(path, []byte(box("heic", "mif1", "heic")), 0o666))
	return path
}

// fake is a converter that a shell script plays.
func fake(t *testing.T, script string) *Converter {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	dir := t.TempDir()
	must.Do(os.WriteFile(filepath.Join(dir, "heif-convert"), []byte("#!/bin/sh\n"+script+"\n"), 0o777))
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	for _, c := range converters {
		if c.name == "heif-convert" {
			return &Converter{filepath.Join(dir, c.name), c.arguments}
		}
	}
	panic("no heif-convert")
}

// A HEIC picture is read with a converter, and only with one; what goes wrong is
// said with the file's name.
func TestConverter(t *testing.T) {
	path := heicFile(t)
	sample := must.Get(filepath.Abs("../samples/group.png"))
	var kind *KindError
	if _, err := Open(path, nil); !errors.As(err, &kind) {
		t.Fatalf("without one: %v", err)
	}
	p, err := Open(path, &Options{Converter: fake(t, `cp "`+sample+`" "$2"`)})
	if err != nil || p.Image.Bounds() != image.Rect(0, 0, 800, 500) {
		t.Fatalf("%v", err)
	}
	if p, err = Open(path, &Options{Converter: fake(t, `cp "`+sample+`" "${2%.png}-1.png"; cp "$1" "${2%.png}-2.png"`)}); err != nil || p.Image.Bounds().Dx() != 800 {
		t.Errorf("of two pictures: %v", err)
	}
	for script, want := range map[string]struct {
		text string
		err  error
	}{
		"echo bad file $1 >&2; exit 3": {"bad file in.heic", ErrDamaged},
		"exit 0":                       {"made no picture", ErrDamaged},
		`cp "$1" "$2"`:                 {"HEIC", ErrFormat},
	} {
		_, err := Open(path, &Options{Converter: fake(t, script)})
		if !errors.Is(err, want.err) || !strings.HasPrefix(err.Error(), path+": ") || !strings.Contains(err.Error(), want.text) {
			t.Errorf("%s: %v", script, err)
		}
	}
	if _, err := Open(path, &Options{MaxPixels: 1000, Converter: fake(t, `cp "`+sample+`" "$2"`)}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too many pixels: %v", err)
	}
	if c := FindConverter(); c == nil || filepath.Base(c.Program) != "heif-convert" && filepath.Base(c.Program) != "heif-dec" {
		t.Errorf("found %v", c)
	}
	var none *Converter
	if none.Converts(heic) {
		t.Error("none converts")
	}
}

// What libheif writes, its converter reads.
func TestRealHEIC(t *testing.T) {
	encode, err := exec.LookPath("heif-enc")
	c := FindConverter()
	if err != nil || c == nil {
		t.Skip("no heif-enc or no converter here")
	}
	path := filepath.Join(t.TempDir(), "group.heic")
	if out, err := exec.Command(encode, "-q", "90", "../samples/group.png", "-o", path).CombinedOutput(); err != nil {
		t.Skipf("heif-enc: %v\n%s", err, out)
	}
	p, err := Open(path, &Options{Converter: c})
	if err != nil || p.Image.Bounds() != image.Rect(0, 0, 800, 500) {
		t.Fatal(err)
	}
}

// tree makes files in a new folder, and goes there.
func tree(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, data := range files {
		must.Do(os.MkdirAll(filepath.Dir(name), 0o755))
		must.Do(os.WriteFile(name, []byte(data), 0o644))
	}
}

// said are the paths and kinds of what is left.
func said(f *Folder) []string {
	all := []string{}
	for _, l := range f.Unreadable {
		if l.Err == nil || !strings.HasPrefix(l.Err.Error(), l.Path+": ") {
			all = append(all, "an error that does not name "+l.Path)
		}
		all = append(all, filepath.ToSlash(l.Path)+" "+l.Kind.Name)
	}
	return all
}

func TestList(t *testing.T) {
	png := string(picturetest.PNG(picked(9, 5)))
	tree(t, map[string]string{
		"b.jpg": "any", "A.PGM": "P5 1 1 255\nx", ".hidden.jpg": "any", "._b.jpg": "\x00\x05\x16\x07",
		"IMG_1.HEIC": box("heic"), "heic.jpg": box("heic"), "photo.heic": png, "other.heic": "\x01\x02\xff", "pic.avif": box("avif"),
		"empty.cr2": "", "drawing.svg": "<svg>", "trip.mov": box("qt  "), "noname": png, "subject01.glasses": "GIF89a", "raw": "8BPS\x00\x01",
		"README": "P2 is the second point.", "notes.txt": "BM", "boxes.csv": "a,b\n", "b.jpg.json": "{}", "Thumbs.db": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
		"paper.pdf": "%PDF-1.4", "all.zip": "PK\x03\x04", "blob": "\x01\x02\xff\xfe", "numbers": "P2 3 x",
		"sub/c.png": "any", "sub/d.jxl": "\xff\x0a", "sub/deep/e.gif": "any", ".git/f.png": "any", "sub.jpg/g.png": "any",
	})
	for _, dir := range []string{".", "./"} {
		f := must.Get(List(dir, false))
		if want := []string{"A.PGM", "b.jpg", "heic.jpg", "noname", "photo.heic", "subject01.glasses"}; !slices.Equal(f.Pictures, want) {
			t.Errorf("%q, want %q", f.Pictures, want)
		}
		want := []string{"IMG_1.HEIC HEIC picture", "drawing.svg SVG drawing", "empty.cr2 empty file", "other.heic HEIC picture", "pic.avif AVIF picture", "raw Photoshop picture", "trip.mov video"}
		if got := said(f); !slices.Equal(got, want) {
			t.Errorf("left are %q, want %q", got, want)
		}
		if f.Inside != 2 {
			t.Errorf("%d folders inside, want 2", f.Inside)
		}
	}
	f, err := List("sub", true)
	if err != nil || f.Inside != 0 {
		t.Fatal(err, f)
	}
	if want := []string{filepath.Join("sub", "c.png"), filepath.Join("sub", "deep", "e.gif")}; !slices.Equal(f.Pictures, want) {
		t.Errorf("%q, want %q", f.Pictures, want)
	}
	if got := said(f); !slices.Equal(got, []string{"sub/d.jxl JPEG XL picture"}) {
		t.Errorf("left are %q", got)
	}
	if _, err := List("absent", true); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "absent: ") {
		t.Error(err)
	}
}

func TestListLinks(t *testing.T) {
	tree(t, map[string]string{"in/a.png": "any", "in/sub/b.png": "any", "out/c.png": "any", "file.png": "any"})
	for name, to := range map[string]string{"in/away": "../out", "in/back": "sub", "in/up": "..", "in/gone.png": "nowhere", "in/gone": "nowhere", "in/d.png": "../file.png", "in/e.png": "../out"} {
		if err := os.Symlink(to, filepath.FromSlash(name)); err != nil {
			t.Skip(err) // a right that Windows may not give
		}
	}
	f, err := List("in", true)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range f.Pictures {
		got = append(got, filepath.ToSlash(p))
	}
	if want := []string{"in/a.png", "in/d.png", "in/gone.png", "in/sub/b.png"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := said(f), []string{"in/away link to a folder", "in/e.png link to a folder", "in/up link to a folder"}; !slices.Equal(got, want) {
		t.Errorf("left are %q, want %q", got, want)
	}
	if f, err = List("in", false); err != nil || f.Inside != 5 || len(f.Unreadable) != 0 {
		t.Errorf("%+v, %v", f, err)
	}
}

// A folder that cannot be opened does not hide its neighbours.
func TestListForbidden(t *testing.T) {
	tree(t, map[string]string{"a/x.png": "any", "b/x.png": "any", "c/x.png": "any"})
	forbidden := func(dir string) ([]fs.DirEntry, error) {
		if filepath.Base(dir) == "b" {
			return nil, &fs.PathError{Op: "open", Path: dir, Err: fs.ErrPermission}
		}
		return os.ReadDir(dir)
	}
	l := &lister{recursive: true, readDir: forbidden, folder: &Folder{}}
	entries := must.Get(os.ReadDir("."))
	l.walk(".", entries)
	if want := []string{filepath.Join("a", "x.png"), filepath.Join("c", "x.png")}; !slices.Equal(l.folder.Pictures, want) {
		t.Errorf("%q, want %q", l.folder.Pictures, want)
	}
	if len(l.folder.Unreadable) != 1 || !errors.Is(l.folder.Unreadable[0].Err, fs.ErrPermission) || l.folder.Unreadable[0].Path != "b" || !reflect.DeepEqual(l.folder.Unreadable[0].Kind, Kind{}) {
		t.Errorf("%+v", l.folder.Unreadable)
	}
}
