package video

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"haarlem/internal/must"
	"haarlem/internal/picturetest"
)

// picture is a colourful image in which each pixel says where it is.
func picture(w, h, n int) *image.RGBA {
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.SetRGBA(x, y, color.RGBA{uint8(40 + 3*x + n), uint8(60 + 2*y), uint8(100 + x + y), 255})
		}
	}
	return m
}

func planesOf(w, h, n int, ratio image.YCbCrSubsampleRatio) *image.YCbCr {
	m := image.NewYCbCr(image.Rect(0, 0, w, h), ratio)
	for i := range m.Y {
		m.Y[i] = uint8(i*7 + n)
	}
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = uint8(i*3+n), uint8(200-i)
	}
	return m
}

// readAll decodes every frame.
func readAll(t *testing.T, data []byte, o *Options) (*Reader, []image.Image) {
	t.Helper()
	r := must.Get(NewReader(bytes.NewReader(data), o))
	var all []image.Image
	for {
		f, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r, all
		} else if err != nil {
			t.Fatal(err)
		}
		if f.Index != len(all) {
			t.Fatalf("frame %d comes as number %d", f.Index, len(all))
		}
		all = append(all, must.Get(f.Decode()))
	}
}

// What is written as Y4M is read again sample by sample, for every way to hold colour and
// for odd sizes, and with the parameters that shape the picture.
func TestY4M(t *testing.T) {
	for ratio := range spaces {
		var b bytes.Buffer
		w := NewY4M(&b, Rate{30000, 1001}, "It A16:15")
		var frames []*image.YCbCr
		for n := range 3 {
			frames = append(frames, planesOf(37, 23, n, ratio))
			must.Do(w.Write(frames[n], 0))
		}
		must.Do(w.Close())
		r, all := readAll(t, b.Bytes(), nil)
		if want := (Info{Kind: "Y4M", Width: 37, Height: 23, Rate: Rate{30000, 1001}, Y4M: "It A16:15"}); r.Info() != want || len(all) != 3 {
			t.Fatalf("%v: %+v, %d frames", ratio, r.Info(), len(all))
		}
		for i, img := range all {
			got := img.(*image.YCbCr)
			if got.SubsampleRatio != ratio || !bytes.Equal(got.Y, frames[i].Y) || !bytes.Equal(got.Cb, frames[i].Cb) || !bytes.Equal(got.Cr, frames[i].Cr) {
				t.Errorf("%v: frame %d has other samples", ratio, i)
			}
		}
	}
	var b bytes.Buffer
	grey := image.NewGray(image.Rect(0, 0, 5, 4))
	grey.Pix[7] = 200
	must.Do(NewY4M(&b, Rate{25, 1}, "").Write(grey, 0))
	if _, all := readAll(t, b.Bytes(), nil); !bytes.Equal(all[0].(*image.Gray).Pix, grey.Pix) {
		t.Error("grey frames come back as others")
	}
}

// Colours survive the way through 4:2:0, and levels that use the full range say so.
func TestY4MOfRGB(t *testing.T) {
	var b bytes.Buffer
	m := &image.RGBA{Pix: bytes.Repeat([]byte{200, 90, 30, 255}, 7*5), Stride: 4 * 7, Rect: image.Rect(0, 0, 7, 5)}
	must.Do(NewY4M(&b, Rate{25, 1}, "").Write(m, 0))
	r, all := readAll(t, b.Bytes(), nil)
	if !strings.Contains(r.Info().Y4M, FullRange) {
		t.Errorf("the header says %q", r.Info().Y4M)
	}
	for y := range 5 {
		for x := range 7 {
			c := color.RGBAModel.Convert(all[0].At(x, y)).(color.RGBA)
			if max(int(c.R)-200, 200-int(c.R), int(c.G)-90, 90-int(c.G), int(c.B)-30, 30-int(c.B)) > 3 {
				t.Fatalf("pixel %d,%d is %v", x, y, c)
			}
		}
	}
}

// Files one after another are told apart, thumbnails in them and bytes between them or
// not, and a JPEG without Huffman tables is read with the usual ones.
func TestFilesInARow(t *testing.T) {
	encode := func(n int) []byte { return picturetest.JPEG(picture(40, 30, n), 95) }
	thumb := encode(9)
	var all []byte
	for n := range 4 {
		file := encode(n)
		switch n {
		case 1: // a thumbnail in a segment of its own
			segment := append([]byte{0xFF, 0xE1, byte((len(thumb) + 2) >> 8), byte(len(thumb) + 2)}, thumb...)
			file = slices.Concat(file[:2], segment, file[2:])
		case 2:
			all = append(all, 0, 0, 0xFF, 0xFF)
			at := segment(file, 0xC4)
			file = slices.Delete(file, at, at+2+int(binary.BigEndian.Uint16(file[at+2:])))
			if segment(file, 0xC4) >= 0 {
				t.Fatal("there are still tables")
			}
		}
		all = append(all, file...)
	}
	r, frames := readAll(t, all, &Options{Rate: Rate{10, 1}})
	if len(frames) != 4 || r.Info().Kind != "Motion JPEG" || r.Info().Rate != (Rate{10, 1}) {
		t.Fatalf("%d frames, %+v", len(frames), r.Info())
	}
	for n, img := range frames {
		want := must.Get(jpeg.Decode(bytes.NewReader(encode(n))))
		if !bytes.Equal(img.(*image.YCbCr).Y, want.(*image.YCbCr).Y) {
			t.Errorf("frame %d is another picture", n)
		}
	}

	var pngs []byte
	for n := range 3 {
		pngs = append(pngs, picturetest.PNG(picture(40, 30, n))...)
	}
	r, frames = readAll(t, pngs, nil)
	if len(frames) != 3 || r.Info().Kind != "PNG files" || r.Info().Rate != usualRate {
		t.Fatalf("%d frames, %+v", len(frames), r.Info())
	}
	if c := color.RGBAModel.Convert(frames[2].At(3, 4)); c != picture(40, 30, 2).At(3, 4) {
		t.Errorf("a pixel is %v", c)
	}
}

func TestMJPEG(t *testing.T) {
	var b bytes.Buffer
	w := NewMJPEG(&b)
	for n := range 3 {
		must.Do(w.Write(picture(40, 30, n), 0))
	}
	if err := w.Write(picture(20, 30, 0), 0); err == nil {
		t.Error("a frame of another size is written")
	}
	if _, all := readAll(t, b.Bytes(), nil); len(all) != 3 {
		t.Errorf("%d frames", len(all))
	}
}

// chunkOf is a chunk of RIFF.
func chunkOf(id string, content ...[]byte) []byte {
	data := slices.Concat(content...)
	out := binary.LittleEndian.AppendUint32([]byte(id), uint32(len(data)))
	out = append(out, data...)
	if len(data)%2 == 1 {
		out = append(out, 0)
	}
	return out
}

func aviOf(codec string, frames ...[]byte) []byte {
	head := make([]byte, 56)
	copy(head, "vids"+codec)
	binary.LittleEndian.PutUint32(head[20:], 1)
	binary.LittleEndian.PutUint32(head[24:], 15)
	binary.LittleEndian.PutUint32(head[32:], uint32(len(frames)))
	format := make([]byte, 40)
	binary.LittleEndian.PutUint32(format[4:], 40)
	binary.LittleEndian.PutUint32(format[8:], 30)
	sound := make([]byte, 56)
	copy(sound, "auds")
	movi := [][]byte{[]byte("movi")}
	for _, f := range frames {
		movi = append(movi, chunkOf("00wb", []byte("la")), chunkOf("01dc", f))
	}
	return chunkOf("RIFF", []byte("AVI "),
		chunkOf("LIST", []byte("hdrl"), chunkOf("avih", make([]byte, 56)),
			chunkOf("LIST", []byte("strl"), chunkOf("strh", sound), chunkOf("strf", make([]byte, 18))),
			chunkOf("LIST", []byte("strl"), chunkOf("strh", head), chunkOf("strf", format))),
		chunkOf("JUNK", make([]byte, 7)), chunkOf("LIST", movi...), chunkOf("idx1", make([]byte, 16)))
}

func TestAVI(t *testing.T) {
	var frames [][]byte
	for n := range 3 {
		frames = append(frames, picturetest.JPEG(picture(40, 30, n), 95))
	}
	r, all := readAll(t, aviOf("MJPG", frames...), nil)
	if want := (Info{Kind: "AVI with Motion JPEG", Width: 40, Height: 30, Rate: Rate{15, 1}, Frames: 3}); r.Info() != want || len(all) != 3 {
		t.Errorf("%+v, %d frames", r.Info(), len(all))
	}
	if _, err := NewReader(bytes.NewReader(aviOf("H264", frames...)), nil); !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), "H264") {
		t.Errorf("%v", err)
	}
}

func TestRaw(t *testing.T) {
	want := picture(6, 4, 1)
	m := To420(want)
	yuv := appendPlanes(nil, m)
	nv12 := slices.Clone(m.Y)
	for i := range m.Cb {
		nv12 = append(nv12, m.Cb[i], m.Cr[i])
	}
	var rgb, bgra, yuyv []byte
	for y := range 4 {
		for x := range 6 {
			c := want.RGBAAt(x, y)
			rgb, bgra = append(rgb, c.R, c.G, c.B), append(bgra, c.B, c.G, c.R, 0)
			both := [2]byte{m.Cb[m.COffset(x, y)], m.Cr[m.COffset(x, y)]}
			yuyv = append(yuyv, m.Y[m.YOffset(x, y)], both[x%2])
		}
	}
	for format, one := range map[string][]byte{"yuv420p": yuv, "nv12": nv12, "rgb24": rgb, "bgra": bgra, "yuyv422": yuyv} {
		raw := must.Get(ParseRaw(format + ":6x4"))
		_, all := readAll(t, slices.Concat(one, one), &Options{Raw: raw})
		if len(all) != 2 {
			t.Fatalf("%s: %d frames", format, len(all))
		}
		switch got := all[1].(type) {
		case *image.RGBA:
			if !bytes.Equal(got.Pix, want.Pix) {
				t.Errorf("%s: other pixels", format)
			}
		case *image.YCbCr:
			for y := range 4 {
				for x := range 6 {
					if got.YCbCrAt(x, y) != m.YCbCrAt(x, y) {
						t.Fatalf("%s: pixel %d,%d is %v, want %v", format, x, y, got.YCbCrAt(x, y), m.YCbCrAt(x, y))
					}
				}
			}
		}
	}
	for _, bad := range []string{"", "yuv420p", "h264:6x4", "gray:0x4", "gray:6"} {
		if _, err := ParseRaw(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

func TestRates(t *testing.T) {
	for text, want := range map[string]Rate{"25": {25000, 1000}, "29.97": {30000, 1001}, "23.976": {24000, 1001}, "30000/1001": {30000, 1001}, "0.5": {500, 1000}} {
		if got, err := ParseRate(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
	for _, bad := range []string{"", "x", "0", "-1", "1/0", "2000", "1/100000", "NaN"} {
		if _, err := ParseRate(bad); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
	r := Rate{30000, 1001}
	if r.Time(30000) != 1001*time.Second || r.Time(1) != 33366666*time.Nanosecond || r.Time(30000*60000) != 1001*60000*time.Second {
		t.Errorf("%v, %v, %v", r.Time(1), r.Time(30000), r.Time(30000*60000))
	}
}

// streams are two pictures in every form.
func streams() map[string][]byte {
	var y4m, mjpeg, pngs bytes.Buffer
	y, m := NewY4M(&y4m, Rate{25, 1}, ""), NewMJPEG(&mjpeg)
	for n := range 2 {
		must.Do(errors.Join(y.Write(planesOf(8, 6, n, image.YCbCrSubsampleRatio420), 0), m.Write(picture(8, 6, n), 0), png.Encode(&pngs, picture(8, 6, n))))
	}
	first := mjpeg.Len() / 2
	avi := aviOf("MJPG", mjpeg.Bytes()[:first], mjpeg.Bytes()[first:])
	return map[string][]byte{"y4m": y4m.Bytes(), "mjpeg": mjpeg.Bytes(), "png": pngs.Bytes(), "avi": avi}
}

// Every stream that is cut off anywhere is an error, or ends where a frame does.
func TestCutOff(t *testing.T) {
	for name, whole := range streams() {
		good := 0
		for n := range whole {
			r, err := NewReader(bytes.NewReader(whole[:n]), nil)
			for err == nil {
				var f *Frame
				if f, err = r.Next(); err == nil {
					if _, err := f.Decode(); err != nil && name != "avi" {
						t.Fatalf("%s cut to %d bytes: %v", name, n, err)
					}
				}
			}
			if errors.Is(err, io.EOF) {
				good++
			} else if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrFormat) {
				t.Fatalf("%s cut to %d bytes: %v", name, n, err)
			}
			if _, again := (&Reader{ended: err}).Next(); again != err {
				t.Fatal("another error the second time")
			}
		}
		if largest := 3; name != "avi" && good > largest {
			t.Errorf("%s: %d of %d places to cut it are said to be its end", name, good, len(whole))
		}
	}
}

// Headers that promise too much are refused before memory is taken.
func TestLimits(t *testing.T) {
	for name, data := range map[string]string{
		"size":       "YUV4MPEG2 W100000 H100000 F25:1\nFRAME\n",
		"negative":   "YUV4MPEG2 W-5 H10 F25:1\nFRAME\n",
		"overflow":   "YUV4MPEG2 W4611686018427387904 H8 F25:1\nFRAME\n",
		"no size":    "YUV4MPEG2 F25:1\nFRAME\n",
		"no number":  "YUV4MPEG2 Wx H8 F25:1\nFRAME\n",
		"rate":       "YUV4MPEG2 W8 H8 F1:99999999\nFRAME\n",
		"deep":       "YUV4MPEG2 W8 H8 F25:1 C420p10\nFRAME\n",
		"long line":  "YUV4MPEG2 " + strings.Repeat("X", 5000),
		"long chunk": pngSignature + "\xff\xff\xff\xffIDAT",
		"empty":      "",
		"text":       "hello, world",
	} {
		r, err := NewReader(strings.NewReader(data), nil)
		if err == nil {
			_, err = r.Next()
		}
		if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrTooLarge) && !errors.Is(err, ErrFormat) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A file of few bytes that claims to be large.
	data := picturetest.JPEG(picture(8, 8, 0), 95)
	at := segment(data, 0xC0)
	copy(data[at+5:], []byte{0x10, 0x00, 0x10, 0x00})
	if _, err := Picture(data, nil, 7); !errors.Is(err, ErrDamaged) || !strings.Contains(err.Error(), "frame 7") {
		t.Errorf("%v", err)
	}
	if _, err := Picture(data, &Options{MaxPixels: 1000}, 0); !errors.Is(err, ErrTooLarge) {
		t.Errorf("%v", err)
	}
}

// FFmpeg reads what is written here, and its times to the microsecond; what FFmpeg
// writes is read here.
func TestAgainstFFmpeg(t *testing.T) {
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip("needs ffmpeg on the PATH")
	}
	var b bytes.Buffer
	w := NewMatroska(&b, false, 0)
	times := []time.Duration{0, 40 * time.Millisecond, 47123 * time.Microsecond, 2 * time.Second}
	frames := []*image.YCbCr{}
	for n, at := range times {
		frames = append(frames, planesOf(36, 22, n, image.YCbCrSubsampleRatio420))
		must.Do(w.Write(frames[n], at))
	}
	ffmpeg := func(in []byte, args ...string) ([]byte, string) {
		t.Helper()
		cmd := exec.Command("ffmpeg", append([]string{"-hide_banner", "-nostats"}, args...)...)
		var out, stderr bytes.Buffer
		cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &stderr
		if err := cmd.Run(); err != nil {
			t.Fatalf("%v: %s", err, stderr.Bytes())
		}
		return out.Bytes(), stderr.String()
	}
	out, said := ffmpeg(b.Bytes(), "-f", "matroska", "-i", "pipe:0", "-vf", "showinfo=checksum=0", "-fps_mode", "passthrough", "-f", "yuv4mpegpipe", "-")
	for _, at := range times {
		if want := fmt.Sprintf("pts_time:%v ", at.Seconds()); !strings.Contains(said, want) {
			t.Errorf("ffmpeg does not say %q:\n%s", want, said)
		}
	}
	_, all := readAll(t, out, nil)
	if len(all) != len(frames) {
		t.Fatalf("%d frames", len(all))
	}
	for i, img := range all {
		if got := img.(*image.YCbCr); !bytes.Equal(got.Y, frames[i].Y) || !bytes.Equal(got.Cr, frames[i].Cr) {
			t.Errorf("frame %d comes back as another", i)
		}
	}
	for kind, args := range map[string]string{
		"Motion JPEG":          "-c:v mjpeg -pix_fmt yuvj420p -f mjpeg -",
		"AVI with Motion JPEG": "-c:v mjpeg -pix_fmt yuvj420p -f avi -",
		"PNG files":            "-c:v png -f image2pipe -",
	} {
		made, _ := ffmpeg(out, strings.Fields("-f yuv4mpegpipe -i pipe:0 -frames:v 3 "+args)...)
		if r, all := readAll(t, made, nil); r.Info().Kind != kind || len(all) != 3 {
			t.Errorf("%s: %+v, %d frames", kind, r.Info(), len(all))
		}
	}
}

func FuzzReader(f *testing.F) {
	for _, whole := range streams() {
		f.Add(whole)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		o := &Options{MaxPixels: 1 << 16, MaxFrameBytes: 1 << 16}
		r, err := NewReader(bytes.NewReader(data), o)
		for n := 0; err == nil && n < 16; n++ {
			var frame *Frame
			if frame, err = r.Next(); err != nil {
				break
			}
			if len(frame.bytes) > 3<<16 {
				t.Fatalf("%d bytes for a frame", len(frame.bytes))
			}
			img, bad := frame.Decode()
			if bad == nil {
				if b := img.Bounds(); b.Dx()*b.Dy() > o.MaxPixels {
					t.Fatalf("%v", b)
				}
				To420(img)
			}
		}
	})
}
