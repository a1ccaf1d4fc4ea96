package picture

import (
	"image"

	"haarlem/internal/annotate"
	"haarlem/internal/obscure"
)

// A Mark is a box to draw, and a few words to write at it.
type Mark struct {
	Box   image.Rectangle
	Label string // may be empty
}

// Annotate returns a copy of img with the marks drawn on it. Lines and letters
// grow with the picture, so that they can be read when all of it is seen at
// once.
func Annotate(img image.Image, marks []Mark) *image.RGBA {
	out := obscure.Copy(img)
	all := make([]annotate.Mark, len(marks))
	for i, m := range marks {
		all[i] = annotate.Mark(m)
	}
	annotate.Draw(out, all)
	return out
}
