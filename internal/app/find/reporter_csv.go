package find

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"haarlem/internal/jsonout"
)

// csvReporter writes a line a face, under a heading. A picture without faces
// has no line.
type csvReporter struct {
	w       *csv.Writer
	angles  bool // is there a column of them?
	objects bool // is there a column of their names?
	points  int  // of each face
}

func newCSVReporter(w io.Writer) *csvReporter { return &csvReporter{w: csv.NewWriter(w)} }

func (c *csvReporter) begin() error {
	names := []string{"file", "x", "y", "width", "height", "score", "neighbors"}
	if c.angles {
		names = append(names, "angle")
	}
	if c.objects {
		names = append(names, "object")
	}
	for i := range c.points {
		names = append(names, fmt.Sprintf("x%d", i+1), fmt.Sprintf("y%d", i+1))
	}
	return c.flush(c.w.Write(names))
}

func (c *csvReporter) picture(r *result) error {
	for i, d := range r.faces {
		f := jsonout.FaceOf(d)
		line := []string{
			r.name,
			strconv.Itoa(f.X), strconv.Itoa(f.Y),
			strconv.Itoa(f.Width), strconv.Itoa(f.Height),
			number(f.Score),
			strconv.Itoa(f.Neighbors),
		}
		if c.angles {
			line = append(line, number(f.Angle))
		}
		if c.objects {
			line = append(line, r.objects[i])
		}
		if f.Points != nil {
			for _, q := range *f.Points {
				line = append(line, number(q[0]), number(q[1]))
			}
		}
		if err := c.w.Write(line); err != nil {
			return err
		}
	}
	return c.flush(nil)
}

func (c *csvReporter) end(int, int) error { return nil }

func (c *csvReporter) flush(err error) error {
	if err != nil {
		return err
	}
	c.w.Flush()
	return c.w.Error()
}

func number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
