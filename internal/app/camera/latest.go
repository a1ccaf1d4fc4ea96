package camera

import (
	"context"
	"time"

	"haarlem/internal/app/frames"
)

// A latest is a mailbox for one frame: slow readers skip frames. One goroutine puts and one takes.
type latest struct{ box chan *frames.Frame }

func newLatest() latest { return latest{make(chan *frames.Frame, 1)} }

func (n latest) put(f *frames.Frame) {
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
func (n latest) take(ctx context.Context, wait time.Duration) *frames.Frame {
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
