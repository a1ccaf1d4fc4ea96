package main

import (
	"encoding/csv"
	"io"
	"strconv"
)

// csvReporter writes a line a face, under a heading. A picture without faces
// has no line.
type csvReporter struct{ w *csv.Writer }

func newCSVReporter(w io.Writer) *csvReporter { return &csvReporter{csv.NewWriter(w)} }

func (c *csvReporter) begin() error {
	return c.flush(c.w.Write([]string{"file", "x", "y", "width", "height", "score", "neighbors"}))
}

func (c *csvReporter) picture(r *result) error {
	for _, f := range r.faces {
		err := c.w.Write([]string{
			r.name,
			strconv.Itoa(f.Box.Min.X), strconv.Itoa(f.Box.Min.Y),
			strconv.Itoa(f.Box.Dx()), strconv.Itoa(f.Box.Dy()),
			strconv.FormatFloat(roundScore(f.Score), 'g', -1, 64),
			strconv.Itoa(f.Neighbors),
		})
		if err != nil {
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
