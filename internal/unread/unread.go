// Package unread tells of files that could not be read, by what they are.
package unread

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"haarlem/picture"
)

// Files counts files that could not be read, by what they are. The zero value
// has counted nothing.
type Files struct {
	Count int
	Kinds []Kind // in the order in which they came
}

// A Kind is one kind of such files.
type Kind struct {
	Kind  picture.Kind
	Count int
	Paths []string // the first three
}

// pathsShown is how many paths an Kind keeps.
const pathsShown = 3

// Add counts a file. The error is what came of it; where it wraps a
// [picture.KindError], that says the kind.
func (u *Files) Add(path string, err error) {
	var k picture.Kind
	var known *picture.KindError
	switch {
	case errors.As(err, &known):
		k = known.Kind
	case errors.Is(err, picture.ErrDamaged):
		k = picture.Kind{Name: "damaged picture"}
	case errors.Is(err, picture.ErrTooLarge):
		k = picture.Kind{Name: "picture that is too large"}
	case errors.Is(err, picture.ErrFormat):
		k = picture.Kind{Name: "file that is not a picture"}
	default:
		k = picture.Kind{Name: "file that cannot be opened"}
	}
	u.add(Kind{k, 1, []string{path}})
}

// Join counts what another has counted.
func (u *Files) Join(other *Files) {
	for _, k := range other.Kinds {
		u.add(k)
	}
}

func (u *Files) add(k Kind) {
	u.Count += k.Count
	i := 0
	for i < len(u.Kinds) && u.Kinds[i].Kind != k.Kind {
		i++
	}
	if i == len(u.Kinds) {
		u.Kinds = append(u.Kinds, Kind{Kind: k.Kind})
	}
	to := &u.Kinds[i]
	to.Count += k.Count
	to.Paths = append(to.Paths, k.Paths[:min(len(k.Paths), pathsShown-len(to.Paths))]...)
}

// String tells all kinds, with commas between.
func (u *Files) String() string {
	var all []string
	for i := range u.Kinds {
		all = append(all, u.Kinds[i].String())
	}
	return strings.Join(all, ", ")
}

// String is as in "12 HEIC pictures (a.heic, b.heic, c.heic and 9 more; to
// convert one: heif-convert IN.heic OUT.jpg)".
func (k *Kind) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (", counted(k.Kind.Name, k.Count))
	for i, p := range k.Paths {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(printable(p))
	}
	if more := k.Count - len(k.Paths); more > 0 {
		fmt.Fprintf(&b, " and %d more", more)
	}
	if k.Kind.Convert != "" {
		one := "it"
		if k.Count > 1 {
			one = "one"
		}
		fmt.Fprintf(&b, "; to convert %s: %s", one, k.Kind.Convert)
	}
	b.WriteString(")")
	return b.String()
}

// counted puts a number in front of a name, in the plural where it is due.
func counted(name string, n int) string {
	if n == 1 {
		return "1 " + name
	}
	end := len(name)
	for _, rest := range []string{" of ", " to ", " that "} {
		if i := strings.Index(name, rest); i >= 0 {
			end = min(end, i)
		}
	}
	return strconv.Itoa(n) + " " + name[:end] + "s" + name[end:]
}

// printable quotes names that would do something to a terminal.
func printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}
