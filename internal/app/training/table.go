package training

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"haarlem/internal/app/watch"
)

// A trainTable shows a training on a terminal: a row for each step, and below them, drawn
// again and again, the step that is being made and a bar.
type trainTable struct {
	out   io.Writer
	width func() int // of the terminal
	live  int        // lines that are drawn again
	drawn time.Time
	head  bool // stands there
}

// print writes above what is drawn again.
func (t *trainTable) print(text string) {
	t.clear()
	fmt.Fprint(t.out, text)
	t.head = false
}

// clear removes what is drawn again.
func (t *trainTable) clear() {
	var b strings.Builder
	for i := range t.live {
		if i > 0 {
			b.WriteString("\x1b[1A")
		}
		b.WriteString("\r\x1b[K")
	}
	t.live = 0
	io.WriteString(t.out, b.String())
}

const rowFormat = "%6s %6s %9s %9s %9s %8s %9s %7s %7s\n"

// row writes the row of a step that is done.
func (t *trainTable) row(number string, s *watch.Step) {
	t.clear()
	if !t.head {
		fmt.Fprintf(t.out, rowFormat, "step", "weak", "hit rate", "validated", "false pos", "pictures", "hard neg", "AP", "time")
		t.head = true
	}
	validated, precision, took := "", "", ""
	if s.Validation != nil {
		validated = fmt.Sprintf("%.4f", *s.Validation)
	}
	if s.Curve != nil {
		precision = fmt.Sprintf("%.4f", s.Curve.AveragePrecision)
	}
	if s.Seconds > 0 {
		took = about(time.Duration(s.Seconds * float64(time.Second)))
	}
	fmt.Fprintf(t.out, rowFormat, number, fmt.Sprint(s.Weak), fmt.Sprintf("%.4f", s.HitRate), validated, fmt.Sprintf("%.4f", s.FalsePositiveRate),
		fmt.Sprint(s.Pictures), fmt.Sprint(s.Found), precision, took)
}

// drawEvery is the shortest time between two drawings.
const drawEvery = 100 * time.Millisecond

// draw draws the step that is made now, and the bar.
func (t *trainTable) draw(s *watch.State, left string) {
	if t.live > 0 && time.Since(t.drawn) < drawEvery {
		return
	}
	t.drawn = time.Now()
	width := max(20, t.width()-1)
	what := fmt.Sprintf("step %d: %s", s.Step, s.Doing)
	if s.Round > 0 {
		what += fmt.Sprintf(", %d weak classifiers, hit rate %.4f, false positive rate %.4f", s.Weak, s.HitRate, s.FalsePositiveRate)
	}
	end := fmt.Sprintf(" %3.0f%% of %d %s", 100*s.Done, s.Goal, s.Unit)
	if left != "" {
		end += ", " + left + " left"
	}
	end += fmt.Sprintf(", %d MiB", s.Memory>>20)
	t.clear()
	lines := []string{cut(what, width), cut(bar(s.Done, max(10, min(30, width-len(end))))+end, width)}
	fmt.Fprint(t.out, strings.Join(lines, "\n"))
	t.live = len(lines)
}

// bar draws a fraction, so many characters wide.
func bar(done float64, width int) string {
	full := int(math.Floor(min(max(done, 0), 1) * float64(width)))
	return strings.Repeat("█", full) + strings.Repeat("░", width-full)
}

// cut shortens a line, so that it does not wrap.
func cut(line string, width int) string {
	if all := []rune(line); len(all) > width {
		return string(all[:width])
	}
	return line
}
