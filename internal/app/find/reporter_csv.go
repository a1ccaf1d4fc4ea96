package find

import (
	"encoding/csv"
	"io"

	"haarlem/internal/jsonout"
)

// csvReporter writes a line a face, under a heading. A picture without faces
// has no line.
type csvReporter struct {
	w       *csv.Writer
	columns jsonout.Columns
}

func newCSVReporter(w io.Writer) *csvReporter { return &csvReporter{w: csv.NewWriter(w)} }

func (c *csvReporter) begin() error {
	return c.flush(c.w.Write(c.columns.Heading()))
}

func (c *csvReporter) picture(r *result) error {
	for i, d := range r.faces {
		f := jsonout.FaceOf(d)
		if c.columns.Objects {
			f.Object = r.objects[i]
		}
		if err := c.w.Write(c.columns.Line(r.name, &f)); err != nil {
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
