package plot

import "gonum.org/v1/plot/plotter"

// Line is a line through points.
type Line struct {
	Name string
	X, Y []float64
	Near []float64 // of [Bounds]: approximations of Y, or nil
}

// ROC draws true against false positive rates, and the diagonal of guessing, into
// one file per path, .png or .svg.
func ROC(title string, curves []Line, paths ...string) error {
	p := newPage(title, "false positive rate", "true positive rate")
	for i, c := range curves {
		points := make(plotter.XYs, len(c.X))
		for k := range points {
			points[k].X, points[k].Y = c.X[k], c.Y[k]
		}
		p.pair(points, nil, i, c.Name)
	}
	if p.drawn > 0 {
		p.line(plotter.XYs{{X: 0, Y: 0}, {X: 1, Y: 1}}, 6, "").Dashes = faint
	}
	p.Legend.Top = false
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 1, 0, 1
	return p.save(paths)
}

// Shape draws a piecewise constant function, such as the curve of a column of
// an additive model.
func Shape(title, column string, c Line, paths ...string) error {
	p := newPage(title, column, "what it adds to the score")
	if n := len(c.X); n > 0 && len(c.Y) == n+1 {
		width := (c.X[n-1] - c.X[0]) / 20
		if width == 0 {
			width = 1
		}
		points := plotter.XYs{{X: c.X[0] - width, Y: c.Y[0]}}
		for k, x := range c.X {
			points = append(points, plotter.XY{X: x, Y: c.Y[k]}, plotter.XY{X: x, Y: c.Y[k+1]})
		}
		p.line(append(points, plotter.XY{X: c.X[n-1] + width, Y: c.Y[n]}), 0, "")
	}
	return p.save(paths)
}
