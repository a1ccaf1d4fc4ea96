package cascade

import (
	"fmt"
	"math"
	"slices"
	"strconv"
)

// A line is a line of a native file. Reader and writer share the tables headLines and
// verifierLines, which are in the order of the file.
type line[T any] struct {
	key string

	// has reports whether v has the line; nil means always. An optional line may be
	// left out, and must be where v has no value for it. Any other is there exactly
	// where has says so.
	has      func(v *T) bool
	optional bool

	read  func(r *nativeReader, v *T) // what follows the key
	write func(b []byte, v *T) []byte // the same
}

// readLines reads those of the lines that are present.
func readLines[T any](r *nativeReader, lines []line[T], v *T) {
	for i := range lines {
		l := &lines[i]
		switch {
		case l.optional && !r.peek(l.key), !l.optional && l.has != nil && !l.has(v):
			continue
		}
		r.want(l.key)
		l.read(r, v)
		if l.optional && !l.has(v) {
			failf("a %s of nothing is left out", l.key)
		}
	}
}

func appendLines[T any](b []byte, lines []line[T], v *T) []byte {
	for i := range lines {
		if l := &lines[i]; l.has == nil || l.has(v) {
			b = append(l.write(append(b, l.key...), v), '\n')
		}
	}
	return b
}

// numbers is a line of numbers.
func numbers[T any](key string, has func(*T) bool, optional bool, at func(*T) []*float64) line[T] {
	return line[T]{
		key: key, has: has, optional: optional,
		read:  func(r *nativeReader, v *T) { r.float64s(at(v)...) },
		write: func(b []byte, v *T) []byte { return appendFloat64s(b, at(v)...) },
	}
}

// text is an optional line with a string.
func text(key string, at func(*Cascade) *string) line[Cascade] {
	return line[Cascade]{
		key: key, optional: true,
		has:   func(c *Cascade) bool { return *at(c) != "" },
		read:  func(r *nativeReader, c *Cascade) { *at(c) = r.text() },
		write: func(b []byte, c *Cascade) []byte { return appendString(b, *at(c)) },
	}
}

// headLines are the lines before the features.
var headLines = slices.Concat([]line[Cascade]{
	{
		key: "haarlem-cascade",
		read: func(r *nativeReader, _ *Cascade) {
			if v := r.int("version", 0, math.MaxInt32); v != nativeVersion {
				fail(refusal{ErrVersion, fmt.Sprintf("version %d, want %d", v, nativeVersion)})
			}
			r.end()
		},
		write: func(b []byte, _ *Cascade) []byte { return appendInts(b, nativeVersion) },
	},
	text("name", func(c *Cascade) *string { return &c.Name }),
	{
		key: "object", optional: true,
		has: func(c *Cascade) bool { return c.Object != (Object{}) },
		read: func(r *nativeReader, c *Cascade) {
			c.Object = Object{string(r.word()), string(r.word())}
			if c.Object == (Object{}) {
				failf("an object without a name is left out")
			}
			fail(c.Object.Check())
			r.end()
		},
		write: func(b []byte, c *Cascade) []byte {
			return fmt.Appendf(b, " %s %s", c.Object.Singular, c.Object.Plural)
		},
	},
	{
		key: "kind",
		read: func(r *nativeReader, c *Cascade) {
			w := r.word()
			i := slices.Index(kindWords[:], string(w))
			if i < 0 {
				failf("%s, want haar or lbp", clip(w))
			}
			c.Kind = Kind(i)
			r.end()
		},
		write: func(b []byte, c *Cascade) []byte { return append(append(b, ' '), kindWords[c.Kind]...) },
	},
	{
		key: "window",
		read: func(r *nativeReader, c *Cascade) {
			c.Width = r.int("width", 1, maxWindow)
			c.Height = r.int("height", 1, maxWindow)
			r.end()
		},
		write: func(b []byte, c *Cascade) []byte { return appendInts(b, c.Width, c.Height) },
	},
	numbers("min-std-dev", func(c *Cascade) bool { return c.Kind == Haar }, false, func(c *Cascade) []*float64 { return []*float64{&c.MinStdDev} }),
}, searchLines(), []line[Cascade]{
	numbers("calibration", func(c *Cascade) bool { return c.Calibration != nil }, true, func(c *Cascade) []*float64 {
		if c.Calibration == nil { // it is being read
			c.Calibration = new(Calibration)
		}
		return []*float64{&c.Calibration.Slope, &c.Calibration.Offset}
	}),
	text("program", func(c *Cascade) *string { return &c.Provenance.Program }),
	text("command", func(c *Cascade) *string { return &c.Provenance.Command }),
	{
		key: "seed",
		read: func(r *nativeReader, c *Cascade) {
			w := r.word()
			v, err := strconv.ParseUint(string(w), 10, 64)
			if err != nil || strconv.FormatUint(v, 10) != string(w) {
				failf("%s, want an integer of 64 bits, not negative", clip(w))
			}
			c.Provenance.Seed = v
			r.end()
		},
		write: func(b []byte, c *Cascade) []byte { return strconv.AppendUint(append(b, ' '), c.Provenance.Seed, 10) },
	},
	{
		key: "data", optional: true, // a line for each data set
		has: func(c *Cascade) bool { return len(c.Provenance.Data) > 0 },
		read: func(r *nativeReader, c *Cascade) {
			all := &c.Provenance.Data
			for {
				s := r.text()
				if len(*all) == maxData {
					failf("more than %d data sets", maxData)
				}
				if *all = append(*all, s); !r.peek("data") {
					return
				}
				r.line()
			}
		},
		write: func(b []byte, c *Cascade) []byte {
			for i, s := range c.Provenance.Data {
				if i > 0 {
					b = append(b, "\ndata"...)
				}
				b = appendString(b, s)
			}
			return b
		},
	},
	text("note", func(c *Cascade) *string { return &c.Provenance.Note }),
})

var kindWords = [...]string{Haar: "haar", LBP: "lbp"}

// searchLines are the lines of searchFields. A field that is not set has none.
func searchLines() []line[Cascade] {
	var lines []line[Cascade]
	for i := range searchFields {
		f := &searchFields[i]
		lines = append(lines, line[Cascade]{
			key: f.key, optional: true,
			has:   func(c *Cascade) bool { return f.is(&c.Search) },
			read:  func(r *nativeReader, c *Cascade) { f.read(r, c) },
			write: func(b []byte, c *Cascade) []byte { return f.append(b, &c.Search) },
		})
	}
	return lines
}

// read reads the numbers after a field's key.
func (f *searchField) read(r *nativeReader, c *Cascade) {
	s := &c.Search
	if f.ints != nil {
		*f.ints(s) = r.int(f.key, 1, math.MaxInt32)
		r.end()
	} else {
		r.float64s(f.numbers(s)...)
	}
	// The number of exits is not known yet.
	if err := f.check(s, searched{side: min(c.Width, c.Height), exits: r.lim.Weak}); err != nil {
		failf("%s %w", f.key, err)
	}
}

// verifierLines are the lines of a verifier before its trees.
var verifierLines = []line[Verifier]{
	numbers("verifier", nil, false, func(v *Verifier) []*float64 { return []*float64{&v.Sides, &v.Weight} }),
	numbers("multi-crop", func(v *Verifier) bool { return v.MultiCrop != MultiCrop{} }, true, func(v *Verifier) []*float64 {
		return []*float64{&v.MultiCrop.Low, &v.MultiCrop.High, &v.MultiCrop.Shift, &v.MultiCrop.Grow}
	}),
	numbers("context", func(v *Verifier) bool { return v.Context != 0 }, true, func(v *Verifier) []*float64 { return []*float64{&v.Context} }),
	{
		key: "mirror", optional: true,
		has: func(v *Verifier) bool { return v.Mirror },
		read: func(r *nativeReader, v *Verifier) {
			v.Mirror = true
			r.end()
		},
		write: func(b []byte, _ *Verifier) []byte { return b },
	},
}
