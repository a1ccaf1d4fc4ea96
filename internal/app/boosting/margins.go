package boosting

import (
	"context"
	"encoding/csv"
	"fmt"
	"slices"

	"haarlem/boost"
	"haarlem/internal/app/cli"
	"haarlem/internal/boost/compare"
	"haarlem/internal/boost/margins"
	"haarlem/internal/boost/plot"
)

func marginsCommand() *cli.Command {
	return &cli.Command{
		Name: "margins", Summary: "training margins of a vote, and the bound on them by its edges", Args: "TABLE",
		Text: "Prints, as CSV and for margins from -0.95 to 0.95, the share of the training rows of\nat most this margin, and what Nock and Nielsen's theorem says it is at most. The\nmargin is 2p - 1 for the probability p of a row's own class.\n\n" + tableText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			method, rounds := "adaboostr+stumps", []int{10, 100, 200}
			var draw []string
			var test string
			var v tableFlags
			f.Group("Model")
			f.String(&method, "method", "`BOOSTER+LEARNER`; the bound is that of adaboostr and discrete (adaboostr+stumps)")
			f.Func("rounds", "margins after `N,...` rounds (10,100,200)", roundsInto(&rounds))
			f.String(&test, "test", "`TABLE` that is not fitted: its margins stand beside those of the training rows")
			f.Group("Output")
			f.Strings(&draw, "plot", "`FILE` for the curves, .png or .svg; may be repeated")
			v.declare(f, s)
			return func(ctx context.Context, args []string) error {
				if len(args) != 1 {
					return cli.Usagef("%d tables given, want one", len(args))
				}
				m, err := compare.ParseMethod(method, false)
				if err != nil {
					return cli.Usage(err)
				}
				if name := m.Booster.Name(); name != "adaboostr" && name != "discrete" {
					return cli.Usagef("-method %s, want adaboostr or discrete: the bound is of no other", method)
				}
				d, err := v.read(args[0])
				if err != nil {
					return err
				}
				var edges []float64
				res, err := boost.Fit(ctx, d, m.Booster, m.Learner, &boost.Settings{Rounds: slices.Max(rounds), Recorder: func(r *boost.Round) error {
					if r.Weak != nil {
						edges = append(edges, r.Edge)
					}
					return nil
				}})
				if err != nil {
					return settingsAreUsage(err)
				}
				var fresh *boost.Data
				if test != "" {
					if fresh, err = v.read(test); err != nil {
						return err
					}
					if fresh, err = res.Model.Align(fresh); err != nil {
						return fmt.Errorf("%s: %w", test, err)
					}
				}
				var thetas []float64
				for k := -19; k <= 19; k++ {
					thetas = append(thetas, float64(k)/20)
				}
				table := [][]string{{"margin"}}
				for _, theta := range thetas {
					table = append(table, []string{fmt.Sprintf("%.2f", theta)})
				}
				var drawn []plot.Margins
				var bounds []func(float64) float64
				for _, n := range rounds {
					used := edges[:min(n, len(edges))]
					logit, err := margins.Logit(res.Model.Truncate(len(used)), d)
					if err != nil {
						return err
					}
					bound := func(theta float64) float64 { return margins.EdgeBound(used, theta) }
					table[0] = append(table[0], fmt.Sprintf("share_%d", n), fmt.Sprintf("bound_%d", n))
					for k, share := range margins.Cumulative(logit, thetas) {
						table[k+1] = append(table[k+1], fmt.Sprintf("%.4f", share), fmt.Sprintf("%.4g", bound(thetas[k])))
					}
					one := plot.Margins{Rounds: n, Train: logit}
					if fresh != nil {
						if one.Test, err = margins.Logit(res.Model.Truncate(len(used)), fresh); err != nil {
							return err
						}
						table[0] = append(table[0], fmt.Sprintf("test_%d", n))
						for k, share := range margins.Cumulative(one.Test, thetas) {
							table[k+1] = append(table[k+1], fmt.Sprintf("%.4f", share))
						}
					}
					drawn, bounds = append(drawn, one), append(bounds, bound)
				}
				if err := csv.NewWriter(s.Out).WriteAll(table); err != nil || len(draw) == 0 {
					return err
				}
				return plot.MarginDistribution(method+" on "+tableName(args[0]), drawn, bounds, draw...)
			}
		},
	}
}
