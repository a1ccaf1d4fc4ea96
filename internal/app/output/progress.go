package output

import (
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// Progress returns a function that shows progress: as a bar on a terminal,
// and as a log line every ten seconds elsewhere.
func Progress(stderr io.Writer, what string) (progress func(done, total int), finish func()) {
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		var bar *progressbar.ProgressBar
		return func(done, total int) {
				if bar == nil {
					bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(stderr),
						progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
						progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond),
						progressbar.OptionClearOnFinish())
				}
				// Failing to draw a bar is no error.
				_ = bar.Set(done)
			}, func() {
				if bar != nil {
					_ = bar.Finish()
				}
			}
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	last := time.Now()
	return func(done, total int) {
		if now := time.Now(); now.Sub(last) >= 10*time.Second {
			last = now
			log.Info("progress", "done", done, what, total)
		}
	}, func() {}
}

// Steps is [Progress] of steps that follow one another, each with a name.
func Steps(stderr io.Writer) (progress func(what string, done, total int), finish func()) {
	var bar func(done, total int)
	end, doing := func() {}, ""
	return func(what string, done, total int) {
		if what != doing {
			end()
			bar, end = Progress(stderr, what)
			doing = what
		}
		bar(done, total)
	}, func() { end() }
}
