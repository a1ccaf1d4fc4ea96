package detecttest

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"haarlem/internal/video"
)

// Differs is the share of pixels in r that are not nearly equal.
func Differs(a, b image.Image, r image.Rectangle) float64 {
	n := 0
	for y := r.Min.Y; y < r.Max.Y; y++ {
		for x := r.Min.X; x < r.Max.X; x++ {
			p, q := color.RGBAModel.Convert(a.At(x, y)).(color.RGBA), color.RGBAModel.Convert(b.At(x, y)).(color.RGBA)
			d := func(u, v uint8) int { return max(int(u)-int(v), int(v)-int(u)) }
			if max(d(p.R, q.R), d(p.G, q.G), d(p.B, q.B)) > 24 {
				n++
			}
		}
	}
	return float64(n) / float64(r.Dx()*r.Dy())
}

// Files of the repository.
var (
	Drawn = path("cmd/detect/testdata/drawn.cascade") // see drawn.py there
	Group = path("samples/group.png")
	Room  = path("samples/room.png")
)

// path leads from a package's folder to a file of the repository.
func path(name string) string {
	up := ""
	for range 8 {
		if _, err := os.Stat(up + "go.mod"); err == nil {
			break
		}
		up += "../"
	}
	return filepath.FromSlash(up + name)
}

// WritePNG writes a picture, and returns path.
func WritePNG(t *testing.T, path string, m image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return WriteBytes(t, path, b.Bytes())
}

// WriteBytes writes a file, with its folders, and returns path.
func WriteBytes(t *testing.T, path string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// ReadPicture reads a picture of any kind.
func ReadPicture(t *testing.T, path string) image.Image {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, err := image.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// OneFace is a small part of the group, with one face of 76 pixels.
func OneFace(t *testing.T) image.Image {
	t.Helper()
	out := image.NewRGBA(image.Rect(0, 0, 110, 100))
	draw.Draw(out, out.Rect, ReadPicture(t, Group), image.Pt(153, 176), draw.Src)
	return out
}

// A WriterFunc is a function as a writer.
type WriterFunc func([]byte) (int, error)

func (f WriterFunc) Write(p []byte) (int, error) { return f(p) }

// FramesOf decodes a stream.
func FramesOf(t *testing.T, data []byte) (kind string, all []image.Image) {
	t.Helper()
	r, err := video.NewReader(bytes.NewReader(data), nil)
	if err != nil {
		t.Fatal(err)
	}
	for {
		f, err := r.Next()
		if err != nil {
			return r.Info().Kind, all
		}
		img, err := f.Decode()
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, img)
	}
}
