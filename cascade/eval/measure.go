package eval

import (
	"context"
	"fmt"
	"image"
	"runtime"

	"haarlem/samples"
)

// MeasureOptions says how to measure. The zero value and nil work.
type MeasureOptions struct {
	Workers  int                   // photographs at once. 0 means GOMAXPROCS. The results do not depend on it
	Progress func(done, total int) // called after each photograph, never twice at once; may be nil
}

// A Set is photographs with what is to be found in them and what was found. It
// can be judged by several rules.
type Set struct {
	Photos     []Photo
	Sizes      []image.Point // of the photographs
	Contenders []*Contender
	Found      [][][]Found // by contender and photograph
}

func workersOr(n int) int {
	if n > 0 {
		return n
	}
	return runtime.GOMAXPROCS(0)
}

// Measure has all contenders look at all photographs. A photograph is read
// once, upright, and everybody gets the same grey levels.
func Measure(ctx context.Context, photos []Photo, contenders []*Contender, o *MeasureOptions) (*Set, error) {
	if o == nil {
		o = &MeasureOptions{}
	}
	if len(photos) == 0 {
		return nil, ErrNothing
	}
	s := &Set{Photos: photos, Contenders: contenders, Found: make([][][]Found, len(contenders))}
	for c := range contenders {
		s.Found[c] = make([][]Found, len(photos))
	}
	type seen struct {
		size  image.Point
		found [][]Found
	}
	at := 0
	q := newQueue(ctx, o.Workers, func(v seen) error {
		s.Sizes = append(s.Sizes, v.size)
		for c := range contenders {
			s.Found[c][at] = v.found[c]
		}
		at++
		if o.Progress != nil {
			o.Progress(at, len(photos))
		}
		return nil
	})
	for i := range photos {
		more := q.add(func() (v seen, err error) {
			g, err := samples.ReadGrey(photos[i].File)
			if err != nil {
				return v, err
			}
			v.size = g.Rect.Max
			for _, c := range contenders {
				f, err := c.Find(q.ctx, photos[i].File, g)
				if err != nil {
					return v, fmt.Errorf("%s: %s: %w", c.Name, photos[i].File, err)
				}
				v.found = append(v.found, f)
			}
			return v, nil
		})
		if !more {
			break
		}
	}
	if err := q.close(); err != nil {
		return nil, err
	}
	return s, nil
}
