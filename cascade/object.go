package cascade

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Object is the name of what a cascade finds, "face" and "faces", for
// whoever writes about it. It has no effect on detection. Zero means that the
// model does not say.
type Object struct {
	Singular, Plural string
}

// anyObject is what a model finds that does not say what it finds.
var anyObject = Object{"object", "objects"}

// maxObject is how many bytes each of the two words may have.
const maxObject = 40

// ParseObject reads a name as command lines give it: the singular alone, whose
// plural ends in one more s, or both with a comma between: "bus,buses".
func ParseObject(text string) (Object, error) {
	o := Object{Singular: text, Plural: text + "s"}
	if one, many, ok := strings.Cut(text, ","); ok {
		o = Object{one, many}
	}
	if o.Singular == "" {
		return Object{}, errors.New("no name, want one such as face, or bus,buses")
	}
	return o, o.Check()
}

// OrAny returns o, or "object" and "objects" if it is zero.
func (o Object) OrAny() Object {
	if o == (Object{}) {
		return anyObject
	}
	return o
}

// ObjectOf names what all these cascades find: "object" and "objects" if they
// do not agree, or do not say.
func ObjectOf(cascades ...*Cascade) Object {
	for _, c := range cascades {
		if c.Object != cascades[0].Object {
			return anyObject
		}
	}
	if len(cascades) == 0 {
		return anyObject
	}
	return cascades[0].Object.OrAny()
}

// Check reports whether both words can stand in messages, in files of models and
// in names of files: letters, digits and hyphens, a letter first.
func (o Object) Check() error {
	if o == (Object{}) {
		return nil
	}
	if err := checkObjectWord(o.Singular); err != nil {
		return fmt.Errorf("singular: %w", err)
	}
	if err := checkObjectWord(o.Plural); err != nil {
		return fmt.Errorf("plural: %w", err)
	}
	return nil
}

// checkObjectWord allows what can stand in a message and in a file's name.
func checkObjectWord(w string) error {
	if w == "" || len(w) > maxObject || !utf8.ValidString(w) {
		return fmt.Errorf("%s, want a word of 1 to %d bytes of UTF-8", clip([]byte(w)), maxObject)
	}
	for i, r := range w {
		if !(unicode.IsLetter(r) || i > 0 && (r == '-' || unicode.IsDigit(r) || unicode.IsMark(r))) {
			return fmt.Errorf("%s holds %q, want a letter first and then letters, digits and hyphens only", clip([]byte(w)), r)
		}
	}
	return nil
}

// Object names what the team finds, see [ObjectOf].
func (t *Team) Object() Object {
	cascades := make([]*Cascade, len(t.detectors))
	for i, d := range t.detectors {
		cascades[i] = d.c
	}
	return ObjectOf(cascades...)
}
