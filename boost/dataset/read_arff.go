package dataset

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"haarlem/boost"
	"haarlem/internal/quote"
)

// ReadARFF reads WEKA's attribute-relation format: attributes that are numeric
// (also called real and integer) or nominal, dense and sparse rows, row weights
// in braces, quoted names, and comments. Attributes of text, dates and
// relations are errors. The class is nominal, and the last attribute by
// default; see [Options.Class].
//
// In a sparse row, as WEKA defines it, a value that is left out is zero, which
// for a nominal attribute is its first name.
func ReadARFF(r io.Reader, o *Options) (*boost.Data, error) {
	opt := o.orDefault()
	in, err := opt.Limits.open(r)
	if err != nil {
		return nil, err
	}
	a := arffReader{opt: &opt, in: in}
	d, err := a.read()
	if err == nil {
		return d, check(d)
	}
	if strings.HasPrefix(err.Error(), "dataset:") {
		return nil, err
	}
	return nil, lineError("ARFF", max(a.line, 1), err)
}

type arffReader struct {
	opt     *Options
	in      *bufio.Reader
	line    int
	named   bool // there was a @relation
	columns []arffColumn
	class   int
	classes *classes
	weights []float64 // allocated once a row has a weight
	row     []float64 // scratch of a sparse row, by attribute
	given   []bool
}

type arffColumn struct {
	name   string
	values []float64
	levels *names // nil of a numeric column
}

// next returns the tokens of the next line with any, and io.EOF at the end.
func (a *arffReader) next() ([]arffToken, error) {
	for {
		text, err := a.in.ReadString('\n')
		if err != nil && err != io.EOF {
			return nil, fmt.Errorf("dataset: ARFF: %w", err)
		}
		if text == "" && err == io.EOF {
			return nil, io.EOF
		}
		a.line++
		tokens, bad := arffTokens(strings.TrimRight(text, "\r\n"))
		if bad != nil {
			return nil, bad
		}
		if len(tokens) > 0 {
			return tokens, nil
		}
	}
}

func (a *arffReader) read() (*boost.Data, error) {
	if err := a.header(); err != nil {
		return nil, err
	}
	if err := a.chooseClass(); err != nil {
		return nil, err
	}
	for {
		tokens, err := a.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		if err := a.addRow(tokens); err != nil {
			return nil, err
		}
	}
	d := &boost.Data{Weights: a.weights}
	if err := a.classes.finish(d); err != nil {
		return nil, err
	}
	for i, c := range a.columns {
		if i == a.class {
			continue
		}
		var levels []string
		if c.levels != nil {
			levels = c.levels.list
		}
		addColumn(d, c.name, c.values, levels)
	}
	return d, nil
}

func (a *arffReader) header() error {
	names := map[string]bool{}
	for {
		tokens, err := a.next()
		if err == io.EOF {
			return syntax("the file ends before @data")
		}
		if err != nil {
			return err
		}
		keyword := tokens[0].text
		if tokens[0].quoted {
			keyword = "'" + keyword
		}
		switch strings.ToLower(keyword) {
		case "@relation":
			if len(tokens) != 2 || tokens[1].kind != arffWord || a.named {
				return syntax("want one line of the form @relation NAME")
			}
			a.named = true
		case "@attribute":
			c, err := a.attribute(tokens)
			if err != nil {
				return err
			}
			if c.name == "" || names[c.name] {
				return syntax("attribute name %q is empty or taken", c.name)
			}
			names[c.name] = true
			if err := a.opt.Limits.checkColumns(len(a.columns)); err != nil {
				return err
			}
			a.columns = append(a.columns, c)
		case "@data":
			if len(tokens) != 1 {
				return syntax("@data must stand alone on its line")
			}
			if len(a.columns) < 2 {
				return syntax("%d attributes, want the class and at least one more", len(a.columns))
			}
			return nil
		default:
			return syntax("want @relation, @attribute or @data, found %q", tokens[0].text)
		}
	}
}

// attribute reads "@attribute NAME numeric" and "@attribute NAME {A, B}".
func (a *arffReader) attribute(tokens []arffToken) (arffColumn, error) {
	var c arffColumn
	if len(tokens) < 3 || tokens[1].kind != arffWord {
		return c, syntax("want @attribute NAME TYPE")
	}
	c.name = tokens[1].text
	rest := tokens[2:]
	if rest[0].kind == arffWord {
		kind := strings.ToLower(rest[0].text)
		switch {
		case len(rest) > 1:
			return c, syntax("attribute %q: %q follows the type", c.name, rest[1].text)
		case kind == "numeric" || kind == "real" || kind == "integer":
			return c, nil
		case kind == "string" || kind == "date" || kind == "relational":
			return c, syntax("attribute %q: type %s is not supported, want numeric or {names}", c.name, kind)
		}
		return c, syntax("attribute %q: unknown type %q, want numeric or {names}", c.name, rest[0].text)
	}
	if rest[0].kind != '{' || rest[len(rest)-1].kind != '}' {
		return c, syntax("attribute %q: want numeric or {names}", c.name)
	}
	list, err := arffList(rest[1 : len(rest)-1])
	if err != nil {
		return c, fmt.Errorf("attribute %q: %w", c.name, err)
	}
	if len(list) > a.opt.Limits.Levels {
		return c, fmt.Errorf("attribute %q: %d names, %w of %d", c.name, len(list), ErrLimit, a.opt.Limits.Levels)
	}
	c.levels = &names{list: []string{}}
	for i, n := range list {
		if c.levels.add(n.text) < i {
			return c, syntax("attribute %q: two names are %q", c.name, n.text)
		}
	}
	return c, nil
}

func (a *arffReader) chooseClass() error {
	a.class = len(a.columns) - 1
	a.classes = newClasses(a.opt)
	a.row = make([]float64, len(a.columns))
	a.given = make([]bool, len(a.columns))
	if a.opt.Target == NoTarget {
		a.class = -1
		return nil
	}
	if a.opt.Class != "" {
		a.class = slices.IndexFunc(a.columns, func(c arffColumn) bool { return c.name == a.opt.Class })
		if a.class < 0 {
			return syntax("no attribute is called %q, which should be the class", a.opt.Class)
		}
	}
	c := &a.columns[a.class]
	switch {
	case a.opt.Target == Numbers && c.levels != nil:
		return syntax("the target %q has names, want numeric", c.name)
	case a.opt.Target == Numbers:
		return nil
	case c.levels == nil:
		return fmt.Errorf("%w: the class %q is numeric, want {names}", ErrClasses, c.name)
	}
	return a.classes.declare(c.levels.list)
}

func (a *arffReader) addRow(tokens []arffToken) error {
	rows := len(a.classes.rows) + 1
	if err := a.opt.Limits.checkRows(rows, len(a.columns)-1); err != nil {
		return err
	}
	body, rest, read, weight := tokens, []arffToken(nil), a.dense, 1.0
	if tokens[0].kind == '{' {
		end := arffFind(tokens, '}')
		if end < 0 {
			return syntax("the brace of a sparse row is not closed")
		}
		body, rest, read = tokens[1:end], tokens[end+1:], a.sparse
	} else if open := arffFind(tokens, '{'); open >= 1 {
		body, rest = tokens[:open-1], tokens[open-1:]
	}
	if len(rest) > 0 {
		var err error
		if weight, err = arffWeight(rest); err != nil {
			return err
		}
	}
	if err := read(body); err != nil {
		return err
	}
	if a.class < 0 {
		if err := a.classes.row(""); err != nil {
			return err
		}
	}
	for i := range a.columns {
		v := a.row[i]
		if i == a.class {
			if math.IsNaN(v) {
				return ErrNoClass
			}
			name := formatNumber(v)
			if a.columns[i].levels != nil {
				name = a.columns[i].levels.list[int(v)]
			}
			if err := a.classes.row(name); err != nil {
				return err
			}
			continue
		}
		a.columns[i].values = append(a.columns[i].values, v)
	}
	if weight != 1 && a.weights == nil {
		a.weights = slices.Repeat([]float64{1}, rows-1)
	}
	if a.weights != nil {
		a.weights = append(a.weights, weight)
	}
	return nil
}

// dense reads "VALUE, VALUE, ..." into a.row.
func (a *arffReader) dense(tokens []arffToken) error {
	values, err := arffList(tokens)
	if err != nil {
		return err
	}
	if len(values) != len(a.columns) {
		return syntax("%d values for %d attributes", len(values), len(a.columns))
	}
	for i, v := range values {
		if a.row[i], err = a.columns[i].parse(v); err != nil {
			return err
		}
	}
	return nil
}

// sparse reads "INDEX VALUE, INDEX VALUE, ..." into a.row.
func (a *arffReader) sparse(tokens []arffToken) error {
	clear(a.row)
	clear(a.given)
	for len(tokens) > 0 {
		if len(tokens) < 2 || tokens[0].kind != arffWord || tokens[1].kind != arffWord {
			return syntax("want INDEX VALUE in a sparse row, found %q", tokens[0].text)
		}
		i, ok := parseIndex(tokens[0].text)
		if !ok || i >= len(a.columns) {
			return syntax("sparse index %q, want a number below %d", tokens[0].text, len(a.columns))
		}
		if a.given[i] {
			return syntax("sparse index %d occurs twice", i)
		}
		a.given[i] = true
		var err error
		if a.row[i], err = a.columns[i].parse(tokens[1]); err != nil {
			return err
		}
		tokens = tokens[2:]
		if len(tokens) > 0 {
			if tokens[0].kind != ',' || len(tokens) == 1 {
				return syntax("want a comma and another value, found %q", tokens[0].text)
			}
			tokens = tokens[1:]
		}
	}
	for i := range a.columns {
		if !a.given[i] && a.columns[i].levels != nil && len(a.columns[i].levels.list) == 0 {
			return syntax("attribute %q has no names, and a value is left out", a.columns[i].name)
		}
	}
	return nil
}

func (c *arffColumn) parse(t arffToken) (float64, error) {
	if t.text == "?" && !t.quoted {
		return math.NaN(), nil
	}
	if c.levels != nil {
		i, ok := c.levels.index[t.text]
		if !ok {
			return 0, syntax("attribute %q: %q is not declared, want one of %s", c.name, t.text, quote.Some(c.levels.list))
		}
		return float64(i), nil
	}
	v, ok := parseNumber(t.text)
	if !ok {
		return 0, syntax("attribute %q: %q is no finite number", c.name, t.text)
	}
	return v, nil
}

// arffWeight reads ", {WEIGHT}".
func arffWeight(tokens []arffToken) (float64, error) {
	kinds := ""
	for _, t := range tokens {
		kinds += string(t.kind)
	}
	if kinds != ",{w}" {
		return 0, syntax("want a row's weight as \", {NUMBER}\" at its end")
	}
	return parseWeight(tokens[2].text, parseNumber)
}

// arffList reads "WORD, WORD, ...", which may be empty.
func arffList(tokens []arffToken) ([]arffToken, error) {
	var words []arffToken
	for i, t := range tokens {
		switch {
		case i%2 == 1 && t.kind != ',':
			return nil, syntax("want a comma in front of %q", t.text)
		case i%2 == 0 && t.kind != arffWord:
			return nil, syntax("want a value, found %q", t.text)
		case i%2 == 0:
			words = append(words, t)
		}
	}
	if len(tokens) > 0 && len(tokens)%2 == 0 {
		return nil, syntax("a comma at the end")
	}
	return words, nil
}

func arffFind(tokens []arffToken, kind byte) int {
	return slices.IndexFunc(tokens, func(t arffToken) bool { return t.kind == kind })
}

type arffToken struct {
	kind   byte // ',', '{', '}' or arffWord
	text   string
	quoted bool
}

const arffWord = 'w'

// arffTokens splits a line into words and punctuation, without its comment.
func arffTokens(line string) ([]arffToken, error) {
	var tokens []arffToken
	for i := 0; i < len(line); {
		switch c := line[i]; c {
		case ' ', '\t', '\r':
			i++
		case '%':
			return tokens, nil
		case ',', '{', '}':
			tokens = append(tokens, arffToken{kind: c, text: line[i : i+1]})
			i++
		case '\'', '"':
			text, n, err := arffQuoted(line[i:])
			if err != nil {
				return nil, err
			}
			tokens = append(tokens, arffToken{kind: arffWord, text: text, quoted: true})
			i += n
		default:
			j := i
			for j < len(line) && !strings.ContainsRune(" \t\r%,{}'\"", rune(line[j])) {
				j++
			}
			tokens = append(tokens, arffToken{kind: arffWord, text: line[i:j]})
			i = j
		}
	}
	return tokens, nil
}

// arffEscapes are the letters after a backslash for control characters; any
// other character after a backslash is itself.
var arffEscapes = map[byte]byte{'n': '\n', 'r': '\r', 't': '\t'}

// arffQuoted reads a quoted word, and returns its length in bytes.
func arffQuoted(s string) (string, int, error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch c := s[i]; {
		case c == s[0]:
			return b.String(), i + 1, nil
		case c == '\\' && i+1 < len(s):
			i++
			if e, ok := arffEscapes[s[i]]; ok {
				b.WriteByte(e)
			} else {
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return "", 0, syntax("a quote is not closed")
}
