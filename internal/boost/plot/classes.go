package plot

import (
	"fmt"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Line is a line through points.
type Line struct {
	Name string
	X, Y []float64
}

// ROC draws true against false positive rates, and the diagonal of guessing, into
// one file per path, .png or .svg.
func ROC(title string, curves []Line, paths ...string) error {
	p := page(title, "false positive rate", "true positive rate")
	drawn := 0
	for i, c := range curves {
		if len(c.X) == 0 {
			continue
		}
		points := make(plotter.XYs, len(c.X))
		for k := range points {
			points[k].X, points[k].Y = c.X[k], c.Y[k]
		}
		l, err := line(points, i)
		if err != nil {
			return err
		}
		p.Add(l)
		p.Legend.Add(c.Name, l)
		drawn++
	}
	if drawn == 0 {
		return fmt.Errorf("%w in %q", errNothing, title)
	}
	guess, err := line(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, 6)
	if err != nil {
		return err
	}
	guess.Dashes = faint
	p.Add(guess)
	p.Legend.Top = false
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	return saveAll(p, paths)
}

// Shape draws a piecewise constant function, such as the curve of a column of
// an additive model.
func Shape(title, column string, c Line, paths ...string) error {
	if len(c.X) == 0 || len(c.Y) != len(c.X)+1 {
		return fmt.Errorf("%w in %q", errNothing, title)
	}
	p := page(title, column, "what it adds to the score")
	width := (c.X[len(c.X)-1] - c.X[0]) / 20
	if width == 0 {
		width = 1
	}
	points := plotter.XYs{{X: c.X[0] - width, Y: c.Y[0]}}
	for k, x := range c.X {
		points = append(points, plotter.XY{X: x, Y: c.Y[k]}, plotter.XY{X: x, Y: c.Y[k+1]})
	}
	points = append(points, plotter.XY{X: c.X[len(c.X)-1] + width, Y: c.Y[len(c.Y)-1]})
	l, err := line(points, 0)
	if err != nil {
		return err
	}
	p.Add(l)
	return saveAll(p, paths)
}

// saveAll writes a plot into one file per path.
func saveAll(p *plot.Plot, paths []string) error {
	for _, path := range paths {
		if err := save(p, path); err != nil {
			return err
		}
	}
	return nil
}
