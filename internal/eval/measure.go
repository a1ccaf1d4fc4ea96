package eval

import (
	"cmp"
	"context"
	"fmt"
	"image"

	"haarlem/internal/par"
	"haarlem/internal/samples"
)

// MeasureOptions are the settings of a measurement. The zero value and nil
// work.
type MeasureOptions struct {
	Workers  int                   // photographs at once. 0 means GOMAXPROCS. The results do not depend on it
	Progress func(done, total int) // called after each photograph, never twice at once; may be nil
}

// A Set is photographs with their objects and detections. It can be judged with
// several matchers.
type Set struct {
	Photos     []Photo
	Sizes      []image.Point // of the photographs
	Contenders []*Contender
	Found      [][][]Found // by contender and photograph
}

// NewSet returns a set without detections.
func NewSet(photos []Photo, contenders []*Contender) *Set {
	s := &Set{Photos: photos, Sizes: make([]image.Point, len(photos)), Contenders: contenders, Found: make([][][]Found, len(contenders))}
	for c := range contenders {
		s.Found[c] = make([][]Found, len(photos))
	}
	return s
}

// Measure runs all contenders on all photographs. A photograph is read once,
// upright, and all contenders get the same pixels.
func Measure(ctx context.Context, photos []Photo, contenders []*Contender, o *MeasureOptions) (*Set, error) {
	if len(photos) == 0 {
		return nil, ErrNothing
	}
	s := NewSet(photos, contenders)
	err := Each(ctx, photos, o, func(ctx context.Context, i int, img image.Image) error {
		s.Sizes[i] = img.Bounds().Size()
		for k, c := range contenders {
			f, err := c.Find(ctx, photos[i].File, img)
			if err != nil {
				return fmt.Errorf("%s: %s: %w", c.Name, photos[i].File, err)
			}
			s.Found[k][i] = f
		}
		return nil
	})
	return s, err
}

// Each reads all photographs, upright, and calls f with their index,
// for several at once. The first error in their order ends it.
func Each(ctx context.Context, photos []Photo, o *MeasureOptions, f func(ctx context.Context, i int, img image.Image) error) error {
	o = cmp.Or(o, &MeasureOptions{})
	done := 0
	q := par.NewQueue(ctx, o.Workers, func(struct{}) error {
		if done++; o.Progress != nil {
			o.Progress(done, len(photos))
		}
		return nil
	})
	for i := range photos {
		more := q.Add(func(ctx context.Context) (none struct{}, err error) {
			img, err := samples.ReadImage(photos[i].File)
			if err != nil {
				return none, err
			}
			return none, f(ctx, i, img)
		})
		if !more {
			break
		}
	}
	return q.Close()
}
