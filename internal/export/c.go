package export

import (
	"cmp"
	_ "embed"
	"fmt"
	"image"
	"io"
	"strconv"
	"strings"
	"text/template"

	"haarlem/cascade"
	"haarlem/internal/engine"
)

//go:embed c.h.tmpl
var headerText string

//go:embed track.h.tmpl
var trackerText string

var header = template.Must(template.New("c.h").Parse(headerText + trackerText))

// A headerTable is a table with its numbers in rows.
type headerTable struct {
	table
	Text string
}

// headerData is what the template of the header sees.
type headerData struct {
	Name, Summary                            string
	Notes                                    []string
	Scale                                    float64
	W, H, Rows, PicW, PicH, EdgeX, EdgeY     int
	Min, Max                                 string
	Edge2                                    int
	Natural, Padded                          bool
	TableBytes, Weak, Exits, Reads, Unit     int
	Scratch                                  int
	Score                                    string
	Sum16, Haar, LBP, Tilted, Halves, Narrow bool
	Hist, Stumps, Soft, Small, Best          bool
	RectBytes, Bins, LastBin, Area           int
	Lowest                                   uint64
	Fixed                                    fixedPoint
	FixedBias, BinBias, WideBias, LeafBias   int
	LeafScale, Neighbors                     int
	Levels                                   []level
	Tables                                   []headerTable
}

// WriteC writes the cascade as one C99 header.
func (e *Export) WriteC(w io.Writer) error {
	text, err := e.text()
	if err != nil {
		return err
	}
	name := e.identifier()
	_, err = strings.NewReplacer("MODEL_", strings.ToUpper(name)+"_", "model_", name+"_").WriteString(w, text)
	return err
}

// text is the header with model for the cascade's name.
func (e *Export) text() (string, error) {
	var b strings.Builder
	err := header.Execute(&b, e.headerData())
	return b.String(), err
}

func (e *Export) headerData() *headerData {
	c, p, s := e.c, e.packed, &e.settings
	d := &headerData{
		Name: strings.ReplaceAll(strconv.QuoteToASCII(c.Name), "*/", "* /"), Summary: e.summary(), Notes: e.notes, Scale: s.Scale,
		W: c.Width, H: c.Height, Rows: c.Height + 1, PicW: s.Picture.X, PicH: s.Picture.Y,
		EdgeX: int(c.Search.Pad * float64(c.Width)), EdgeY: int(c.Search.Pad * float64(c.Height)),
		Min: size(s.MinSize), Max: size(s.MaxSize), Natural: s.MaxSize.X == 0 || s.MaxSize.Y == 0,
		TableBytes: p.Bytes() + len(e.levels)*24, Weak: len(c.Weak), Exits: len(c.Exits), Reads: e.reads(), Unit: e.unit,
		Score: "int64_t", Sum16: e.area <= 257, Haar: c.Kind == cascade.Haar, LBP: c.Kind == cascade.LBP,
		Tilted: p.tilted, Narrow: p.narrow, Hist: p.hist, Stumps: p.stumps, Soft: p.soft, Small: p.small,
		RectBytes: 4, Bins: p.perWeak, LastBin: p.perWeak - 1, Area: (c.Width - 2) * (c.Height - 2),
		Lowest: e.lowest, Fixed: e.fixed, FixedBias: 150 - e.fixed.Q, BinBias: 109 + e.fixed.Q, WideBias: 134 + e.fixed.Q,
		LeafBias: 150 - e.unit, LeafScale: 1 << (e.unit - p.unit), Levels: e.levels,
		Best: !c.Exits[0].Restart, Neighbors: cmp.Or(c.Search.MinCandidates, 4) - 1,
	}
	d.Edge2, d.Padded = 2*d.EdgeX, d.EdgeX > 0 || d.EdgeY > 0
	if p.narrow {
		d.RectBytes = 2
	}
	if p.small {
		d.Score = "int32_t"
	}
	for i := range e.levels {
		d.Halves = d.Halves || e.levels[i].Halved > 0
	}
	d.Scratch = e.scratch(d)
	for _, t := range p.all() {
		d.Tables = append(d.Tables, headerTable{*t, numbers(t)})
	}
	return d
}

// summary says what the cascade is.
func (e *Export) summary() string {
	shape := "stages"
	if e.packed.soft {
		shape = "a soft cascade"
	}
	kind := "Haar"
	if e.c.Kind == cascade.LBP {
		kind = "LBP"
	}
	return fmt.Sprintf("%s of %d weak classifiers, %s features, %dx%d", shape, len(e.c.Weak), kind, e.c.Width, e.c.Height)
}

func size(p image.Point) string {
	if p == (image.Point{}) {
		return ""
	}
	return fmt.Sprintf("%dx%d", p.X, p.Y)
}

// reads returns the most reads of sums that a window takes.
func (e *Export) reads() (n int) {
	of := func(feature int32) int {
		if e.c.Kind == cascade.LBP {
			return 36
		}
		return 4 * e.c.Features[feature].Count()
	}
	for i := range e.c.Weak {
		w := &e.c.Weak[i]
		if w.Histogram() {
			n += of(w.Feature)
		}
		for k := range w.Nodes {
			n += of(w.Nodes[k].Feature)
		}
	}
	return n
}

// scratch is the macro of that name, for the widest picture.
func (e *Export) scratch(d *headerData) int {
	sum, kinds := 4, 1
	if d.Sum16 {
		sum = 2
	}
	if d.Tilted {
		kinds = 2
	}
	n := (d.PicW+d.Edge2+2)*d.Rows*kinds*sum + (d.PicW+2)*8 + (d.PicW+d.Edge2+8)*kinds + 40
	if d.Haar {
		n += (d.PicW + d.Edge2 + 2) * 4
	}
	if d.Halves {
		n += 2*d.PicW + 16
	}
	return n / 8 * 8
}

// numbers returns the rows of a table.
func numbers(t *table) string {
	var b strings.Builder
	col := 0
	for i, v := range t.Values {
		text := strconv.FormatInt(v, 10)
		if t.Bits == 32 {
			text = fmt.Sprintf("0x%xu", v)
		}
		if col == 0 {
			b.WriteByte('\t')
			col = 8
		} else {
			b.WriteByte(' ')
			col++
		}
		b.WriteString(text + ",")
		if col += len(text) + 1; col > 88 || i == len(t.Values)-1 {
			b.WriteByte('\n')
			col = 0
		}
	}
	return b.String()
}

// Facts returns lines about what is written: size, memory and work.
func (e *Export) Facts() []string {
	d, options := e.headerData(), e.options
	windows := 0
	if eng, err := engine.New(e.c, &options); err == nil { // as it was checked, there is none
		windows = eng.Visits(d.PicW, d.PicH)
	}
	return []string{
		fmt.Sprintf("Flash: %d bytes of tables, and about 3 to 4 KB of code (Thumb-2, -Os).", d.TableBytes),
		fmt.Sprintf("RAM: %d bytes of scratch for a picture of %dx%d, besides the picture.", d.Scratch, d.PicW, d.PicH),
		fmt.Sprintf("Work: %d windows in such a picture, at most %d weak classifiers a window, with %d reads of sums.", windows, d.Weak, d.Reads),
		fmt.Sprintf("Scores: in units of 2^-%d.", d.Unit),
	}
}
