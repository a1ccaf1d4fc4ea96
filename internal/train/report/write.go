package report

import (
	"bytes"
	"cmp"
	"context"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"image/png"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"haarlem/cascade"
	"haarlem/internal/inspect"
	"haarlem/internal/samples"
)

//go:embed page.html style.css
var files embed.FS

var page = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"style": func() template.CSS { return template.CSS(Style()) },
}).ParseFS(files, "page.html"))

// The most that is shown of each kind.
const (
	maxFirst   = 32 // nodes of weak classifiers
	maxNewest  = 16
	maxHardest = 24 // windows
)

// content is what page.html shows.
type content struct {
	*Run
	Lead     string
	Figures  []figure
	Learned  []picture
	Features []picture
	Hardest  []hardest
	Charts   []Chart
	Rows     []row
	Pairs    []figure // settings
}

type figure struct{ Name, Value string }

type picture struct {
	Title, Note   string
	Source        template.URL
	Width, Height int
}

// hardest are windows of a set.
type hardest struct {
	Title, Note string
	Windows     []window
}

// A window is shown with its margin, or the exit that rejects it, and with where it is
// from.
type window struct {
	picture
	File, Path string // name, and with its folder
	Place      string
}

// A row is a step.
type row struct {
	Step, Weak            int
	HitRate, Validation   string
	FalsePositiveRate     string
	AveragePrecision      string
	Pictures, Mined       string
	Negatives, Features   int
	Visited, Passed, Gain string
	Mining, Time          string
}

// Write writes the report of r as a self-contained HTML page.
func Write(w io.Writer, r *Run) error {
	p := &content{Run: r}
	var err error
	if r.Cascade != nil {
		var s *inspect.Summary
		if s, err = inspect.Describe(r.Cascade); err != nil {
			return err
		}
		p.Lead = s.String()
	}
	for _, k := range slices.Sorted(maps.Keys(r.Settings)) {
		p.Pairs = append(p.Pairs, figure{k, fmt.Sprint(r.Settings[k])})
	}
	if err := p.learned(); err != nil {
		return err
	}
	var now *Curve
	if r.Cascade != nil {
		if now, err = r.Measure(context.Background()); err != nil {
			return err
		}
	}
	curves := r.curves(now)
	p.figures(now)
	p.rows(curves)
	charts := stepCharts(r, curves)
	if r.Cascade != nil {
		more, err := p.windows()
		if err != nil {
			return err
		}
		charts = append(charts, more...)
	}
	p.Charts = Drawn(charts...)
	var b bytes.Buffer
	if err := page.Execute(&b, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// figures are the main numbers.
func (p *content) figures(now *Curve) {
	add := func(name, format string, args ...any) {
		p.Figures = append(p.Figures, figure{name, fmt.Sprintf(format, args...)})
	}
	if n := len(p.Steps); n > 0 {
		s := p.Steps[n-1]
		add("Positives that pass", "%s", percent(s.HitRate))
		if !math.IsNaN(s.Validation) {
			add("Validation that passes", "%s", percent(s.Validation))
		}
		if rate := falsePositiveRate(s.Passed, s.Visited, s.FalsePositiveRate); rate > 0 {
			add("False positives, about", "1 in %s windows", thousands(int(math.Round(1/rate))))
		}
	}
	if now != nil {
		add("Average precision", "%s", percent(now.AveragePrecision))
	}
	if p.Cascade != nil {
		add("Weak classifiers", "%d", len(p.Cascade.Weak))
	}
	add("Steps", "%d", len(p.Steps))
	if p.Spent > 0 {
		add("Time", "%s", span(p.Spent))
	}
	if p.Left != "" {
		add("Time left, about", "%s", p.Left)
	}
	if p.Memory > 0 {
		add("Memory", "%s", bytesOf(p.Memory))
	}
}

// falsePositiveRate is the fraction of background windows that pass the
// cascade; 0 if it is unknown.
func falsePositiveRate(passed, visited int, share float64) float64 {
	if visited == 0 {
		return 0
	}
	return float64(passed) / float64(visited) * share
}

func (p *content) rows(curves []Curve) {
	precision := map[int]string{}
	for _, c := range curves {
		precision[c.Step] = percent(c.AveragePrecision)
	}
	for i, s := range p.Steps {
		w := row{
			Step: i + 1, Weak: s.Weak, HitRate: percent(s.HitRate), FalsePositiveRate: percent(s.FalsePositiveRate),
			Negatives: s.Negatives, Features: s.Features, Visited: thousands(s.Visited), Passed: "–", Gain: "–", Validation: "–", Time: "–",
			AveragePrecision: cmp.Or(precision[i+1], "–"), Pictures: "–", Mined: "–", Mining: "–",
		}
		if s.Pictures > 0 {
			w.Pictures, w.Mined = thousands(s.Pictures), thousands(s.Mined)
		}
		if !math.IsNaN(s.Validation) {
			w.Validation = percent(s.Validation)
		}
		if s.Visited > 0 {
			w.Passed = strconv.FormatFloat(float64(s.Passed)/float64(s.Visited), 'g', 3, 64)
		}
		if gained(s) {
			w.Gain = fmt.Sprintf("%+.4f", s.Gain)
		}
		if i < len(p.Times) && p.Times[i] > 0 {
			w.Time = span(p.Times[i])
		}
		if i < len(p.Mining) && p.Mining[i] > 0 {
			w.Mining = span(p.Mining[i])
		}
		p.Rows = append(p.Rows, w)
	}
}

// learned draws the mean positive and the cascade's features.
func (p *content) learned() error {
	add := func(img image.Image, title, note string) error {
		pic, err := embedded(img, title, note)
		p.Learned = append(p.Learned, pic)
		return err
	}
	mean := samples.Mean(p.Positives.Windows)
	if mean != nil {
		zoom := max(1, 192/max(mean.Rect.Dx(), mean.Rect.Dy()))
		if err := add(samples.Enlarge(mean, zoom), "Mean", fmt.Sprintf("of %s positives", thousands(len(p.Positives.Windows)))); err != nil {
			return err
		}
	}
	c := p.Cascade
	if c == nil {
		return nil
	}
	if t := inspect.Template(c); t != nil {
		if err := add(t, "Template", "the object as the cascade sees it"); err != nil {
			return err
		}
	}
	if err := add(inspect.Coverage(c, mean), "Coverage", "pixels that weak classifiers use: yellow most"); err != nil {
		return err
	}
	const note = "Orange: light there raises the feature's value. Blue: light there lowers it. Bars: the weak classifier's outputs from low values to high, green above zero and red below."
	first := shown(c, 0, maxFirst)
	pic, err := embedded(inspect.Sheet(c, 0, first, mean), "First features", note)
	if err != nil {
		return err
	}
	p.Features = append(p.Features, pic)
	from := first
	if n := len(p.Steps); n > 1 {
		from = max(first, p.Steps[n-2].Weak)
	}
	if last := shown(c, from, maxNewest); last > from {
		if pic, err = embedded(inspect.Sheet(c, from, last, mean), "Features of the last step", ""); err != nil {
			return err
		}
		p.Features = append(p.Features, pic)
	}
	return nil
}

// shown returns the end of the weak classifiers from one on that have at most so many
// nodes together; one of them at least, if there is one.
func shown(c *cascade.Cascade, from, largest int) int {
	end, tiles := from, 0
	for end < len(c.Weak) && (end == from || tiles+max(1, len(c.Weak[end].Nodes)) <= largest) {
		tiles += max(1, len(c.Weak[end].Nodes))
		end++
	}
	return end
}

// windows shows the hardest windows and returns the charts of their scores.
func (p *content) windows() ([]Chart, error) {
	s, err := p.scored(context.Background())
	if err != nil {
		return nil, err
	}
	charts := scoreCharts(p.Run, s)
	for _, h := range []struct {
		title, note string
		scored      []scored
		set         *Set
		sign        int
	}{
		{"Hardest negatives", "Of the last step: most like the object. One that shows the object is a label to add", s.negatives, &p.Negatives, -1},
		{"Hardest negatives that are held out", "Of the validation backgrounds: most like the object", s.heldOut, &p.HeldOut, -1},
		{"Hardest positives", "Of the training set: rejected first, or closest to it. One that does not show the object well is a label to mend", s.positives, &p.Positives, 1},
		{"Hardest positives of the validation set", "From held-out photographs", s.validation, &p.Validation, 1},
	} {
		if len(h.scored) == 0 {
			continue
		}
		slices.SortStableFunc(h.scored, func(a, b scored) int { return h.sign * byReach(a, b) })
		place := "the box in it: x,y of its corner, and width×height"
		if h.sign > 0 {
			place = "the object in it"
		}
		all := hardest{Title: h.title, Note: h.note + ". Below: the margin at the last exit, or the number of the exit that rejects the window; then the file, and " + place + "."}
		for _, one := range h.scored[:min(maxHardest, len(h.scored))] {
			w, err := p.window(h.set, &one)
			if err != nil {
				return nil, err
			}
			all.Windows = append(all.Windows, w)
		}
		p.Hardest = append(p.Hardest, all)
	}
	return charts, nil
}

// window shows one window.
func (p *content) window(set *Set, s *scored) (w window, err error) {
	note := fmt.Sprintf("%+.2f", s.margin)
	if s.exits < len(p.Cascade.Exits) {
		note = fmt.Sprintf("out %d", s.exits+1)
	}
	if w.picture, err = embedded(set.Windows[s.number], "window", note); err != nil || set.From == nil {
		return w, err
	}
	zoom := max(1, 96/max(p.Cascade.Width, p.Cascade.Height))
	w.picture.Width, w.picture.Height = zoom*w.picture.Width, zoom*w.picture.Height
	from := set.From(s.number)
	if from.File != "" {
		w.File, w.Path = filepath.Base(from.File), from.File
	}
	switch b := from.Box; {
	case !b.Empty():
		w.Place = fmt.Sprintf("%d,%d %d×%d", b.Min.X, b.Min.Y, b.Dx(), b.Dy())
	case from.Object > 0:
		w.Place = fmt.Sprintf("object %d", from.Object)
	}
	return w, nil
}

// buffers are used again: those of one image take a megabyte.
type buffers struct{ all sync.Pool }

func (b *buffers) Get() *png.EncoderBuffer {
	e, _ := b.all.Get().(*png.EncoderBuffer)
	return e
}

func (b *buffers) Put(e *png.EncoderBuffer) { b.all.Put(e) }

var pool buffers

// embedded encodes an image for the page.
func embedded(img image.Image, title, note string) (picture, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestSpeed, BufferPool: &pool} // it is written after each step
	if err := e.Encode(&b, img); err != nil {
		return picture{}, fmt.Errorf("report: %s: %w", title, err)
	}
	return picture{
		Title: title, Note: note, Width: img.Bounds().Dx(), Height: img.Bounds().Dy(),
		Source: template.URL("data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())),
	}, nil
}

// percent formats a fraction with more digits close to 0 and 1.
func percent(v float64) string {
	digits := 1
	if d := min(v, 1-v); d > 0 && d < 0.01 {
		digits = 2
	}
	return strconv.FormatFloat(100*v, 'f', digits, 64) + "%"
}

// thousands formats a number with its digits in groups.
func thousands(n int) string {
	s := strconv.Itoa(n)
	var groups []string
	for len(s) > 3 {
		groups = append(groups, s[len(s)-3:])
		s = s[:len(s)-3]
	}
	groups = append(groups, s)
	slices.Reverse(groups)
	return strings.Join(groups, " ")
}

func span(d time.Duration) string {
	switch {
	case d < time.Second:
		return d.Round(time.Millisecond).String()
	case d < time.Minute:
		return d.Round(time.Second / 10).String()
	}
	return d.Round(time.Second).String()
}

// bytesOf formats an amount of memory.
func bytesOf(n int64) string {
	if n < 1<<30 {
		return fmt.Sprintf("%.0f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
}

// Style is the style sheet of a report, for a page that shows parts of one.
func Style() string {
	css, err := files.ReadFile("style.css")
	if err != nil {
		panic(err) // of this program's own files
	}
	return string(css)
}
