package boosting

import (
	"fmt"
	"io"
	"time"
)

// progress returns a function that says, every ten seconds, how far a long run is and
// how long it may yet take. What is done begins anew with each part of a run.
func progress(w io.Writer, what string) func(done, total int) {
	begin := time.Now()
	last, before := begin, 0
	return func(done, total int) {
		now := time.Now()
		if done <= before {
			begin = now
		}
		if before = done; now.Sub(last) < 10*time.Second || now.Equal(begin) {
			return
		}
		last = now
		spent := now.Sub(begin)
		left := spent / time.Duration(done) * time.Duration(total-done)
		fmt.Fprintf(w, "%s %d of %d at most; %v, at most %v left\n", what, done, total, spent.Round(time.Second), left.Round(time.Second))
	}
}
