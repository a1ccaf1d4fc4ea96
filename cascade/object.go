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
// one more s, or both, such as "bus,buses". A blank within a name becomes a hyphen:
// "number plate" is number-plate, in messages, model files and file names.
func ParseObject(text string) (Object, error) {
	text = strings.Join(strings.Fields(text), "-")
	o := Object{Singular: text, Plural: text + "s"}
	if one, many, ok := strings.Cut(text, ","); ok {
		o = Object{strings.Trim(one, "-"), strings.Trim(many, "-")}
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

// Check reports an error unless both words are fit for messages, model files and file
// names: letters, digits and hyphens, a letter first.
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
		if !(unicode.IsLetter(r) || i > 0 && (r == '-' || unicode.IsDigit(r) || unicode.IsMark(r))) {
			return fmt.Errorf("%s holds %q, want a letter first and then letters, digits and hyphens only", clip([]byte(w)), r)
		}
	}
	return nil
}
