package output

import (
	"image"
	"image/png"
	"io"

	"haarlem/internal/samples"
)

// sheetColumns and maxOnSheet keep a sheet of 24x24 windows below 2000 by 1000
// pixels.
const (
	SheetColumns = 20
	MaxOnSheet   = 199 // besides the mean
	SheetZoom    = 4   // without -show
)

// Sheet is a sheet of the mean of all windows, and then windows spread
// over the list.
func Sheet(greys []*image.Gray, zoom int) image.Image {
	shown := []*image.Gray{samples.Mean(greys)}
	n := min(len(greys), MaxOnSheet)
	for i := range n {
		shown = append(shown, greys[i*len(greys)/n])
	}
	return samples.Sheet(shown, SheetColumns, zoom, "mean")
}

// WritePNG replaces a file by a picture.
func WritePNG(path string, img image.Image) error {
	return samples.Replace(path, false, func(w io.Writer) error { return png.Encode(w, img) })
}
