package report

import (
	"bytes"
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"image"
	"image/png"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"haarlem/cascade/inspect"
	"haarlem/samples"
)

//go:embed page.html style.css
var files embed.FS

var page = template.Must(template.New("page.html").Funcs(template.FuncMap{
	"style": func() (template.CSS, error) {
		css, err := files.ReadFile("style.css")
		return template.CSS(css), err
	},
}).ParseFS(files, "page.html"))

// The most that is shown of each kind.
const (
	mostFirst   = 32 // weak classifiers
	mostHardest = 40 // windows
)

// content is what page.html shows.
type content struct {
	*Run
	Lead     string
	Figures  []figure
	Learned  []picture
	Features *picture
	Hardest  []picture
	Charts   []*chart
	Rows     []row
	Pairs    []figure // settings
}

type figure struct{ Name, Value string }

type picture struct {
	Title, Note   string
	Source        template.URL
	Width, Height int
}

// A row is a step.
type row struct {
	Step, Weak                  int
	HitRate, Validation         string
	FalsePositiveRate           string
	Negatives, Features         int
	Visited, Passed, Gain, Time string
}

// Write writes the report of r as a self-contained HTML page. Errors about r
// wrap ErrRun; others are w's.
func Write(w io.Writer, r *Run) error {
	if err := r.check(); err != nil {
		return err
	}
	p := &content{Run: r}
	var err error
	if r.Cascade != nil {
		var s *inspect.Summary
		if s, err = inspect.Describe(r.Cascade); err != nil {
			return err
		}
		p.Lead = s.String()
	}
	p.figures()
	p.rows()
	for _, k := range slices.Sorted(maps.Keys(r.Settings)) {
		p.Pairs = append(p.Pairs, figure{k, fmt.Sprint(r.Settings[k])})
	}
	if err := p.learned(); err != nil {
		return err
	}
	charts := stepCharts(r)
	if r.Cascade != nil {
		more, err := p.scored()
		if err != nil {
			return err
		}
		charts = append(charts, more...)
	}
	for _, c := range charts {
		if !c.empty() {
			p.Charts = append(p.Charts, c)
		}
	}
	var b bytes.Buffer
	if err := page.Execute(&b, p); err != nil {
		return fmt.Errorf("report: %w", err)
	}
	_, err = w.Write(b.Bytes())
	return err
}

// figures are the main numbers.
func (p *content) figures() {
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
	if p.Cascade != nil {
		add("Weak classifiers", "%d", len(p.Cascade.Weak))
	}
	add("Steps", "%d", len(p.Steps))
	if p.Spent > 0 {
		add("Time", "%s", span(p.Spent))
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

func (p *content) rows() {
	for i, s := range p.Steps {
		w := row{
			Step: i + 1, Weak: s.Weak, HitRate: percent(s.HitRate), FalsePositiveRate: percent(s.FalsePositiveRate),
			Negatives: s.Negatives, Features: s.Features, Visited: thousands(s.Visited), Passed: "–", Gain: "–", Validation: "–", Time: "–",
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
	mean := samples.Mean(p.Positives)
	if mean != nil {
		zoom := max(1, 192/max(mean.Rect.Dx(), mean.Rect.Dy()))
		if err := add(samples.Enlarge(mean, zoom), "Mean", fmt.Sprintf("of %s positives", thousands(len(p.Positives)))); err != nil {
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
	// No weak classifier is shown without all of its nodes.
	n, tiles := 0, 0
	for n < len(c.Weak) && (n == 0 || tiles+len(c.Weak[n].Nodes) <= mostFirst) {
		tiles += max(1, len(c.Weak[n].Nodes))
		if n++; tiles >= mostFirst {
			break
		}
	}
	pic, err := embedded(inspect.Sheet(c, 0, n, mean), "First features", "Orange: light there raises the feature's value. Blue: light there lowers it. Bars: the weak classifier's outputs from low values to high, green above zero, red below.")
	p.Features = &pic
	return err
}

// scored runs the cascade on all windows, shows the hardest and returns the charts.
func (p *content) scored() ([]*chart, error) {
	traces := !restarts(p.Cascade)
	var sets [3][]scored
	for i, windows := range [][]*image.Gray{p.Positives, p.Validation, p.Negatives} {
		var err error
		if sets[i], err = score(p.Cascade, windows, traces); err != nil {
			return nil, err
		}
	}
	charts := scoreCharts(p.Run, sets[0], sets[1], sets[2])
	for _, h := range []struct {
		title, note string
		set         []scored
		sign        int
	}{
		{"Hardest positives", "of the training set: rejected first, or closest to it", sets[0], 1},
		{"Hardest positives of the validation set", "from held-out photographs", sets[1], 1},
		{"Hardest negatives", "of the last step: most like the object", sets[2], -1},
	} {
		if len(h.set) == 0 {
			continue
		}
		slices.SortStableFunc(h.set, func(a, b scored) int { return h.sign * byReach(a, b) })
		pic, err := p.sheet(h.set[:min(mostHardest, len(h.set))], h.title, h.note)
		if err != nil {
			return nil, err
		}
		p.Hardest = append(p.Hardest, pic)
	}
	return charts, nil
}

// sheet draws windows, each with its margin or the exit where it is rejected.
func (p *content) sheet(set []scored, title, note string) (picture, error) {
	var windows []*image.Gray
	var captions []string
	for _, s := range set {
		windows = append(windows, s.window)
		caption := fmt.Sprintf("%+.2f", s.margin)
		if s.exits < len(p.Cascade.Exits) {
			caption = fmt.Sprintf("out %d", s.exits+1)
		}
		captions = append(captions, caption)
	}
	zoom := max(1, 72/p.Cascade.Width)
	return embedded(samples.Sheet(windows, 10, zoom, captions...), title,
		note+". Below: the margin at the last exit, or the number of the exit that rejects the window.")
}

// embedded encodes an image for the page.
func embedded(img image.Image, title, note string) (picture, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.BestCompression}
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
