package hide

import (
	"errors"

	"haarlem/internal/app/frames"
	"haarlem/track"
)

// A collectingSink tells a guard about all frames, and keeps none.
type collectingSink struct{ h *hiding }

func (c *collectingSink) Put(f *frames.Frame) error {
	c.h.options.wanted(f)
	if err := c.h.start(f, 0); err != nil {
		return err
	}
	c.h.add(f)
	return nil
}

func (c *collectingSink) Close() error { return nil }

// A countingHider counts what was hidden, and passes frames on.
type countingHider struct {
	frames.Sink
	h       *hiding
	regions [][]track.Region
}

func (c *countingHider) Put(f *frames.Frame) error {
	c.h.count(c.regions[f.Index])
	c.h.sheet.add(f)
	return c.Sink.Put(f)
}

// A hidingSink hides faces of a stream, and passes frames on when it knows what comes
// behind them.
type hidingSink struct {
	frames.Sink
	h     *hiding
	fps   float64
	queue []*frames.Frame

	failed bool // the sink behind takes nothing any more
}

// maxHeld is how much memory the frames in the queue may take. Of very large
// pictures fewer are held, and shorter gaps filled.
const maxHeld = 512 << 20

// delayOf is how many frames are held, of a second at most.
func delayOf(f *frames.Frame, fps float64) int {
	size := f.Bounds().Size()
	return max(1, min(int(fps+0.5), 60, maxHeld/max(1, 4*size.X*size.Y)))
}

func (s *hidingSink) Put(f *frames.Frame) error {
	if err := s.h.start(f, delayOf(f, s.fps)); err != nil {
		return err
	}
	s.queue = append(s.queue, f)
	s.h.options.wanted(f)
	if regions, ok := s.h.add(f); ok {
		return s.pass(regions)
	}
	return nil
}

func (s *hidingSink) pass(regions []track.Region) error {
	f := s.queue[0]
	s.queue[0] = nil
	s.queue = s.queue[1:]
	f.Doubt = s.h.options.hide(f, regions, s.h.strong)
	s.h.count(regions)
	s.h.sheet.add(f)
	err := s.Sink.Put(f)
	s.failed = err != nil
	return err
}

func (s *hidingSink) Close() error {
	var err error
	for s.h.guard != nil && !s.failed {
		regions, ok := s.h.guard.Rest()
		if !ok {
			break
		}
		err = s.pass(regions)
	}
	return errors.Join(err, s.Sink.Close())
}
