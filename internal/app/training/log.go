package training

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math"
	"os"
	"time"

	"golang.org/x/term"

	"haarlem/internal/app/output"
	"haarlem/internal/app/watch"
	"haarlem/internal/samples"
	"haarlem/internal/train"
	"haarlem/internal/train/report"
)

// A trainLog reports progress: on a terminal in a table, elsewhere in a log line for
// each step and some between; completely in the folder's log; and in the folder's
// state for those who watch.
type trainLog struct {
	file *os.File
	all  *slog.Logger // to the file

	stderr io.Writer
	table  *trainTable  // on a terminal
	lines  *slog.Logger // to stderr, where that is no terminal

	start   time.Time
	told    time.Time // last log line
	stepped time.Time
	begun   *beginning // from begin on
	notes   []string

	state   watch.State
	pace    pace
	kept    time.Time // when the state was last written
	failed  bool      // it could not be, which was said
	from    int       // weak classifiers at the beginning of the step
	mining  time.Time // when mining began; zero after it
	sought  float64   // seconds that mining took in this step; 0 if unknown
	partial float64   // fraction of the step that is done, if stages are made
}

// logEvery is the interval of log lines within a step, and keepEvery that of writing
// the state.
const (
	logEvery  = 10 * time.Second
	keepEvery = time.Second
)

func newTrainLog(path string, stderr io.Writer) (*trainLog, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return nil, err
	}
	now := time.Now()
	l := &trainLog{file: file, all: slog.New(slog.NewJSONHandler(file, nil)), stderr: stderr, start: now, told: now, stepped: now}
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		l.table = &trainTable{out: stderr, width: func() int {
			if w, _, err := term.GetSize(int(f.Fd())); err == nil {
				return w
			}
			return 80
		}}
	} else {
		l.lines = slog.New(slog.NewTextHandler(stderr, nil))
	}
	return l, nil
}

func (l *trainLog) close() error { return l.file.Close() }

// spent is the time of this run so far.
func (l *trainLog) spent() time.Duration { return time.Since(l.start) }

// say writes a line to all outputs but a terminal.
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
	if l.table != nil {
		l.table.print(text)
	} else {
		fmt.Fprint(l.stderr, text)
	}
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

// A beginning is what a log says of a training that begins.
type beginning struct {
	name                                        string
	settings                                    *train.Settings
	positives, validation, backgrounds, heldOut int

	// Of a training that is resumed.
	earlier []watch.Step
	spent   time.Duration

	// save writes the state, as soon as the folder is this training's.
	save func(*watch.State) error
}

// begin describes the training.
func (l *trainLog) begin(b *beginning) {
	l.begun = b
	l.start = time.Now()
	l.told, l.stepped = l.start, l.start
	l.pace = pace{soft: b.settings.Shape == train.Soft, limit: b.settings.Time, start: l.start, first: -1, earlier: b.spent}
	l.state = watch.State{Name: b.name, Unit: "stages", Steps: b.earlier}
	if l.pace.soft {
		l.state.Unit = "weak classifiers"
	}
	if s, err := b.settings.WithDefaults(); err == nil {
		l.state.Limit = s.Memory
	}
	args := []any{"positives", b.positives, "validation", b.validation, "backgrounds", b.backgrounds}
	heldOut := ""
	if b.heldOut > 0 {
		args = append(args, "validationBackgrounds", b.heldOut)
		heldOut = fmt.Sprintf(", %d for validation", b.heldOut)
	}
	l.say("begin", append(args, "negatives", b.settings.Negatives, "command", b.settings.Provenance.Command)...)
	if l.table != nil {
		l.print(fmt.Sprintf("%d positives, %d for validation, %d backgrounds%s\n", b.positives, b.validation, b.backgrounds, heldOut))
		for i := range l.state.Steps {
			l.table.row(l.number(i+1), &l.state.Steps[i])
		}
	}
}

// event handles an event of the trainer.
func (l *trainLog) event(e train.Event) {
	s := &l.state
	if l.pace.first < 0 {
		l.pace.goal, s.Goal = e.Goal, e.Goal
		l.pace.first = l.madeOf(e)
	}
	if e.Kind == train.Mining || e.Kind == train.Columns { // later it may include some of the step's
		l.from = e.Weak
	}
	s.Step, s.Weak, s.Round = e.Step, l.weak(e), 0
	at := []any{"step", e.Step, "weak", s.Weak}
	switch e.Kind {
	case train.Mining:
		s.Pictures, s.Found, l.partial, l.sought = 0, 0, 0, 0
		l.mining = time.Now()
		s.Doing = "searches hard negatives"
	case train.Searched:
		s.Doing = fmt.Sprintf("searches hard negatives, %d found in %s", e.Found, output.Count(e.Pictures, "picture"))
		if e.OfValidation {
			s.Doing = fmt.Sprintf("searches validation backgrounds, %d passed in %s", e.Found, output.Count(e.Pictures, "picture"))
		} else {
			s.Pictures, s.Found = e.Pictures, e.Found
		}
		if l.lines != nil && time.Since(l.told) >= logEvery {
			l.told = time.Now()
			l.lines.Info("searched", append(at, "pictures", e.Pictures, "found", e.Found, "left", l.left())...)
		}
	case train.Mined:
		s.Pictures, s.Found = e.Pictures, e.Found
		if !l.mining.IsZero() {
			l.sought, l.mining = time.Since(l.mining).Seconds(), time.Time{}
		}
		l.say("mined", append(at, "pictures", e.Pictures, "found", e.Found, "negatives", e.Negatives, "visited", e.Visited, "passed", e.Passed, "rate", rate(e))...)
	case train.Columns:
		s.Doing = "computes features"
	case train.Contrast:
		l.all.Info("contrast", "low", e.LowContrast, "lowValidation", e.ValidationLowContrast)
		if e.LowContrast+e.ValidationLowContrast > 0 {
			l.note(l.begun.lowContrast(e.LowContrast, e.ValidationLowContrast))
		}
		return
	case train.Sampled:
		l.note(fmt.Sprintf("memory has room for %d features: they are drawn at random", e.Features))
		return
	case train.Grown:
		s.Doing, s.Round, s.HitRate, s.FalsePositiveRate = "boosting", e.Round, e.HitRate, e.FalsePositiveRate
		l.partial = l.part(e)
		args := append(at, "round", e.Round, "hit", rounded(e.HitRate), "falsePositive", rounded(e.FalsePositiveRate))
		l.all.Info("grown", args...)
		if l.lines != nil && time.Since(l.told) >= logEvery {
			l.told = time.Now()
			l.lines.Info("grown", append(args, "left", l.left())...)
		}
	case train.Stepped:
		l.partial = 0
		l.told = time.Now()
		l.pace.ends = append(l.pace.ends, stepEnd{l.told, l.madeOf(e)})
		args := append(at, "of", l.goal(), "hit", rounded(e.HitRate), "falsePositive", rounded(e.FalsePositiveRate), "negatives", e.Negatives)
		if !math.IsNaN(e.Gain) {
			args = append(args, "heldOut", e.HeldOut, "gain", rounded(e.Gain))
		}
		l.say("step", append(args, "left", l.left())...)
		return // step follows
	}
	l.show()
}

// show renews the terminal and the state.
func (l *trainLog) show() {
	now := time.Now()
	keep := now.Sub(l.kept) >= keepEvery
	if !keep && (l.table == nil || l.table.live > 0 && now.Sub(l.table.drawn) < drawEvery) {
		return
	}
	low, high, ok := l.pace.left(now)
	l.measure(now, low, high)
	if l.table != nil {
		l.table.draw(&l.state, leftText(low, high, ok))
	}
	if keep {
		l.keep()
	}
}

// measure fills in what the state says of now.
func (l *trainLog) measure(now time.Time, low, high time.Duration) {
	s := &l.state
	s.Seconds = tenths(l.pace.earlier + now.Sub(l.start))
	s.Left = [2]float64{tenths(low), tenths(high)}
	s.Memory = memoryInUse()
	s.Peak = max(s.Peak, s.Memory)
	made := float64(len(s.Steps)) + l.partial
	if l.pace.soft {
		made = float64(s.Weak)
	}
	s.Done = min(1, made/float64(max(1, s.Goal)))
}

// keep writes the state.
func (l *trainLog) keep() {
	if l.begun == nil {
		return
	}
	l.kept = time.Now()
	l.tell(l.begun.save(&l.state))
}

// tell notes once that the state or the report cannot be written. The training goes on
// without.
func (l *trainLog) tell(err error) {
	if err != nil && !l.failed {
		l.failed = true
		l.note(fmt.Sprintf("%v; the training goes on", err))
	}
}

// step adds a step that is made, with its curve if that is known.
func (l *trainLog) step(made train.Step, c *report.Curve) {
	now := time.Now()
	s := &l.state
	one := stepState(made)
	one.Curve = c
	one.Seconds, one.Mining = now.Sub(l.stepped).Round(time.Millisecond).Seconds(), math.Round(l.sought*1000)/1000
	l.stepped, l.sought = now, 0
	s.Steps = append(s.Steps, one)
	s.Doing, s.Round = "", 0
	if c != nil {
		l.say("measured", "step", len(s.Steps), "averagePrecision", rounded(c.AveragePrecision), "heldOut", c.HeldOut && c.Validation)
	}
	low, high, _ := l.pace.left(now)
	l.measure(now, low, high)
	if l.table != nil {
		l.table.row(l.number(len(s.Steps)), &one)
	}
	l.keep()
}

// ended says in the state why the training ended. Steps that were undone are left out.
func (l *trainLog) ended(r *train.Result) {
	s := &l.state
	s.Ended, s.Doing, s.Left, s.Round, l.partial = r.Reason.String(), "", [2]float64{}, 0, 0
	s.Steps = s.Steps[:min(len(s.Steps), len(r.Steps))]
	s.Step = len(s.Steps)
	s.Weak = 0
	if n := len(r.Steps); n > 0 {
		s.Weak = r.Steps[n-1].Weak
	}
	l.measure(time.Now(), 0, 0)
	l.keep()
}

// weak is the number of weak classifiers.
func (l *trainLog) weak(e train.Event) int {
	if e.Kind == train.Grown {
		return l.from + e.Round
	}
	return e.Weak
}

// madeOf is how much there is of what the goal counts.
func (l *trainLog) madeOf(e train.Event) int {
	switch {
	case l.pace.soft:
		return l.weak(e)
	case e.Kind == train.Stepped:
		return e.Step
	}
	return e.Step - 1
}

// part is how much of a stage is done: it begins with all of its negatives, and ends
// with as few as the settings say.
func (l *trainLog) part(e train.Event) float64 {
	goal := l.begun.settings.Stages.FalsePositiveRate
	if goal <= 0 || goal >= 1 || e.FalsePositiveRate >= 1 {
		return 0
	}
	return min(0.95, math.Log(max(e.FalsePositiveRate, 1e-9))/math.Log(goal))
}

func (l *trainLog) goal() string { return fmt.Sprintf("%d %s", l.state.Goal, l.state.Unit) }

// number is the number of a step in a table.
func (l *trainLog) number(step int) string {
	if l.pace.soft || l.state.Goal == 0 {
		return fmt.Sprint(step)
	}
	return fmt.Sprintf("%d/%d", step, l.state.Goal)
}

// left estimates the remaining time, for people; empty if unknown.
func (l *trainLog) left() string {
	return leftText(l.pace.left(time.Now()))
}

// over removes what is drawn again from the terminal.
func (l *trainLog) over() {
	if l.table != nil {
		l.table.clear()
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

func tenths(d time.Duration) float64 { return math.Round(d.Seconds()*10) / 10 }

// tooMany reports whether more than one per cent of the windows is lost.
func tooMany(n, all int) bool { return 100*n > all }

// lowContrast reports the number of windows with too little contrast, and what
// to do if there are too many.
func (b *beginning) lowContrast(positives, validation int) string {
	all := b.positives
	text := fmt.Sprintf("%d of %s (%.1f per cent)", positives, output.Count(all, "positive"), 100*float64(positives)/float64(all))
	if n := b.validation; n > 0 {
		text += fmt.Sprintf(" and %d of %d validation windows", validation, n)
	}
	deviation := b.settings.MinStdDev
	if s, err := b.settings.WithDefaults(); err == nil {
		deviation = s.MinStdDev
	}
	text += fmt.Sprintf(" have less contrast than -deviation %v asks for: the cascade rejects them, whatever it learns", deviation)
	if tooMany(positives, all) {
		text += "; a smaller -deviation lets them pass"
		if b.settings.Shape == train.Staged {
			text += " (but OpenCV's format knows only 10)"
		}
		text += ", or a -jitter that takes less contrast away"
	}
	return text
}

// stepState is a step as the state has it.
func stepState(s train.Step) watch.Step {
	one := watch.Step{Weak: s.Weak, HitRate: s.HitRate, FalsePositiveRate: s.FalsePositiveRate, Pictures: s.Pictures, Found: s.Mined, Negatives: s.Negatives}
	if !math.IsNaN(s.Validation) {
		one.Validation = &s.Validation
	}
	return one
}
