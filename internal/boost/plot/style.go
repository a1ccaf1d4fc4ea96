package plot

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"io"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgsvg"
)

// palette is Okabe and Ito's for the colour-blind, without its yellow, which is
// too light for a line on white.
var palette = []color.NRGBA{
	{0, 114, 178, 255},
	{213, 94, 0, 255},
	{0, 158, 115, 255},
	{204, 121, 167, 255},
	{86, 180, 233, 255},
	{230, 159, 0, 255},
	{0, 0, 0, 255},
}

// dashes distinguish lines once the colours are used up.
var dashes = [][]vg.Length{nil, {vg.Points(2), vg.Points(2)}, {vg.Points(8), vg.Points(2), vg.Points(2), vg.Points(2)}}

// faint is the style of a training line.
var faint = []vg.Length{vg.Points(5), vg.Points(3)}

// dotted is the style of a bound.
var dotted = []vg.Length{vg.Points(1), vg.Points(3)}

// Size of every plot, the white border around it, and dots per inch in a PNG.
const (
	width  = 7 * vg.Inch
	height = 4.5 * vg.Inch
	border = 0.12 * vg.Inch
	dpi    = 144
)

// A page is a plot that is drawn. It keeps its first error.
type page struct {
	*plot.Plot
	drawn   int  // lines and the like
	trained bool // there are training lines
	err     error
}

// newPage makes an empty page.
func newPage(title, x, y string) *page {
	p := plot.New()
	p.Title.Text = title
	p.Title.Padding = vg.Points(8)
	p.X.Label.Text, p.Y.Label.Text = x, y
	p.BackgroundColor = color.White
	grid := plotter.NewGrid()
	grid.Horizontal.Color = color.Gray{225}
	grid.Vertical.Color = color.Gray{240}
	p.Add(grid)
	p.Legend.Top = true
	p.Legend.Padding = vg.Points(3)
	p.Legend.ThumbnailWidth = vg.Points(28)
	p.Legend.XOffs, p.Legend.YOffs = -vg.Points(4), -vg.Points(2)
	p.X.Tick.Marker, p.Y.Tick.Marker = plot.TickerFunc(ticks), plot.TickerFunc(ticks)
	return &page{Plot: p}
}

// line draws the i-th line of a plot, with a name in the legend unless it is empty.
func (p *page) line(points plotter.XYs, i int, name string) *plotter.Line {
	l, err := plotter.NewLine(points)
	if err != nil {
		p.err = cmp.Or(p.err, fmt.Errorf("plot: %w", err))
		return &plotter.Line{}
	}
	l.Color = palette[i%len(palette)]
	l.Dashes = dashes[i/len(palette)%len(dashes)]
	l.Width = vg.Points(1.6)
	p.Add(l)
	if p.drawn++; name != "" {
		p.Legend.Add(name, l)
	}
	return l
}

// pair draws the i-th line of a test, and beside it a thin dashed one of training in the
// same colour; either may be empty.
func (p *page) pair(test, train plotter.XYs, i int, name string) {
	if len(test) > 0 {
		p.line(test, i, name)
		name = ""
	}
	if len(train) > 0 {
		if l := p.line(train, i, name); name == "" {
			l.Width, l.Dashes, p.trained = thin, faint, true
		}
	}
}

// sample is a legend's sample of thin lines, in no line's colour.
func (p *page) sample(name string, dashes []vg.Length) {
	p.Legend.Add(name, &plotter.Line{LineStyle: draw.LineStyle{Color: color.Gray{90}, Width: thin, Dashes: dashes}})
}

// thin is the width of lines beside others.
const thin = vg.Length(0.8)

// errNothing is the error of an empty plot.
var errNothing = errors.New("plot: nothing to draw")

// save writes the page into one file per path, in the format of its extension, .png or
// .svg.
func (p *page) save(paths []string) error {
	return p.write(paths, func(c draw.Canvas) { p.Draw(c) })
}

// saveBeside is save with the legend to the right of the plot, for curves that
// leave no space for it.
func (p *page) saveBeside(paths []string) error {
	legend, bare := p.Legend, *p.Plot
	bare.Legend = plot.NewLegend()
	legend.XOffs = 0
	return p.write(paths, func(c draw.Canvas) {
		r := legend.Rectangle(c)
		bare.Draw(draw.Crop(c, 0, r.Min.X-r.Max.X-border, 0, 0))
		legend.Draw(c)
	})
}

func (p *page) write(paths []string, paint func(draw.Canvas)) error {
	if p.drawn == 0 && p.err == nil {
		return fmt.Errorf("%w in %q", errNothing, p.Title.Text)
	}
	if p.trained {
		p.sample("the same, training", faint)
		p.trained = false
	}
	for _, path := range paths {
		if p.err == nil {
			p.err = write(path, paint)
		}
	}
	return p.err
}

// ticks labels an axis at four to nine round numbers.
func ticks(lo, hi float64) []plot.Tick {
	if !(hi > lo) {
		return nil
	}
	// The largest of 1, 2 and 5 times a power of ten that gives four steps.
	power := math.Pow(10, math.Floor(math.Log10((hi-lo)/4)))
	step := power
	for _, k := range []float64{2, 5} {
		if k*power <= (hi-lo)/4 {
			step = k * power
		}
	}
	decimals := max(0, -int(math.Floor(math.Log10(step)+1e-9)))
	var all []plot.Tick
	for k := math.Ceil(lo/step - 1e-9); k*step <= hi+1e-9*step; k++ {
		all = append(all, plot.Tick{Value: k * step, Label: strconv.FormatFloat(k*step+0, 'f', decimals, 64)})
	}
	return all
}

// write writes a drawing.
func write(path string, paint func(draw.Canvas)) error {
	var canvas vg.CanvasSizer
	var out io.WriterTo
	switch ext := strings.ToLower(filepath.Ext(path)); ext {
	case ".png":
		c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(width, height), vgimg.UseDPI(dpi))}
		canvas, out = c, c
	case ".svg":
		c := vgsvg.New(width, height)
		canvas, out = c, c
	default:
		return fmt.Errorf("plot: %s: extension %q, want .png or .svg", path, ext)
	}
	paint(draw.Crop(draw.New(canvas), border, -border, border, -border))
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("plot: %w", err)
	}
	_, err = out.WriteTo(f)
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("plot: %s: %w", path, err)
	}
	return nil
}
