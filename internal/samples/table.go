package samples

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A Table is a CSV of objects that a program edits. Unlike [ReadTruth] it keeps the
// file as it is: columns that it does not know, the order of lines, the way in which
// numbers are written, names of pictures that do not exist. It may be in the middle
// of its making, with some landmarks of an object still missing.
type Table struct {
	columns   *columns
	points    []string // names of landmarks, as columns.marks
	comma     rune
	crlf, bom bool
	rows      [][]string
	index     map[string][]int // lines of a picture
	files     []string         // pictures, in the order of their first lines
}

// A Label is a line of a table: an object, or, without a box and landmarks, a
// picture that has none.
type Label struct {
	// X, Y, Width and Height are the box as it is written, which may have fractions.
	// There is no box if Width is 0.
	X, Y, Width, Height float64

	// Points are the landmarks that are given, by name.
	Points map[string]Point

	// Ignore and Tags are those of an [Object].
	Ignore bool
	Tags   map[string]string
}

// LabelsOf returns the lines of a picture's objects, or the one of a picture without any.
// Landmarks are named by their numbers, from 1.
func LabelsOf(objects []Object) []Label {
	labels := make([]Label, max(len(objects), 1))
	for i, o := range objects {
		l := &labels[i]
		l.X, l.Y, l.Width, l.Height = float64(o.Box.Min.X), float64(o.Box.Min.Y), float64(o.Box.Dx()), float64(o.Box.Dy())
		l.Ignore, l.Tags = o.Ignore, o.Tags
		for k, m := range o.Marks {
			if l.Points == nil {
				l.Points = map[string]Point{}
			}
			l.Points[strconv.Itoa(k+1)] = m
		}
	}
	return labels
}

// Empty reports whether the label is of no object.
func (l *Label) Empty() bool { return l.Width == 0 && len(l.Points) == 0 }

// NewTable returns a table without lines, and with columns for a file and a box.
func NewTable() *Table {
	t := &Table{comma: ',', index: map[string][]int{}}
	c, _ := classify([]string{"file", "x", "y", "width", "height"})
	t.setColumns(c)
	return t
}

// ReadTable reads a file.
func ReadTable(path string) (*Table, error) {
	in, err := OpenFile(path)
	if err != nil {
		return nil, named(path, err)
	}
	defer in.Close()
	data, err := io.ReadAll(bound(in, maxTextBytes))
	if err != nil {
		return nil, named(path, err)
	}
	return ParseTable(data, path)
}

// ParseTable reads the content of a file of that name.
func ParseTable(data []byte, file string) (*Table, error) {
	if len(data) > maxTextBytes {
		return nil, at(file, 0, "more than %d bytes: %w", maxTextBytes, ErrLimit)
	}
	t := &Table{index: map[string][]int{}}
	data, t.bom = bytes.CutPrefix(data, []byte("\ufeff"))
	if end := bytes.IndexByte(data, '\n'); end > 0 {
		t.crlf = data[end-1] == '\r'
	}
	in, c, err := readHeader(bufio.NewReader(bytes.NewReader(data)), file, boxesOrLandmarks)
	if err != nil {
		return nil, err
	}
	t.comma = in.Comma
	t.setColumns(c)
	for {
		record, err := in.Read()
		if err == io.EOF {
			return t, nil
		} else if err != nil {
			return nil, csvError(file, err)
		}
		line, _ := in.FieldPos(0)
		name := strings.TrimSpace(record[c.file])
		switch _, err := t.label(record); {
		case name == "":
			return nil, at(file, line, "column %q: empty, want the name of a picture", c.names[c.file])
		case err != nil:
			return nil, &LineError{file, line, err}
		case len(t.rows) >= maxObjects:
			return nil, at(file, line, "more than %d lines: %w", maxObjects, ErrLimit)
		}
		t.append(name, record)
	}
}

func (t *Table) append(name string, record []string) {
	if _, ok := t.index[name]; !ok {
		t.files = append(t.files, name)
	}
	t.index[name] = append(t.index[name], len(t.rows))
	t.rows = append(t.rows, record)
}

func (t *Table) setColumns(c *columns) {
	t.columns, t.points = c, nil
	for _, m := range c.marks {
		name := pointName(c.names[m[0]])
		if slices.Contains(t.points, name) {
			name = c.names[m[0]]
		}
		t.points = append(t.points, name)
	}
}

// pointName returns the name of a landmark whose x is in a column: nose for nose_x
// and noseX, 7 for x7.
func pointName(x string) string {
	if number, ok := strings.CutPrefix(strings.ToLower(x), "x"); ok {
		if _, err := strconv.ParseUint(number, 10, 16); err == nil {
			return number
		}
	}
	return strings.TrimRight(x[:len(x)-1], "_")
}

// Files returns the names of pictures, as they are written, in the order of their
// first lines.
func (t *Table) Files() []string { return slices.Clone(t.files) }

// Points returns the names of the landmarks that an object can have.
func (t *Table) Points() []string { return slices.Clone(t.points) }

// Tags returns the names of the other columns.
func (t *Table) Tags() []string {
	var all []string
	for _, i := range t.columns.tags {
		all = append(all, t.columns.names[i])
	}
	return all
}

// Labels returns the lines of a picture; nil if there is none.
func (t *Table) Labels(file string) []Label {
	var all []Label
	for _, row := range t.index[file] {
		l, err := t.label(t.rows[row])
		if err != nil {
			panic(err) // all lines were checked when they came in
		}
		all = append(all, l)
	}
	return all
}

// label reads a line.
func (t *Table) label(record []string) (l Label, err error) {
	c := t.columns
	v, _, err := c.boxOf(record)
	if err != nil {
		return l, err
	}
	l.X, l.Y, l.Width, l.Height = v[0], v[1], v[2], v[3]
	for k, m := range c.marks {
		x, given, err := c.value(record, m[0])
		if err != nil {
			return l, err
		}
		y, too, err := c.value(record, m[1])
		switch {
		case err != nil:
			return l, err
		case given != too:
			return l, fmt.Errorf("columns %q and %q: one is empty and the other is not", c.names[m[0]], c.names[m[1]])
		case given:
			if l.Points == nil {
				l.Points = map[string]Point{}
			}
			l.Points[t.points[k]] = Point{x, y}
		}
	}
	if l.Ignore, err = c.ignored(record); err != nil {
		return l, err
	}
	for _, i := range c.tags {
		if record[i] != "" {
			if l.Tags == nil {
				l.Tags = map[string]string{}
			}
			l.Tags[c.names[i]] = record[i]
		}
	}
	return l, nil
}

// Replace replaces the lines of a picture. was has, for each label, its index among
// [Table.Labels] of this picture, or -1 if it is new: a line that stays keeps all that
// the label does not say, such as tags that are not among its Tags. A tag that is
// empty is removed, and so is a landmark that is missing. Columns are added where they
// are needed. With an error nothing has changed.
func (t *Table) Replace(file string, labels []Label, was []int) error {
	old := t.index[file]
	switch {
	case file == "" || file != strings.TrimSpace(file):
		return fmt.Errorf("picture %q: want a name without blanks around it", clip(file))
	case len(was) != len(labels):
		return fmt.Errorf("%d labels, and %d that they were", len(labels), len(was))
	case len(t.rows)-len(old)+len(labels) > maxObjects:
		return fmt.Errorf("more than %d lines: %w", maxObjects, ErrLimit)
	}
	taken := map[int]bool{}
	for i, w := range was {
		if w < -1 || w >= len(old) || taken[w] && w >= 0 {
			return fmt.Errorf("label %d was line %d of %d of its picture", i+1, w+1, len(old))
		}
		taken[w] = true
	}
	wider, err := t.widened(labels)
	if err != nil {
		return err
	}
	// Kept lines stay where they are, new ones follow the last of the picture.
	kept, added := make([][]string, len(old)), [][]string(nil)
	for i, w := range was {
		var before []string
		if w >= 0 {
			before = t.rows[old[w]]
		}
		line, err := wider.line(file, before, labels[i])
		if err != nil {
			return fmt.Errorf("label %d: %w", i+1, err)
		}
		if w >= 0 {
			kept[w] = line
		} else {
			added = append(added, line)
		}
	}
	end := len(t.rows)
	for k, row := range old {
		t.rows[row], end = kept[k], row+1
	}
	rows := slices.Insert(t.rows, end, added...)
	*t = Table{columns: wider.columns, points: wider.points, comma: t.comma, crlf: t.crlf, bom: t.bom, index: map[string][]int{}}
	for _, line := range rows {
		if line != nil { // else its label is gone
			line = append(line, make([]string, len(t.columns.names)-len(line))...)
			t.append(strings.TrimSpace(line[t.columns.file]), line)
		}
	}
	return nil
}

// widened returns a table without lines that has the columns which labels need.
func (t *Table) widened(labels []Label) (*Table, error) {
	var box, ignore bool
	tags, points := map[string]bool{}, map[string]bool{}
	for _, l := range labels {
		box = box || l.Width != 0
		ignore = ignore || l.Ignore
		for name, value := range l.Tags {
			if value != "" {
				tags[name] = true
			}
		}
		for name := range l.Points {
			points[name] = true
		}
	}
	header := slices.Clone(t.columns.names)
	if box && !t.columns.hasBox() {
		header = append(header, "x", "y", "width", "height")
	}
	have := t.Points()
	for _, name := range slices.Sorted(maps.Keys(points)) {
		if slices.Contains(t.points, name) {
			continue
		}
		if _, err := strconv.ParseUint(name, 10, 16); err == nil {
			header = append(header, "x"+name, "y"+name)
		} else {
			header = append(header, name+"_x", name+"_y")
		}
		have = append(have, name)
	}
	if ignore && t.columns.ignore < 0 {
		header = append(header, "ignore")
	}
	wantTags := t.Tags()
	for _, name := range slices.Sorted(maps.Keys(tags)) {
		if !slices.Contains(wantTags, name) {
			header, wantTags = append(header, name), append(wantTags, name)
		}
	}
	if len(header) == len(t.columns.names) {
		return &Table{columns: t.columns, points: t.points}, nil
	}
	for _, name := range header[len(t.columns.names):] {
		if name != strings.TrimSpace(name) || name == "" || len(name) > 100 || strings.ContainsAny(name, "\r\n\x00") {
			return nil, fmt.Errorf("column %q: want a name of 1 to 100 characters in one line, without blanks around it", clip(name))
		}
	}
	c, err := classify(header)
	if err != nil {
		return nil, fmt.Errorf("a column cannot be added: %w", err)
	}
	w := &Table{}
	w.setColumns(c)
	// A new name must not turn other columns into something else.
	if !slices.Equal(w.points, have) || !slices.Equal(w.Tags(), wantTags) || w.columns.file != t.columns.file {
		return nil, errors.New("a column cannot be added: its name would give another meaning to a column (NAME_x and NAME_y are a landmark, and file, x, y, width, height, ignore the object)")
	}
	return w, nil
}

// line returns the line of a label of a picture; before is the one that it replaces, or nil.
func (t *Table) line(file string, before []string, l Label) ([]string, error) {
	line := make([]string, len(t.columns.names))
	copy(line, before)
	if before == nil {
		line[t.columns.file] = file
	}
	return line, t.put(line, l)
}

// put writes a label into a line. What has the same value keeps its text.
func (t *Table) put(line []string, l Label) error {
	c := t.columns
	was, err := t.label(line)
	if err != nil {
		return err
	}
	set := func(column int, old, v float64) error {
		if err := checkPlace(v); err != nil {
			return fmt.Errorf("column %q: %w", c.names[column], err)
		}
		if strings.TrimSpace(line[column]) == "" || old != v {
			line[column] = strconv.FormatFloat(v, 'f', -1, 64)
		}
		return nil
	}
	switch {
	case l.Width != 0:
		if _, err := cornered(l.X, l.Y, l.Width, l.Height); err != nil {
			return err
		}
		to, from := [4]float64{l.X, l.Y, l.Width, l.Height}, [4]float64{was.X, was.Y, was.Width, was.Height}
		if to == from {
			break
		}
		if c.edges {
			to[2], to[3] = to[0]+to[2], to[1]+to[3]
			from[2], from[3] = from[0]+from[2], from[1]+from[3]
		}
		for k, column := range c.box {
			if err := set(column, from[k], to[k]); err != nil {
				return err
			}
		}
	case l.X != 0 || l.Y != 0 || l.Height != 0:
		return errors.New("width 0, want more than 0")
	case c.hasBox():
		for _, column := range c.box {
			line[column] = ""
		}
	}
	for k, m := range c.marks {
		p, ok := l.Points[t.points[k]]
		if !ok {
			line[m[0]], line[m[1]] = "", ""
			continue
		}
		from := was.Points[t.points[k]]
		if err := errors.Join(set(m[0], from.X, p.X), set(m[1], from.Y, p.Y)); err != nil {
			return err
		}
	}
	if l.Ignore != was.Ignore {
		line[c.ignore] = map[bool]string{true: "1", false: "0"}[l.Ignore]
	}
	for _, i := range c.tags {
		value, ok := l.Tags[c.names[i]]
		switch {
		case !ok || value == line[i]:
			continue
		case len(value) > 10_000 || strings.ContainsRune(value, 0):
			return fmt.Errorf("column %q: a text of %d bytes, want at most 10,000, without zero bytes", c.names[i], len(value))
		}
		line[i] = value
	}
	_, err = t.label(line)
	return err
}

// Encode writes the table.
func (t *Table) Encode(w io.Writer) error {
	if t.bom {
		if _, err := io.WriteString(w, "\ufeff"); err != nil {
			return err
		}
	}
	out := csv.NewWriter(w)
	out.Comma, out.UseCRLF = t.comma, t.crlf
	out.Write(t.columns.names) // its error is the next one's too
	return out.WriteAll(t.rows)
}

// Append adds lines about a picture behind all others. It is for building a table:
// it takes no longer in a large one.
func (t *Table) Append(file string, labels []Label) error {
	if len(t.index[file]) > 0 || len(t.rows)+len(labels) > maxObjects || file == "" || file != strings.TrimSpace(file) {
		all := t.Labels(file)
		was := slices.Repeat([]int{-1}, len(all)+len(labels))
		for i := range all {
			was[i] = i
		}
		return t.Replace(file, append(all, labels...), was)
	}
	wider, err := t.widened(labels)
	if err != nil {
		return err
	}
	lines := make([][]string, len(labels))
	for i, l := range labels {
		if lines[i], err = wider.line(file, nil, l); err != nil {
			return fmt.Errorf("label %d: %w", i+1, err)
		}
	}
	if more := len(wider.columns.names) - len(t.columns.names); more > 0 {
		for i := range t.rows {
			t.rows[i] = append(t.rows[i], make([]string, more)...)
		}
	}
	t.columns, t.points = wider.columns, wider.points
	for _, line := range lines {
		t.append(file, line)
	}
	return nil
}
