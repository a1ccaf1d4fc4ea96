package plot

import (
	"fmt"
	"image/color"

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
	p := newPage(title, "said to be right, per cent", "right, per cent")
	diagonal := p.line(plotter.XYs{{X: 0, Y: 0}, {X: 100, Y: 100}}, 0, "")
	diagonal.Color, diagonal.Dashes, diagonal.Width = color.Gray{120}, faint, vg.Points(1)
	p.drawn = 0
	middles := make(plotter.XYs, len(points))
	for i, s := range points {
		p.line(plotter.XYs{{X: 100 * s.Probability, Y: 100 * s.Low}, {X: 100 * s.Probability, Y: 100 * s.High}}, 0, "").Width = vg.Points(1)
		middles[i] = plotter.XY{X: 100 * s.Probability, Y: 100 * s.Share}
	}
	if p.drawn > 0 {
		dots, err := plotter.NewScatter(middles)
		if err != nil {
			return fmt.Errorf("plot: %w", err)
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: palette[0], Radius: vg.Points(3), Shape: draw.CircleGlyph{}}
		p.Add(dots)
	}
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 0, 100, 0, 100
	return p.save(paths)
}
