package picture

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// Unread counts files that could not be read, by what they are. The zero value
// has counted nothing.
type Unread struct {
	Count int
	Kinds []UnreadKind // in the order in which they came
}

// An UnreadKind is one kind of such files.
type UnreadKind struct {
	Kind  Kind
	Count int
	Paths []string // the first three
}

// pathsShown is how many paths an UnreadKind keeps.
const pathsShown = 3

// Add counts a file. The error is what came of it; where it wraps a
// [KindError], that says the kind.
func (u *Unread) Add(path string, err error) {
	var k Kind
	var known *KindError
	switch {
	case errors.As(err, &known):
		k = known.Kind
	case errors.Is(err, ErrDamaged):
		k = Kind{Name: "damaged picture"}
	case errors.Is(err, ErrTooLarge):
		k = Kind{Name: "picture that is too large"}
	case errors.Is(err, ErrFormat):
		k = Kind{Name: "file that is not a picture"}
	default:
		k = Kind{Name: "file that cannot be opened"}
	}
	u.add(UnreadKind{k, 1, []string{path}})
}

// Join counts what another has counted.
func (u *Unread) Join(other *Unread) {
	for _, k := range other.Kinds {
		u.add(k)
	}
}

func (u *Unread) add(k UnreadKind) {
	u.Count += k.Count
	i := 0
	for i < len(u.Kinds) && u.Kinds[i].Kind != k.Kind {
		i++
	}
	if i == len(u.Kinds) {
		u.Kinds = append(u.Kinds, UnreadKind{Kind: k.Kind})
	}
	to := &u.Kinds[i]
	to.Count += k.Count
	to.Paths = append(to.Paths, k.Paths[:min(len(k.Paths), pathsShown-len(to.Paths))]...)
}

// String tells all kinds, with commas between.
func (u *Unread) String() string {
	var all []string
	for i := range u.Kinds {
		all = append(all, u.Kinds[i].String())
	}
	return strings.Join(all, ", ")
}

// String is as in "12 HEIC pictures (a.heic, b.heic, c.heic and 9 more; to
// convert one: heif-convert IN.heic OUT.jpg)".
func (k *UnreadKind) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s (", k.Kind.count(k.Count))
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

// count puts a number in front of the name, in the plural where it is due.
func (k Kind) count(n int) string {
	if n == 1 {
		return "1 " + k.Name
	}
	end := len(k.Name)
	for _, behind := range []string{" of ", " to ", " that "} {
		if i := strings.Index(k.Name, behind); i >= 0 {
			end = min(end, i)
		}
	}
	return strconv.Itoa(n) + " " + k.Name[:end] + "s" + k.Name[end:]
}

// printable quotes names that would do something to a terminal.
func printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}
