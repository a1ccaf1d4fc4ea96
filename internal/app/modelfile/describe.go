// Package modelfile is detect's commands model and convert.
package modelfile

import (
	"bytes"
	"context"
	"fmt"
	"image"

	"haarlem/cascade"
	"haarlem/internal/app/console"
	"haarlem/internal/engine"
	"haarlem/internal/inspect"
)

// describe tells about a model in lines of a word and what there is to say to it.
func describe(file string, about *inspect.Summary, cost string) []byte {
	var b bytes.Buffer
	line := func(word, text string) { fmt.Fprintf(&b, "%-12s %s\n", word, console.Printable(text)) }
	line("model", file)
	for _, l := range about.Facts(cost) {
		line(l.Name, l.Text)
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

// largest is how many nodes a model may ask for its cost to be counted. Ours ask for
// at most half of it.
const largest = 1 << 27

// countCost counts what windows cost on a drawn texture: the whole picture, or as
// much of it as a dear model can do in a second. It returns the part, too.
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
