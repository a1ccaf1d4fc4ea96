package training

import (
	"strings"
	"testing"

	"haarlem/internal/app/watch"
)

// screen is what a terminal shows after what was written to it: enough of one for what
// trainTable writes.
func screen(written string) string {
	lines, row, column := []string{""}, 0, 0
	for i := 0; i < len(written); {
		rest := written[i:]
		switch {
		case strings.HasPrefix(rest, "\x1b[K"):
			lines[row] = string([]rune(lines[row])[:column])
			i += 3
		case strings.HasPrefix(rest, "\x1b[1A"):
			row--
			i += 4
		case rest[0] == '\r':
			column = 0
			i++
		case rest[0] == '\n':
			row, column = row+1, 0
			if row == len(lines) {
				lines = append(lines, "")
			}
			i++
		default:
			r := []rune(rest)[0]
			lines[row] = string(append([]rune(lines[row])[:column], r))
			column++
			i += len(string(r))
		}
	}
	return strings.Join(lines, "\n")
}

// Rows stay, and what is drawn again is below them and never wraps.
func TestTrainTable(t *testing.T) {
	var out strings.Builder
	width := 80
	table := &trainTable{out: &out, width: func() int { return width }}
	now := &watch.State{Goal: 4, Unit: "stages", Step: 1, Doing: "boosting", Round: 3, Weak: 3, HitRate: 0.9991, FalsePositiveRate: 0.71, Done: 0.125, Memory: 90 << 20}
	table.draw(now, "")
	validated := 0.99
	table.row("1/4", &watch.Step{Weak: 5, HitRate: 0.998, Validation: &validated, FalsePositiveRate: 0.41, Pictures: 12, Found: 1000, Seconds: 3.2, Curve: &watch.Curve{AveragePrecision: 0.0312}})
	table.draw(now, "1m to 2m")
	table.row("2/4", &watch.Step{Weak: 11, HitRate: 0.997, FalsePositiveRate: 0.38, Pictures: 60, Found: 998})
	now.Step, now.Done = 3, 0.5
	table.draw(now, "1m")
	want := `  step   weak  hit rate validated false pos pictures  hard neg      AP    time
   1/4      5    0.9980    0.9900    0.4100       12      1000  0.0312      3s
   2/4     11    0.9970              0.3800       60       998                
step 3: boosting, 3 weak classifiers, hit rate 0.9991, false positive rate 0.71
███████████████░░░░░░░░░░░░░░░  50% of 4 stages, 1m left, 90 MiB`
	if got := screen(out.String()); got != want {
		t.Errorf("the terminal shows\n%s\nwant\n%s", got, want)
	}
	table.print("a note\n")
	if got := screen(out.String()); !strings.HasSuffix(got, "998                \na note\n") {
		t.Errorf("after a note the terminal shows\n%s", got)
	}
	for width = 1; width < 130; width += 7 {
		out.Reset()
		table.clear()
		out.Reset()
		table.draw(now, "1m to 2m")
		for line := range strings.Lines(screen(out.String())) {
			if n := len([]rune(strings.TrimSuffix(line, "\n"))); n >= max(width, 21) {
				t.Errorf("a terminal of %d columns gets %d: %s", width, n, line)
			}
		}
	}
}
