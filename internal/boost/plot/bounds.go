package plot

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Bounds draws bounds of an error, 0 to 1, against numbers of rows on a
// logarithmic axis into one file per path, .png or .svg. The parts of a line
// above 1, which say nothing, are left out.
func Bounds(title string, lines []Line, paths ...string) error {
	p := page(title, "rows", "bound of the error")
	low, high := math.Inf(1), math.Inf(-1)
	for i, c := range lines {
		var points plotter.XYs
		for k, x := range c.X {
			if y := c.Y[k]; x > 0 && y >= 0 && y <= 1 {
				points = append(points, plotter.XY{X: math.Log10(x), Y: y})
			}
		}
		if len(points) < 2 {
			continue
		}
		l, err := line(points, i)
		if err != nil {
			return err
		}
		p.Add(l)
		p.Legend.Add(c.Name, l)
		low, high = min(low, points[0].X), max(high, points[len(points)-1].X)
	}
	if low >= high {
		return fmt.Errorf("%w in %q", errNothing, title)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = math.Floor(low), math.Ceil(high), 0, 1
	p.X.Tick.Marker = plot.TickerFunc(func(lo, hi float64) []plot.Tick {
		var all []plot.Tick
		for k := math.Ceil(lo); k <= hi; k++ {
			all = append(all, plot.Tick{Value: k, Label: "10^" + strconv.Itoa(int(k))})
		}
		return all
	})
	return saveAll(p, paths)
}
