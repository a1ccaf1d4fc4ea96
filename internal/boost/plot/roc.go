package plot

import (
	"math"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
)

// Detector is a detector's curve: the fraction of the objects found, and the
// number of false positives, for thresholds from high to low.
type Detector struct {
	Name           string
	FalsePositives []int
	Rates          []float64
}

// Detection draws recall against false positives into one file per path, .png
// or .svg. The axis of false positives is logarithmic, plus one, so that it
// includes zero, and ends at limit.
func Detection(title string, detectors []Detector, limit int, paths ...string) error {
	p := newPage(title, "false positives", "objects found, per cent")
	low := 100.0
	for i, d := range detectors {
		if points := stairs(d, limit); len(points) > 0 {
			p.line(points, i, d.Name)
			low = min(low, points[0].Y)
		}
	}
	p.X.Min, p.X.Max = 0, logAxis(limit)
	p.Y.Min, p.Y.Max = math.Floor(low/10)*10, 100
	if p.Y.Min == p.Y.Max {
		p.Y.Min = 90
	}
	p.X.Tick.Marker = plot.TickerFunc(func(_, _ float64) []plot.Tick {
		var all []plot.Tick
		for _, n := range []int{0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000} {
			if n <= limit {
				all = append(all, plot.Tick{Value: logAxis(n), Label: strconv.Itoa(n)})
			}
		}
		return all
	})
	return p.saveBeside(paths)
}

func logAxis(n int) float64 { return math.Log10(float64(n) + 1) }

// stairs returns the best recall for each number of false positives: constant
// up to the next better threshold.
func stairs(d Detector, limit int) plotter.XYs {
	var points plotter.XYs
	for i, n := range d.FalsePositives {
		if n > limit {
			break
		}
		if i+1 < len(d.FalsePositives) && d.FalsePositives[i+1] == n {
			continue // a lower threshold finds more with no more false positives
		}
		x, y := logAxis(n), 100*d.Rates[i]
		if k := len(points); k > 0 {
			points = append(points, plotter.XY{X: x, Y: points[k-1].Y})
		}
		points = append(points, plotter.XY{X: x, Y: y})
	}
	if k := len(points); k > 0 {
		points = append(points, plotter.XY{X: logAxis(limit), Y: points[k-1].Y})
	}
	return points
}
