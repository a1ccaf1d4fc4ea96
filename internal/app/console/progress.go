package console

import (
	"log/slog"
	"time"

	"github.com/schollz/progressbar/v3"

	"haarlem/cascade"
)

const (
	manyPictures = 5                // fewer are over before a bar is understood
	logEvery     = 10 * time.Second // without a terminal
)

// A progress tells how far a long run is: with a bar on a terminal, otherwise
// with a log line now and then. It is used by one goroutine.
type progress struct {
	bar    *progressbar.ProgressBar // nil: no terminal, or few pictures
	shared bool                     // results go to the same terminal

	log         *slog.Logger // nil: a bar, or few pictures
	last        time.Time
	things      string
	objects     string // what is found
	done, total int
	faces       int
}

func NewProgress(s *Streams, object cascade.Object, total int) *progress {
	return NewProgressOf(s, "pictures", object, total)
}

// NewProgressOf counts other things. A total of -1 is one that nobody knows.
func NewProgressOf(s *Streams, things string, object cascade.Object, total int) *progress {
	p := &progress{things: things, objects: object.OrAny().Plural, total: total, last: time.Now()}
	switch {
	case total >= 0 && total < manyPictures:
	case s.errTerm:
		p.shared = s.outTerm
		p.bar = progressbar.NewOptions(total,
			progressbar.OptionSetWriter(s.Err),
			progressbar.OptionSetDescription(things),
			progressbar.OptionShowCount(),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionSetWidth(30),
			progressbar.OptionThrottle(50*time.Millisecond),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionSetRenderBlankState(true),
		)
	default:
		p.log = slog.New(slog.NewTextHandler(s.Err, nil))
	}
	return p
}

// Add counts one more picture.
func (p *progress) Add(faces int) {
	p.done++
	p.faces += faces
	switch {
	case p.bar != nil:
		// A bar that cannot be drawn is no reason to stop.
		_ = p.bar.Add(1)
	case p.log != nil && time.Since(p.last) >= logEvery:
		p.last = time.Now()
		if p.total < 0 {
			p.log.Info("detect", p.things, p.done, p.objects, p.faces)
		} else {
			p.log.Info("detect", p.things, p.done, "of", p.total, p.objects, p.faces)
		}
	}
}

// Aside takes the bar away while f writes a line where it stands: to stderr,
// or to stdout if that is the same terminal.
func (p *progress) Aside(toErr bool, f func()) {
	if p.bar == nil || !(toErr || p.shared) {
		f()
		return
	}
	_ = p.bar.Clear()
	f()
	_ = p.bar.RenderBlank() // which draws it as it is now
}

func (p *progress) Finish() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
