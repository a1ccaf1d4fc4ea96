package samples

import (
	"bytes"
	"image"

	"haarlem/integral"
	"haarlem/internal/luma"
	"haarlem/picture"
)

// limits excludes images that are too large for an integral image.
var limits = &picture.Options{MaxPixels: integral.MaxPixels}

// size returns a picture's upright width and height from its header.
func size(path string) (int, int, error) { return picture.Size(path, limits) }

// ReadImage reads a picture, upright. The pixels belong to the caller.
func ReadImage(path string) (image.Image, error) {
	p, err := picture.Open(path, limits)
	if err != nil {
		return nil, err
	}
	return p.Image, nil
}

// ReadGrey is ReadImage in grey, as the detector makes it. The pixels belong to the
// caller.
func ReadGrey(path string) (*image.Gray, error) {
	img, err := ReadImage(path)
	if err != nil {
		return nil, err
	}
	return Grey(img), nil
}

// DecodeGrey does the same with the bytes of a file of that name.
func DecodeGrey(data []byte, name string) (*image.Gray, error) {
	p, err := picture.Read(bytes.NewReader(data), name, limits)
	if err != nil {
		return nil, err
	}
	return Grey(p.Image), nil
}

// Grey does the same with a picture that is read, which must not be changed afterwards.
func Grey(img image.Image) *image.Gray {
	g, _ := luma.Of(img, nil)
	if m, ok := img.(*image.Gray); ok && m.Rect.Min == (image.Point{}) {
		return m // freshly decoded: not shared
	}
	out := image.NewGray(image.Rect(0, 0, g.Width, g.Height))
	for y := range g.Height {
		copy(out.Pix[y*out.Stride:][:g.Width], g.Row(y))
	}
	return out
}
