package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"haarlem/cascade/train"
	"haarlem/samples"
)

// A trainLog reports progress: on a terminal in one line that is redrawn,
// elsewhere in a log line for each step and some between; and completely in the
// folder's log.
type trainLog struct {
	file *os.File
	all  *slog.Logger // to the file

	stderr   io.Writer
	terminal bool
	lines    *slog.Logger // to stderr, where that is no terminal
	drawn    bool         // a line stands on the terminal that is not ended

	soft     bool
	limit    time.Duration // -time, less the time of reading; 0: none
	earlier  time.Duration // of earlier runs of a resumed training, which count too
	start    time.Time
	told     time.Time
	stepped  time.Time
	stepTime time.Duration   // of the last step
	times    []time.Duration // of the steps of this run
	training *training       // from begin on
	notes    []string
	first    int // weak classifiers at the first event; -1 before
	from     int // weak classifiers at the beginning of the step
}

// logEvery is the interval of log lines within a step.
const logEvery = 10 * time.Second

func newTrainLog(path string, stderr io.Writer) (*trainLog, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	l := &trainLog{file: file, all: slog.New(slog.NewJSONHandler(file, nil)), stderr: stderr, start: now, told: now, stepped: now, first: -1}
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		l.terminal = true
	} else {
		l.lines = slog.New(slog.NewTextHandler(stderr, nil))
	}
	return l, nil
}

func (l *trainLog) close() error { return l.file.Close() }

// spent is the time of this run so far.
func (l *trainLog) spent() time.Duration { return time.Since(l.start) }

// say writes a line to all outputs.
func (l *trainLog) say(message string, args ...any) {
	l.all.Info(message, args...)
	if l.lines != nil {
		l.lines.Info(message, args...)
	}
}

// note writes a note for people.
func (l *trainLog) note(text string) {
	l.notes = append(l.notes, text)
	l.all.Info("note", "text", text)
	l.print("train-cascade: " + text + "\n")
}

// print writes a line of its own to stderr.
func (l *trainLog) print(text string) {
	if l.drawn {
		fmt.Fprint(l.stderr, "\r\x1b[K")
		l.drawn = false
	}
	fmt.Fprint(l.stderr, text)
}

// report writes the findings of a check.
func (l *trainLog) report(r *samples.Report) {
	args := []any{"what", r.What, "given", r.Given, "kept", r.Kept}
	for _, f := range r.Findings {
		args = append(args, f.Kind.String(), f.Count)
	}
	l.all.Info("checked", args...)
	l.print(r.String())
}

// begin describes the training.
func (l *trainLog) begin(t *training) {
	l.soft, l.limit = t.settings.Shape == train.Soft, t.settings.Time // from here on
	if t.last != nil {
		l.earlier = t.last.Spent()
	}
	l.training = t
	if t.settings.Negatives == 0 {
		t.settings.Negatives = max(1000, len(t.data.positives))
	}
	l.start = time.Now()
	l.told, l.stepped = l.start, l.start
	args := []any{"positives", len(t.data.positives), "validation", len(t.data.validation), "backgrounds", len(t.data.backgrounds)}
	heldOut := ""
	if n := len(t.data.heldOut); n > 0 {
		args = append(args, "validationBackgrounds", n)
		heldOut = fmt.Sprintf(", %d for validation", n)
	}
	l.say("begin", append(args, "negatives", t.settings.Negatives, "command", t.settings.Provenance.Command)...)
	if l.terminal {
		l.print(fmt.Sprintf("%d positives, %d for validation, %d backgrounds%s\n", len(t.data.positives), len(t.data.validation), len(t.data.backgrounds), heldOut))
	}
}

// event handles an event of the trainer.
func (l *trainLog) event(e train.Event) {
	if l.first < 0 {
		l.first = e.Weak
	}
	if e.Kind == train.Mining || e.Kind == train.Columns { // later it may include some of the step's
		l.from = e.Weak
	}
	at := []any{"step", e.Step, "weak", l.made(e)}
	switch e.Kind {
	case train.Mining:
		l.draw(e, "looks for negatives")
	case train.Mined:
		l.say("mined", append(at, "negatives", e.Negatives, "visited", e.Visited, "passed", e.Passed, "rate", rate(e))...)
	case train.Columns:
		l.draw(e, "looks at features")
	case train.Contrast:
		l.all.Info("contrast", "low", e.LowContrast, "lowValidation", e.ValidationLowContrast)
		if e.LowContrast+e.ValidationLowContrast > 0 {
			l.note(l.training.lowContrast(e.LowContrast, e.ValidationLowContrast))
		}
	case train.Sampled:
		l.note(fmt.Sprintf("memory has room for %d features: they are drawn at random", e.Features))
	case train.Grown:
		args := append(at, "round", e.Round, "hit", rounded(e.HitRate), "falseAlarm", rounded(e.FalsePositiveRate))
		l.all.Info("grown", args...)
		if l.lines != nil && time.Since(l.told) >= logEvery {
			l.told = time.Now()
			l.lines.Info("grown", append(args, "left", l.left(e))...)
		}
		l.draw(e, fmt.Sprintf("round %d  hit rate %.4f  false positive rate %.4f", e.Round, e.HitRate, e.FalsePositiveRate))
	case train.Stepped:
		now := time.Now()
		l.stepTime, l.stepped = now.Sub(l.stepped), now
		l.told = now
		l.times = append(l.times, l.stepTime)
		args := append(at, "of", l.goal(e), "hit", rounded(e.HitRate), "falseAlarm", rounded(e.FalsePositiveRate), "negatives", e.Negatives)
		gain := ""
		if !math.IsNaN(e.Gain) {
			args = append(args, "heldApart", e.HeldOut, "gain", rounded(e.Gain))
			gain = fmt.Sprintf(", gain %+.4f", e.Gain)
		}
		l.say("step", append(args, "left", l.left(e))...)
		if l.terminal {
			l.print(fmt.Sprintf("%s: %d weak classifiers, hit rate %.4f, false positive rate %.4f%s, %v\n", l.where(e), e.Weak, e.HitRate, e.FalsePositiveRate, gain, l.stepTime.Round(time.Second/10)))
		}
	}
}

// made is the number of weak classifiers.
func (l *trainLog) made(e train.Event) int {
	if e.Kind == train.Grown {
		return l.from + e.Round
	}
	return e.Weak
}

func (l *trainLog) goal(e train.Event) string {
	if l.soft {
		return fmt.Sprintf("%d weak classifiers", e.Goal)
	}
	return fmt.Sprintf("%d stages", e.Goal)
}

func (l *trainLog) where(e train.Event) string {
	if l.soft {
		return fmt.Sprintf("step %d", e.Step)
	}
	return fmt.Sprintf("stage %d of %d", e.Step, e.Goal)
}

// draw redraws the line on a terminal.
func (l *trainLog) draw(e train.Event, what string) {
	if !l.terminal || e.Kind == train.Grown && l.drawn && time.Since(l.told) < time.Second/10 {
		return
	}
	l.told = time.Now()
	line := l.where(e) + "  " + what
	weak := l.made(e)
	if l.soft {
		line += fmt.Sprintf("  %d of %d weak classifiers", weak, e.Goal)
	} else {
		line += fmt.Sprintf("  %d weak classifiers", weak)
	}
	if left := l.left(e); left != "" {
		line += "  " + left + " left"
	}
	if w, _, err := term.GetSize(int(l.stderr.(*os.File).Fd())); err == nil && len(line) >= w {
		line = line[:max(w-1, 0)]
	}
	fmt.Fprint(l.stderr, "\r"+line+"\x1b[K")
	l.drawn = true
}

// left estimates the remaining time; empty if unknown. A soft cascade's weak
// classifiers take about the same time each; later stages take longer, so the
// last one's time is used for each.
func (l *trainLog) left(e train.Event) string {
	spent := l.spent()
	left := time.Duration(-1)
	if l.soft {
		if made := l.made(e) - l.first; made > 0 {
			left = time.Duration(float64(spent) / float64(made) * float64(e.Goal-l.made(e)))
		}
	} else if l.stepTime > 0 {
		stages := e.Goal - e.Step
		if e.Kind != train.Stepped {
			stages++
			left = -time.Since(l.stepped)
		}
		left = max(0, left+time.Duration(stages)*l.stepTime)
	}
	if l.limit > 0 {
		if most := max(0, l.limit-l.earlier-spent); left < 0 || left > most {
			left = most
		}
	}
	if left < 0 {
		return ""
	}
	text := left.Round(time.Second).String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	return text
}

// over ends the line on the terminal.
func (l *trainLog) over() {
	if l.drawn {
		fmt.Fprint(l.stderr, "\r\x1b[K")
		l.drawn = false
	}
}

// end reports the result.
func (l *trainLog) end(r *train.Result) {
	l.all.LogAttrs(context.Background(), slog.LevelInfo, "end", slog.String("reason", r.Reason.String()),
		slog.Int("weak", len(r.Cascade.Weak)), slog.Int("steps", len(r.Steps)), slog.Float64("seconds", l.spent().Seconds()))
}

func rate(e train.Event) float64 {
	if e.Visited == 0 {
		return 0
	}
	return float64(e.Passed) / float64(e.Visited)
}

func rounded(v float64) float64 { return math.Round(v*1e5) / 1e5 }
