package cascade

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// An Object is the name of what a cascade detects, such as "face" and "faces",
// for messages. It has no effect on detection. Zero means unknown.
type Object struct {
	Singular, Plural string
}

// anyObject is the name for an unknown object.
var anyObject = Object{"object", "objects"}

// maxObject is the largest number of bytes of each word.
const maxObject = 40

// ParseObject parses a name from a command line: the singular alone, whose plural has
// one more s, or both, such as "bus,buses". Names may be any words: what is no letter,
// mark or digit becomes a hyphen. "number plate (EU)" is number-plate-EU in messages,
// model files and file names.
func ParseObject(text string) (Object, error) {
	if !utf8.ValidString(text) {
		return Object{}, fmt.Errorf("%q is not UTF-8", text)
	}
	word := func(text string) string {
		return strings.Join(strings.FieldsFunc(strings.TrimLeftFunc(text, unicode.IsMark), func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
		}), "-")
	}
	one, many, two := strings.Cut(text, ",")
	o := Object{word(one), word(many)}
	if !two {
		o.Plural = o.Singular + "s"
	}
	if o.Singular == "" || strings.Contains(many, ",") {
		return Object{}, errors.New("want a name such as face, or two such as bus,buses")
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

// Check reports an error unless both words are fit for messages, model files and file
// names: letters, digits and hyphens, a hyphen not first.
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

// checkObjectWord checks one word.
func checkObjectWord(w string) error {
	if w == "" || len(w) > maxObject || !utf8.ValidString(w) {
		return fmt.Errorf("%s, want a word of 1 to %d bytes of UTF-8", clip([]byte(w)), maxObject)
	}
	for i, r := range w {
		if !(unicode.IsLetter(r) || unicode.IsDigit(r) || i > 0 && (r == '-' || unicode.IsMark(r))) {
			return fmt.Errorf("%s holds %q, want letters, digits and hyphens only, a hyphen not first", clip([]byte(w)), r)
		}
	}
	return nil
}
