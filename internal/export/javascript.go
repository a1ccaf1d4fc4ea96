package export

import (
	_ "embed"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"text/template"

	"haarlem/cascade"
	"haarlem/internal/kernel/contrast"
)

//go:embed module.mjs.tmpl
var moduleText string

//go:embed track.mjs.tmpl
var followedText string

var module = template.Must(template.New("module.mjs").Parse(moduleText + followedText))

// moduleLevel is a level in JavaScript.
type moduleLevel struct {
	Factor                                   float64
	FitsX, FitsY, SizeX, SizeY, Step, Halved int
	Start                                    float64
}

// moduleData is what the template of the module sees.
type moduleData struct {
	*headerData
	File, Below, WeakAbout string
	Levels                 []moduleLevel
	Features, Weak, Exits  []string
}

// WriteJavaScript writes the cascade as one ES module.
func (e *Export) WriteJavaScript(w io.Writer) error {
	c := e.c
	d := &moduleData{headerData: e.headerData(), File: e.identifier() + ".mjs", Below: "Infinity"}
	if b := contrast.Below(float64(d.Area), 1/c.MinStdDev); !math.IsInf(float64(b), 0) {
		d.Below = plain(b)
	}
	for _, l := range e.levels {
		d.Levels = append(d.Levels, moduleLevel{float64(l.Factor), l.Fits.X, l.Fits.Y, l.Size.X, l.Size.Y, l.Step, l.Halved, c.Search.ScaleBias.At(l.Factor)})
	}
	for i := range c.Features {
		f := &c.Features[i]
		var row []string
		if f.Tilted {
			row = append(row, "1")
		}
		for _, r := range f.Rects[:f.Count()] {
			row = append(row, fmt.Sprintf("%d, %d, %d, %d, %v", r.X, r.Y, r.W, r.H, r.Weight))
		}
		d.Features = append(d.Features, strings.Join(row, ", "))
	}
	for _, r := range c.Cells {
		d.Features = append(d.Features, fmt.Sprintf("%d, %d, %d, %d", r.Min.X, r.Min.Y, r.Dx(), r.Dy()))
	}
	d.WeakAbout = "weak classifiers: for each node a feature, " + map[bool]string{true: "eight words of a subset", false: "a threshold"}[d.LBP] + " and two children; then leaves"
	if d.Hist {
		d.WeakAbout = "weak classifiers: feature, where the first bin begins, bins in 1, outputs"
	}
	for i := range c.Weak {
		d.Weak = append(d.Weak, moduleWeak(c, &c.Weak[i]))
	}
	for _, x := range c.Exits {
		d.Exits = append(d.Exits, fmt.Sprintf("%d, %s, %v", x.After, plain(x.Threshold), x.Restart))
	}
	return module.Execute(w, d)
}

// moduleWeak returns a weak classifier in JavaScript.
func moduleWeak(c *cascade.Cascade, w *cascade.Weak) string {
	var row []string
	if w.Histogram() {
		row = append(row, fmt.Sprintf("%d, %s, %s", w.Feature, plain(w.Low), plain(w.Scale)))
	}
	for _, n := range w.Nodes {
		question := plain(n.Threshold)
		if c.Kind == cascade.LBP {
			question = strings.Trim(strings.ReplaceAll(fmt.Sprint(n.Subset), " ", ", "), "[]")
		}
		row = append(row, fmt.Sprintf("%d, %s, %d, %d", n.Feature, question, n.Left, n.Right))
	}
	for _, v := range w.Leaves {
		row = append(row, plain(v))
	}
	return strings.Join(row, ", ")
}

// plain returns v as a float64 in decimal, exactly.
func plain(v float32) string { return strconv.FormatFloat(float64(v), 'g', -1, 64) }
