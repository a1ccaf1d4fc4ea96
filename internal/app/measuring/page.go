package measuring

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/internal/samples"
)

const pageText = `Writes facts and measurements of a model into its page, a file in Markdown, and the
pictures of the page beside it. Text by people around them is kept; a missing page
is created. Each part is between two lines,

   <!-- results: written by train-cascade page -->
   <!-- end of results -->

The parts facts, commands, data and drawn need only the model's file; results
(-eval), reliability (-reliability) and cost (-bg) change only with these flags.

   train-cascade page -model models/x/x.cascade -out models/x.md \
      -eval "Mosaics=test.json" -reliability test-scores.json -bg unseen.txt

An OpenCV file of the same name beside the model's is mentioned, too.`

// pageFlags are those of page.
type pageFlags struct {
	model, out, reliability string
	evals, bg               []string
	plotTo                  int
}

func Page() *cli.Command {
	return &cli.Command{
		Name: "page", Summary: "write the page about a model", Text: pageText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &pageFlags{plotTo: 200}
			f.Group("Page")
			f.String(&v.model, "model", "the model's `FILE`")
			f.String(&v.out, "out", "the page, a `FILE` that ends in .md")
			f.Group("Measurements")
			f.Strings(&v.evals, "eval", "`[TITLE=]FILE`, a report of eval -json; may be repeated")
			f.String(&v.reliability, "reliability", "`FILE` that calibrate -check -output json printed")
			f.Strings(&v.bg, "bg", "`PATH` of negative images, a folder, list or picture, to count weak classifiers per window on; may be repeated")
			f.Int(&v.plotTo, "plot-to", "end plots at `N` false positives")
			return func(ctx context.Context, args []string) error { return writePage(ctx, v, args, s.Err) }
		},
	}
}

// A modelPage is a page in progress.
type modelPage struct {
	model   *cascade.Cascade
	file    string // the model's
	bytes   []byte
	path    string // the page's
	name    string // of the page, without folder and .md
	text    []byte
	pending []pagePicture
}

// A pagePicture is a picture to write beside the page once everything has
// succeeded.
type pagePicture struct {
	path string
	draw func(path string) error
}

func writePage(ctx context.Context, v *pageFlags, args []string, stderr io.Writer) error {
	switch {
	case len(args) > 0:
		return cli.Usagef("page takes flags only, not %q", args[0])
	case v.model == "":
		return cli.Usagef("no model given: name its file with -model")
	case filepath.Ext(v.out) != ".md":
		return cli.Usagef("-out is %q, want a file that ends in .md", v.out)
	case v.plotTo < 1:
		return cli.Usagef("-plot-to is %d, want at least 1", v.plotTo)
	}
	p, err := openPage(v.model, v.out)
	if err != nil {
		return err
	}
	for _, part := range []struct {
		name   string
		wanted bool
		text   func() (string, error)
	}{
		{"facts", true, func() (string, error) { return p.facts(ctx) }},
		{"commands", true, func() (string, error) { return p.commands(), nil }},
		{"data", true, func() (string, error) { return p.data(), nil }},
		{"results", len(v.evals) > 0, func() (string, error) { return p.results(v.evals, v.plotTo) }},
		{"reliability", v.reliability != "", func() (string, error) { return p.reliability(v.reliability) }},
		{"cost", len(v.bg) > 0, func() (string, error) { return p.cost(ctx, v.bg, stderr) }},
		{"drawn", true, func() (string, error) { return p.drawn(ctx) }},
	} {
		if !part.wanted {
			continue
		}
		text, err := part.text()
		if err != nil {
			return err
		}
		if err := p.put(part.name, text); err != nil {
			return err
		}
	}
	for _, v := range p.pending {
		if err := v.draw(v.path); err != nil {
			return err
		}
	}
	return samples.WriteAtomically(p.path, func(w io.Writer) error {
		_, err := w.Write(p.text)
		return err
	})
}

// objects names what the model finds. Models of before they said it find faces.
func (p *modelPage) objects() string { return cmp.Or(p.model.Object.Plural, "faces") }

// openPage reads a model and its page.
func openPage(model, path string) (*modelPage, error) {
	p := &modelPage{file: model, path: path, name: strings.TrimSuffix(filepath.Base(path), ".md")}
	var err error
	if p.bytes, err = os.ReadFile(model); err != nil {
		return nil, err
	}
	if p.model, err = cascade.Read(bytes.NewReader(p.bytes), nil); err != nil {
		return nil, fmt.Errorf("%s: %w", model, err)
	}
	if p.text, err = os.ReadFile(path); errors.Is(err, fs.ErrNotExist) {
		p.text, err = fmt.Appendf(nil, freshPage, p.name), nil
	}
	return p, err
}

// freshPage is a new page.
const freshPage = `# %s

<!-- facts: written by train-cascade page -->
<!-- end of facts -->

## How it was made

<!-- commands: written by train-cascade page -->
<!-- end of commands -->

## Data and terms

<!-- data: written by train-cascade page -->
<!-- end of data -->

## How good it is

<!-- results: written by train-cascade page -->
<!-- end of results -->

<!-- reliability: written by train-cascade page -->
<!-- end of reliability -->

<!-- cost: written by train-cascade page -->
<!-- end of cost -->

## Known failures

<!-- drawn: written by train-cascade page -->
<!-- end of drawn -->
`

// part returns the position of a part of the page, without its two marker
// lines.
func (p *modelPage) part(name string) (from, to int, err error) {
	first := fmt.Appendf(nil, "<!-- %s: written by train-cascade page -->\n", name)
	last := fmt.Appendf(nil, "<!-- end of %s -->\n", name)
	from, to = bytes.Index(p.text, first), bytes.Index(p.text, last)
	if from < 0 || to < from || bytes.Count(p.text, first) > 1 || bytes.Count(p.text, last) > 1 {
		return 0, 0, fmt.Errorf("%s: no place for the part %q: put these two lines, once, where it is to stand:\n%s%s", p.path, name, first, last)
	}
	return from + len(first), to, nil
}

// put replaces a part of the page.
func (p *modelPage) put(name, text string) error {
	from, to, err := p.part(name)
	if err != nil {
		return err
	}
	if text != "" {
		text = "\n" + strings.TrimSpace(text) + "\n\n"
	}
	p.text = bytes.Join([][]byte{p.text[:from], []byte(text), p.text[to:]}, nil)
	return nil
}

// picture adds a picture to draw, and returns its name beside the page.
func (p *modelPage) picture(suffix string, draw func(path string) error) string {
	name := p.name + "-" + suffix + ".png"
	p.pending = append(p.pending, pagePicture{filepath.Join(filepath.Dir(p.path), name), draw})
	return name
}
