package measuring

import (
	"context"
	"io"
	"path/filepath"

	"haarlem/internal/app/cli"
	"haarlem/internal/samples"
)

const pageText = `Writes facts and measurements of a model into its page, a file in Markdown, and the
pictures of the page beside it. Text by people around them is kept; a missing page
is created. Each part is between two lines,

   <!-- results: written by train-cascade page -->
   <!-- end of results -->

The parts facts, commands and data need only the model's file; results
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
			return func(ctx context.Context, _ []string) error { return writePage(ctx, v, s.Err) }
		},
	}
}

func writePage(ctx context.Context, v *pageFlags, stderr io.Writer) error {
	switch {
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
	parts := []struct {
		name   string
		wanted bool
		text   func() (string, error)
	}{
		// What is read comes before what is measured: bad files are reported at once.
		{"commands", true, func() (string, error) { return p.commands(), nil }},
		{"data", true, func() (string, error) { return p.data(), nil }},
		{"results", len(v.evals) > 0, func() (string, error) { return p.results(v.evals, v.plotTo) }},
		{"reliability", v.reliability != "", func() (string, error) { return p.reliability(v.reliability) }},
		{"facts", true, func() (string, error) { return p.facts(ctx) }},
		{"cost", len(v.bg) > 0, func() (string, error) { return p.cost(ctx, v.bg, stderr) }},
	}
	for _, part := range parts {
		if _, _, err := p.part(part.name); part.wanted && err != nil {
			return err
		}
	}
	for _, part := range parts {
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
