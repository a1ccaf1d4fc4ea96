package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"haarlem/cascade"
)

// textReporter writes for people.
type textReporter struct {
	w        io.Writer
	pictures int
	object   cascade.Object
}

func (t *textReporter) begin() error { return nil }

func (t *textReporter) picture(r *result) error {
	t.pictures++
	t.object = r.object
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s: %dx%d, %s, %.1f ms\n", printable(r.name), r.width, r.height, countObjects(len(r.faces), r.object), float64(r.took.Microseconds())/1e3)
	for _, f := range r.faces {
		size := fmt.Sprintf("%dx%d", f.Box.Dx(), f.Box.Dy())
		fmt.Fprintf(&b, "  at %5d,%-5d  %-11s  score %8s  neighbors %d", f.Box.Min.X, f.Box.Min.Y, size, scoreText(f.Score), f.Neighbors)
		if f.Angle != 0 {
			fmt.Fprintf(&b, "  angle %.0f", f.Angle)
		}
		b.WriteByte('\n')
	}
	_, err := t.w.Write(b.Bytes())
	return err
}

func (t *textReporter) end(pictures, faces int) error {
	if t.pictures < 2 {
		return nil
	}
	_, err := fmt.Fprintf(t.w, "%s in %s\n", countObjects(faces, t.object), count(pictures, "picture"))
	return err
}

func count(n int, thing string) string {
	return countObjects(n, cascade.Object{Singular: thing, Plural: thing + "s"})
}

func countObjects(n int, o cascade.Object) string {
	switch o = o.OrAny(); n {
	case 0:
		return "no " + o.Plural
	case 1:
		return "1 " + o.Singular
	}
	return strconv.Itoa(n) + " " + o.Plural
}

// scoreText is short enough to be read on a picture too.
func scoreText(score float64) string { return strconv.FormatFloat(score, 'f', 2, 64) }

// printable quotes names that would do something to a terminal.
func printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}
