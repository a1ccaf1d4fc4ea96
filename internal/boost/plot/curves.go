package plot

import "gonum.org/v1/plot/plotter"

// Curve is a method's error after round 1, 2, and so on, as a fraction. Either
// part may be nil.
type Curve struct {
	Name        string
	Train, Test []float64
}

// Errors draws error in per cent against rounds into one file per path, .png or
// .svg: solid lines for the test, thin dashed ones of the same colour for
// training.
func Errors(title string, curves []Curve, paths ...string) error {
	p := newPage(title, "rounds", "error, per cent")
	for i, c := range curves {
		p.pair(percent(c.Test), percent(c.Train), i, c.Name)
	}
	// The lines begin at round 1, but the axes at 0.
	p.X.Min, p.Y.Min = 0, 0
	if p.Y.Max <= 0 {
		p.Y.Max = 1 // a straight line at zero error
	}
	// Space for the legend above the highest line.
	p.Y.Max *= 1 + 0.06*float64(min(len(curves)+1, 10))
	return p.save(paths)
}

func percent(shares []float64) plotter.XYs {
	points := make(plotter.XYs, len(shares))
	for i, v := range shares {
		points[i] = plotter.XY{X: float64(i + 1), Y: 100 * v}
	}
	return points
}
