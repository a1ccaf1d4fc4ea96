package cascade

import (
	"errors"
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

	read  func(r *nativeReader, v *T) error // what follows the key
	write func(b []byte, v *T) []byte       // the same
}

// readLines reads those of the lines that are present.
func readLines[T any](r *nativeReader, lines []line[T], v *T) error {
	for i := range lines {
		l := &lines[i]
		switch {
		case l.optional && !r.peek(l.key), !l.optional && l.has != nil && !l.has(v):
			continue
		}
		if err := r.want(l.key); err != nil {
			return err
		}
		if err := l.read(r, v); err != nil {
			return err
		}
		if l.optional && !l.has(v) {
			return fmt.Errorf("a %s of nothing is left out", l.key)
		}
	}
	return nil
}

func appendLines[T any](b []byte, lines []line[T], v *T) []byte {
	for i := range lines {
		if l := &lines[i]; l.has == nil || l.has(v) {
			b = append(l.write(append(b, l.key...), v), '\n')
		}
	}
	return b
}

// headLines are the lines before the features.
var headLines = slices.Concat([]line[Cascade]{
	{
		key: "haarlem-cascade",
		read: func(r *nativeReader, _ *Cascade) error {
			v, err := r.int("version", 0, math.MaxInt32)
			if err != nil {
				return err
			}
			if v != nativeVersion {
				return refusal{ErrVersion, fmt.Sprintf("version %d, want %d", v, nativeVersion)}
			}
			return r.end()
		},
		write: func(b []byte, _ *Cascade) []byte {
			return appendInts(b, nativeVersion)
		},
	},
	text("name", func(c *Cascade) *string { return &c.Name }),
	{
		key: "object", optional: true,
		has: func(c *Cascade) bool { return c.Object != (Object{}) },
		read: func(r *nativeReader, c *Cascade) error {
			c.Object = Object{string(r.word()), string(r.word())}
			if c.Object == (Object{}) {
				return errors.New("an object without a name is left out")
			}
			if err := c.Object.Check(); err != nil {
				return err
			}
			return r.end()
		},
		write: func(b []byte, c *Cascade) []byte {
			return fmt.Appendf(b, " %s %s", c.Object.Singular, c.Object.Plural)
		},
	},
	{
		key: "kind",
		read: func(r *nativeReader, c *Cascade) error {
			w := r.word()
			i := slices.Index(kindWords[:], string(w))
			if i < 0 {
				return fmt.Errorf("%s, want haar or lbp", clip(w))
			}
			c.Kind = Kind(i)
			return r.end()
		},
		write: func(b []byte, c *Cascade) []byte { return append(append(b, ' '), kindWords[c.Kind]...) },
	},
	{
		key: "window",
		read: func(r *nativeReader, c *Cascade) (err error) {
			if c.Width, err = r.int("width", 1, maxWindow); err != nil {
				return err
			}
			if c.Height, err = r.int("height", 1, maxWindow); err != nil {
				return err
			}
			return r.end()
		},
		write: func(b []byte, c *Cascade) []byte { return appendInts(b, c.Width, c.Height) },
	},
	{
		key: "min-std-dev",
		has: func(c *Cascade) bool { return c.Kind == Haar },
		read: func(r *nativeReader, c *Cascade) error {
			return r.float64s(&c.MinStdDev)
		},
		write: func(b []byte, c *Cascade) []byte { return appendFloat64s(b, &c.MinStdDev) },
	},
}, searchLines(), []line[Cascade]{
	{
		key: "calibration", optional: true,
		has: func(c *Cascade) bool { return c.Calibration != nil },
		read: func(r *nativeReader, c *Cascade) error {
			c.Calibration = new(Calibration)
			return r.float64s(&c.Calibration.Slope, &c.Calibration.Offset)
		},
		write: func(b []byte, c *Cascade) []byte {
			return appendFloat64s(b, &c.Calibration.Slope, &c.Calibration.Offset)
		},
	},
	text("program", func(c *Cascade) *string { return &c.Provenance.Program }),
	text("command", func(c *Cascade) *string { return &c.Provenance.Command }),
	{
		key: "seed",
		read: func(r *nativeReader, c *Cascade) (err error) {
			seed := &c.Provenance.Seed
			w := r.word()
			if *seed, err = strconv.ParseUint(string(w), 10, 64); err != nil || strconv.FormatUint(*seed, 10) != string(w) {
				return fmt.Errorf("%s, want an integer of 64 bits, not negative", clip(w))
			}
			return r.end()
		},
		write: func(b []byte, c *Cascade) []byte { return strconv.AppendUint(append(b, ' '), c.Provenance.Seed, 10) },
	},
	{
		key: "data", optional: true, // a line for each data set
		has: func(c *Cascade) bool { return len(c.Provenance.Data) > 0 },
		read: func(r *nativeReader, c *Cascade) error {
			all := &c.Provenance.Data
			for {
				s, err := unquote(r.rest)
				if err != nil {
					return err
				}
				if len(*all) == maxData {
					return fmt.Errorf("more than %d data sets", maxData)
				}
				if *all = append(*all, s); !r.peek("data") {
					return nil
				}
				if err := r.line(); err != nil {
					return err
				}
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

// text is an optional line with a string.
func text(key string, at func(*Cascade) *string) line[Cascade] {
	return line[Cascade]{
		key: key, optional: true,
		has: func(c *Cascade) bool { return *at(c) != "" },
		read: func(r *nativeReader, c *Cascade) (err error) {
			*at(c), err = unquote(r.rest)
			return err
		},
		write: func(b []byte, c *Cascade) []byte { return appendString(b, *at(c)) },
	}
}

// searchLines are the lines of searchFields. A field that is not set has none.
func searchLines() []line[Cascade] {
	var lines []line[Cascade]
	for i := range searchFields {
		f := &searchFields[i]
		lines = append(lines, line[Cascade]{
			key: f.key, optional: true,
			has:   func(c *Cascade) bool { return f.is(&c.Search) },
			read:  func(r *nativeReader, c *Cascade) error { return f.read(r, c) },
			write: func(b []byte, c *Cascade) []byte { return f.append(b, &c.Search) },
		})
	}
	return lines
}

// read reads the numbers after a field's key.
func (f *searchField) read(r *nativeReader, c *Cascade) (err error) {
	s := &c.Search
	if f.ints != nil {
		if *f.ints(s), err = r.int(f.key, 1, math.MaxInt32); err == nil {
			err = r.end()
		}
	} else {
		err = r.float64s(f.numbers(s)...)
	}
	if err != nil {
		return err
	}
	// The number of exits is not known yet.
	if err := f.check(s, searched{side: min(c.Width, c.Height), exits: r.lim.Weak}); err != nil {
		return fmt.Errorf("%s %w", f.key, err)
	}
	return nil
}

// verifierLines are the lines of a verifier before its trees.
var verifierLines = []line[Verifier]{
	{
		key:   "verifier",
		read:  func(r *nativeReader, v *Verifier) error { return r.float64s(&v.Sides, &v.Weight) },
		write: func(b []byte, v *Verifier) []byte { return appendFloat64s(b, &v.Sides, &v.Weight) },
	},
	{
		key: "multi-crop", optional: true,
		has: func(v *Verifier) bool { return v.MultiCrop != MultiCrop{} },
		read: func(r *nativeReader, v *Verifier) error {
			return r.float64s(&v.MultiCrop.Low, &v.MultiCrop.High, &v.MultiCrop.Shift, &v.MultiCrop.Grow)
		},
		write: func(b []byte, v *Verifier) []byte {
			return appendFloat64s(b, &v.MultiCrop.Low, &v.MultiCrop.High, &v.MultiCrop.Shift, &v.MultiCrop.Grow)
		},
	},
	{
		key: "context", optional: true,
		has:   func(v *Verifier) bool { return v.Context != 0 },
		read:  func(r *nativeReader, v *Verifier) error { return r.float64s(&v.Context) },
		write: func(b []byte, v *Verifier) []byte { return appendFloat64s(b, &v.Context) },
	},
	{
		key: "mirror", optional: true,
		has: func(v *Verifier) bool { return v.Mirror },
		read: func(r *nativeReader, v *Verifier) error {
			v.Mirror = true
			return r.end()
		},
		write: func(b []byte, _ *Verifier) []byte { return b },
	},
}
