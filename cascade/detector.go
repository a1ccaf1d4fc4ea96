package cascade

import (
	"context"
	"errors"
	"image"
	"iter"
)

// A Detection is one object found.
type Detection struct {
	// Box is where it is, in the image's own coordinates.
	Box image.Rectangle

	// Score says how sure the cascade is; larger is surer, and scores can be
	// compared between sizes. With a calibrated cascade it is a probability,
	// otherwise the sum over the group of how far the score at the last exit
	// was above its threshold.
	Score float64

	// Neighbors is the number of candidates that were grouped into it.
	Neighbors int
}

// A Frame is one picture of a sequence and what was found in it.
type Frame struct {
	Index      int
	Image      image.Image
	Detections []Detection
}

// A Detector finds the objects of one cascade in images. It may be used by
// many goroutines at once.
type Detector struct {
}

var errNotReady = errors.New("cascade: the scan has not landed yet")

// NewDetector compiles c for detection with the options o; nil means defaults.
func NewDetector(c *Cascade, o *Options) (*Detector, error) {
	_, err := o.withDefaults()
	return &Detector{}, err
}

// Detect returns the objects in img, best first.
func (d *Detector) Detect(ctx context.Context, img image.Image) ([]Detection, error) {
	return nil, errNotReady
}

// AppendDetect appends the objects in g to dst, best first, and returns the
// result. After a first call for an image size it allocates nothing but what
// dst needs to grow.
func (d *Detector) AppendDetect(ctx context.Context, dst []Detection, g *image.Gray) ([]Detection, error) {
	return dst, errNotReady
}

// Frames runs the detector over a sequence of images, in order.
func (d *Detector) Frames(ctx context.Context, in iter.Seq2[image.Image, error]) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {}
}
