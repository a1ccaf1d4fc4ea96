package camera

import (
	"context"
	"time"

	"haarlem/internal/app/frames"
)

// A newest holds one frame: who is slow gets the newest when they come back,
// and misses those in between. One goroutine puts and one takes.
type newest struct{ box chan *frames.Frame }

func newNewest() newest { return newest{make(chan *frames.Frame, 1)} }

func (n newest) put(f *frames.Frame) {
	for {
		select {
		case n.box <- f:
			return
		default:
		}
		select {
		case <-n.box: // an old one that nobody wanted
		default:
		}
	}
}

// take waits for a frame that was not taken before; not longer than wait if
// that is above zero. It returns nil if there is none.
func (n newest) take(ctx context.Context, wait time.Duration) *frames.Frame {
	var enough <-chan time.Time
	if wait > 0 {
		timer := time.NewTimer(wait)
		defer timer.Stop()
		enough = timer.C
	}
	select {
	case f := <-n.box:
		return f
	case <-ctx.Done():
	case <-enough:
	}
	return nil
}
