package export

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"image"
	"io"
	"math"
	"strings"
	"text/template"

	"haarlem/internal/drawn"
	"haarlem/internal/engine"
)

//go:embed testbench.v.tmpl
var benchText string

var bench = template.Must(template.New("testbench.v").Parse(benchText))

// A File is a file of an export.
type File struct {
	Path  string // with slashes
	Write func(io.Writer) error
}

// memory is a table in Verilog.
type memory struct {
	table
	High, Last int
}

// benchData is what the template of the test bench sees.
type benchData struct {
	*headerData
	Windows  int
	Start    int64
	Memories []memory
}

// Word returns a table's element as a float32.
func (d *benchData) Word(element string) string {
	if d.Small {
		return "{" + element + ", 16'd0}"
	}
	return element
}

// Leaf returns a table's element in units.
func (d *benchData) Leaf(element string) string {
	if d.Small {
		return fmt.Sprintf("$signed(%s) * 64'sd%d", element, d.LeafScale)
	}
	return "leaf(" + element + ")"
}

// benchWindows is the number of windows of a test bench.
const benchWindows = 200

// Tables returns the files of the tables: a memory file and a column file for each, their
// description, and a Verilog test bench with windows.
func (e *Export) Tables(ctx context.Context) ([]File, error) {
	d := &benchData{headerData: e.headerData(), Start: int64(math.Ldexp(e.c.Search.ScaleBias.At(1), e.unit))}
	var files []File
	add := func(path string, content []byte) {
		files = append(files, File{path, func(w io.Writer) error {
			_, err := w.Write(content)
			return err
		}})
	}
	tables := e.packed.all()
	tables = append(tables, e.levelTable())
	about := &strings.Builder{}
	fmt.Fprintf(about, tablesAbout, d.Name, d.Summary, strings.Join(append([]string{""}, e.notes...), "\n\n"), d.W, d.H, e.unit, e.lowest)
	for _, t := range tables {
		if t.Name != "levels" {
			d.Memories = append(d.Memories, memory{*t, t.Bits - 1, len(t.Values) - 1})
		}
		fmt.Fprintf(about, "| `%s` | %d | %d | %s |\n", t.Name, len(t.Values), t.Bits, t.About)
		var mem, csv bytes.Buffer
		fmt.Fprintf(&csv, "index,%s\n", t.Name)
		for i, v := range t.Values {
			fmt.Fprintf(&mem, "%0*x\n", t.Bits/4, uint64(v)&(1<<t.Bits-1))
			fmt.Fprintf(&csv, "%d,%d\n", i, v)
		}
		add(t.Name+".mem", mem.Bytes())
		add(t.Name+".csv", csv.Bytes())
	}
	add("tables.hex", intelHex(tables))
	add("README.md", []byte(about.String()))
	windows, expected, n, err := e.benchWindows(ctx)
	if err != nil {
		return nil, err
	}
	d.Windows = n
	add("windows.mem", windows)
	add("expected.mem", expected)
	files = append(files, File{"testbench.v", func(w io.Writer) error { return bench.Execute(w, d) }})
	return files, nil
}

// levelTable returns the levels of the pyramid as a table.
func (e *Export) levelTable() *table {
	t := &table{Name: "levels", Bits: 32, About: "ten words a level: factor (24 bits) and shift (factor * 2^-shift), minimum width and height of pictures, width and height of windows in the picture, step, halvings, initial score (upper half first)"}
	for _, l := range e.levels {
		t.Values = append(t.Values, int64(l.Mantissa), int64(l.Shift), int64(l.Fits.X), int64(l.Fits.Y), int64(l.Size.X), int64(l.Size.Y),
			int64(l.Step), int64(l.Halved), int64(uint32(uint64(l.Start)>>32)), int64(uint32(uint64(l.Start))))
	}
	return t
}

// benchWindows draws windows, and decides them.
func (e *Export) benchWindows(ctx context.Context) (windows, expected []byte, n int, err error) {
	c := e.c.Clone()
	c.Search.Pad = 0
	search := c.Search
	eng, err := engine.New(c, &engine.Options{Windows: engine.WindowsAll, Search: &search, MaxCandidates: -1})
	if err != nil {
		return nil, nil, 0, err
	}
	var w, x bytes.Buffer
	for i, kind := range []string{"faces", "texture", "blocks", "noise", "faint"} {
		p := drawn.Picture(kind, 8*c.Width, 5*c.Height, uint64(i)+1)
		for k := range benchWindows / 5 {
			at := image.Pt(k%8*c.Width, k/8*c.Height)
			g := image.NewGray(image.Rect(0, 0, c.Width, c.Height))
			for y := range c.Height {
				copy(g.Pix[y*g.Stride:], p.Pix[(at.Y+y)*p.Stride+at.X:][:c.Width])
			}
			_, passed, err := eng.Cost(ctx, g)
			if err != nil {
				return nil, nil, 0, err
			}
			found, err := eng.AppendWindows(ctx, nil, g)
			if err != nil {
				return nil, nil, 0, err
			}
			exits, score := 0, uint64(0)
			for _, v := range passed {
				exits += v
			}
			if len(found) > 0 {
				score = uint64(int64(math.Ldexp(found[0].Margin, e.unit)))
			}
			for _, v := range g.Pix {
				fmt.Fprintf(&w, "%02x\n", v)
			}
			fmt.Fprintf(&x, "%08x\n%08x\n%08x\n", exits, score>>32, score&math.MaxUint32)
			n++
		}
	}
	return w.Bytes(), x.Bytes(), n, nil
}

// intelHex returns the tables one after the other in Intel's HEX format, with the lowest
// byte of a number first, each table at a multiple of four bytes.
func intelHex(tables []*table) []byte {
	var all []byte
	for _, t := range tables {
		for len(all)%4 != 0 {
			all = append(all, 0)
		}
		for _, v := range t.Values {
			for b := range t.Bits / 8 {
				all = append(all, byte(v>>(8*b)))
			}
		}
	}
	var out bytes.Buffer
	record := func(kind byte, address int, data []byte) {
		line := append([]byte{byte(len(data)), byte(address >> 8), byte(address), kind}, data...)
		sum := byte(0)
		for _, b := range line {
			sum += b
		}
		fmt.Fprintf(&out, ":%X\n", append(line, -sum))
	}
	for at := 0; at < len(all); at += 16 {
		if at%(1<<16) == 0 && at > 0 {
			record(4, 0, []byte{byte(at >> 24), byte(at >> 16)})
		}
		record(0, at&0xffff, all[at:min(at+16, len(all))])
	}
	record(1, 0, nil)
	return out.Bytes()
}

const tablesAbout = `# Tables of %s

%s. Written by haarlem train-cascade export.
%s

Each table is a memory file for $readmemh (.mem) and a column file (.csv). tables.hex is all of them in this order as Intel HEX, lowest bytes first, each at a multiple of four bytes. testbench.v reads the tables, and decides the windows of windows.mem as Haarlem does:

    iverilog -g2005 -o testbench testbench.v && vvp testbench

A window has %d x %d pixels. Scores are whole numbers of 2^-%d. A window with Haar features passes the contrast gate if area*squares - sum*sum, inside a border of one pixel, is at least %d (0: no gate).

| table | numbers | bits | what |
| --- | --- | --- | --- |
`
