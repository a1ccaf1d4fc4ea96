package training

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"haarlem/internal/app/watch"
	"haarlem/internal/must"
	"haarlem/internal/train/report"
)

// A file that cannot be written completely leaves the older one unchanged, and
// nothing beside it.
func TestFolderFullDisk(t *testing.T) {
	t.Chdir(t.TempDir())
	f := must.Get(openFolder("out", "cascade", false, false))
	defer f.close()
	text := func(s string) func(io.Writer) error {
		return func(w io.Writer) error {
			_, err := io.WriteString(w, s)
			return err
		}
	}
	f.sink = func(w io.Writer) io.Writer { return &fullDisk{w, 10} }
	path := filepath.Join("out", "state")
	for i, want := range []string{path + ": not saved: " + syscall.ENOSPC.Error(), path + ": not saved; the older one is as it was: " + syscall.ENOSPC.Error()} {
		err := f.write("state", text("much too long for this disk"))
		if !errors.Is(err, syscall.ENOSPC) || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
		if i == 1 {
			break
		}
		must.Do(f.write("state", text("short")))
	}
	if got, err := os.ReadFile(path); string(got) != "short" {
		t.Errorf("the older file is %q, %v", got, err)
	}
	if entries, _ := os.ReadDir("out"); len(entries) != 2 { // it and the lock
		t.Errorf("left over: %v", entries)
	}
}

// A fullDisk accepts a few more bytes.
type fullDisk struct {
	io.Writer
	room int
}

func (d *fullDisk) Write(b []byte) (int, error) {
	if len(b) > d.room {
		return 0, syscall.ENOSPC
	}
	d.room -= len(b)
	return d.Writer.Write(b)
}

func TestParseBytes(t *testing.T) {
	for text, want := range map[string]int64{"4GiB": 4 << 30, "4G": 4 << 30, "0.5 GB": 5e8, "800mb": 8e8, "100000000": 1e8} {
		if got, err := ParseBytes(text); err != nil || got != want {
			t.Errorf("%s is %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GiB", "-4GiB", "4XB", "NaN", "1e30GB"} {
		if got, err := ParseBytes(text); err == nil {
			t.Errorf("%q is %d, want an error", text, got)
		}
	}
}

// The remaining time follows from the last steps, and never exceeds -time.
func TestPace(t *testing.T) {
	start := time.Unix(1e9, 0)
	at := func(s float64) time.Time { return start.Add(time.Duration(s * float64(time.Second))) }
	for name, test := range map[string]struct {
		pace pace
		now  float64
		want string
	}{
		"nothing is known":              {pace{goal: 10, start: start}, 5, ""},
		"all runs together have -time":  {pace{soft: true, goal: 1000, limit: time.Hour, earlier: 40 * time.Minute, start: start}, 600, "10m"},
		"-time, before anything":        {pace{goal: 10, limit: time.Minute, start: start}, 10, "50s"},
		"-time ends a growing training": {pace{goal: 40, limit: 10 * time.Minute, start: start, ends: []stepEnd{{at(100), 1}, {at(220), 2}}}, 220, "6m"},
		"stages alike":                  {pace{goal: 5, start: start, ends: []stepEnd{{at(10), 1}, {at(20), 2}}}, 24, "25s"},
		"stages that grow by a fifth":   {pace{goal: 4, start: start, ends: []stepEnd{{at(100), 1}, {at(220), 2}}}, 220, "4m to 5m"},
		"longer than the last stage":    {pace{goal: 3, start: start, ends: []stepEnd{{at(10), 1}, {at(20), 2}}}, 50, "0s"},
		"all stages are made":           {pace{goal: 2, start: start, ends: []stepEnd{{at(10), 1}, {at(20), 2}}}, 20, "0s"},
		// 2 weak classifiers in 10 seconds; 2, 2, and 4 at the end.
		"a soft cascade's steps": {pace{soft: true, goal: 6, start: start, ends: []stepEnd{{at(10), 2}}}, 10, "20s"},
		"which grow":             {pace{soft: true, goal: 30, start: start, ends: []stepEnd{{at(10), 20}}}, 10, "20s"},
		"from small ones":        {pace{soft: true, goal: 50, first: 18, start: start, ends: []stepEnd{{at(60), 20}}}, 60, "5m to 15m"},
		"resumed":                {pace{soft: true, goal: 140, first: 100, start: start, ends: []stepEnd{{at(20), 125}}}, 20, "20s"},
	} {
		if got := leftText(test.pace.left(at(test.now))); got != test.want {
			t.Errorf("%s: %q left, want %q", name, got, test.want)
		}
	}
}

func TestAbout(t *testing.T) {
	for d, want := range map[time.Duration]string{0: "0s", 3600 * time.Millisecond: "4s", 47 * time.Second: "45s", 119 * time.Second: "120s", 5*time.Minute + 40*time.Second: "6m", 134 * time.Minute: "2h15m", 24 * time.Hour: "24h00m"} {
		if got := about(d); got != want {
			t.Errorf("%v is written %q, want %q", d, got, want)
		}
	}
}

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
	table.row("1/4", &watch.Step{Weak: 5, HitRate: 0.998, Validation: &validated, FalsePositiveRate: 0.41, Pictures: 12, Found: 1000, Seconds: 3.2, Curve: &report.Curve{AveragePrecision: 0.0312}})
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
