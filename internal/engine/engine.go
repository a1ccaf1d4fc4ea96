package engine

import (
	"context"
	"errors"
	"fmt"
	"image"
	"math"
	"sync"

	"haarlem/cascade"
)

// An Engine finds the detection windows of images that pass a cascade. It may be used
// by many goroutines at once.
type Engine struct {
	*setup
	order    lazy[[]int] // of exits in lanes; nil, or no maker, means the model's
	searches sync.Pool   // of *Search, for AppendWindows
}

// New compiles c for searches with the options o; nil means defaults.
func New(c *cascade.Cascade, o *Options) (*Engine, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	v, err := o.For(c)
	if err != nil {
		return nil, err
	}
	c = c.Clone()
	c.Search = *v.Search
	e := &Engine{setup: newSetup(c, v)}
	e.stopsAfter, e.sweep = defaultStops, defaultSwept
	if !e.near.any() { // which count exits in the model's order
		e.order.make = e.stageOrder
	}
	return e, nil
}

// Options returns the options in force, with defaults filled in.
func (e *Engine) Options() Options { return e.o }

// MaxPixels is the largest number of pixels of an image.
const MaxPixels = 1 << 30

// ErrImageTooLarge is wrapped by errors about images with more than MaxPixels.
var ErrImageTooLarge = errors.New("detector: image too large")

// CheckSize reports an error for an image with more than MaxPixels pixels.
func CheckSize(b image.Rectangle) error {
	w, h := b.Dx(), b.Dy()
	if w > MaxPixels || h > MaxPixels || w > 0 && h > MaxPixels/w {
		return fmt.Errorf("%w: %d x %d pixels; the maximum is %d", ErrImageTooLarge, w, h, MaxPixels)
	}
	return nil
}

// checkEnlarged is CheckSize of an image of this size after enlargement.
func (e *Engine) checkEnlarged(width, height int) error {
	f := math.Ceil(e.o.Enlarge)
	return CheckSize(image.Rect(0, 0, width*int(f), height*int(f)))
}

// plan makes the plan for images of a size; last is the last plan, or nil. It fails only
// if ctx ends.
func (e *Engine) plan(ctx context.Context, width, height int, last *plan) (*plan, error) {
	return e.planFor(ctx, width, height, &e.order, last)
}
