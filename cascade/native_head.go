package cascade

import (
	"errors"
	"fmt"
	"math"
)

// A headLine is an optional line of a file's head, with numbers. Reader and writer
// share the table headLines, in the order of the file.
type headLine struct {
	key string

	// since is the version that added the line. readIn is the lowest version that
	// may have it: some lines of version 3 were written in files of version 2 before
	// there was a version 3.
	since, readIn int

	has   func(*Cascade) bool
	read  func(*nativeReader) error
	write func([]byte, *Cascade) []byte
}

var headLines = append(searchLines(), headLine{
	key: "calibration", since: version1, readIn: version1,
	has: func(c *Cascade) bool { return c.Calibration != nil },
	read: func(r *nativeReader) error {
		r.c.Calibration = new(Calibration)
		return r.float64s(&r.c.Calibration.Slope, &r.c.Calibration.Offset)
	},
	write: func(b []byte, c *Cascade) []byte {
		return appendFloat64s(b, &c.Calibration.Slope, &c.Calibration.Offset)
	},
})

// searchLines are the lines of searchFields. A field that is not set has none.
func searchLines() []headLine {
	var lines []headLine
	for i := range searchFields {
		f := &searchFields[i]
		lines = append(lines, headLine{
			key: f.Key, since: f.since, readIn: f.readIn,
			has:   func(c *Cascade) bool { return f.Is(&c.Search) },
			read:  func(r *nativeReader) error { return r.search(f) },
			write: func(b []byte, c *Cascade) []byte { return f.append(b, &c.Search) },
		})
	}
	return lines
}

// search reads the numbers after a field's key.
func (r *nativeReader) search(f *SearchField) (err error) {
	s := &r.c.Search
	if f.ints != nil {
		if *f.ints(s), err = r.int(f.Key, 1, math.MaxInt32); err == nil {
			err = r.end()
		}
	} else if err = r.float64s(f.numbers(s)...); err == nil && !f.Is(s) {
		err = fmt.Errorf("a %s of 0 is left out", f.Key)
	}
	if err != nil {
		return err
	}
	// The number of exits is not known yet.
	if err := f.check(s, searched{side: min(r.c.Width, r.c.Height), exits: r.lim.Weak}); err != nil {
		return fmt.Errorf("%s %w", f.Key, err)
	}
	return nil
}

// headVersion is the lowest version that has all lines of c's head.
func (c *Cascade) headVersion() int {
	v := version1
	if c.Object != (Object{}) {
		v = version3
	}
	for i := range headLines {
		if l := &headLines[i]; l.since > v && l.has(c) {
			v = l.since
		}
	}
	return v
}

// version is the lowest version that has all of c. It is the one written, so that older
// readers can read as many models as possible.
func (c *Cascade) version() int {
	v := c.headVersion()
	for w := c.Verifier; w != nil; w = w.Next {
		v = max(v, version2)
		if w.MultiCrop != (MultiCrop{}) {
			v = max(v, version3)
		}
		if w.Context != 0 || w.Boxes != nil || w.Next != nil {
			v = max(v, version4)
		}
		if w.Mirror {
			v = version5
		}
	}
	return v
}

// optionalLines reads the headLines that are present.
func (r *nativeReader) optionalLines() error {
	for i := range headLines {
		l := &headLines[i]
		if r.v < l.readIn || !r.peek(l.key) {
			continue
		}
		if err := r.line(); err != nil {
			return err
		}
		if err := l.read(r); err != nil {
			return err
		}
	}
	return nil
}

// object reads the name of the object, if it is present.
func (r *nativeReader) object() error {
	if r.v < version3 || !r.peek("object") {
		return nil
	}
	if err := r.line(); err != nil {
		return err
	}
	r.c.Object = Object{string(r.word()), string(r.word())}
	if r.c.Object == (Object{}) {
		return errors.New("an object without a name is left out")
	}
	if err := r.c.Object.Check(); err != nil {
		return err
	}
	return r.end()
}

// needed refuses a version that is higher than necessary: equal models are equal bytes.
func (r *nativeReader) needed() error {
	if v := r.c.version(); r.v > v {
		return fmt.Errorf("the file is of version %d, but holds nothing that needs more than %d, want version %d", r.v, v, v)
	}
	return nil
}
