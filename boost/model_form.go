package boost

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// A form is a file of lines of words that is written or read: one description of it
// serves both. It keeps its first error, and reads no more after that.
type form struct {
	w      *bufio.Writer  // nil of a file that is read
	s      *bufio.Scanner // nil of one that is written
	n      int            // lines read
	words  []string       // of the next line, if ahead
	ahead  bool
	failed error
}

// maxLine is the longest line in bytes.
const maxLine = 1 << 16

// save writes a file that do describes.
func save(w io.Writer, do func(f *form)) error {
	f := &form{w: bufio.NewWriter(w)}
	if do(f); f.failed != nil {
		return f.failed
	}
	return f.w.Flush()
}

// load reads a file that do describes. Memory grows with what is read, never with what
// the file promises.
func load(r io.Reader, do func(f *form)) error {
	f := &form{s: bufio.NewScanner(r)}
	f.s.Buffer(make([]byte, 0, 4096), maxLine)
	if do(f); f.ok() && f.scan() {
		f.fail("text after the end")
	}
	return f.failed
}

func (f *form) reads() bool { return f.s != nil }
func (f *form) ok() bool    { return f.failed == nil }

func (f *form) fail(format string, args ...any) {
	switch {
	case !f.ok():
	case f.reads():
		f.failed = fmt.Errorf("%w: line %d: %s", ErrFormat, f.n, fmt.Sprintf(format, args...))
	default:
		f.failed = fmt.Errorf("%w: %s", ErrUnsaved, fmt.Sprintf(format, args...))
	}
}

// scan moves to the next line that is read, if there is one.
func (f *form) scan() bool {
	if f.s.Scan() {
		f.n++
		return true
	}
	if err := f.s.Err(); err != nil {
		f.failed = fmt.Errorf("boost: line %d: %w", f.n+1, err)
	}
	return false
}

// next returns the next line that is read.
func (f *form) next() string {
	if f.ok() && !f.scan() {
		f.fail("the file ends here, and should not")
	}
	if !f.ok() {
		return ""
	}
	return f.s.Text()
}

// peek returns a word of the next line of a file that is read, and otherwise "".
func (f *form) peek(k int) string {
	if f.reads() && !f.ahead {
		f.words, f.ahead = strings.Fields(f.next()), true
	}
	if k < len(f.words) {
		return f.words[k]
	}
	return ""
}

// line is a line of a key and words.
func (f *form) line(key string, words ...word) {
	if !f.reads() {
		b := append(f.w.AvailableBuffer(), key...)
		for _, w := range words {
			b = w.append(append(b, ' '))
		}
		f.write(b)
		return
	}
	first := f.peek(0)
	if f.ahead = false; first != key || len(f.words) != len(words)+1 {
		f.fail("want %q and %d words", key, len(words))
		return
	}
	for k, w := range words {
		w.parse(f, f.words[k+1])
	}
}

// bare is a line of one word without a key, which may have blanks.
func (f *form) bare(w word) {
	if f.reads() {
		w.parse(f, f.next())
	} else {
		f.write(w.append(f.w.AvailableBuffer()))
	}
}

func (f *form) write(line []byte) {
	if f.w.Write(append(line, '\n')); len(line) >= maxLine {
		f.fail("a line of %d bytes", len(line))
	}
}

// items calls do for a list of n, to which it adds what is read.
func items[T any](f *form, list *[]T, n int, do func(i int, v *T)) {
	for i := 0; i < n && f.ok(); i++ {
		if f.reads() {
			var none T
			*list = append(*list, none)
		}
		do(i, &(*list)[i])
	}
}

// numbers are lines of a key and a number.
func (f *form) numbers(key string, list *[]float64, n int) {
	items(f, list, n, func(_ int, v *float64) { f.line(key, finite(v)) })
}

// quotes are lines of a quoted string.
func (f *form) quotes(list *[]string, n int) {
	items(f, list, n, func(_ int, s *string) { f.bare((*quoted)(s)) })
}

// A word is a value in a line.
type word interface {
	append(b []byte) []byte
	parse(f *form, s string)
}

type (
	hex     uint32 // eight digits
	token   string // a word, or quoted
	quoted  string
	exactly string
	number  struct { // the shortest decimals that read back as the same bits
		v     *float64
		want  string
		valid func(v float64) bool
	}
	upTo struct { // from 0 to max
		v   *int
		max int
	}
	child struct { // of node i of n: a later node, or a leaf
		v    *int32
		i, n int
	}
	either struct { // true or false
		v       *bool
		yes, no string
	}
	linkName Link
)

func finite(v *float64) word {
	return number{v, "a finite number", func(v float64) bool { return v-v == 0 }}
}

func notNegative(v *float64) word {
	return number{v, "a finite number that is not negative", func(v float64) bool { return v-v == 0 && v >= 0 }}
}

// anyNumber may be NaN or infinite.
func anyNumber(v *float64) word {
	return number{v, "a number", func(float64) bool { return true }}
}

// limit may be +Inf, which separates present from missing values.
func limit(v *float64) word {
	return number{v, "a number or +Inf", func(v float64) bool { return v > math.Inf(-1) }}
}

func clip(s string) string {
	if len(s) > 40 {
		return s[:40] + "..."
	}
	return s
}

func (v number) append(b []byte) []byte    { return strconv.AppendFloat(b, *v.v, 'g', -1, 64) }
func (v *hex) append(b []byte) []byte      { return fmt.Appendf(b, "%08x", *v) }
func (v *quoted) append(b []byte) []byte   { return strconv.AppendQuote(b, string(*v)) }
func (v exactly) append(b []byte) []byte   { return append(b, v...) }
func (v upTo) append(b []byte) []byte      { return strconv.AppendInt(b, int64(*v.v), 10) }
func (v child) append(b []byte) []byte     { return strconv.AppendInt(b, int64(*v.v), 10) }
func (v *linkName) append(b []byte) []byte { return append(b, linkNames[*v]...) }

func (v *token) append(b []byte) []byte {
	if *v == "" || strings.ContainsFunc(string(*v), func(r rune) bool { return r <= ' ' || r > '~' || r == '"' }) {
		return strconv.AppendQuoteToASCII(b, string(*v))
	}
	return append(b, *v...)
}

func (v either) append(b []byte) []byte {
	if *v.v {
		return append(b, v.yes...)
	}
	return append(b, v.no...)
}

func (v number) parse(f *form, s string) {
	n, err := strconv.ParseFloat(s, 64)
	if *v.v = n; err != nil || !v.valid(n) {
		f.fail("%q, want %s", clip(s), v.want)
	}
}

func (v *hex) parse(f *form, s string) {
	n, err := strconv.ParseUint(s, 16, 32)
	if *v = hex(n); err != nil || len(s) != 8 {
		f.fail("%q, want eight digits to the base 16", clip(s))
	}
}

func (v *token) parse(f *form, s string) {
	if *v = token(s); strings.HasPrefix(s, `"`) {
		(*quoted)(v).parse(f, s)
	}
}

func (v *quoted) parse(f *form, s string) {
	text, err := strconv.Unquote(s)
	if *v = quoted(text); err != nil {
		f.fail("%q, want a quoted name", clip(s))
	}
}

func (v exactly) parse(f *form, s string) {
	if s != string(v) {
		f.fail("%q, want %q", clip(s), string(v))
	}
}

func (v upTo) parse(f *form, s string) {
	n, err := strconv.ParseUint(s, 10, 32)
	if err != nil || int64(n) > int64(v.max) {
		f.fail("%q, want a number from 0 to %d", clip(s), v.max)
		return
	}
	*v.v = int(n)
}

func (v child) parse(f *form, s string) {
	c, err := strconv.ParseInt(s, 10, 32)
	if *v.v = int32(c); err != nil || c > 0 && c <= int64(v.i) || c >= int64(v.n) || c < -int64(v.n) {
		f.fail("child %q: want a later node or a leaf", clip(s))
	}
}

func (v either) parse(f *form, s string) {
	if *v.v = s == v.yes; s != v.yes && s != v.no {
		f.fail("%q, want %s or %s", clip(s), v.yes, v.no)
	}
}

func (v *linkName) parse(f *form, s string) {
	k := slices.Index(linkNames[:], s)
	if *v = linkName(max(k, 0)); k < 0 {
		f.fail("link %q is unknown", clip(s))
	}
}
