package main

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
)

// csvReporter writes a line a face, under a heading. A picture without faces
// has no line.
type csvReporter struct {
	w      *csv.Writer
	points int // of each face
}

func newCSVReporter(w io.Writer) *csvReporter { return &csvReporter{w: csv.NewWriter(w)} }

func (c *csvReporter) begin() error {
	names := []string{"file", "x", "y", "width", "height", "score", "neighbors"}
	for i := range c.points {
		names = append(names, fmt.Sprintf("x%d", i+1), fmt.Sprintf("y%d", i+1))
	}
	return c.flush(c.w.Write(names))
}

func (c *csvReporter) picture(r *result) error {
	for i, f := range r.faces {
		line := []string{
			r.name,
			strconv.Itoa(f.Box.Min.X), strconv.Itoa(f.Box.Min.Y),
			strconv.Itoa(f.Box.Dx()), strconv.Itoa(f.Box.Dy()),
			strconv.FormatFloat(roundScore(f.Score), 'g', -1, 64),
			strconv.Itoa(f.Neighbors),
		}
		if r.points != nil {
			for _, q := range r.points[i] {
				line = append(line, strconv.FormatFloat(q.X, 'f', -1, 64), strconv.FormatFloat(q.Y, 'f', -1, 64))
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
