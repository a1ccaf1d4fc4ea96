package jsonout

import (
	"fmt"
	"strconv"
)

// Columns are those of a CSV of detections, besides those that each has.
type Columns struct {
	Angles  bool
	Objects bool
	Points  int // of each detection
}

// Heading returns the names of all columns.
func (c *Columns) Heading() []string {
	names := []string{"file", "x", "y", "width", "height", "score", "neighbors"}
	if c.Angles {
		names = append(names, "angle")
	}
	if c.Objects {
		names = append(names, "object")
	}
	for i := range c.Points {
		names = append(names, fmt.Sprintf("x%d", i+1), fmt.Sprintf("y%d", i+1))
	}
	return names
}

// Line returns the cells of a detection in a file. Without points, which a picture may
// lack, it is shorter.
func (c *Columns) Line(file string, f *Face) []string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	line := []string{
		file,
		strconv.Itoa(f.X), strconv.Itoa(f.Y),
		strconv.Itoa(f.Width), strconv.Itoa(f.Height),
		number(f.Score),
		strconv.Itoa(f.Neighbors),
	}
	if c.Angles {
		line = append(line, number(f.Angle))
	}
	if c.Objects {
		line = append(line, f.Object)
	}
	if f.Points != nil {
		for _, p := range *f.Points {
			line = append(line, number(p[0]), number(p[1]))
		}
	}
	return line
}
