package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/urfave/cli/v3"

	"haarlem/integral"
	"haarlem/landmarks"
	"haarlem/samples"
)

// A marked is an object whose points are known, in a picture.
type marked struct {
	file   string
	plane  integral.Grey
	object samples.Object
	points []landmarks.Point
}

// markedFlags say where marked objects come from.
func markedFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringSliceFlag{Name: "truth", Usage: "file of pictures with points; may be repeated"},
		&cli.StringFlag{Name: "format", Value: "auto", Usage: "of -truth: auto, csv or landmarks"},
		&cli.StringSliceFlag{Name: "pick", Usage: "the points that are meant, of those in -truth: numbers from 1 on with blanks between, each also the mean of several, as in \"37:42 43:48 31 49 55\" for five of 68. Once for all files, or once for each in their order"},
		&cli.StringSliceFlag{Name: "offset", Usage: "X,Y: what is added to the points of -truth, in pixels, for files that count otherwise: here pixel 0,0 covers the square from 0,0 to 1,1. Once for all files, or once for each in their order"},
	}
}

// readMarked reads the pictures and points of -truth. Objects without points,
// and those to be ignored, are left out.
func readMarked(c *cli.Command) ([]marked, error) {
	paths := c.StringSlice("truth")
	each := func(flag string) ([]string, error) {
		given := c.StringSlice(flag)
		switch len(given) {
		case 0:
			return make([]string, len(paths)), nil
		case len(paths):
			return given, nil
		case 1:
			all := make([]string, len(paths))
			for i := range all {
				all[i] = given[0]
			}
			return all, nil
		}
		return nil, usagef("-%s is given %d times, want once or, as -truth, %d times", flag, len(given), len(paths))
	}
	picks, err := each("pick")
	if err != nil {
		return nil, err
	}
	offsets, err := each("offset")
	if err != nil {
		return nil, err
	}
	var all []marked
	for i, path := range paths {
		pick, err := parsePick(picks[i])
		if err != nil {
			return nil, err
		}
		offset, err := parseOffset(offsets[i])
		if err != nil {
			return nil, err
		}
		photos, err := readTruth([]string{path}, c.String("format"))
		if err != nil {
			return nil, err
		}
		for _, p := range photos {
			var g integral.Grey
			for _, o := range p.Objects {
				if o.Ignore || len(o.Marks) == 0 {
					continue
				}
				points, err := pick.of(o.Marks, offset)
				if err != nil {
					return nil, fmt.Errorf("%s: %s: %w", path, p.File, err)
				}
				if len(all) > 0 && len(all[0].points) != len(points) {
					return nil, fmt.Errorf("%s: %s has %d points, and %s has %d: -pick chooses some", path, p.File, len(points), all[0].file, len(all[0].points))
				}
				if g.Pix == nil {
					m, err := samples.ReadGrey(p.File)
					if err != nil {
						return nil, err
					}
					g, _ = integral.GreyOf(m, nil)
				}
				all = append(all, marked{p.File, g, o, points})
			}
		}
	}
	if len(all) == 0 {
		return nil, usagef("-truth: no object with points in it")
	}
	return all, nil
}

// A pick says of which points of a file the points that are meant are the means:
// from one to another, counted from 0. Without any they are those of the file.
type pick [][2]int

func parsePick(text string) (pick, error) {
	var p pick
	for word := range strings.FieldsSeq(text) {
		first, last, several := strings.Cut(word, ":")
		if !several {
			last = first
		}
		a, err1 := strconv.ParseUint(first, 10, 16)
		b, err2 := strconv.ParseUint(last, 10, 16)
		if err1 != nil || err2 != nil || a < 1 || b < a {
			return nil, usagef("-pick %q: %q, want the number of a point, from 1 on, or FIRST:LAST", text, word)
		}
		p = append(p, [2]int{int(a) - 1, int(b) - 1})
	}
	return p, nil
}

func (p pick) of(marks []samples.Point, offset landmarks.Point) ([]landmarks.Point, error) {
	if len(p) == 0 {
		for i := range marks {
			p = append(p, [2]int{i, i})
		}
	}
	var points []landmarks.Point
	for _, r := range p {
		if r[1] >= len(marks) {
			return nil, fmt.Errorf("-pick wants point %d, and there are %d", r[1]+1, len(marks))
		}
		var s landmarks.Point
		for _, m := range marks[r[0] : r[1]+1] {
			s.X += m.X
			s.Y += m.Y
		}
		n := float64(r[1] - r[0] + 1)
		points = append(points, landmarks.Point{X: s.X/n + offset.X, Y: s.Y/n + offset.Y})
	}
	return points, nil
}

func parseOffset(text string) (landmarks.Point, error) {
	if text == "" {
		return landmarks.Point{}, nil
	}
	left, right, ok := strings.Cut(text, ",")
	x, err1 := strconv.ParseFloat(left, 64)
	y, err2 := strconv.ParseFloat(right, 64)
	if !ok || err1 != nil || err2 != nil || !(math.Abs(x)+math.Abs(y) < 1e6) {
		return landmarks.Point{}, usagef("-offset %q: want X,Y in pixels, such as 0.5,0.5", text)
	}
	return landmarks.Point{X: x, Y: y}, nil
}
