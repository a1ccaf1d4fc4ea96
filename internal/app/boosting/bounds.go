package boosting

import (
	"context"
	"encoding/csv"
	"fmt"
	"math"

	"haarlem/internal/app/cli"
	"haarlem/internal/boost/margins"
	"haarlem/internal/boost/plot"
)

// boundThetas are the margins of the curves.
var boundThetas = []float64{1.0 / 20, 1.0 / 8, 1.0 / 4, 1.0 / 2}

func boundsCommand() *cli.Command {
	return &cli.Command{
		Name: "bounds", Summary: "bound the error of votes on new rows, by margins and by VC dimension", Args: "",
		Text: "Prints, as CSV and for growing numbers of rows, what Schapire, Freund, Bartlett and\nLee's bound adds to the share of training rows of margins up to 1/20, 1/8, 1/4 and\n1/2, what it is near to where rows are many, and what Vapnik's adds to the training\nerror.",
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			learners, delta, vc := 1e6, 0.01, 0.0
			var draw []string
			f.Group("Bounds")
			f.Float(&learners, "learners", "`N` weak learners to choose from (1000000)")
			f.Float(&delta, "delta", "the bounds hold with probability 1 - `P` (0.01)")
			f.Float(&vc, "vc", "VC `DIMENSION`; the logarithm of -learners to the base 2 if none is given")
			f.Group("Output")
			f.Strings(&draw, "plot", "`FILE` for the curves, .png or .svg; may be repeated")
			return func(_ context.Context, args []string) error {
				switch {
				case len(args) > 0:
					return cli.Usagef("bounds takes no tables")
				case !(learners >= 2 && learners <= 1e300):
					return cli.Usagef("-learners %v, want 2 or more", learners)
				case !(delta > 0 && delta < 1):
					return cli.Usagef("-delta %v, want more than 0 and less than 1", delta)
				case vc == 0:
					vc = math.Log2(learners)
				case !(vc > 0 && vc <= 1e9):
					return cli.Usagef("-vc %v, want more than 0", vc)
				}
				lines := []plot.Line{{Name: fmt.Sprintf("VC dimension %.3g", vc)}}
				for _, theta := range boundThetas {
					lines = append(lines, plot.Line{Name: fmt.Sprintf("margin %v", theta)})
				}
				w := csv.NewWriter(s.Out)
				head := []string{"rows", "vc"}
				for _, kind := range []string{"margin_", "near_"} {
					for _, theta := range boundThetas {
						head = append(head, kind+number(theta))
					}
				}
				w.Write(head)
				for k := 4.0; k <= 28; k++ {
					rows := math.Round(math.Pow(10, k/4))
					bound := margins.VCBound(rows, vc, delta)
					record := []string{fmt.Sprintf("%.0f", rows), fmt.Sprintf("%.4f", bound)}
					lines[0].X, lines[0].Y = append(lines[0].X, rows), append(lines[0].Y, bound)
					var nears []string
					for i, theta := range boundThetas {
						bound, near := margins.Bound(rows, learners, delta, theta), margins.NearBound(rows, learners, theta)
						record, nears = append(record, fmt.Sprintf("%.4f", bound)), append(nears, fmt.Sprintf("%.4f", near))
						l := &lines[i+1]
						l.X, l.Y, l.Near = append(l.X, rows), append(l.Y, bound), append(l.Near, near)
					}
					w.Write(append(record, nears...))
				}
				if w.Flush(); w.Error() != nil || len(draw) == 0 {
					return w.Error()
				}
				title := fmt.Sprintf("Bounds of votes of %.3g weak learners, with probability %v", learners, 1-delta)
				return plot.Bounds(title, lines, draw...)
			}
		},
	}
}
