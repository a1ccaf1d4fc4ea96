package exporting

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/app/wholefile"
	"haarlem/internal/export"
	"haarlem/internal/samples"
)

const exportText = `Writes a cascade as source code for machines without Haarlem:

   c            one C99 header: no allocation, no library
   js           one ES module without dependencies
   tables       memory files, CSV and a Verilog test bench
   arduino      an Arduino library with an example that has a picture in flash
   esp-idf      an ESP-IDF component with such an example
   micropython  a module for MicroPython's builds, with the same picture
   zephyr       a module for Zephyr, with such a sample

   train-cascade export -model eye.cascade -without-verifier -profile small \
      -picture 160x120 -out exported
   train-cascade export -model face.cascade -as js -out exported
   train-cascade export -model cells/ -out exported

They find exactly the windows that the detector finds before grouping, with
the same scores, in a plain search: all windows of the grid on all levels, with the
model's stride, pad, scale-bias and prefilter-from. -windows prints them for a picture.
What is exported also groups them, and tracks objects in films.

All models of a folder go into one file: NAME_find of each, and what they share once.

-profile small rounds the numbers of the model to 8 and 16 bits. That is another model,
which is written too: measure it with eval.`

// exportFlags are those of export.
type exportFlags struct {
	flags                                     *cli.Flags
	model, out, as, profile, picture, windows string
	example                                   string
	scale                                     float64
	minSize, maxSize                          int
	withoutVerifier, overwrite                bool
	search                                    input.SearchChange
}

func Command() *cli.Command {
	return &cli.Command{
		Name: "export", Summary: "write a cascade as C, JavaScript or tables for FPGAs", Text: exportText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &exportFlags{flags: f, as: "c", profile: "exact", picture: "640x480"}
			f.Group("Model")
			f.String(&v.model, "model", "`MODEL` to export: a file, or a built-in model; or a folder with one for each class, as c or js")
			f.Bool(&v.withoutVerifier, "without-verifier", "leave out the model's verifier, and accept more false positives")
			f.Group("Output")
			f.String(&v.out, "out", "`FOLDER` for the files")
			f.Choice(&v.as, "as", export.Formats, "write `FORMAT`: "+strings.Join(export.Formats, ", "))
			f.Choice(&v.profile, "profile", []string{"exact", "small"}, "exact keeps all numbers (`PROFILE`); small rounds them to 8 and 16 bits")
			f.Bool(&v.overwrite, "overwrite", "replace files that are there")
			f.String(&v.example, "example", "`PICTURE` for the examples of arduino, esp-idf, micropython and zephyr, shrunk to 160x120; drawn faces without one")
			f.String(&v.windows, "windows", "also print what is found in `PICTURE`: x y width height score")
			f.Group("Run")
			f.Float(&v.scale, "scale", "`FACTOR` between two levels of the image pyramid; 0 for the model's, or 1.1")
			f.Int(&v.minSize, "min-size", "smallest object to find, in `PIXELS`; 0 for the detection window")
			f.Int(&v.maxSize, "max-size", "largest object to find, in `PIXELS`; 0 for any")
			f.String(&v.picture, "picture", "largest picture, `WxH` pixels")
			v.search.Declare(f)
			return func(ctx context.Context, _ []string) error { return exportModel(ctx, v, s.Out) }
		},
	}
}

func exportModel(ctx context.Context, v *exportFlags, stdout io.Writer) error {
	switch {
	case v.model == "":
		return cli.Usagef("nothing to export: name a model with -model")
	case v.out == "":
		return cli.Usagef("no folder given for the files: name one with -out")
	}
	s := &export.Settings{
		Scale: v.scale, MinSize: image.Pt(v.minSize, v.minSize), MaxSize: image.Pt(v.maxSize, v.maxSize),
		WithoutVerifier: v.withoutVerifier,
	}
	if v.profile == "small" {
		s.Profile = export.Small
	}
	if n, err := fmt.Sscanf(v.picture, "%dx%d", &s.Picture.X, &s.Picture.Y); n != 2 || err != nil || v.picture != fmt.Sprintf("%dx%d", s.Picture.X, s.Picture.Y) {
		return cli.Usagef("-picture %q: want a size, such as 160x120", v.picture)
	}
	if wholefile.IsDir(v.model) {
		return v.exportFolder(s, stdout)
	}
	e, err := v.prepare(v.model, s)
	if err != nil {
		return err
	}
	var example *image.Gray
	if v.example != "" {
		if example, err = samples.ReadGrey(v.example); err != nil {
			return fmt.Errorf("-example: %w", err)
		}
	}
	files, err := e.Files(ctx, v.as, example)
	if err != nil {
		return exportError(err)
	}
	if err := v.writeFiles(files, stdout); err != nil {
		return err
	}
	for _, line := range slices.Concat(e.Notes(), e.Facts()) {
		fmt.Fprintln(stdout, line)
	}
	if v.windows != "" {
		return printWindows(ctx, e, v.windows, stdout)
	}
	return nil
}

// prepare opens a model and prepares its export.
func (v *exportFlags) prepare(model string, s *export.Settings) (*export.Export, error) {
	m, err := input.OpenModel(model)
	if err != nil {
		return nil, err
	}
	if err := v.search.Apply(m); err != nil {
		return nil, err
	}
	if s.Profile == export.Small { // which makes another model
		m.Provenance.Command = strings.TrimSpace(m.Provenance.Command + "\n" + v.repeat())
	}
	e, err := export.New(m, s)
	return e, exportError(err)
}

// exportFolder writes all models of a folder into one file with its name.
func (v *exportFlags) exportFolder(s *export.Settings, stdout io.Writer) error {
	models, err := wholefile.In(v.model, ".cascade")
	if err != nil {
		return err
	}
	var all []*export.Export
	for _, model := range models {
		e, err := v.prepare(model, s)
		if err != nil {
			return err
		}
		all = append(all, e)
	}
	if len(all) == 0 || v.windows != "" {
		return cli.Usagef("-model %s: want a folder with models, which end in .cascade, and no -windows", v.model)
	}
	path, err := filepath.Abs(v.model)
	if err != nil {
		return err
	}
	set, err := export.NewSet(filepath.Base(path), all)
	if err != nil {
		return err
	}
	files, err := set.Files(v.as)
	if err != nil {
		return exportError(err)
	}
	if err := v.writeFiles(files, stdout); err != nil {
		return err
	}
	for _, e := range all {
		for _, line := range slices.Concat(e.Notes(), e.Facts()) {
			fmt.Fprintf(stdout, "%s: %s\n", e.Model().Name, line)
		}
	}
	return nil
}

// repeat is the command that does this once more, with paths that are of use elsewhere.
func (v *exportFlags) repeat() string {
	args := v.flags.Repeat(v.flags.Except("out", "overwrite", "windows", "example"), []string{"model"}, output.Portable)
	return output.CommandLine(slices.Concat([]string{"export"}, args, []string{"-out", "."}))
}

// exportError makes a usage error of bad settings.
func exportError(err error) error {
	if _, ok := errors.AsType[*cascade.SearchError](err); ok || errors.Is(err, export.ErrSettings) {
		return cli.Usage(err)
	}
	return err
}

// writeFiles writes files, none if one of them is there already, and says which.
func (v *exportFlags) writeFiles(files []export.File, stdout io.Writer) error {
	path := func(f *export.File) string { return filepath.Join(v.out, filepath.FromSlash(f.Path)) }
	for i := range files {
		path := path(&files[i])
		if _, err := os.Lstat(path); err == nil && !v.overwrite {
			return fmt.Errorf("%s is there already: name another folder, or add -overwrite", path)
		}
	}
	for i := range files {
		f, path := &files[i], path(&files[i])
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return err
		}
		if err := samples.WriteAtomically(path, f.Write); err != nil {
			return err
		}
		fmt.Fprintln(stdout, path)
	}
	return nil
}

// printWindows prints what an export finds in a picture.
func printWindows(ctx context.Context, e *export.Export, path string, stdout io.Writer) error {
	g, err := samples.ReadGrey(path)
	if err != nil {
		return fmt.Errorf("-windows: %w", err)
	}
	found, err := e.Windows(ctx, g)
	if err != nil {
		return err
	}
	for _, w := range found {
		if _, err := fmt.Fprintln(stdout, w.Box.Min.X, w.Box.Min.Y, w.Box.Dx(), w.Box.Dy(), w.Score); err != nil {
			return err
		}
	}
	return nil
}
