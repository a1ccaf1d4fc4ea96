package boosting

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

	"haarlem/internal/app/cli"
	"haarlem/internal/boost/catalogue"
	"haarlem/internal/boost/compare"
	"haarlem/internal/boost/plot"
)

func compareCommand() *cli.Command {
	return &cli.Command{
		Name: "compare", Summary: "compare methods on tables, by cross-validation", Args: "TABLE...",
		Text: "Cross-validates every method on every table, all of two classes, of several or of\nnumbers, by the error or the root of the mean squared error, and ranks them.\n\n" + tableText + " \"all\" stands for\nevery built-in set.",
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			var v tableFlags
			var methods []string
			format := "text"
			e := &compare.Experiment{Folds: 10, Repeats: 1, Seed: 1}
			plots, noTimes := "", false
			f.Group("What is compared")
			f.Strings(&methods, "method", "`BOOSTER+LEARNER`, as list lists them; may be repeated (discrete, real, gentle, logit and newton, with stumps; of several classes softmax and samme, of numbers newton, with stumps and trees)")
			f.Func("rounds", "measure after `N,...` rounds (100)", roundsInto(&e.Rounds))
			f.Int(&e.Folds, "folds", "`N` folds (10)")
			f.Int(&e.Repeats, "repeats", "cross-validate `N` times, with other folds (1)")
			f.Int(&e.TrainRows, "train-rows", "train on the first `N` rows and test on the others, in place of cross-validation")
			f.Uint64(&e.Seed, "seed", "`SEED` of the folds and of the boosters (1)")
			f.Int(&e.Workers, "workers", "`N` runs at the same time; as many as there are cores if none is given")
			f.Group("Output")
			f.Choice(&format, "format", []string{"text", "csv", "json"}, "`FORMAT` of the report (text)")
			f.Func("margins", "report the smallest training margin, and the share of those of at most 0.5, after `N,...` rounds, in text and JSON", roundsInto(&e.Margins))
			f.String(&plots, "plots", "`FOLDER` for drawings of errors against rounds, and of the margins of -margins")
			f.Bool(&noTimes, "no-times", "report no times, so that the same experiment gives the same bytes")
			v.declare(f, s)
			return func(ctx context.Context, args []string) error {
				if len(args) == 0 {
					return cli.Usagef("no table given")
				}
				if len(methods) == 0 {
					methods = map[string][]string{
						"two":     {"discrete+stumps", "real+stumps", "gentle+stumps", "logit+stumps", "newton+stumps"},
						"several": {"softmax+stumps", "softmax+trees", "samme+stumps", "samme+trees"},
						"numbers": {"newton+stumps", "newton+trees"},
					}[v.target]
				}
				for _, text := range methods {
					m, err := compare.ParseMethod(text, v.target == "several")
					if err != nil {
						return cli.Usage(err)
					}
					e.Methods = append(e.Methods, m)
				}
				for _, arg := range args {
					names := []string{arg}
					if name, settings, _ := strings.Cut(arg, ":"); name == "all" {
						names = nil
						for _, set := range catalogue.Sets() {
							names = append(names, strings.TrimSuffix(set.Name+":"+settings, ":"))
						}
					}
					for _, n := range names {
						t, err := v.read(n)
						if err != nil {
							return err
						}
						e.Tables = append(e.Tables, compare.Table{Name: tableName(n), Data: t})
					}
				}
				if plots != "" {
					e.Curves = true
					if err := os.MkdirAll(plots, 0o777); err != nil {
						return err
					}
				}
				e.Progress = progress(s.Err, "run")
				r, err := e.Run(ctx)
				if errors.Is(err, compare.ErrExperiment) {
					return cli.Usage(err)
				} else if err != nil {
					return err
				}
				if noTimes {
					r.ForgetTimes()
				}
				write := map[string]func(*compare.Report, io.Writer) error{
					"text": (*compare.Report).WriteText, "csv": (*compare.Report).WriteCSV, "json": (*compare.Report).WriteJSON,
				}[format]
				if err := write(r, s.Out); err != nil || plots == "" {
					return err
				}
				return drawReport(r, plots)
			}
		},
	}
}

// drawReport draws the errors of each table, and the margins of each method on it.
func drawReport(r *compare.Report, folder string) error {
	path := func(name string) string { return filepath.Join(folder, plain(name)+".png") }
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
				if err := plot.MarginDistribution(method+" on "+info.Name, margins, nil, path("margins-"+info.Name+"-"+method)); err != nil {
					return err
				}
			}
		}
		if err := plot.Errors("Error on "+info.Name, curves, path("errors-"+info.Name)); err != nil {
			return err
		}
	}
	return nil
}

// plain returns a portable file name: letters, digits, and a dash for anything
// else.
func plain(name string) string {
	words := strings.FieldsFunc(name, func(c rune) bool {
		return !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_')
	})
	return strings.Join(words, "-")
}

// roundsInto parses numbers of rounds.
func roundsInto(to *[]int) func(string) error {
	return func(list string) error {
		*to = nil
		for w := range strings.SplitSeq(list, ",") {
			n, err := strconv.Atoi(strings.TrimSpace(w))
			if err != nil || n < 1 {
				return fmt.Errorf("want numbers from 1 with commas between them")
			}
			*to = append(*to, n)
		}
		return nil
	}
}

func listCommand() *cli.Command {
	return &cli.Command{
		Name: "list", Summary: "list boosters, learners and built-in sets", Args: "",
		Text: "A booster or learner may have settings: \"trees(leaves=8)\".",
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			return func(_ context.Context, args []string) error {
				if len(args) > 0 {
					return cli.Usagef("list takes no arguments")
				}
				w := tabwriter.NewWriter(s.Out, 0, 0, 2, ' ', 0)
				for _, g := range []struct {
					title string
					parts []compare.Part
				}{{"BOOSTERS", compare.Boosters()}, {"BOOSTERS OF SEVERAL CLASSES", compare.MultiBoosters()}, {"LEARNERS", compare.Learners()}} {
					fmt.Fprintln(w, g.title)
					for _, p := range g.parts {
						fmt.Fprintf(w, "  %s\t%s\t%s\n", p.Name, strings.Join(p.Keys, ", "), p.About)
					}
				}
				fmt.Fprintln(w, "SETS")
				for _, set := range catalogue.Sets() {
					fmt.Fprintf(w, "  %s\t%d rows\t%s\n", set.Name, set.Rows, set.About)
				}
				return w.Flush()
			}
		},
	}
}
