package measuring

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"image"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/engine"
	"haarlem/internal/inspect"
	"haarlem/internal/samples"
	"haarlem/internal/samples/synth/scene"
)

// The cost of a window is measured on reproducible synthetic backgrounds.
const (
	drawnPictures = 4
	drawnWidth    = 640
	drawnHeight   = 480
	drawnSeed     = 1
)

var drawnBackgrounds = sync.OnceValue(func() []*image.Gray {
	return scene.Backgrounds(drawnPictures, drawnWidth, drawnHeight, drawnSeed, 0)
})

// facts is a table of facts from the model's file.
func (p *modelPage) facts(ctx context.Context) (string, error) {
	c := p.model
	about, err := inspect.Describe(c)
	if err != nil {
		return "", err
	}
	e, err := engine.New(c, nil)
	if err != nil {
		return "", err
	}
	var cost engine.Cost
	for _, g := range drawnBackgrounds() {
		v, _, err := e.Cost(ctx, g)
		if err != nil {
			return "", err
		}
		addCost(&cost, v)
	}
	var b strings.Builder
	b.WriteString("| fact | value |\n| --- | --- |\n")
	row := func(fact, format string, args ...any) {
		fmt.Fprintf(&b, "| %s | %s |\n", fact, fmt.Sprintf(format, args...))
	}
	file := func(what string, data []byte) {
		row("SHA-256"+what, "`%x`", sha256.Sum256(data))
		row("bytes"+what, "%d", len(data))
	}
	file("", p.bytes)
	xml := strings.TrimSuffix(p.file, filepath.Ext(p.file)) + ".xml"
	switch data, err := os.ReadFile(xml); {
	case err == nil:
		file(" of `"+filepath.Base(xml)+"`, for OpenCV", data)
	case !errors.Is(err, fs.ErrNotExist):
		return "", err
	}
	row("window", "%dx%d", c.Width, c.Height)
	var kinds []string
	for _, f := range about.Features {
		kinds = append(kinds, fmt.Sprintf("%d %s", f.Count, f.Name))
	}
	features := len(c.Features)
	if c.Kind == cascade.LBP {
		features = len(c.Cells)
	}
	row("features", "%d", features)
	row("of these", "%s", strings.Join(kinds, ", "))
	row("weak classifiers", "%d", len(c.Weak))
	row("exits", "%d", len(c.Exits))
	row("shape", "%s", map[string]string{
		"soft":   "soft: an exit after each weak classifier, and the score never restarts",
		"chain":  "chain: stages, and the score never restarts",
		"staged": "staged: the score restarts in each stage",
		"mixed":  "mixed: the score restarts at some exits",
	}[about.Shape])
	row("MinStdDev", "%s", strconv.FormatFloat(c.MinStdDev, 'g', -1, 64))
	for _, l := range about.SearchFacts() {
		row(l.Name, "%s", l.Text)
	}
	if about.Verifier != nil {
		row("verifier", "%s", about.Verifier)
	}
	if about.Network != nil {
		row("network", "%s", about.Network)
	}
	if f := c.Calibration; f != nil {
		row("score", "1/(1+exp(-(%gm%+g))) of the margin m", f.Slope, f.Offset)
	} else {
		row("score", "margin, not calibrated")
	}
	row("seed", "%d", c.Provenance.Seed)
	row("weak classifiers a window", "%.2f on average, on %d synthetic backgrounds of %dx%d", cost.PerWindow(), drawnPictures, drawnWidth, drawnHeight)
	b.WriteString("\n`go test ./models ./cmd/train-cascade` checks this table against the file.")
	return b.String(), nil
}

func addCost(sum *engine.Cost, v engine.Cost) {
	sum.Windows += v.Windows
	sum.Contrast += v.Contrast
	sum.Candidates += v.Candidates
	sum.Weak += v.Weak
}

// commands lists the commands that made the file.
func (p *modelPage) commands() string {
	v := p.model.Provenance
	if v.Command == "" {
		return "The model does not tell which command made it."
	}
	text := "Made with these commands"
	if v.Program != "" {
		text = "Made by " + v.Program + " with these commands"
	}
	if !strings.Contains(v.Command, " -time ") {
		text += ", which give the same bytes again on any machine"
	}
	text += ":\n\n```\n" + v.Command + "\n```\n"
	if v.Note != "" {
		text += "\n" + strings.ReplaceAll(v.Note, "\n", "\n\n") + "\n"
	}
	return text
}

// data lists the data that the model names.
func (p *modelPage) data() string {
	var b strings.Builder
	for _, d := range p.model.Provenance.Data {
		fmt.Fprintf(&b, "- %s\n", d)
	}
	return b.String()
}

// cost measures on photographs without objects.
func (p *modelPage) cost(ctx context.Context, paths []string, stderr io.Writer) (string, error) {
	files, err := input.ListPictures(paths)
	if err != nil {
		return "", err
	}
	if len(files) == 0 {
		return "", cli.Usagef("-bg: no pictures")
	}
	e, err := engine.New(p.model, nil)
	if err != nil {
		return "", err
	}
	progress, finish := output.Progress(stderr, "photographs")
	defer finish()
	var cost engine.Cost
	pixels := 0
	for i, f := range files {
		g, err := samples.ReadGrey(f)
		if err != nil {
			return "", err
		}
		v, _, err := e.Cost(ctx, g)
		if err != nil {
			return "", fmt.Errorf("%s: %w", f, err)
		}
		addCost(&cost, v)
		pixels += g.Rect.Dx() * g.Rect.Dy()
		if progress != nil {
			progress(i+1, len(files))
		}
	}
	return fmt.Sprintf("A window takes %.2f weak classifiers on average, on %d photographs without %s (%.0f megapixels, scale %v, all sizes); %.0f per cent of the windows pass the contrast gate, and %s in a million of these pass the cascade.",
		cost.PerWindow(), len(files), p.objects(), float64(pixels)/1e6, e.Options().Scale, 100*float64(cost.Contrast)/float64(max(cost.Windows, 1)), twoDigits(1e6*float64(cost.Candidates)/float64(max(cost.Contrast, 1)))), nil
}

// twoDigits formats a number with two significant digits, and without an
// exponent.
func twoDigits(x float64) string {
	if x >= 10 {
		return fmt.Sprintf("%.0f", x)
	}
	return fmt.Sprintf("%.2g", x)
}
