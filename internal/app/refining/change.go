package refining

import (
	"cmp"
	"fmt"
	"image"
	"os"
	"slices"
	"strings"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/measuring"
	"haarlem/internal/app/output"
	"haarlem/internal/datasource"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
)

// changeFlags are those of commands that derive a model from another, by its
// detections in photographs.
type changeFlags struct {
	flags   *cli.Flags
	command string

	model, out string
	overwrite  bool
	dataNames  []string
	sources    []string
	described  []string // sources, as the model keeps them
	measuring.TruthFlags

	scale, enlarge float64
	minSize        int
	workers        int
	search         input.SearchChange
}

// declareModel declares the flags that come first.
func (v *changeFlags) declareModel(f *cli.Flags, command string) {
	v.flags, v.command = f, command
	f.Group("Model")
	f.String(&v.model, "model", "`MODEL` to change: a file, or a built-in model")
	f.String(&v.out, "out", "`FILE` for the changed copy")
	f.Bool(&v.overwrite, "overwrite", "replace the file of -out")
	f.Strings(&v.dataNames, "data-name", "keep the `NAME` of a data set and its terms in the model, besides those it has; may be repeated")
	f.Strings(&v.sources, "data-source", datasource.Usage)
	v.TruthFlags.Declare(f)
}

// declareSearch declares the flags of the search, which come last.
func (v *changeFlags) declareSearch(f *cli.Flags, minSize int) {
	v.minSize = minSize
	f.Group("Run")
	f.Float(&v.scale, "scale", "`FACTOR` between two levels of the image pyramid; 0 for the model's, or 1.1")
	f.Int(&v.minSize, "min-size", "smallest object to find, in `PIXELS`; 0 for the detection window")
	f.Int(&v.workers, "workers", "search `N` photographs at one time; one for each processor if not given. Results do not depend on it")
	v.search.Declare(f)
}

// declareEnlarge declares -enlarge, behind the flags of the search.
func (v *changeFlags) declareEnlarge(f *cli.Flags) {
	v.enlarge = 1
	f.Float(&v.enlarge, "enlarge", "search photographs enlarged by `F`, for objects smaller than the detection window; -min-size holds all the same")
}

// options returns the options of -scale, -min-size and -enlarge.
func (v *changeFlags) options() detector.Options {
	return detector.Options{Scale: v.scale, MinSize: image.Pt(v.minSize, v.minSize), Enlarge: v.enlarge}
}

// openToLearn opens the model and the photographs.
func (v *changeFlags) openToLearn() (*cascade.Cascade, []eval.Photo, error) {
	switch {
	case v.model == "":
		return nil, nil, cli.Usagef("nothing to change: name a model with -model")
	case v.out == "":
		return nil, nil, cli.Usagef("no file given for the model: name one with -out")
	case len(v.Truth) == 0:
		return nil, nil, cli.Usagef("nothing to learn from: name a file with -truth")
	}
	m, err := v.open()
	if err != nil {
		return nil, nil, err
	}
	if err := v.search.Apply(m); err != nil {
		return nil, nil, err
	}
	photos, err := v.Photos()
	return m, photos, err
}

// open opens the model, if the new one may be written.
func (v *changeFlags) open() (*cascade.Cascade, error) {
	if _, err := os.Lstat(v.out); v.out != "" && err == nil && !v.overwrite {
		return nil, fmt.Errorf("%s exists: name another file, or add -overwrite", v.out)
	}
	lines, err := datasource.Lines(v.sources)
	if err != nil {
		return nil, err
	}
	v.described = append(v.described, lines...)
	return input.OpenModel(v.model)
}

// write writes the new model with its command, and a note about it.
func (v *changeFlags) write(m *cascade.Cascade, note string) error {
	p := &m.Provenance
	p.Note = strings.TrimSpace(p.Note + "\n" + note)
	p.Command = strings.TrimSpace(p.Command + "\n" + v.repeat(m.Name))
	for _, d := range slices.Concat(v.dataNames, v.described) {
		if !slices.Contains(p.Data, d) {
			p.Data = append(slices.Clip(p.Data), d)
		}
	}
	return samples.WriteAtomically(v.out, m.Encode)
}

// repeat is the command that repeats this. Paths are shortened to their last
// part, and the output path is left out.
func (v *changeFlags) repeat(model string) string {
	names := v.flags.Except("out", "overwrite", "plot", "output", "workers", "data", "resume")
	args := v.flags.Repeat(names, []string{"model", "truth", "bg", "take"}, output.Portable)
	return output.CommandLine(slices.Concat([]string{v.command}, args, []string{"-out", cmp.Or(model, "model") + ".cascade"}))
}
