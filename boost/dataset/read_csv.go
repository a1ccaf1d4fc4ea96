package dataset

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"haarlem/boost"
	"haarlem/internal/quote"
)

// ReadCSV reads comma-separated values as in RFC 4180, with a header line
// unless the options say otherwise, and as many fields in each line as in the
// first.
//
// A column is numeric if all its values are finite decimal numbers and nominal
// if none is; the names of a nominal column are sorted. A column with both is
// an error, since a misspelt number would otherwise silently make a column
// nominal: correct the value or list the column in [Options.Nominal]. The
// fields "", "?", "NA" and "NaN" mean a missing value. Blanks around a field, as
// UCI's files have them, are no part of it.
func ReadCSV(r io.Reader, o *Options) (*boost.Data, error) {
	opt := o.orDefault()
	br, err := opt.Limits.open(r)
	if err != nil {
		return nil, err
	}
	if bom, err := br.Peek(3); err == nil && string(bom) == "\ufeff" {
		br.Discard(3)
	}
	in := csv.NewReader(br)
	in.Comma = opt.Comma
	in.ReuseRecord = true
	in.TrimLeadingSpace = opt.Comma != '\t' && opt.Comma != ' '

	first, err := in.Read()
	if err == io.EOF {
		return nil, lineError("CSV", 1, syntax("the file is empty"))
	}
	if err != nil {
		return nil, csvError(err)
	}
	if err := opt.otherComma(first); err != nil {
		return nil, lineError("CSV", 1, err)
	}
	trim(first)
	b, err := newCSVBuilder(first, &opt)
	if err != nil {
		return nil, lineError("CSV", 1, err)
	}
	if opt.NoHeader {
		if err := b.add(first, 1); err != nil {
			return nil, lineError("CSV", 1, err)
		}
	}
	for {
		record, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, csvError(err)
		}
		trim(record)
		line, _ := in.FieldPos(0)
		if err := b.add(record, line); err != nil {
			return nil, lineError("CSV", line, err)
		}
	}
	return b.table()
}

// trim removes the blanks around fields.
func trim(record []string) {
	for i, f := range record {
		record[i] = strings.Trim(f, " \t")
	}
}

// otherComma reports a first line of one field that has another separator, and notes
// one of several: decimal commas divide the lines of semicolons.
func (o *Options) otherComma(first []string) error {
	for _, c := range []struct {
		comma rune
		name  string
	}{{';', "semicolons"}, {'\t', "tabs"}, {',', "commas"}} {
		k := slices.IndexFunc(first, func(f string) bool { return strings.ContainsRune(f, c.comma) })
		switch {
		case k < 0 || c.comma == o.Comma:
		case len(first) == 1:
			return syntax("one column, %q: its fields look separated by %s; say so with Options.Comma (boost -separator)", first[0], c.name)
		case o.Note != nil && c.comma != ',':
			o.Note(fmt.Sprintf("the first line has %s in the field %q: if they separate fields, say so with Options.Comma (boost -separator)", c.name, first[k]))
		}
	}
	return nil
}

// csvError converts errors of encoding/csv.
func csvError(err error) error {
	var p *csv.ParseError
	if errors.As(err, &p) {
		return lineError("CSV", p.Line, syntax("%v (byte %d of the line)", p.Err, p.Column))
	}
	return fmt.Errorf("dataset: CSV: %w", err)
}

// csvBuilder appends records to columns.
type csvBuilder struct {
	opt     *Options
	columns []csvColumn
	classes *classes
	weights []float64
	groups  []int
	uppers  []float64
	names   names // of the groups
}

type csvColumn struct {
	name   string
	kind   csvKind
	line   int // that decided the kind, for messages
	values []float64
	levels names
}

type csvKind uint8

const (
	csvUndecided csvKind = iota
	csvNumeric
	csvNominal // the last one of attributes
	csvIgnored
	csvClass
	csvWeight
	csvGroup
	csvUpper
)

func newCSVBuilder(first []string, opt *Options) (*csvBuilder, error) {
	if err := opt.Limits.checkColumns(len(first) - 1); err != nil {
		return nil, err
	}
	b := &csvBuilder{opt: opt, classes: newClasses(opt)}
	b.classes.number = opt.number
	index := make(map[string]int, len(first))
	for i, name := range first {
		if opt.NoHeader {
			name = fmt.Sprintf("c%d", i+1)
		}
		if name == "" || strings.Contains(name, "\r") {
			return nil, syntax("column %d is called %q", i+1, name)
		}
		if _, taken := index[name]; taken {
			return nil, syntax("two columns are called %q", name)
		}
		index[name] = i
		b.columns = append(b.columns, csvColumn{name: name})
	}
	type role struct {
		what, name string
		kind       csvKind
	}
	roles := []role{{"weight", opt.Weight, csvWeight}, {"group", opt.Group, csvGroup}, {"upper bound", opt.Upper, csvUpper}}
	if opt.Target != NoTarget {
		roles = append(roles, role{"class", cmp.Or(opt.Class, b.columns[len(first)-1].name), csvClass})
	}
	for _, name := range opt.Nominal {
		roles = append(roles, role{"nominal column", name, csvNominal})
	}
	for _, name := range opt.Ignore {
		roles = append(roles, role{"ignored column", name, csvIgnored})
	}
	for _, r := range roles {
		i, ok := index[r.name]
		switch {
		case r.name == "" && r.kind > csvIgnored:
			continue
		case !ok:
			return nil, syntax("no column is called %q, which should be the %s; found %s", r.name, r.what, quoteNames(b.columns))
		case b.columns[i].attribute():
			b.columns[i].kind = r.kind
		case r.kind == csvIgnored:
			return nil, syntax("column %q cannot be ignored: it is the class, the weight, the group or the upper bound, or listed twice", r.name)
		case r.kind > csvIgnored:
			return nil, syntax("column %q cannot be two of class, weight, group and upper bound", r.name)
		}
	}
	for i := range b.columns {
		if b.columns[i].attribute() {
			return b, nil
		}
	}
	return nil, syntax("%d columns leave no attribute beside the class: found %s", len(first), quoteNames(b.columns))
}

// attribute reports whether a column is one of the table's.
func (c *csvColumn) attribute() bool { return c.kind <= csvNominal }

func quoteNames(columns []csvColumn) string {
	names := make([]string, len(columns))
	for i := range columns {
		names[i] = columns[i].name
	}
	return quote.Some(names)
}

func (b *csvBuilder) add(record []string, line int) error {
	if err := b.opt.Limits.checkRows(len(b.classes.rows)+1, len(b.columns)-1); err != nil {
		return err
	}
	if b.opt.Target == NoTarget {
		if err := b.classes.row(""); err != nil {
			return err
		}
	}
	for i, field := range record {
		c := &b.columns[i]
		if strings.Contains(field, "\r") {
			return syntax("column %q: a carriage return inside a field", c.name)
		}
		switch c.kind {
		case csvIgnored:
		case csvClass:
			if csvMissing(field, b.opt.Missing) {
				return ErrNoClass
			}
			if b.opt.Target == Numbers {
				if err := b.opt.otherDecimal(c.name, field); err != nil {
					return err
				}
			}
			if err := b.classes.row(field); err != nil {
				return err
			}
		case csvWeight:
			if err := b.opt.otherDecimal(c.name, field); err != nil {
				return err
			}
			w, err := parseWeight(field, b.opt.number)
			if err != nil {
				return err
			}
			b.weights = append(b.weights, w)
		case csvUpper:
			v := math.Inf(1)
			if !csvMissing(field, b.opt.Missing) && !strings.EqualFold(strings.TrimPrefix(field, "+"), "inf") {
				if err := b.opt.otherDecimal(c.name, field); err != nil {
					return err
				}
				var ok bool
				if v, ok = b.opt.number(field); !ok {
					return syntax("the upper bound %q is no number", field)
				}
			}
			b.uppers = append(b.uppers, v)
		case csvGroup:
			b.groups = append(b.groups, b.names.add(field))
		default:
			if err := c.add(field, line, b.opt); err != nil {
				return err
			}
		}
	}
	return nil
}

// csvMissing reports whether a field means a missing value.
func csvMissing(field string, words []string) bool {
	return field == "" || field == "?" || field == "NA" || field == "NaN" || slices.Contains(words, field)
}

func (c *csvColumn) add(field string, line int, opt *Options) error {
	if csvMissing(field, opt.Missing) {
		c.values = append(c.values, math.NaN())
		return nil
	}
	v, isNumber := opt.number(field)
	if !isNumber && c.kind != csvNominal {
		if err := opt.otherDecimal(c.name, field); err != nil {
			return err
		}
	}
	if c.kind == csvUndecided {
		c.kind, c.line = csvNominal, line
		if isNumber {
			c.kind = csvNumeric
		} else if digits := strings.TrimLeft(field, "+-"); opt.Note != nil && digits != "" && digits[0] >= '0' && digits[0] <= '9' {
			opt.Note(fmt.Sprintf("column %q is one of names, since %q in line %d is no number", c.name, field, line))
		}
	}
	switch {
	case c.kind == csvNumeric && !isNumber:
		return syntax("column %q: %q is no finite number but line %d has one: mend it, or list the column as nominal", c.name, field, c.line)
	case c.kind == csvNominal && isNumber && c.line > 0:
		return syntax("column %q: %q is a number but line %d has a name: mend it, or list the column as nominal", c.name, field, c.line)
	case c.kind == csvNominal:
		if v = float64(c.levels.add(field)); len(c.levels.list) > opt.Limits.Levels {
			return fmt.Errorf("column %q: more names than the %w of %d", c.name, ErrLimit, opt.Limits.Levels)
		}
	}
	c.values = append(c.values, v)
	return nil
}

// number parses a number as the file writes it.
func (o *Options) number(s string) (float64, bool) {
	if o.DecimalComma {
		if strings.Contains(s, ".") {
			return 0, false
		}
		s = strings.Replace(s, ",", ".", 1)
	}
	return parseNumber(s)
}

// otherDecimal reports a field that is a number by the other decimal sign only.
func (o *Options) otherDecimal(column, field string) error {
	comma, point := strings.Contains(field, ","), strings.Contains(field, ".")
	if comma == point || comma == o.DecimalComma {
		return nil
	}
	if _, ok := parseNumber(strings.Replace(field, ",", ".", 1)); !ok {
		return nil
	}
	if comma {
		return syntax("column %q: %q has a decimal comma: say so with Options.DecimalComma (boost -decimal-comma), or list the column as nominal", column, field)
	}
	return syntax("column %q: %q has a decimal point in a file of decimal commas: do without Options.DecimalComma (boost -decimal-comma), or list the column as nominal", column, field)
}

// sorted sorts the names, so that the order of the rows does not matter, and returns
// them: nil of a column of numbers.
func (c *csvColumn) sorted() []string {
	if c.kind != csvNominal {
		return nil
	}
	sorted := append([]string{}, c.levels.list...)
	slices.SortFunc(sorted, compareNames)
	to := make([]float64, len(sorted))
	for i, l := range sorted {
		to[c.levels.index[l]] = float64(i)
	}
	for i, v := range c.values {
		if !math.IsNaN(v) {
			c.values[i] = to[int(v)]
		}
	}
	return sorted
}

func (b *csvBuilder) table() (*boost.Data, error) {
	d := &boost.Data{Weights: b.weights, Groups: b.groups}
	if b.opt.Target != NoTarget {
		d.Upper = b.uppers
	}
	if err := b.classes.finish(d); err != nil {
		return nil, err
	}
	for i := range b.columns {
		if c := &b.columns[i]; c.attribute() {
			addColumn(d, c.name, c.values, c.sorted())
		}
	}
	return d, check(d)
}
