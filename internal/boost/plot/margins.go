package plot

import (
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg/draw"
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
// zero is the error; the further right a line is, the larger the margins.
func MarginDistribution(title string, margins []Margins, paths ...string) error {
	return MarginBounds(title, margins, nil, paths...)
}

// MarginBounds is [MarginDistribution] with a bound on the training lines of each
// number of rounds: a function of the margin, drawn with dots where it is at most 1.
func MarginBounds(title string, margins []Margins, bounds []func(margin float64) float64, paths ...string) error {
	p := page(title, "margin", "share of rows with at most this margin")
	p.Legend.Left = true
	p.Legend.XOffs = -p.Legend.XOffs
	trained, bounded := false, false
	drawn := 0
	for i, m := range margins {
		name := fmt.Sprintf("T = %d", m.Rounds)
		if len(m.Test) > 0 {
			l, err := line(cumulative(m.Test), i)
			if err != nil {
				return err
			}
			p.Add(l)
			p.Legend.Add(name, l)
			drawn++
		}
		if len(m.Train) > 0 {
			l, err := line(cumulative(m.Train), i)
			if err != nil {
				return err
			}
			if len(m.Test) > 0 {
				l.Width, l.Dashes = trainingWidth, faint
				trained = true
			} else {
				p.Legend.Add(name, l)
			}
			p.Add(l)
			drawn++
		}
	}
	for i, bound := range bounds {
		var points plotter.XYs
		for x := -1.0; x < 1; x += 0.01 {
			if y := bound(x); y >= 0 && y <= 1 {
				points = append(points, plotter.XY{X: x, Y: y})
			}
		}
		if len(points) < 2 {
			continue
		}
		l, err := line(points, i)
		if err != nil {
			return err
		}
		l.Width, l.Dashes = trainingWidth, dotted
		p.Add(l)
		if !bounded {
			p.Legend.Add("bounds", &plotter.Line{LineStyle: draw.LineStyle{Color: color.Gray{90}, Width: trainingWidth, Dashes: dotted}})
		}
		bounded = true
		drawn++
	}
	if trained {
		training(p)
	}
	if drawn == 0 {
		return fmt.Errorf("%w in %q", errNothing, title)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = -1, 1, 0, 1
	for _, path := range paths {
		if err := save(p, path); err != nil {
			return err
		}
	}
	return nil
}

// maxSteps bounds the points of one line.
const maxSteps = 500

// cumulative returns the distribution function of the margins on -1 to 1 as a
// step function, whose steps are thinned if there are many rows.
func cumulative(margins []float64) plotter.XYs {
	sorted := slices.Clone(margins)
	slices.Sort(sorted)
	n := len(sorted)
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
