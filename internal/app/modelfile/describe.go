// Package modelfile is detect's commands model and convert.
package modelfile

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/app/console"
	"haarlem/internal/engine"
	"haarlem/internal/inspect"
)

// describe tells about m in lines of a word and what there is to say to it.
func describe(file string, m *cascade.Cascade, about *inspect.Summary, cost string) []byte {
	var b bytes.Buffer
	line := func(word, format string, args ...any) {
		fmt.Fprintf(&b, "%-12s %s\n", word, fmt.Sprintf(format, args...))
	}
	line("model", "%s", console.Printable(file))
	if m.Name != "" {
		line("name", "%s", m.Name)
	}
	if o := m.Object; o != (cascade.Object{}) {
		line("object", "%s, %s", o.Singular, o.Plural)
	}
	line("kind", "%s", kindName(m.Kind))
	line("window", "%dx%d pixels", m.Width, m.Height)
	line("features", "%s", featureText(m))
	line("exits", "%s", exitText(m))
	line("weak", "%s", weakText(m))
	if stages := stageText(m); stages != "" {
		line("stages", "%s", stages)
	}
	if m.Kind == cascade.Haar {
		line("contrast", "windows need a standard deviation above %g grey levels", m.MinStdDev)
	}
	for _, l := range about.SearchFacts() {
		line(l.Name, "%s", l.Text)
	}
	if m.Verifier != nil {
		line("verifier", "%s", inspect.DescribeVerifier(m.Verifier))
	}
	if m.Network != nil {
		line("network", "%s", inspect.DescribeNetwork(m.Network))
	}
	line("cost", "%s", cost)
	if c := m.Calibration; c != nil {
		line("scores", "probabilities: 1/(1+exp(-(%g*s%+g))) of the margin s", c.Slope, c.Offset)
	} else {
		line("scores", "margins at the last exit, added up over a group; not calibrated")
	}
	p := m.Provenance
	for _, said := range []struct{ word, text string }{
		{"program", p.Program}, {"command", p.Command}, {"data", strings.Join(p.Data, "\n")}, {"note", p.Note},
	} {
		for text := range strings.Lines(said.text) {
			line(said.word, "%s", console.Printable(strings.TrimRight(text, "\n")))
		}
	}
	if p.Program != "" || p.Command != "" {
		line("seed", "%d", p.Seed)
	}
	return b.Bytes()
}

// costText says how many weak classifiers a window takes on average.
func costText(ctx context.Context, m *cascade.Cascade) (string, error) {
	e, err := engine.New(m, nil)
	if err != nil {
		return "", err
	}
	g, c, err := countCost(ctx, e, m)
	if err != nil {
		return "", err
	}
	where := fmt.Sprintf("on a drawn texture of %dx%d pixels", g.Rect.Dx(), g.Rect.Dy())
	if c.Contrast == 0 {
		return "unknown: no window to look at " + where, nil
	}
	text := fmt.Sprintf("%.1f of %s a window, %s", c.PerWindow(), console.Count(len(m.Weak), "weak classifier"), where)
	if m.Kind == cascade.Haar {
		text += fmt.Sprintf("; %.0f%% of the windows have the contrast", 100*float64(c.Contrast)/float64(c.Windows))
	}
	return text, nil
}

// largest is how many nodes a model may ask for its cost to be counted: of ours it
// takes a hundredth.
const largest = 1 << 28

// countCost counts what windows cost on a drawn texture: the whole picture, or as
// much of it as a dear model can do in a few seconds. It returns the part, too.
func countCost(ctx context.Context, e *engine.Engine, m *cascade.Cascade) (*image.Gray, engine.Cost, error) {
	texture := inspect.Texture()
	nodes := 0
	for i := range m.Weak {
		nodes += max(len(m.Weak[i].Nodes), 1)
	}
	each := float64(nodes) / float64(len(m.Weak)) // of a weak classifier, at most
	for shift := 5; ; shift-- {
		whole := texture.Rect.Size()
		size := image.Pt(max(whole.X>>shift, min(m.Width+2, whole.X)), max(whole.Y>>shift, min(m.Height+2, whole.Y)))
		part := texture.SubImage(image.Rectangle{Max: size}).(*image.Gray)
		c, _, err := e.Cost(ctx, part)
		if err != nil || shift == 0 {
			return part, c, err
		}
		next := float64(e.Visits(whole.X>>(shift-1), whole.Y>>(shift-1)))
		if perWindow := float64(c.Weak) * each / float64(max(c.Windows, 1)); perWindow*next > largest {
			return part, c, nil
		}
	}
}

// summary is m in half a line.
func summary(m *cascade.Cascade) string {
	return fmt.Sprintf("%dx%d %s, %s, %s", m.Width, m.Height, kindName(m.Kind), console.Count(len(m.Weak), "weak classifier"), console.Count(len(m.Exits), "exit"))
}

func kindName(k cascade.Kind) string {
	switch k {
	case cascade.Haar:
		return "Haar features"
	case cascade.LBP:
		return "local binary patterns"
	}
	return fmt.Sprintf("unknown kind %d", k)
}

func featureText(m *cascade.Cascade) string {
	if m.Kind != cascade.Haar {
		return fmt.Sprintf("%d", len(m.Cells))
	}
	two, three, tilted := 0, 0, 0
	for i := range m.Features {
		switch m.Features[i].Count() {
		case 2:
			two++
		case 3:
			three++
		}
		if m.Features[i].Tilted {
			tilted++
		}
	}
	return fmt.Sprintf("%d: %d of two rectangles, %d of three; %d tilted", len(m.Features), two, three, tilted)
}

// exitText names the structure that the exits make.
func exitText(m *cascade.Cascade) string {
	restarts := 0
	for _, e := range m.Exits {
		if e.Restart {
			restarts++
		}
	}
	what := "some restart the score"
	switch {
	case restarts == len(m.Exits):
		what = "each restarts the score (classical stages)"
	case restarts == 0 && len(m.Exits) == len(m.Weak):
		what = "one behind every weak classifier (a soft cascade)"
	case restarts == 0:
		what = "the score runs on (a chain)"
	}
	return fmt.Sprintf("%d, %s", len(m.Exits), what)
}

func weakText(m *cascade.Cascade) string {
	stumps, trees, histograms, nodes := 0, 0, 0, 0
	for i := range m.Weak {
		switch w := &m.Weak[i]; {
		case w.Histogram():
			histograms++
		case len(w.Nodes) == 1:
			stumps++
		default:
			trees++
			nodes += len(w.Nodes)
		}
	}
	var parts []string
	if stumps > 0 {
		parts = append(parts, console.Count(stumps, "stump"))
	}
	if trees > 0 {
		parts = append(parts, fmt.Sprintf("%s of %.1f nodes on average", console.Count(trees, "tree"), float64(nodes)/float64(trees)))
	}
	if histograms > 0 {
		parts = append(parts, console.Count(histograms, "histogram"))
	}
	return fmt.Sprintf("%s: %s", console.Count(len(m.Weak), "learner"), strings.Join(parts, ", "))
}

// stageText lists the weak classifiers between exits, if there are few enough
// exits to read.
func stageText(m *cascade.Cascade) string {
	const legible = 64
	if len(m.Exits) > legible {
		return ""
	}
	var sizes []string
	before := 0
	for _, e := range m.Exits {
		sizes = append(sizes, fmt.Sprint(e.After-before))
		before = e.After
	}
	return strings.Join(sizes, " ") + " weak classifiers"
}
