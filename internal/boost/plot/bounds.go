package plot

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Bounds draws bounds of an error, 0 to 1, against numbers of rows on a
// logarithmic axis into one file per path, .png or .svg, and with dots what Near says.
// The parts of a line above 1, which say nothing, are left out.
func Bounds(title string, lines []Line, paths ...string) error {
	p := newPage(title, "rows", "bound of the error")
	low, high, near := math.Inf(1), math.Inf(-1), false
	for i, c := range lines {
		for part, heights := range [][]float64{c.Y, c.Near} {
			var points plotter.XYs
			for k, y := range heights {
				if x := c.X[k]; x > 0 && y >= 0 && y <= 1 {
					points = append(points, plotter.XY{X: math.Log10(x), Y: y})
				}
			}
			switch {
			case len(points) < 2:
				continue
			case part == 0:
				p.line(points, i, c.Name)
			default:
				l := p.line(points, i, "")
				l.Width, l.Dashes, near = thin, dotted, true
			}
			low, high = min(low, points[0].X), max(high, points[len(points)-1].X)
		}
	}
	if near {
		p.sample("the same, approximately", dotted)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = math.Floor(low), math.Ceil(high), 0, 1
	p.X.Tick.Marker = plot.TickerFunc(func(lo, hi float64) []plot.Tick {
		var all []plot.Tick
		for k := math.Ceil(lo); k <= hi; k++ {
			all = append(all, plot.Tick{Value: k, Label: "10^" + strconv.Itoa(int(k))})
		}
		return all
	})
	return p.save(paths)
}
