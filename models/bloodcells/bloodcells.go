// Package bloodcells carries three cascades that find cells in microscope pictures of
// stained blood: white cells, platelets and red cells.
//
// The pages beside it, leukocyte.md, platelet.md and erythrocyte.md, say what they were
// trained on and how well they do. They learned from pictures of one data set, which
// have 640x480 pixels and red cells of about a hundred: on those of another microscope
// they may do worse. They are no medical device.
package bloodcells

import (
	_ "embed"
	"image"

	"haarlem/cascade"
	"haarlem/models/internal/embedded"
)

//go:embed leukocyte.cascade
var leukocyte string

//go:embed platelet.cascade
var platelet string

//go:embed erythrocyte.cascade
var erythrocyte string

// Leukocytes returns a copy of the model of white cells that the caller may change. The
// only errors are those of [cascade.Read], which no released build has.
func Leukocytes() (*cascade.Cascade, error) { return embedded.Cascade("leukocyte", leukocyte) }

// Platelets is Leukocytes for platelets. It has learned from the red channel, and finds
// more in what [Red] returns than in a picture as it is.
func Platelets() (*cascade.Cascade, error) { return embedded.Cascade("platelet", platelet) }

// Erythrocytes is Leukocytes for red cells. Those that overlap are often found as one.
func Erythrocytes() (*cascade.Cascade, error) { return embedded.Cascade("erythrocyte", erythrocyte) }

// Red returns the red channel of a picture. Red cells are faint in it, and platelets are
// not.
func Red(picture image.Image) *image.Gray {
	b := picture.Bounds()
	red := image.NewGray(b)
	for y := b.Min.Y; y < b.Max.Y; y++ {
		row := red.Pix[red.PixOffset(b.Min.X, y):]
		for x := range b.Dx() {
			r, _, _, _ := picture.At(b.Min.X+x, y).RGBA()
			row[x] = uint8(r >> 8)
		}
	}
	return red
}
