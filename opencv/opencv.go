// Package opencv has the names of gocv's cascade classifier, and its results, in plain
// Go: a program changes the import, and gives an [image.Image] instead of a gocv.Mat.
// Package gocvmat is the same for gocv.Mat.
//
// The rectangles are those of OpenCV 4.6, in the order that it has with one thread.
package opencv

import (
	"context"
	"errors"
	"fmt"
	"image"
	"sync"

	"haarlem/cascade"
	"haarlem/cascade/detector"
)

// A CascadeClassifier finds objects. Copies share what they have loaded. Any number of
// goroutines may search with one.
type CascadeClassifier struct{ loaded *loaded }

// loaded is what a classifier and its copies have.
type loaded struct {
	mu       sync.Mutex
	cascade  *cascade.Cascade   // nil means none
	settings settings           // of detector
	detector *detector.Detector // the last one: making one takes as long as some searches
}

type settings struct {
	scale        float64
	minNeighbors int
	min, max     image.Point
}

// errEmpty is what a search without a cascade panics with.
var errEmpty = errors.New("opencv: no cascade is loaded: Load returned false, or was not called")

// NewCascadeClassifier returns a classifier without a cascade.
func NewCascadeClassifier() CascadeClassifier { return CascadeClassifier{new(loaded)} }

// Close forgets the cascade.
func (c *CascadeClassifier) Close() error {
	c.set(nil)
	return nil
}

// Load reads a cascade, in OpenCV's XML or the native format, and says whether it could.
// [cascade.Open] says why not.
func (c *CascadeClassifier) Load(name string) bool {
	model, err := cascade.Open(name)
	c.set(model)
	return err == nil
}

func (c *CascadeClassifier) set(model *cascade.Cascade) {
	if c.loaded == nil {
		c.loaded = new(loaded)
	}
	c.loaded.mu.Lock()
	defer c.loaded.mu.Unlock()
	c.loaded.cascade, c.loaded.detector = model, nil
}

// DetectMultiScale is [CascadeClassifier.DetectMultiScaleWithParams] with OpenCV's
// defaults: a scale of 1.1, and 3 neighbors.
func (c *CascadeClassifier) DetectMultiScale(img image.Image) []image.Rectangle {
	return c.DetectMultiScaleWithParams(img, 1.1, 3, 0, image.Point{}, image.Point{})
}

// DetectMultiScaleWithParams returns the objects in img, in its coordinates. Colours
// become grey by OpenCV's weights. flags have no effect, as in OpenCV 3 and later.
// Sizes of 0 are no bounds.
//
// Where OpenCV throws an exception, which ends gocv's programs, it panics: with a scale
// of 1 or less, without a cascade, and for pictures beyond [detector.MaxPixels].
func (c *CascadeClassifier) DetectMultiScaleWithParams(img image.Image, scale float64, minNeighbors, flags int, minSize, maxSize image.Point) []image.Rectangle {
	found, err := c.detect(img, scale, minNeighbors, minSize, maxSize)
	if err != nil {
		panic(err)
	}
	boxes := make([]image.Rectangle, len(found))
	for i := range found {
		boxes[i] = found[i].Box
	}
	return boxes
}

func (c *CascadeClassifier) detect(img image.Image, scale float64, minNeighbors int, minSize, maxSize image.Point) ([]detector.Detection, error) {
	if !(scale > 1) {
		return nil, fmt.Errorf("opencv: a scale of %v, want more than 1", scale)
	}
	s := settings{
		// With a larger factor there is no second level in any picture.
		scale: min(scale, 1024), minNeighbors: max(minNeighbors, 0), min: image.Pt(max(minSize.X, 0), max(minSize.Y, 0)),
	}
	if maxSize.X != 0 && maxSize.Y != 0 {
		// A negative bound is one that no size is within; so is 1.
		s.max = image.Pt(max(maxSize.X, 1), max(maxSize.Y, 1))
	}
	model, d, err := c.prepare(s)
	if err != nil {
		return nil, err
	}
	if r := img.Bounds(); r.Dx() > 0 && r.Dy() > detector.MaxPixels/r.Dx() {
		return nil, fmt.Errorf("%w: %d x %d pixels; %d are the limit", detector.ErrImageTooLarge, r.Dx(), r.Dy(), detector.MaxPixels)
	}
	if model.Network != nil { // which sees colours
		return d.Detect(context.Background(), img)
	}
	for _, e := range model.Exits {
		if !e.Restart { // OpenCV has no such cascades, and no results for them
			return d.AppendDetect(context.Background(), nil, grey(img))
		}
	}
	return d.AppendOpenCV(context.Background(), nil, grey(img))
}

// prepare returns the cascade and a detector for s.
func (c *CascadeClassifier) prepare(s settings) (*cascade.Cascade, *detector.Detector, error) {
	l := c.loaded
	if l == nil {
		return nil, nil, errEmpty
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cascade == nil {
		return nil, nil, errEmpty
	}
	if l.detector == nil || l.settings != s {
		d, err := detector.New(&detector.Options{
			Scale: s.scale, MinNeighbors: s.minNeighbors, Ungrouped: s.minNeighbors == 0,
			MinSize: s.min, MaxSize: s.max, MaxCandidates: -1,
		}, l.cascade)
		if err != nil {
			return nil, nil, err
		}
		l.settings, l.detector = s, d
	}
	return l.cascade, l.detector, nil
}
