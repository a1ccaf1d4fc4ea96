package plot

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Said is what came of predictions of about one probability.
type Said struct {
	Probability float64 // that was said, on average
	Share       float64 // that was so
	Low, High   float64 // the interval for Share
}

// Reliability draws what was so against what was said, in per cent, into one
// file per path, .png or .svg: points with their intervals, about a diagonal on
// which all of them would lie that said the truth.
func Reliability(title string, points []Said, paths ...string) error {
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
