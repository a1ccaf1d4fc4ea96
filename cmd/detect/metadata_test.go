package main

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image/gif"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	"haarlem/internal/app/detecttest"
	"haarlem/internal/must"
	"haarlem/internal/video"
)

const secret = "SECRET-PLACE-AND-NAME"

// segmentOf is a segment of JPEG.
func segmentOf(marker byte, text string) []byte {
	return append([]byte{0xFF, marker, byte((len(text) + 2) >> 8), byte(len(text) + 2)}, text...)
}

// pngChunk is a chunk of PNG.
func pngChunk(name, text string) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(text)))
	b = append(append(b, name...), text...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// Whatever a picture or a video says besides its pixels, its copy does not: EXIF with a
// thumbnail, XMP, colour profiles, comments, and what is behind the end.
func TestNothingButPixelsIsCopied(t *testing.T) {
	img := detecttest.OneFace(t)
	dir := t.TempDir()
	encode := func(f func(*bytes.Buffer) error) []byte {
		t.Helper()
		var b bytes.Buffer
		must.Do(f(&b))
		return b.Bytes()
	}
	jpg := encode(func(b *bytes.Buffer) error { return jpeg.Encode(b, img, nil) })
	full := slices.Concat(jpg[:2], segmentOf(0xE1, "Exif\x00\x00"+secret+string(jpg[:300])), segmentOf(0xE1, "http://ns.adobe.com/xap/1.0/\x00"+secret),
		segmentOf(0xE2, "ICC_PROFILE\x00\x01\x01"+secret), segmentOf(0xED, secret), segmentOf(0xFE, secret), jpg[2:], []byte(secret), jpg)
	pngFile := encode(func(b *bytes.Buffer) error { return png.Encode(b, img) })
	head := 8 + 25 // signature and IHDR
	pngFull := slices.Concat(pngFile[:head], pngChunk("tEXt", "Comment\x00"+secret), pngChunk("eXIf", secret), pngChunk("iTXt", "a\x00\x00\x00\x00\x00"+secret), pngFile[head:], []byte(secret))
	files := map[string][]byte{
		"a.jpg": full, "b.png": pngFull,
		"c.gif":  append(encode(func(b *bytes.Buffer) error { return gif.Encode(b, img, nil) }), secret...),
		"d.bmp":  append(encode(func(b *bytes.Buffer) error { return bmp.Encode(b, img) }), secret...),
		"e.tiff": append(encode(func(b *bytes.Buffer) error { return tiff.Encode(b, img, nil) }), secret...),
	}
	args := []string{"blur", "-out", filepath.Join(dir, "out"), "-model", detecttest.Drawn}
	for name, data := range files {
		args = append(args, detecttest.WriteBytes(t, filepath.Join(dir, name), data))
	}
	if status, _, stderr := call(nil, args...); status != statusOK {
		t.Fatal(stderr)
	}
	made, err := os.ReadDir(filepath.Join(dir, "out"))
	if err != nil || len(made) != len(files) {
		t.Fatalf("%d files, %v", len(made), err)
	}
	for _, e := range made {
		data := must.Get(os.ReadFile(filepath.Join(dir, "out", e.Name())))
		if bytes.Contains(data, []byte(secret)) || bytes.Contains(data, []byte("Exif")) {
			t.Errorf("%s: something else than pixels is there", e.Name())
		}
		if strings.HasSuffix(e.Name(), ".jpg") {
			onlyPixels(t, data)
		}
	}
	// Videos.
	m := detecttest.NewPan(t, 2).Images[0]
	var mjpeg bytes.Buffer
	for range 3 {
		one := encode(func(b *bytes.Buffer) error { return jpeg.Encode(b, m, nil) })
		mjpeg.Write(slices.Concat(one[:2], segmentOf(0xE1, "Exif\x00\x00"+secret), segmentOf(0xFE, secret), one[2:]))
	}
	var y4m bytes.Buffer
	must.Do(video.NewY4M(&y4m, video.Rate{Num: 25, Den: 1}, "Ip X"+secret).Write(m, 0))
	for name, data := range map[string][]byte{"Motion JPEG": mjpeg.Bytes(), "Y4M": y4m.Bytes()} {
		if !bytes.Contains(data, []byte(secret)) {
			t.Fatal("there is no secret")
		}
		status, out, stderr := call(bytes.NewReader(data), "blur", "-model", detecttest.Drawn, "-out", "-", "-")
		if status != statusOK || strings.Contains(out, secret) {
			t.Errorf("%s: status %d, %s, or something else than pixels is there", name, status, stderr)
		}
		if name == "Motion JPEG" {
			onlyPixels(t, []byte(out))
		}
	}
}

// onlyPixels checks that a JPEG has tables, a frame and a scan, and nothing else before it.
func onlyPixels(t *testing.T, data []byte) {
	t.Helper()
	for at := 2; at+4 < len(data); at += 2 + int(binary.BigEndian.Uint16(data[at+2:])) {
		switch m := data[at+1]; m {
		case 0xDB, 0xC4, 0xC0:
		case 0xDA:
			return
		default:
			t.Errorf("a JPEG with a segment %#x", m)
			return
		}
	}
}
