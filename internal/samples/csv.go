package samples

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"
	"strconv"
	"strings"
)

// columns holds the index of each column in a record; -1: missing.
type columns struct {
	names  []string // as they are written
	file   int
	box    [4]int // x, y, width, height; or left, top, right, bottom
	edges  bool   // the latter
	ignore int
	marks  [][2]int
	tags   []int
}

var (
	fileNames = []string{"file", "filename", "file_name", "image", "path"}
	boxNames  = [4][]string{{"x", "left"}, {"y", "top"}, {"width", "w"}, {"height", "h"}}
	edgeNames = [4][]string{{"xmin"}, {"ymin"}, {"xmax"}, {"ymax"}}
)

// classify derives the columns from the header, ignoring case.
func classify(header []string) (*columns, error) {
	if len(header) > maxColumns {
		return nil, fmt.Errorf("%d columns, want at most %d: %w", len(header), maxColumns, ErrLimit)
	}
	c := &columns{file: -1, ignore: -1}
	index := map[string]int{}
	for i, name := range header {
		name = strings.TrimSpace(name)
		c.names = append(c.names, name)
		low := strings.ToLower(name)
		if _, twice := index[low]; twice {
			return nil, fmt.Errorf("two columns are called %q", clip(name))
		}
		index[low] = i
	}
	find := func(names []string) int {
		for _, n := range names {
			if i, ok := index[n]; ok {
				return i
			}
		}
		return -1
	}
	used := make([]bool, len(header))
	take := func(i int) int {
		if i >= 0 {
			used[i] = true
		}
		return i
	}
	if c.file = take(find(fileNames)); c.file < 0 {
		return nil, fmt.Errorf("no column is called \"file\"; found %s", quoted(c.names))
	}
	c.ignore = take(find([]string{"ignore"}))
	look := func(want [4][]string) (at [4]int, n int) {
		for k := range want {
			if at[k] = find(want[k]); at[k] >= 0 {
				n++
			}
		}
		return at, n
	}
	box, have := look(boxNames)
	if edges, n := look(edgeNames); have < 4 && n == 4 {
		box, have, c.edges = edges, n, true
	}
	c.box = [4]int{-1, -1, -1, -1}
	if have == 4 {
		for k := range box {
			c.box[k] = take(box[k])
		}
	}
	for i, name := range c.names {
		partner, ok := ordinate(strings.ToLower(name))
		if used[i] || !ok {
			continue
		}
		if y, ok := index[partner]; ok && !used[y] {
			c.marks = append(c.marks, [2]int{take(i), take(y)})
		}
	}
	for i := range header {
		if !used[i] {
			c.tags = append(c.tags, i)
		}
	}
	return c, nil
}

// ordinate returns the name of the column with a landmark's y, given that of
// its x: nose_y for nose_x, y7 for x7.
func ordinate(x string) (y string, ok bool) {
	if stem, ok := strings.CutSuffix(x, "x"); ok && strings.Trim(stem, "_") != "" {
		return stem + "y", true
	}
	number, ok := strings.CutPrefix(x, "x")
	if _, err := strconv.ParseUint(number, 10, 16); !ok || err != nil {
		return "", false
	}
	return "y" + number, true
}

func (c *columns) hasBox() bool { return c.box[0] >= 0 }

// want checks that the columns of a format exist.
func (c *columns) want(f Format) error {
	switch {
	case f == Landmarks && len(c.marks) == 0:
		return fmt.Errorf("no landmarks: want pairs of columns NAME_x,NAME_y (or NAMEx,NAMEy); found %s", quoted(c.names))
	case f == CSV && !c.hasBox():
		var missing []string
		for _, names := range boxNames {
			if !slices.ContainsFunc(c.names, func(n string) bool { return slices.Contains(names, strings.ToLower(n)) }) {
				missing = append(missing, names[0])
			}
		}
		return fmt.Errorf("no column is called %s; found %s", quoted(missing), quoted(c.names))
	case !c.hasBox() && len(c.marks) == 0:
		return fmt.Errorf("neither boxes (x,y,width,height) nor landmarks (NAME_x,NAME_y): found %s", quoted(c.names))
	}
	return nil
}

func quoted(names []string) string {
	const largest = 20
	q := make([]string, 0, largest)
	for i, n := range names {
		if i == largest {
			q = append(q, fmt.Sprintf("and %d more", len(names)-largest))
			break
		}
		q = append(q, strconv.Quote(clip(n)))
	}
	return strings.Join(q, ", ")
}

// readCSV reads boxes and landmarks, one object per line. An object may have only
// one of the two, or all of both. A line whose box and landmarks are all empty marks
// a photograph without objects.
func readCSV(r io.Reader, file string, f Format) ([]Photo, error) {
	br := bufio.NewReader(bound(r, maxTextBytes))
	if bom, err := br.Peek(3); err == nil && string(bom) == "\ufeff" {
		br.Discard(3)
	}
	in, c, err := readHeader(br, file, f)
	if err != nil {
		return nil, err
	}
	in.ReuseRecord = true
	var g gather
	var bad badLines
	for {
		record, err := in.Read()
		if err == io.EOF {
			return g.photos, bad.err()
		} else if errors.Is(err, csv.ErrFieldCount) {
			bad.add(csvError(file, err))
			continue
		} else if err != nil {
			bad.add(csvError(file, err))
			return g.photos, bad.err()
		}
		line, _ := in.FieldPos(0)
		if err := c.add(&g, record); err != nil {
			bad.add(&LineError{file, line, err})
			if errors.Is(err, ErrLimit) {
				return g.photos, bad.err()
			}
		}
	}
}

// readHeader reads the header line, and returns a reader of the lines behind it.
func readHeader(r *bufio.Reader, file string, f Format) (*csv.Reader, *columns, error) {
	in := csv.NewReader(r)
	in.Comma = comma(r)
	header, err := in.Read()
	if err == io.EOF {
		return nil, nil, at(file, 0, "the file is empty, want a header line such as file,x,y,width,height")
	} else if err != nil {
		return nil, nil, csvError(file, err)
	}
	line, _ := in.FieldPos(0)
	c, err := classify(header)
	if err == nil {
		err = c.want(f)
	}
	if err != nil {
		return nil, nil, &LineError{file, line, err}
	}
	return in, c, nil
}

// comma returns the separator of the header: some spreadsheets write semicolons
// or tabs in files called CSV.
func comma(r *bufio.Reader) rune {
	head, _ := r.Peek(2048)
	first, _, _ := strings.Cut(string(head), "\n")
	for _, c := range ",;\t" {
		if strings.ContainsRune(first, c) {
			return c
		}
	}
	return ','
}

func csvError(file string, err error) error {
	p, ok := errors.AsType[*csv.ParseError](err)
	switch {
	case !ok:
		return named(file, err)
	case errors.Is(p.Err, csv.ErrFieldCount):
		return at(file, p.StartLine, "another number of columns than the header has")
	case errors.Is(p.Err, csv.ErrBareQuote), errors.Is(p.Err, csv.ErrQuote):
		return at(file, p.StartLine, "a \" that has no partner or stands inside a word (column %d of line %d)", p.Column, p.Line)
	}
	return &LineError{file, p.Line, p.Err}
}

// add adds a record.
func (c *columns) add(g *gather, record []string) error {
	name := strings.TrimSpace(record[c.file])
	if name == "" {
		return fmt.Errorf("column %q: empty, want the name of a picture", c.names[c.file])
	}
	photo, err := g.photo(strings.Clone(name))
	if err != nil {
		return err
	}
	var o Object
	if _, o.Box, err = c.boxOf(record); err != nil {
		return err
	}
	marked, lacks := false, -1 // a column of a landmark
	for _, m := range c.marks {
		var p Point
		for k, to := range []*float64{&p.X, &p.Y} {
			given := false
			if *to, given, err = c.value(record, m[k]); err != nil {
				return err
			} else if !given && lacks < 0 {
				lacks = m[k]
			}
			marked = marked || given
		}
		o.Marks = append(o.Marks, p)
	}
	switch {
	case !marked && o.Box.Empty():
		return nil
	case !marked:
		o.Marks = nil
	case lacks >= 0:
		return fmt.Errorf("column %q: empty, but other landmarks of this object are given: want all of them, or none", c.names[lacks])
	}
	if o.Ignore, err = c.ignored(record); err != nil {
		return err
	}
	for _, i := range c.tags {
		if o.Tags == nil {
			o.Tags = make(map[string]string, len(c.tags))
		}
		o.Tags[c.names[i]] = strings.Clone(record[i])
	}
	return g.object(photo, o)
}

// value reads a number, or says that the column is empty.
func (c *columns) value(record []string, i int) (v float64, given bool, err error) {
	text := strings.TrimSpace(record[i])
	if text == "" {
		return 0, false, nil
	}
	if v, err = number(text); err != nil {
		err = fmt.Errorf("column %q: %w", c.names[i], err)
	}
	return v, true, err
}

// boxOf reads a box as it is written: left, top, width and height, and in whole pixels. It
// is empty without one.
func (c *columns) boxOf(record []string) (v [4]float64, box image.Rectangle, err error) {
	if !c.hasBox() {
		return v, box, nil
	}
	given, lacks := false, -1
	for k, i := range c.box {
		ok := false
		if v[k], ok, err = c.value(record, i); err != nil {
			return v, box, err
		} else if !ok {
			lacks = i
		}
		given = given || ok
	}
	switch {
	case !given:
		return v, box, nil
	case lacks >= 0:
		return v, box, fmt.Errorf("column %q: empty, but other columns of the box are not", c.names[lacks])
	case c.edges:
		v[2] -= v[0]
		v[3] -= v[1]
	}
	box, err = cornered(v[0], v[1], v[2], v[3])
	return v, box, err
}

// ignored reads the column ignore.
func (c *columns) ignored(record []string) (bool, error) {
	if c.ignore < 0 {
		return false, nil
	}
	switch s := strings.ToLower(strings.TrimSpace(record[c.ignore])); s {
	case "1", "true", "yes":
		return true, nil
	case "", "0", "false", "no":
		return false, nil
	default:
		return false, fmt.Errorf("column %q: %q, want 1 or 0", c.names[c.ignore], clip(s))
	}
}
