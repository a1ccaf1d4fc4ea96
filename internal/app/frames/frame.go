// Package frames reads and writes the frames of videos and cameras.
package frames

import (
	"image"
	"image/draw"
	"time"

	"haarlem/cascade/detector"
	"haarlem/internal/annotate"
	"haarlem/track"
)

// A Frame is one picture of a video or a camera, and what was found in it. Its pixels
// belong to whoever has the frame.
type Frame struct {
	Index int
	At    time.Duration // from the first frame

	// One of them holds the pixels once the frame is decoded.
	Image  *image.RGBA
	Planes *image.YCbCr
	coded  func() (image.Image, error) // nil: it is decoded

	Found []detector.Detection
	Looks []*track.Descriptor // of found
	Faces []track.Followed    // found and predicted, once they are tracked
	Took  time.Duration       // by the detector

	Thumbnail []byte // see track.Thumbnail; for hiding
	Doubt     string // why what is hidden is uncertain
}

// Decode makes the pixels of a frame that was read without them. Several frames may be
// decoded at once.
func (f *Frame) Decode() error {
	if f.coded == nil {
		return nil
	}
	img, err := f.coded()
	if err != nil {
		return err
	}
	f.coded = nil
	f.set(img)
	return nil
}

// set takes the pixels of an image that nobody else uses.
func (f *Frame) set(img image.Image) {
	b := img.Bounds()
	switch m := img.(type) {
	case *image.RGBA:
		f.Image = m
	case *image.YCbCr:
		f.Planes = m
	case *image.Gray:
		f.Planes = image.NewYCbCr(image.Rect(0, 0, b.Dx(), b.Dy()), image.YCbCrSubsampleRatio420)
		for y := range b.Dy() {
			copy(f.Planes.Y[y*f.Planes.YStride:][:b.Dx()], m.Pix[y*m.Stride:])
		}
		for i := range f.Planes.Cb {
			f.Planes.Cb[i], f.Planes.Cr[i] = 128, 128
		}
	default:
		f.Image = image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
		draw.Draw(f.Image, f.Image.Rect, img, b.Min, draw.Src)
	}
}

// RGBA makes sure that image holds the pixels.
func (f *Frame) RGBA() {
	if f.Planes != nil {
		f.Image = image.NewRGBA(f.Planes.Rect)
		draw.Draw(f.Image, f.Image.Rect, f.Planes, f.Planes.Rect.Min, draw.Src)
		f.Planes = nil
	}
}

// Picture is what holds the pixels.
func (f *Frame) Picture() image.Image {
	if f.Planes != nil {
		return f.Planes
	}
	return f.Image
}

// Canvas is the same to draw on.
func (f *Frame) Canvas() draw.Image {
	if f.Planes != nil {
		return annotate.Planes{YCbCr: f.Planes}
	}
	return f.Image
}

func (f *Frame) Bounds() image.Rectangle { return f.Picture().Bounds() }

// A Source gives frames one after another. It is used by one goroutine.
type Source interface {
	// Next returns the next frame, or io.EOF behind the last one. Any other
	// error says, for a reader, why there are no more frames although there
	// should be.
	Next() (*Frame, error)
	About() Footage
	Close() error
}

// A Sink takes frames in order. After Close what it wrote is complete,
// whatever happened before.
type Sink interface {
	Put(*Frame) error
	Close() error
}

// A Writer writes a video file picture by picture.
type Writer interface {
	Write(img image.Image, at time.Duration) error
	Close() error
}
