package cascade

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"unicode/utf8"
)

// The native format is described in models/FORMAT.md.
const (
	nativeMagic   = "haarlem-cascade "
	nativeVersion = 1
	nativeSum     = "sha256 "

	// With a finer grid numbers would not be shorter, and sums of leaves would not
	// fit the integers of vector lanes.
	maxGrid = 24
)

// A nativeReader reads a file line by line, and a line word by word.
type nativeReader struct {
	all    []byte
	data   []byte // from the next line on
	number int    // of the current line, counted from 1
	key    []byte // its first word
	rest   []byte // unread part of the line
	more   bool   // whether there is an unread part, which may be empty
	parts  parts

	lim   Limits
	c     *Cascade
	asks  questions // for the weak classifiers that follow
	grid  int       // leaves and thresholds are multiples of 2^-grid; -1: any number
	nodes int
	seen  marks
}

// parts are the parts of a line, or of the file, in which the reader is; the second
// within the first. A part without a name is none.
type parts [2]struct {
	name  string
	index int
}

func (p *parts) wrap(err error) error {
	for i := len(p) - 1; i >= 0; i-- {
		if p[i].name != "" {
			err = fmt.Errorf("%s %d: %w", p[i].name, p[i].index, err)
		}
	}
	return err
}

// next goes to the next line.
func (r *nativeReader) next() error {
	r.number++
	end := bytes.IndexByte(r.data, '\n')
	if end < 0 {
		r.key, r.rest, r.more = nil, nil, false
		if len(r.data) == 0 {
			return errors.New("the file ends here, want another line")
		}
		return errors.New("the file ends within this line")
	}
	line := r.data[:end]
	r.data = r.data[end+1:]
	if bytes.IndexByte(line, '\r') >= 0 {
		return errors.New("a carriage return: line ends were converted, want them as they were written")
	}
	r.key, r.rest, r.more = bytes.Cut(line, []byte(" "))
	return nil
}

// line goes to the next line, whatever its key.
func (r *nativeReader) line() { fail(r.next()) }

// peek reports whether the next line has that key.
func (r *nativeReader) peek(key string) bool {
	rest, ok := bytes.CutPrefix(r.data, []byte(key))
	return ok && len(rest) > 0 && (rest[0] == ' ' || rest[0] == '\n')
}

// want goes to the next line, which must begin with that key.
func (r *nativeReader) want(key string) {
	if err := r.next(); err != nil {
		failf("%w that begins with %q", err, key)
	}
	if string(r.key) != key {
		failf("%s, want %q", clip(r.key), key)
	}
}

// word returns the next word of the line, or nil at its end.
func (r *nativeReader) word() []byte {
	if !r.more {
		return nil
	}
	var w []byte
	w, r.rest, r.more = bytes.Cut(r.rest, []byte(" "))
	return w
}

func (r *nativeReader) end() {
	if r.more {
		failf("%s, want the end of the line", clip(r.rest))
	}
}

func (r *nativeReader) int(what string, lo, hi int) int {
	v, err := parseInt(r.word(), lo, hi)
	if err != nil {
		failf("%s: %w", what, err)
	}
	return v
}

func (r *nativeReader) float32(what string) float32 {
	v, err := parseDecimal(r.word(), 32)
	if err != nil {
		failf("%s: %w", what, err)
	}
	return float32(v)
}

// score reads a leaf or a threshold of an exit.
func (r *nativeReader) score(what string) float32 {
	if r.grid < 0 {
		return r.float32(what)
	}
	n := r.int(what, -math.MaxInt32, math.MaxInt32)
	v := float32(math.Ldexp(float64(n), -r.grid))
	if math.Ldexp(float64(v), r.grid) != float64(n) {
		failf("%s: %d has more than 24 significant bits", what, n)
	}
	return v
}

// parseDecimal reads a float in JSON's grammar for numbers.
func parseDecimal(word []byte, bits int) (float64, error) {
	digits := bytes.TrimPrefix(word, []byte("-"))
	if len(digits) == 0 || digits[0] < '0' || digits[0] > '9' ||
		len(digits) > 1 && digits[0] == '0' && '0' <= digits[1] && digits[1] <= '9' {
		return 0, fmt.Errorf("%s is not a number", clip(word))
	}
	if _, after, ok := bytes.Cut(digits, []byte(".")); ok && (len(after) == 0 || after[0] < '0' || after[0] > '9') {
		return 0, fmt.Errorf("%s is not a number", clip(word))
	}
	return parseFloat(word, bits)
}

func (r *nativeReader) float64() float64 {
	v, err := parseDecimal(r.word(), 64)
	fail(err)
	return v
}

func (r *nativeReader) float64s(to ...*float64) {
	for _, p := range to {
		*p = r.float64()
	}
	r.end()
}

// text reads the rest of the line, a string in quotes.
func (r *nativeReader) text() string {
	s, err := unquote(r.rest)
	fail(err)
	return s
}

// unquote is the inverse of appendString.
func unquote(q []byte) (string, error) {
	if len(q) < 2 || q[0] != '"' || q[len(q)-1] != '"' {
		return "", fmt.Errorf("%s, want a string in double quotes", clip(q))
	}
	q = q[1 : len(q)-1]
	b := make([]byte, 0, len(q))
	for i := 0; i < len(q); i++ {
		c := q[i]
		switch {
		case c == '"' || c < ' ' || c == 0x7f:
			return "", fmt.Errorf("byte %#02x within a string, want it escaped", c)
		case c != '\\':
		case i+1 < len(q) && (q[i+1] == '"' || q[i+1] == '\\'):
			i++
			c = q[i]
		case i+1 < len(q) && q[i+1] == 'n':
			i++
			c = '\n'
		case i+5 < len(q) && string(q[i+1:i+4]) == "u00":
			var code [1]byte
			if _, err := hex.Decode(code[:], q[i+4:i+6]); err != nil || code[0] > 0x7f {
				return "", fmt.Errorf("%s is not an escape", clip(q[i:i+6]))
			}
			c = code[0]
			i += 5
		default:
			return "", fmt.Errorf("%s is not an escape", clip(q[i:min(i+6, len(q))]))
		}
		b = append(b, c)
	}
	if !utf8.Valid(b) {
		return "", errors.New("a string that is not UTF-8")
	}
	return string(b), nil
}

// appendString appends a string in quotes.
func appendString(b []byte, s string) []byte {
	b = append(b, ' ', '"')
	for i := 0; i < len(s); i++ {
		switch ch := s[i]; {
		case ch == '"' || ch == '\\':
			b = append(b, '\\', ch)
		case ch == '\n':
			b = append(b, '\\', 'n')
		case ch < ' ' || ch == 0x7f:
			b = fmt.Appendf(b, "\\u%04x", ch)
		default:
			b = append(b, ch)
		}
	}
	return append(b, '"')
}
