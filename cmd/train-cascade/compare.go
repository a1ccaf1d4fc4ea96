package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"haarlem/boost/compare"
	"haarlem/boost/dataset"
	"haarlem/boost/plot"
)

const compareText = `Tables are files (.csv, .tsv, .arff, .libsvm or .svm) or recipes for built-in
sets, such as "ringnorm" or "spheres:rows=4000,seed=7,noise=0.1,attrnoise=0.05,
irrelevant=5"; "all" stands for every built-in set, and "all:noise=0.1" for every
one with that noise. -list tells which sets, boosters and learners there are.

Every booster is combined with every learner, as in
   train-cascade compare -boosters discrete,gentle -learners "stumps,trees(leaves=8)" monks1
and -methods names whole combinations, as in
   train-cascade compare -methods "discrete+stumps,gentle+trees(leaves=4)" monks1`

// newCompare is the subcommand that compares boosters on tables.
func newCompare(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:        "compare",
		Usage:       "compare boosters with weak learners on tables, by cross-validation",
		ArgsUsage:   "TABLE...",
		Description: compareText,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "boosters", Value: "discrete,real,gentle,logit", Usage: "boosters, with commas between them"},
			&cli.StringFlag{Name: "learners", Value: "stumps", Usage: "weak learners, with commas between them"},
			&cli.StringFlag{Name: "methods", Usage: "BOOSTER+LEARNER, with commas between them, instead of -boosters and -learners"},
			&cli.StringFlag{Name: "rounds", Value: "100", Usage: "numbers of rounds after which to measure, with commas between them"},
			&cli.IntFlag{Name: "folds", Value: 10, Usage: "folds of the stratified cross-validation"},
			&cli.IntFlag{Name: "repeats", Value: 1, Usage: "how often to cross-validate, each time with other folds"},
			&cli.IntFlag{Name: "train-rows", Usage: "train on this many rows and test on the others, instead of cross-validating"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "seed of the folds and of the boosters"},
			&cli.IntFlag{Name: "workers", Usage: "runs at the same time; 0 means one a core. Only times depend on it"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "of what goes to stdout: text, csv or json"},
			&cli.BoolFlag{Name: "no-times", Usage: "report no times, so that the same experiment gives the same bytes"},
			&cli.StringFlag{Name: "plots", Usage: "folder for plots: errors against rounds, a file a table, and margins, a file a table and method"},
			&cli.StringFlag{Name: "plot-formats", Value: "png,svg", Usage: "of the plots"},
			&cli.StringFlag{Name: "margins", Value: "10,100,200", Usage: "numbers of rounds after which to plot margins; those above the last of -rounds are left out"},
			&cli.StringFlag{Name: "class", Usage: "files: name of the class column; the last column if none is given"},
			&cli.StringFlag{Name: "positive", Usage: "files: names of the positive classes, with commas between them"},
			&cli.StringFlag{Name: "weight", Usage: "CSV files: name of the column of row weights"},
			&cli.StringFlag{Name: "nominal", Usage: "CSV files: columns whose numbers are names, with commas between them"},
			&cli.BoolFlag{Name: "no-header", Usage: "CSV files: the first line is data"},
			&cli.BoolFlag{Name: "list", Usage: "list the built-in sets, boosters and learners, and end"},
		},
		OnUsageError: func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usageError{err} },
		Action: func(ctx context.Context, c *cli.Command) error {
			if c.Bool("list") {
				return list(stdout)
			}
			return compareTables(ctx, c, stdout, stderr)
		},
	}
}

// list says what there is.
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

func compareTables(ctx context.Context, c *cli.Command, stdout, stderr io.Writer) error {
	e, err := experiment(c)
	if err != nil {
		return usageError{err}
	}
	write, ok := map[string]func(*compare.Report, io.Writer) error{
		"text": (*compare.Report).WriteText,
		"csv":  (*compare.Report).WriteCSV,
		"json": (*compare.Report).WriteJSON,
	}[c.String("format")]
	if !ok {
		return usagef("-format is %q, want text, csv or json", c.String("format"))
	}
	plots, err := newPlots(c)
	if err != nil {
		return err
	}
	if plots != nil {
		e.Curves = true
		if e.Margins, err = numbers("margins", c.String("margins")); err != nil {
			return usageError{err}
		}
		last := e.Rounds[len(e.Rounds)-1]
		for len(e.Margins) > 0 && e.Margins[len(e.Margins)-1] > last {
			e.Margins = e.Margins[:len(e.Margins)-1]
		}
	}
	progress, finish := newProgress(stderr, "runs")
	e.Progress = progress
	report, err := e.Run(ctx)
	finish()
	if err != nil {
		if errors.Is(err, compare.ErrExperiment) {
			return usageError{err}
		}
		return err
	}
	if c.Bool("no-times") {
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

// experiment reads the flags and the tables.
func experiment(c *cli.Command) (*compare.Experiment, error) {
	e := &compare.Experiment{
		Folds: c.Int("folds"), Repeats: c.Int("repeats"), TrainRows: c.Int("train-rows"),
		Seed: c.Uint64("seed"), Workers: c.Int("workers"),
	}
	// Zero means a default to the library, and a mistake to a command line that
	// says so.
	if e.Folds < 2 || e.Repeats < 1 {
		return nil, fmt.Errorf("-folds is %d and -repeats %d, want at least 2 and 1", e.Folds, e.Repeats)
	}
	var err error
	if e.Rounds, err = numbers("rounds", c.String("rounds")); err != nil {
		return nil, err
	}
	if e.Methods, err = methods(c); err != nil {
		return nil, err
	}
	if !c.Args().Present() {
		return nil, errors.New("no table given: name a file, a built-in set or all; -list lists the sets")
	}
	for _, arg := range c.Args().Slice() {
		tables, err := tables(arg, c)
		if err != nil {
			return nil, err
		}
		e.Tables = append(e.Tables, tables...)
	}
	return e, nil
}

func methods(c *cli.Command) ([]compare.Method, error) {
	var texts []string
	if m := c.String("methods"); m != "" {
		if c.IsSet("boosters") || c.IsSet("learners") {
			return nil, errors.New("-methods replaces -boosters and -learners: give one or the others")
		}
		texts = compare.Split(m)
	} else {
		for _, l := range compare.Split(c.String("learners")) {
			for _, b := range compare.Split(c.String("boosters")) {
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
func tables(arg string, c *cli.Command) ([]*dataset.Table, error) {
	switch strings.ToLower(filepath.Ext(arg)) {
	case ".csv", ".tsv", ".arff", ".libsvm", ".svm":
		o := &dataset.Options{Class: c.String("class"), Weight: c.String("weight"), NoHeader: c.Bool("no-header")}
		if p := c.String("positive"); p != "" {
			o.Positive = strings.Split(p, ",")
		}
		if n := c.String("nominal"); n != "" {
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

// newProgress gives what draws the progress of so many of what: a bar on a
// terminal, and a log line every ten seconds elsewhere.
func newProgress(stderr io.Writer, what string) (progress func(done, total int), finish func()) {
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		var bar *progressbar.ProgressBar
		return func(done, total int) {
				if bar == nil {
					bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(stderr),
						progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
						progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond),
						progressbar.OptionClearOnFinish())
				}
				bar.Set(done)
			}, func() {
				if bar != nil {
					bar.Finish()
				}
			}
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	last := time.Now()
	return func(done, total int) {
		if now := time.Now(); now.Sub(last) >= 10*time.Second {
			last = now
			log.Info("progress", "done", done, what, total)
		}
	}, func() {}
}

// plots says where plots go.
type plots struct {
	folder     string
	extensions []string
}

// newPlots reads the flags, and gives nil where no plots are wanted.
func newPlots(c *cli.Command) (*plots, error) {
	p := &plots{folder: c.String("plots")}
	if p.folder == "" {
		return nil, nil
	}
	for _, f := range strings.Split(c.String("plot-formats"), ",") {
		f = strings.TrimSpace(f)
		if f != "png" && f != "svg" {
			return nil, usagef("-plot-formats is %q, want png, svg or both", c.String("plot-formats"))
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

// paths makes the names of a plot's files.
func (p *plots) paths(name string) []string {
	var paths []string
	for _, ext := range p.extensions {
		paths = append(paths, filepath.Join(p.folder, plain(name)+ext))
	}
	return paths
}

// plain makes a file name that every system takes: letters, digits, and a dash
// for anything else.
func plain(name string) string {
	var b strings.Builder
	dash := false
	for _, c := range name {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' {
			if dash {
				b.WriteByte('-')
			}
			dash = false
			b.WriteRune(c)
		} else {
			dash = true
		}
	}
	return b.String()
}
