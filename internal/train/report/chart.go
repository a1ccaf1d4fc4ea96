package report

import (
	"cmp"
	"fmt"
	"html"
	"html/template"
	"math"
	"strconv"
	"strings"
)

// A Chart is drawn as SVG into the page, so that its colours follow the page's
// and its lines stay sharp. Other pages may have some, in the style of [Style].
type Chart struct {
	Title, Note string // above and below
	X, Y        string // names of the axes
	LogX, LogY  bool
	Percent     bool // y is a fraction, labelled in per cent
	FromZero    bool // y begins at zero
	Steps       bool // x counts steps, which have no fractions
	Lines       []Line
}

// A Line of a chart, or bars, or single points.
type Line struct {
	Name   string
	Colour int // 1 to 6, a class of the page's style; 0: by its place among the lines
	Dashed bool
	Faint  int // 0 to 4: how much older it is than what it stands beside
	Bars   bool
	Points [][2]float64 // x and y
}

type point = [2]float64

// Drawn leaves out lines without points, and charts without lines.
func Drawn(charts ...Chart) (all []Chart) {
	for _, c := range charts {
		var some []Line
		for i, l := range c.Lines {
			l.Colour = cmp.Or(l.Colour, 1+i%6)
			if len(l.Points) > 0 {
				some = append(some, l)
			}
		}
		if c.Lines = some; some != nil {
			all = append(all, c)
		}
	}
	return all
}

// Size of a chart and of its margins, in SVG's units, which are about pixels on
// a phone.
const (
	chartWidth, chartHeight  = 440, 260
	left, right, top, bottom = 60, 12, 10, 38
)

// An axis maps values to coordinates.
type axis struct {
	low, high float64
	log       bool
	from, to  float64
}

func (a *axis) at(v float64) float64 {
	low, high := a.low, a.high
	if a.log {
		v, low, high = math.Log10(v), math.Log10(low), math.Log10(high)
	}
	return a.from + (v-low)/(high-low)*(a.to-a.from)
}

// fit makes an axis for values.
func fit(values []float64, log, zero bool, from, to float64) axis {
	a := axis{math.Inf(1), math.Inf(-1), log, from, to}
	for _, v := range values {
		a.low, a.high = min(a.low, v), max(a.high, v)
	}
	if zero {
		a.low = min(a.low, 0)
	}
	switch {
	case log:
		a.low, a.high = math.Pow(10, math.Floor(math.Log10(a.low)+1e-9)), math.Pow(10, math.Ceil(math.Log10(a.high)-1e-9))
		if a.low == a.high {
			a.high *= 10
		}
	case a.low == a.high:
		d := max(math.Abs(a.low)/20, 1e-3)
		a.low, a.high = a.low-d, a.high+d
		if zero {
			a.low = min(a.low+d, 0)
		}
	}
	return a
}

// A tick is a labelled value of an axis.
type tick struct {
	value float64
	label string
}

// ticks returns at most about seven of them: round numbers, or powers of ten.
func (a *axis) ticks(percent bool) []tick {
	var all []tick
	if a.log {
		first, last := math.Round(math.Log10(a.low)), math.Round(math.Log10(a.high))
		step := math.Ceil((last - first) / 6)
		for e := first; e <= last; e += step {
			label := "10" + superscript(int(e))
			if e >= -2 && e <= 3 {
				label = strconv.FormatFloat(math.Pow(10, e), 'f', max(0, -int(e)), 64)
			}
			all = append(all, tick{math.Pow(10, e), label})
		}
		return all
	}
	scale, unit := 1.0, ""
	if percent {
		scale, unit = 100, "%"
	}
	span := (a.high - a.low) * scale
	step := math.Pow(10, math.Floor(math.Log10(span/3)))
	for _, k := range []float64{2, 5} {
		if k*step <= span/3 {
			step *= k
			break
		}
	}
	if 2.5*step <= span/3 {
		step *= 2.5
	}
	decimals := 0
	for d := step; decimals < 9 && math.Abs(d-math.Round(d)) > 1e-6*step; decimals++ {
		d = step * math.Pow(10, float64(decimals+1))
	}
	for k := math.Ceil(a.low*scale/step - 1e-9); k*step <= a.high*scale+1e-9*step; k++ {
		all = append(all, tick{k * step / scale, strconv.FormatFloat(k*step+0, 'f', decimals, 64) + unit})
	}
	return all
}

func superscript(n int) string {
	return strings.Map(func(r rune) rune {
		if r == '-' {
			return '⁻'
		}
		return []rune("⁰¹²³⁴⁵⁶⁷⁸⁹")[r-'0']
	}, strconv.Itoa(n))
}

// place formats a coordinate to a tenth of a unit. That is finer than visible,
// and hides differences between processors in the last bits of logarithms.
func place(v float64) string { return strconv.FormatFloat(v, 'f', 1, 64) }

// SVG draws the chart.
func (c Chart) SVG() template.HTML {
	var xs, ys []float64
	for _, l := range c.Lines {
		for _, p := range l.Points {
			if c.LogX && p[0] <= 0 || c.LogY && p[1] <= 0 {
				continue
			}
			xs, ys = append(xs, p[0]), append(ys, p[1])
			if l.Bars {
				xs = append(xs, p[0]-0.6, p[0]+0.6)
			}
		}
	}
	if len(xs) == 0 {
		return ""
	}
	ax := fit(xs, c.LogX, false, left, chartWidth-right)
	ay := fit(ys, c.LogY, c.FromZero, chartHeight-bottom, top)
	var b strings.Builder
	text := func(class string, x, y float64, more, s string) {
		fmt.Fprintf(&b, `<text class="%s" x="%s" y="%s"%s>%s</text>`, class, place(x), place(y), more, html.EscapeString(s))
	}
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img" aria-label="%s">`, chartWidth, chartHeight, html.EscapeString(c.Title))
	for _, t := range ay.ticks(c.Percent) {
		y := ay.at(t.value)
		fmt.Fprintf(&b, `<path class="grid" d="M%d %sH%d"/>`, left, place(y), chartWidth-right)
		text("end", left-6, y+4, "", t.label)
	}
	for _, t := range ax.ticks(false) {
		if c.Steps && t.value != math.Trunc(t.value) {
			continue
		}
		x := ax.at(t.value)
		fmt.Fprintf(&b, `<path class="grid" d="M%s %dV%d"/>`, place(x), top, chartHeight-bottom)
		if c.Steps {
			t.label = strconv.Itoa(int(t.value))
		}
		text("mid", x, chartHeight-bottom+16, "", t.label)
	}
	text("mid name", (left+chartWidth-right)/2, chartHeight-5, "", c.X)
	text("mid name", 0, 0, fmt.Sprintf(` transform="translate(11 %d) rotate(-90)"`, (top+chartHeight-bottom)/2), c.Y)
	for _, l := range c.Lines {
		var path strings.Builder
		shown := 0
		for _, p := range l.Points {
			if c.LogX && p[0] <= 0 || c.LogY && p[1] <= 0 {
				continue
			}
			x, y := ax.at(p[0]), ay.at(p[1])
			switch {
			case l.Bars:
				wide := max(1, (ax.at(p[0]+0.35) - ax.at(p[0]-0.35)))
				fmt.Fprintf(&b, `<rect class="f%d" x="%s" y="%s" width="%s" height="%s"/>`, l.Colour, place(x-wide/2), place(y), place(wide), place(ay.at(ay.low)-y))
				continue
			case shown == 0:
				path.WriteString("M")
			default:
				path.WriteString("L")
			}
			shown++
			path.WriteString(place(x) + " " + place(y))
			if len(l.Points) == 1 {
				fmt.Fprintf(&b, `<circle class="f%d" cx="%s" cy="%s" r="4.5"/>`, l.Colour, place(x), place(y))
			}
		}
		if shown > 1 {
			more := ""
			if l.Dashed {
				more = " dashed"
			}
			if l.Faint > 0 {
				more += fmt.Sprintf(" faint%d", l.Faint)
			}
			fmt.Fprintf(&b, `<path class="line l%d%s" d="%s"/>`, l.Colour, more, path.String())
		}
	}
	b.WriteString(`</svg>`)
	return template.HTML(b.String())
}
