package plot

import (
	"fmt"
	"slices"

	"gonum.org/v1/plot/plotter"
)

// Margins are all rows' margins after some number of rounds, in any order.
// Either part may be nil.
type Margins struct {
	Rounds      int
	Train, Test []float64
}

// MarginDistribution draws the fraction of rows whose margin is at most x, for
// x from -1 to 1, into one file per path, .png or .svg: solid lines for the
// test, thin dashed ones of the same colour for training beside it. The value at
// zero is the error; the further right a line is, the larger the margins. bounds, if
// not nil, bound the training lines of each number of rounds: functions of the margin,
// drawn with dots where they are at most 1.
func MarginDistribution(title string, margins []Margins, bounds []func(margin float64) float64, paths ...string) error {
	p := newPage(title, "margin", "share of rows with at most this margin")
	p.Legend.Left = true
	p.Legend.XOffs = -p.Legend.XOffs
	for i, m := range margins {
		p.pair(cumulative(m.Test), cumulative(m.Train), i, fmt.Sprintf("T = %d", m.Rounds))
	}
	bounded := false
	for i, bound := range bounds {
		var points plotter.XYs
		for x := -1.0; x < 1; x += 0.01 {
			if y := bound(x); y >= 0 && y <= 1 {
				points = append(points, plotter.XY{X: x, Y: y})
			}
		}
		if len(points) > 1 {
			l := p.line(points, i, "")
			l.Width, l.Dashes, bounded = thin, dotted, true
		}
	}
	if bounded {
		p.sample("bounds", dotted)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1, 1, 0, 1
	return p.save(paths)
}

// maxSteps bounds the points of one line.
const maxSteps = 500

// cumulative returns the distribution function of the margins on -1 to 1 as a
// step function, whose steps are thinned if there are many rows.
func cumulative(margins []float64) plotter.XYs {
	sorted := slices.Clone(margins)
	slices.Sort(sorted)
	n := len(sorted)
	if n == 0 {
		return nil
	}
	points := plotter.XYs{{X: -1, Y: 0}}
	y := 0.0
	for k := 1; k <= min(n, maxSteps); k++ {
		i := k*n/min(n, maxSteps) - 1
		x := min(max(sorted[i], -1), 1)
		points = append(points, plotter.XY{X: x, Y: y})
		y = float64(i+1) / float64(n)
		points = append(points, plotter.XY{X: x, Y: y})
	}
	return append(points, plotter.XY{X: 1, Y: 1})
}
