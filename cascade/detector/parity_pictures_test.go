package detector_test

import (
	"fmt"
	"image"

	"haarlem/internal/drawn"
)

// picture is the recipe of a grey test picture. It is drawn with integers
// only, so that every machine sees the same pixels.
type picture struct {
	kind string
	w, h int
	seed uint64
}

// name says what the picture is, as "texture-321x241-7".
func (p picture) name() string { return fmt.Sprintf("%s-%dx%d-%d", p.kind, p.w, p.h, p.seed) }

// pictureKinds are the things that [drawn.Picture] can draw.
var pictureKinds = []string{"noise", "ramp", "checks", "blocks", "faint", "texture", "faces", "strokes"}

// draw makes the picture.
func (p picture) draw() *image.Gray { return drawn.Picture(p.kind, p.w, p.h, p.seed) }
