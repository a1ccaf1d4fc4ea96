package picture

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/draw"
	"strconv"
	"strings"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

var partial = &Options{Partial: true}

// same reports whether two pictures agree in their first rows.
func sameRows(a, b image.Image, rows int) bool {
	for y := range rows {
		for x := range a.Bounds().Dx() {
			if distance(a.At(x, y), b.At(x, y)) > 0 {
				return false
			}
		}
	}
	return true
}

// A JPEG without its last two bytes is whole for everybody who looks at it.
func TestJPEGWithoutItsEnd(t *testing.T) {
	for name, m := range map[string]image.Image{"grey": picked(70, 50), "colour": manyColours(70, 50)} {
		data := picturetest.JPEG(m, 95)
		want, err := readBytes(data, nil)
		if err != nil || want.Truncated != nil {
			t.Fatal(err, want)
		}
		for _, less := range []int{1, 2} {
			cut := data[:len(data)-less]
			if _, err := readBytes(cut, nil); !errors.Is(err, ErrDamaged) {
				t.Errorf("%s, %d bytes less: not refused without Partial: %v", name, less, err)
			}
			p, err := readBytes(cut, partial)
			if err != nil {
				t.Errorf("%s, %d bytes less: %v", name, less, err)
				continue
			}
			e := p.Truncated
			if e == nil || e.Rows != 50 || e.Height != 50 || e.Coarse || e.Format != JPEG || e.Name != "test.file" || !errors.Is(e, ErrDamaged) {
				t.Errorf("%s, %d bytes less: %+v", name, less, e)
			}
			if !sameRows(p.Image, want.Image, 50) {
				t.Errorf("%s, %d bytes less: other pixels", name, less)
			}
		}
		if p, err := readBytes(data, partial); err != nil || p.Truncated != nil {
			t.Errorf("%s: a whole file: %v, %v", name, p, err)
		}
	}
}

// manyColours is in colours that take many bytes.
func manyColours(w, h int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range m.Pix {
		m.Pix[i] = uint8(i * i >> 3)
		if i%4 == 3 {
			m.Pix[i] = 0xFF
		}
	}
	return m
}

// Of every cut the rows that are said to be read are those of the whole
// picture, the rest is grey, and more bytes never give fewer rows.
func TestPartOfEveryCut(t *testing.T) {
	step := 1
	if testing.Short() {
		step = 7
	}
	r := image.Rect(0, 0, 17, 56)
	colours := image.NewPaletted(r, palette.Plan9)
	for i := range colours.Pix {
		colours.Pix[i] = uint8(i * 29)
	}
	deep := image.NewNRGBA64(image.Rect(0, 0, 9, 56))
	for i := range deep.Pix {
		deep.Pix[i] = uint8(i*i>>2) | 1
	}
	for _, test := range []struct {
		name string
		data []byte
		some int // of the rows, from half of the file
	}{
		{"JPEG grey", picturetest.JPEG(picked(17, 56), 95), 8},
		{"JPEG colour", picturetest.JPEG(manyColours(17, 56), 95), 16},
		{"JPEG progressive", progressiveJPEG(), 1},
		{"JPEG scan by scan", threeScanJPEG(), 1},
		{"PNG grey", picturetest.PNG(picked(9, 56)), 1},
		{"PNG palette", picturetest.PNG(colours), 20},
		{"PNG colour", picturetest.PNG(manyColours(9, 56)), 10},
		{"PNG deep", picturetest.PNG(deep), 1},
	} {
		whole, err := readBytes(test.data, nil)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		b := whole.Image.Bounds()
		last := 0
		for n := (len(test.data) - 1) % step; n < len(test.data); n += step { // the last is a byte short
			p, err := readBytes(test.data[:n], partial)
			if err != nil {
				if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrFormat) {
					t.Errorf("%s, %d bytes: an error without a kind: %v", test.name, n, err)
				}
				if last > 0 {
					t.Fatalf("%s, %d bytes: %v, and one byte less gives %d rows", test.name, n, err, last)
				}
				continue
			}
			e := p.Truncated
			if e == nil {
				t.Fatalf("%s: %d of %d bytes are read as if nothing were missing", test.name, n, len(test.data))
			}
			if e.Rows < last || e.Rows > e.Height || e.Height != b.Dy() || p.Image.Bounds() != b {
				t.Fatalf("%s, %d bytes: %+v of %v after %d rows", test.name, n, e, p.Image.Bounds(), last)
			}
			last = e.Rows
			if !e.Coarse && !sameRows(p.Image, whole.Image, e.Rows) {
				t.Fatalf("%s, %d bytes: the %d rows are not those of the picture", test.name, n, e.Rows)
			}
			for y := e.Rows; y < e.Height; y++ {
				if d := distance(p.Image.At(b.Dx()/2, y), color.Gray{0x80}); d > 8 {
					t.Fatalf("%s, %d bytes: row %d is %v, want grey", test.name, n, y, p.Image.At(b.Dx()/2, y))
				}
			}
			if half := len(test.data) / 2; n >= half && n < half+step && e.Rows < test.some {
				t.Errorf("%s: %d rows of half a file, want %d", test.name, e.Rows, test.some)
			}
		}
		if last != b.Dy() {
			t.Errorf("%s: %d of %d rows of the longest cut", test.name, last, b.Dy())
		}
	}
}

// A partial picture is turned like a whole one.
func TestPartIsUpright(t *testing.T) {
	data := jpegWithExif(picturetest.JPEG(picked(48, 32), 95), exifBlock(binary.BigEndian, 6))
	p := must.Get(readBytes(data[:len(data)*3/4], partial))
	if p.Orientation != 6 || p.Image.Bounds() != image.Rect(0, 0, 32, 48) || p.Truncated == nil || p.Truncated.Height != 32 {
		t.Errorf("%v, orientation %d, %+v", p.Image.Bounds(), p.Orientation, p.Truncated)
	}
	// The rows at the bottom of the file are a column now.
	if p.Image.At(0, 20) != (color.Gray{0x80}) {
		t.Errorf("the left side is %v, want grey", p.Image.At(0, 20))
	}
}

// What is damaged elsewhere is refused as it was.
func TestPartIsNotGuessed(t *testing.T) {
	data := picturetest.PNG(manyColours(40, 40))
	broken := bytes.Clone(data)
	broken[len(broken)/2] ^= 0x55
	two := bytes.Clone(data[:len(data)-12]) // its pixels in two chunks, of which the second is damaged
	body := two[41 : len(two)-4]
	two = append(append(append(bytes.Clone(two[:33]), pngChunk("IDAT", body[:len(body)/2])...), pngChunk("IDAT", body[len(body)/2:])...), data[len(data)-12:]...)
	must.Get(readBytes(two, nil))
	two[len(two)-40] ^= 0x55
	interlaced := bytes.Clone(data[:len(data)/2])
	interlaced[28] = 1
	binary.BigEndian.PutUint32(interlaced[29:], crc32.ChecksumIEEE(interlaced[12:29]))
	for name, damaged := range map[string][]byte{
		"a wrong byte in a PNG": broken, "a wrong byte in a PNG's second chunk": two, "an interlaced PNG": interlaced,
		"a JPEG without pixels": picturetest.JPEG(picked(16, 16), 95)[:200],
	} {
		if p, err := readBytes(damaged, partial); !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
	if p, err := readBytes(data, &Options{Partial: true, MaxPixels: 1599}); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: %v, %v", p, err)
	}
}

// The rows that are added are grey in every image type, and the others stay.
func TestLengthened(t *testing.T) {
	r := image.Rect(0, 0, 7, 3)
	for _, m := range []draw.Image{image.NewGray(r), image.NewGray16(r), image.NewRGBA(r), image.NewNRGBA(r), image.NewCMYK(r),
		image.NewRGBA64(r), image.NewNRGBA64(r), image.NewPaletted(r, palette.Plan9)} {
		filled(m, color.RGBA{200, 10, 10, 0xFF})
		out := lengthened(m, 9)
		if out.Bounds() != image.Rect(0, 0, 7, 9) || !sameRows(out, m, 3) {
			t.Fatalf("%T: %v, or other pixels", m, out.Bounds())
		}
		for y := 3; y < 9; y++ {
			for x := range 7 {
				if distance(out.At(x, y), color.Gray{0x80}) > 12 {
					t.Fatalf("%T: %d,%d is %v", m, x, y, out.At(x, y))
				}
			}
		}
	}
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
		image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410} {
		m := image.NewYCbCr(image.Rect(0, 0, 32, 32), ratio)
		for i := range m.Y {
			m.Y[i] = uint8(i)
		}
		for i := range m.Cb {
			m.Cb[i], m.Cr[i] = uint8(60+i), uint8(200-i)
		}
		part := m.SubImage(image.Rect(0, 0, 30, 16))
		out := lengthened(part, 27)
		if !sameRows(out, part, 16) || out.At(5, 16) != (color.YCbCr{0x80, 0x80, 0x80}) || out.At(29, 26) != (color.YCbCr{0x80, 0x80, 0x80}) {
			t.Errorf("%v: wrong", ratio)
		}
	}
	if lengthened(opaque{image.NewGray(r)}, 9) != nil {
		t.Error("an unknown type")
	}
}

// packed are bits, the highest first, as JPEG wants them, with a zero behind FF.
func packed(bits string) (out []byte) {
	for bits += "1111111"; len(bits) >= 8; bits = bits[8:] {
		v := byte(must.Get(strconv.ParseUint(bits[:8], 2, 8)))
		if out = append(out, v); v == 0xFF {
			out = append(out, 0)
		}
	}
	return out
}

// tablesOf are the segments of an encoder's grey JPEG in front of its scan, but
// for the frame header.
func tablesOf() []byte {
	data := picturetest.JPEG(image.NewGray(image.Rect(0, 0, 8, 8)), 95)
	out := []byte{0xFF, 0xD8}
	for data = data[2:]; data[1] != 0xDA; {
		length := 2 + int(data[2])<<8 + int(data[3])
		if data[1] == 0xDB || data[1] == 0xC4 {
			out = append(out, data[:length]...)
		}
		data = data[length:]
	}
	return out
}

// Bits of the standard's tables K.3 and K.5 for brightness: a difference of 0,
// of 8 to 15 (category 4), the coefficient behind with 1, and the end of a block.
const (
	noChange    = "00"
	up, down    = "101" + "1010", "101" + "0101" // by 10
	ac1, noMore = "00" + "1", "1010"
)

// progressiveJPEG is grey, of 16x40 pixels, in two scans: the blocks' mean, and
// one coefficient.
func progressiveJPEG() []byte {
	out := append(tablesOf(), 0xFF, 0xC2, 0, 11, 8, 0, 40, 0, 16, 1, 1, 0x11, 0)
	means := strings.Repeat(up+down+up+noChange, 2) + up + down
	out = append(append(out, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 0, 0), packed(means)...)
	out = append(append(out, 0xFF, 0xDA, 0, 8, 1, 1, 0, 1, 63, 0), packed(strings.Repeat(ac1+noMore, 10))...)
	return append(out, 0xFF, 0xD9)
}

// threeScanJPEG has a scan for each of three components, of 16x32 pixels.
func threeScanJPEG() []byte {
	out := append(tablesOf(), 0xFF, 0xC0, 0, 17, 8, 0, 32, 0, 16, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0)
	const end = ac1 + noMore
	blocks := packed(strings.Repeat(up+end+noChange+end+up+end+down+end, 2))
	for c := range byte(3) {
		out = append(append(out, 0xFF, 0xDA, 0, 8, 1, c+1, 0, 0, 63, 0), blocks...)
	}
	return append(out, 0xFF, 0xD9)
}

// While details are missing, what is there is the whole picture; while colours
// are missing it is grey and not green.
func TestScansThatAreMissing(t *testing.T) {
	data := progressiveJPEG()
	second := bytes.LastIndex(data, []byte{0xFF, 0xDA})
	for _, n := range []int{second, second + 1, second + 12, len(data) - 2} {
		p, err := readBytes(data[:n], partial)
		if err != nil || p.Truncated == nil || p.Truncated.Rows != 40 || !p.Truncated.Coarse {
			t.Errorf("%d of %d bytes: %v, %+v", n, len(data), err, p)
		}
	}
	data = threeScanJPEG()
	second = bytes.LastIndex(data[:bytes.LastIndex(data, []byte{0xFF, 0xDA})], []byte{0xFF, 0xDA})
	whole := must.Get(readBytes(data, nil))
	for _, n := range []int{second, second + 10, second + 12} {
		p, err := readBytes(data[:n], partial)
		if err != nil || p.Truncated == nil || p.Truncated.Rows != 32 || !p.Truncated.Coarse {
			t.Errorf("%d of %d bytes: %v, %+v", n, len(data), err, p)
			continue
		}
		m := p.Image.(*image.YCbCr)
		if !bytes.Equal(m.Y, whole.Image.(*image.YCbCr).Y) || m.Cb[0] != 0x80 || m.Cr[0] != 0x80 {
			t.Errorf("%d of %d bytes: not the picture without colours", n, len(data))
		}
	}
}
