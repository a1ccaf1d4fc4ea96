package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"

	"haarlem/boost/dataset"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/measuring"
	"haarlem/internal/app/output"
	"haarlem/internal/boost/compare"
	"haarlem/internal/boost/plot"
)

const compareText = `Compares boosters by cross-validation. Tables are files (.csv, .tsv, .arff, .libsvm or
.svm) or recipes for built-in sets, such as "ringnorm" or
"spheres:rows=4000,seed=7,noise=0.1,attrnoise=0.05,irrelevant=5". "all" stands for
every built-in set, and "all:noise=0.1" for every one with that noise. -list lists
sets, boosters and learners.

Every booster is combined with every learner, as in
   train-cascade compare -boosters discrete,gentle -learners "stumps,trees(leaves=8)" monks1
and -methods names whole combinations, as in
   train-cascade compare -methods "discrete+stumps,gentle+trees(leaves=4)" monks1`

// compareFlags are those of compare.
type compareFlags struct {
	flags                               *cli.Flags
	boosters, learners, methods, rounds string
	folds, repeats, trainRows, workers  int
	seed                                uint64
	format, plots, plotFormats, margins string
	class, positive, weight, nominal    string
	noTimes, noHeader, list             bool
}

func compareCommand() *cli.Command {
	return &cli.Command{
		Name: "compare", Summary: "compare boosters with weak learners on tables, by cross-validation", Args: "TABLE...", Text: compareText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &compareFlags{flags: f, boosters: "discrete,real,gentle,logit", learners: "stumps", rounds: "100", folds: 10, repeats: 1, seed: 1, format: "text", plotFormats: "png,svg", margins: "10,100,200"}
			f.Group("Methods")
			f.String(&v.boosters, "boosters", "`BOOSTERS`, with commas between")
			f.String(&v.learners, "learners", "weak `LEARNERS`, with commas between")
			f.String(&v.methods, "methods", "`BOOSTER+LEARNER,...` instead of -boosters and -learners")
			f.String(&v.rounds, "rounds", "measure after each of `N,...` rounds")
			f.Bool(&v.list, "list", "list the built-in sets, boosters and learners, and end")
			f.Group("Experiment")
			f.Int(&v.folds, "folds", "stratified cross-validation with `N` folds")
			f.Int(&v.repeats, "repeats", "cross-validate `N` times, each time with other folds")
			f.Int(&v.trainRows, "train-rows", "train on `N` rows and test on the others, instead of cross-validating")
			f.Uint64(&v.seed, "seed", "`SEED` of the folds and of the boosters")
			f.Int(&v.workers, "workers", "do `N` runs at one time; one for each processor if not given. Only times depend on it")
			f.Group("Output")
			f.Choice(&v.format, "format", []string{"text", "csv", "json"}, "print `FORMAT` to stdout: text, csv or json")
			f.Bool(&v.noTimes, "no-times", "report no times, so that the same experiment gives the same bytes")
			f.String(&v.plots, "plots", "draw plots into `FOLDER`: errors against rounds, and margins")
			f.String(&v.plotFormats, "plot-formats", "`FORMATS` of the plots, with commas between: png, svg")
			f.String(&v.margins, "margins", "plot margins after each of `N,...` rounds; those above the last of -rounds are left out")
			f.Group("Tables from files")
			f.String(&v.class, "class", "`NAME` of the class column; the last column if not given")
			f.String(&v.positive, "positive", "`NAMES` of the positive classes, with commas between")
			f.String(&v.weight, "weight", "`NAME` of the column of row weights (CSV)")
			f.String(&v.nominal, "nominal", "`NAMES` of columns whose numbers are names, with commas between (CSV)")
			f.Bool(&v.noHeader, "no-header", "the first line is data (CSV)")
			return func(ctx context.Context, args []string) error {
				if v.list {
					return list(s.Out)
				}
				return compareTables(ctx, v, args, s.Out, s.Err)
			}
		},
	}
}

// list lists what is available.
func list(w io.Writer) error {
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(tw, "SETS")
	for _, s := range dataset.Sets() {
		kind := "by seed"
		if s.Complete {
			kind = "complete"
		}
		fmt.Fprintf(tw, "  %s\t%d rows\t%s\t%s\n", s.Name, s.Rows, kind, s.About)
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for _, group := range []struct {
		title string
		parts []compare.Part
	}{{"BOOSTERS", compare.Boosters()}, {"LEARNERS", compare.Learners()}} {
		fmt.Fprintf(tw, "\n%s\n", group.title)
		for _, p := range group.parts {
			fmt.Fprintf(tw, "  %s\t%s\t%s\n", p.Name, strings.Join(p.Keys, ", "), p.About)
		}
		if err := tw.Flush(); err != nil {
			return err
		}
	}
	return nil
}

func compareTables(ctx context.Context, v *compareFlags, args []string, stdout, stderr io.Writer) error {
	e, err := v.experiment(args)
	if err != nil {
		return cli.Usage(err)
	}
	write := map[string]func(*compare.Report, io.Writer) error{
		"text": (*compare.Report).WriteText,
		"csv":  (*compare.Report).WriteCSV,
		"json": (*compare.Report).WriteJSON,
	}[v.format]
	plots, err := newPlots(v.plots, v.plotFormats)
	if err != nil {
		return err
	}
	if plots != nil {
		e.Curves = true
		if e.Margins, err = numbers("margins", v.margins); err != nil {
			return cli.Usage(err)
		}
		last := e.Rounds[len(e.Rounds)-1]
		for len(e.Margins) > 0 && e.Margins[len(e.Margins)-1] > last {
			e.Margins = e.Margins[:len(e.Margins)-1]
		}
	}
	progress, finish := output.Progress(stderr, "runs")
	e.Progress = progress
	report, err := e.Run(ctx)
	finish()
	if err != nil {
		if errors.Is(err, compare.ErrExperiment) {
			return cli.Usage(err)
		}
		return err
	}
	if v.noTimes {
		report.ForgetTimes()
	}
	if err := write(report, stdout); err != nil {
		return err
	}
	if plots == nil {
		return nil
	}
	return plots.draw(report)
}

// experiment parses the flags and reads the tables.
func (v *compareFlags) experiment(args []string) (*compare.Experiment, error) {
	e := &compare.Experiment{
		Folds: v.folds, Repeats: v.repeats, TrainRows: v.trainRows,
		Seed: v.seed, Workers: v.workers,
	}
	// Zero is a default in the library, but an error on a command line.
	if e.Folds < 2 || e.Repeats < 1 {
		return nil, fmt.Errorf("-folds is %d and -repeats %d, want at least 2 and 1", e.Folds, e.Repeats)
	}
	var err error
	if e.Rounds, err = numbers("rounds", v.rounds); err != nil {
		return nil, err
	}
	if e.Methods, err = v.parseMethods(); err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, errors.New("no table given: name a file, a built-in set or all; -list lists the sets")
	}
	for _, arg := range args {
		tables, err := v.tables(arg)
		if err != nil {
			return nil, err
		}
		e.Tables = append(e.Tables, tables...)
	}
	return e, nil
}

func (v *compareFlags) parseMethods() ([]compare.Method, error) {
	var texts []string
	if m := v.methods; m != "" {
		if v.flags.Given("boosters") || v.flags.Given("learners") {
			return nil, errors.New("-methods replaces -boosters and -learners: give one or the others")
		}
		texts = compare.Split(m)
	} else {
		for _, l := range compare.Split(v.learners) {
			for _, b := range compare.Split(v.boosters) {
				texts = append(texts, b+"+"+l)
			}
		}
	}
	var all []compare.Method
	for _, text := range texts {
		m, err := compare.ParseMethod(text)
		if err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

// tables reads one argument: a file, a recipe, or all built-in sets.
func (v *compareFlags) tables(arg string) ([]*dataset.Table, error) {
	switch strings.ToLower(filepath.Ext(arg)) {
	case ".csv", ".tsv", ".arff", ".libsvm", ".svm":
		o := &dataset.Options{Class: v.class, Weight: v.weight, NoHeader: v.noHeader}
		if p := v.positive; p != "" {
			o.Positive = strings.Split(p, ",")
		}
		if n := v.nominal; n != "" {
			o.Nominal = strings.Split(n, ",")
		}
		t, err := dataset.ReadFile(arg, o)
		if err != nil {
			return nil, err
		}
		return []*dataset.Table{t}, nil
	}
	name, settings, _ := strings.Cut(arg, ":")
	names := []string{name}
	if name == "all" {
		names = names[:0]
		for _, s := range dataset.Sets() {
			names = append(names, s.Name)
		}
	}
	var all []*dataset.Table
	for _, n := range names {
		if settings != "" {
			n += ":" + settings
		}
		r, err := dataset.ParseRecipe(n)
		if err != nil {
			return nil, err
		}
		t, err := r.Table()
		if err != nil {
			return nil, err
		}
		all = append(all, t)
	}
	return all, nil
}

func numbers(flag, list string) ([]int, error) {
	var all []int
	for _, s := range strings.Split(list, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil || n < 1 {
			return nil, fmt.Errorf("-%s is %q, want numbers from 1 with commas between them", flag, list)
		}
		all = append(all, n)
	}
	return all, nil
}

// plots are the files of plots.
type plots struct {
	folder     string
	extensions []string
}

// newPlots parses flags, and returns nil without plots.
func newPlots(folder, formats string) (*plots, error) {
	p := &plots{folder: folder}
	if p.folder == "" {
		return nil, nil
	}
	for _, f := range strings.Split(formats, ",") {
		f = strings.TrimSpace(f)
		if f != "png" && f != "svg" {
			return nil, cli.Usagef("-plot-formats is %q, want png, svg or both", formats)
		}
		p.extensions = append(p.extensions, "."+f)
	}
	return p, os.MkdirAll(p.folder, 0o777)
}

func (p *plots) draw(r *compare.Report) error {
	for t, info := range r.Tables {
		var curves []plot.Curve
		for m, method := range r.Methods {
			cell := &r.Cells[t][m]
			curves = append(curves, plot.Curve{Name: method, Train: cell.TrainCurve, Test: cell.TestCurve})
			var margins []plot.Margins
			for i, rounds := range r.MarginRounds {
				margins = append(margins, plot.Margins{Rounds: rounds, Train: cell.TrainMargins[i], Test: cell.TestMargins[i]})
			}
			if len(margins) > 0 {
				err := plot.MarginDistribution(method+" on "+info.Name, margins, p.paths("margins-"+info.Name+"-"+method)...)
				if err != nil {
					return err
				}
			}
		}
		if err := plot.Errors("Error on "+info.Name, curves, p.paths("errors-"+info.Name)...); err != nil {
			return err
		}
	}
	return nil
}

// paths returns the names of a plot's files.
func (p *plots) paths(name string) []string {
	var paths []string
	for _, ext := range p.extensions {
		paths = append(paths, filepath.Join(p.folder, measuring.FileName(name)+ext))
	}
	return paths
}
