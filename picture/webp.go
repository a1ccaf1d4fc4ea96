package picture

import (
	"image"
	"io"

	"golang.org/x/image/webp"
)

// decodeWebP decodes a WebP picture. Lossy ones have the limited range of video, 16 to
// 235 for brightness, while [image.YCbCr] and all other formats have 0 to 255.
func decodeWebP(r io.Reader) (image.Image, error) {
	img, err := webp.Decode(r)
	if err != nil {
		return nil, err
	}
	switch m := img.(type) {
	case *image.YCbCr:
		fullRange(m)
	case *image.NYCbCrA:
		fullRange(&m.YCbCr)
	}
	return img, nil
}

// fullRange converts m from the limited range of BT.601.
func fullRange(m *image.YCbCr) {
	var luma, chroma [256]byte
	for i := range 256 {
		luma[i] = byte(min(max(((i-16)*255*2+219)/(2*219), 0), 255))
		chroma[i] = byte(min(max(((i-128)*255*2+224*257)/(2*224), 0), 255))
	}
	for i, v := range m.Y {
		m.Y[i] = luma[v]
	}
	for i := range m.Cb {
		m.Cb[i], m.Cr[i] = chroma[m.Cb[i]], chroma[m.Cr[i]]
	}
}
