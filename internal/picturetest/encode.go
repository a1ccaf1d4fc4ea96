package picturetest

import (
	"bytes"
	"image"
	"image/jpeg"
	"image/png"

	"haarlem/internal/must"
)

// PNG returns m as a PNG file.
func PNG(m image.Image) []byte {
	var b bytes.Buffer
	must.Do(png.Encode(&b, m))
	return b.Bytes()
}

// JPEG returns m as a JPEG file of a quality of up to 100.
func JPEG(m image.Image, quality int) []byte {
	var b bytes.Buffer
	must.Do(jpeg.Encode(&b, m, &jpeg.Options{Quality: quality}))
	return b.Bytes()
}
