package cascade

import (
	"errors"
	"fmt"
)

// ErrModel is wrapped by errors about invalid models.
var ErrModel = errors.New("cascade: bad model")

// Sentinels of the readers. Errors name the line, the element of an XML file, and what
// was expected.
var (
	// ErrFormat means that the file is not a model, or a damaged one.
	ErrFormat = errors.New("cascade: bad model file")

	// ErrVersion means a native file of an unknown version.
	ErrVersion = errors.New("cascade: unknown version of a model file")

	// ErrOptions means an invalid field of [Limits].
	ErrOptions = errors.New("cascade: bad options")

	// ErrLimit means a file that exceeds a field of [Limits].
	ErrLimit = errors.New("cascade: model file over a limit")
)

// Limits bound the files that [Read] accepts, before memory is allocated for them. A
// nil *Limits and the zero value mean every field's default, which is several times
// what OpenCV's largest cascade needs. Reading always takes less than 40 bytes of
// memory for a byte of the file.
type Limits struct {
	Bytes    int // size of the file. 0 means 16 MiB
	Features int // 0 means 131,072
	Weak     int // weak classifiers. 0 means 131,072
	Nodes    int // nodes of all trees together. 0 means 524,288
	Elements int // elements of an XML file. 0 means 1,048,576
	Depth    int // nested elements of an XML file. 0 means 32

	// Work is the largest [Cascade.Work]. The memory for detection grows with it
	// too. 0 means 4,194,304.
	Work int
}

// withDefaults returns a copy in which no field is zero.
func (l *Limits) withDefaults() (Limits, error) {
	var v Limits
	if l != nil {
		v = *l
	}
	for _, f := range []struct {
		name  string
		field *int
		def   int
	}{
		{"Bytes", &v.Bytes, 16 << 20},
		{"Features", &v.Features, 1 << 17},
		{"Weak", &v.Weak, 1 << 17},
		{"Nodes", &v.Nodes, 1 << 19},
		{"Elements", &v.Elements, 1 << 20},
		{"Depth", &v.Depth, 32},
		{"Work", &v.Work, 1 << 22},
	} {
		if *f.field < 0 || *f.field > 1<<30 {
			return v, fmt.Errorf("%w: Limits.%s %d, want 0 to %d", ErrOptions, f.name, *f.field, 1<<30)
		}
		if *f.field == 0 {
			*f.field = f.def
		}
	}
	return v, nil
}

// A refusal is an error of a reader with a sentinel other than [ErrFormat]. Its text
// omits the sentinel, which Read puts first.
type refusal struct {
	sentinel error
	text     string
}

func (r refusal) Error() string        { return r.text }
func (r refusal) Is(target error) bool { return target == r.sentinel }

// take reports an error if there is no room for one more thing.
func take(have, limit int, what string) error {
	if have >= limit {
		return refusal{ErrLimit, fmt.Sprintf("more than %d %s", limit, what)}
	}
	return nil
}
