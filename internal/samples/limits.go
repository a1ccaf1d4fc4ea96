package samples

import (
	"errors"
	"fmt"
	"io"
)

// ErrLimit is wrapped by the error of a reader whose input exceeds a limit.
var ErrLimit = errors.New("over the limit")

// Limits of readers. A photograph costs about 100 bytes of memory, an object as
// much and more with tags.
const (
	maxTextBytes = 256 << 20 // info.dat, CSV, lists
	maxJSONBytes = 1 << 30   // the largest file of COCO itself has 450 MB
	maxXMLBytes  = 16 << 20  // of one photograph
	maxYOLOBytes = 16 << 20  // of one photograph
	maxLine      = 1 << 20
	maxPhotos    = 2_000_000
	maxObjects   = 5_000_000
	maxColumns   = 1000
	maxElements  = 1_000_000 // of one XML file
	maxDepth     = 64        // of its nesting

	maxImglabElements = 50_000_000 // of imglab's file of all photographs

	// maxPlace is the largest coordinate, either way: ten times the largest
	// side of an image, so that sums and areas do not overflow.
	maxPlace = 1_000_000

	// maxPercent is the same of places in per cent: ten times the picture.
	maxPercent = 1000

	// maxVecPixels is the size of one window in a .vec file.
	maxVecPixels = 1 << 20
)

// bounded fails with ErrLimit where an io.LimitReader would end the file.
type bounded struct {
	r           io.Reader
	left, limit int64
}

func bound(r io.Reader, limit int64) io.Reader { return &bounded{r, limit, limit} }

func (b *bounded) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if b.left <= 0 {
		// One byte more distinguishes a file of exactly the limit from a longer
		// one.
		n, err := b.r.Read(p[:1])
		if n > 0 {
			return 0, fmt.Errorf("more than %d bytes: %w", b.limit, ErrLimit)
		}
		return 0, err
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.r.Read(p)
	b.left -= int64(n)
	return n, err
}
