package cascade

import (
	"errors"
	"fmt"
	"strconv"
)

// The versions of the native format, and what each has that those before have
// not; see models/FORMAT.md.
const (
	version1 = 1
	version2 = 2 // a verifier, nearby, around, between, pad
	version3 = 3 // object, head-start, halve, again
)

// A headLine is an optional line of a file's head, with numbers. The table
// headLines is what reader and writer know of them, in the order of the file.
type headLine struct {
	key string

	// since is the version that brought the line. Files of version 2 may have
	// some of version 3, which came before the number was raised for them;
	// readIn is the lowest version that may have the line.
	since, readIn int

	has   func(*Cascade) bool
	read  func(*nativeReader) error
	write func([]byte, *Cascade) []byte
}

var headLines = []headLine{
	integerLine("stride", version1, func(c *Cascade) *int { return &c.Stride }, func(r *nativeReader) int { return min(r.c.Width, r.c.Height) }),
	integerLine("nearby", version2, func(c *Cascade) *int { return &c.Nearby }, mostExits),
	integerLine("around", version2, func(c *Cascade) *int { return &c.Around }, mostExits),
	integerLine("between", version2, func(c *Cascade) *int { return &c.Between }, mostExits),
	numbersLine("between-below", version2, func(c *Cascade) []*float64 { return []*float64{&c.BetweenBelow} }),
	numbersLine("pad", version2, func(c *Cascade) []*float64 { return []*float64{&c.Pad} }),
	numbersLine("head-start", version3, func(c *Cascade) []*float64 {
		return []*float64{&c.HeadStart.PerOctave, &c.HeadStart.From, &c.HeadStart.Most}
	}).readableIn(version2),
	numbersLine("halve", version3, func(c *Cascade) []*float64 { return []*float64{&c.Halve} }).readableIn(version2),
	integerLine("support", version1, func(c *Cascade) *int { return &c.Support }, func(*nativeReader) int { return maxSupport }),
	numbersLine("score", version1, func(c *Cascade) []*float64 { return []*float64{&c.MinScore} }),
	{
		key: "calibration", since: version1, readIn: version1,
		has: func(c *Cascade) bool { return c.Calibration != nil },
		read: func(r *nativeReader) error {
			r.c.Calibration = new(Calibration)
			return r.float64s(&r.c.Calibration.Slope, &r.c.Calibration.Offset)
		},
		write: func(b []byte, c *Cascade) []byte {
			return appendFloat64s(b, &c.Calibration.Slope, &c.Calibration.Offset)
		},
	},
}

// mostExits bounds what is a number of exits, which are not read yet.
func mostExits(r *nativeReader) int { return r.lim.Weak }

// integerLine is a line with an integer from 1 to most, which is left out for 0.
func integerLine(key string, since int, field func(*Cascade) *int, most func(*nativeReader) int) headLine {
	return headLine{
		key: key, since: since, readIn: since,
		has: func(c *Cascade) bool { return *field(c) != 0 },
		read: func(r *nativeReader) (err error) {
			if *field(r.c), err = r.int(key, 1, most(r)); err != nil {
				return err
			}
			return r.end()
		},
		write: func(b []byte, c *Cascade) []byte { return appendInts(b, *field(c)) },
	}
}

// numbersLine is a line with numbers, which is left out if all are 0.
func numbersLine(key string, since int, fields func(*Cascade) []*float64) headLine {
	has := func(c *Cascade) bool {
		for _, p := range fields(c) {
			if *p != 0 {
				return true
			}
		}
		return false
	}
	return headLine{
		key: key, since: since, readIn: since, has: has,
		read: func(r *nativeReader) error {
			if err := r.float64s(fields(r.c)...); err != nil {
				return err
			}
			if !has(r.c) {
				return fmt.Errorf("a %s of 0 is left out", key)
			}
			return nil
		},
		write: func(b []byte, c *Cascade) []byte { return appendFloat64s(b, fields(c)...) },
	}
}

func (l headLine) readableIn(version int) headLine {
	l.readIn = version
	return l
}

func appendFloat64s(b []byte, values ...*float64) []byte {
	for _, v := range values {
		b = strconv.AppendFloat(append(b, ' '), *v, 'g', -1, 64)
	}
	return b
}

// headVersion is the lowest version whose head can say what c's says.
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

// version is the lowest version that can say all of c: the one that is written,
// so that older readers can read what they know.
func (c *Cascade) version() int {
	v := c.headVersion()
	if c.Verifier != nil {
		v = max(v, version2)
		if c.Verifier.Again != (Again{}) {
			v = version3
		}
	}
	return v
}

// optionalLines reads those of headLines that are there.
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

// object reads the name of what is found, if it is there.
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

// needed refuses a version that is higher than what the file says needs: equal
// models are equal bytes.
func (r *nativeReader) needed() error {
	if v := r.c.version(); r.v > v {
		return fmt.Errorf("the file is of version %d, but holds nothing that needs more than %d, want version %d", r.v, v, v)
	}
	return nil
}
