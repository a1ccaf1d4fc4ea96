package plot

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Predicted is the outcome of predictions of about the same probability.
type Predicted struct {
	Probability float64 // mean predicted one
	Share       float64 // fraction that was right
	Low, High   float64 // the interval for Share
}

// Reliability draws a reliability diagram into one file per path, .png or .svg:
// the observed against the predicted fractions in per cent, with their
// intervals. Calibrated predictions lie on the diagonal.
func Reliability(title string, points []Predicted, paths ...string) error {
	if len(points) == 0 {
		return fmt.Errorf("%w in %q", errNothing, title)
	}
	p := page(title, "said to be right, per cent", "right, per cent")
	diagonal, err := plotter.NewLine(plotter.XYs{{X: 0, Y: 0}, {X: 100, Y: 100}})
	if err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	diagonal.Color, diagonal.Dashes = color.Gray{120}, faint
	p.Add(diagonal)
	for _, s := range points {
		bar, err := plotter.NewLine(plotter.XYs{{X: 100 * s.Probability, Y: 100 * s.Low}, {X: 100 * s.Probability, Y: 100 * s.High}})
		if err != nil {
			return fmt.Errorf("plot: %w", err)
		}
		bar.Color, bar.Width = palette[0], vg.Points(1)
		p.Add(bar)
	}
	middles := make(plotter.XYs, len(points))
	for i, s := range points {
		middles[i] = plotter.XY{X: 100 * s.Probability, Y: 100 * s.Share}
	}
	dots, err := plotter.NewScatter(middles)
	if err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	dots.GlyphStyle = draw.GlyphStyle{Color: palette[0], Radius: vg.Points(3), Shape: draw.CircleGlyph{}}
	p.Add(dots)
	p.Legend = plot.NewLegend()
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 100, 0, 100
	for _, path := range paths {
		if err := save(p, path); err != nil {
			return err
		}
	}
	return nil
}
