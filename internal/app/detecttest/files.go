package detecttest

import (
	"bytes"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"haarlem/internal/must"
	"haarlem/internal/video"
)

// Differs is the share of pixels in r that are not nearly equal.
func Differs(a, b image.Image, r image.Rectangle) float64 {
	n := 0
	p, q := image.NewRGBA(r), image.NewRGBA(r)
	draw.Draw(p, r, a, r.Min, draw.Src)
	draw.Draw(q, r, b, r.Min, draw.Src)
	d := func(i int) int { return max(int(p.Pix[i])-int(q.Pix[i]), int(q.Pix[i])-int(p.Pix[i])) }
	for i := 0; i < len(p.Pix); i += 4 {
		if max(d(i), d(i+1), d(i+2)) > 24 {
			n++
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

// group is the picture [Group], which nobody draws on.
var group = sync.OnceValue(func() image.Image { return ReadPicture(nil, Group) })

// WritePNG writes a picture, and returns path.
func WritePNG(t *testing.T, path string, m image.Image) string {
	t.Helper()
	var b bytes.Buffer
	must.Do((&png.Encoder{CompressionLevel: png.NoCompression}).Encode(&b, m))
	return WriteBytes(t, path, b.Bytes())
}

// WriteBytes writes a file, with its folders, and returns path.
func WriteBytes(t *testing.T, path string, data []byte) string {
	t.Helper()
	must.Do(os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(os.WriteFile(path, data, 0o644))
	return path
}

// ReadPicture reads a picture of any kind.
func ReadPicture(_ *testing.T, path string) image.Image {
	f := must.Get(os.Open(path))
	defer f.Close()
	m, _ := must.Get2(image.Decode(f))
	return m
}

// OneFace is a small part of the group, with one face of 76 pixels.
func OneFace(t *testing.T) image.Image {
	t.Helper()
	out := image.NewRGBA(image.Rect(0, 0, 110, 100))
	draw.Draw(out, out.Rect, group(), image.Pt(153, 176), draw.Src)
	return out
}

// A WriterFunc is a function as a writer.
type WriterFunc func([]byte) (int, error)

func (f WriterFunc) Write(p []byte) (int, error) { return f(p) }

// FramesOf decodes a stream.
func FramesOf(t *testing.T, data []byte) (kind string, all []image.Image) {
	t.Helper()
	r := must.Get(video.NewReader(bytes.NewReader(data), nil))
	for {
		f, err := r.Next()
		if err != nil {
			return r.Info().Kind, all
		}
		all = append(all, must.Get(f.Decode()))
	}
}
