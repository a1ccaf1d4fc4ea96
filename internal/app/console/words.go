package console

import (
	"strconv"
	"strings"
	"unicode"

	"haarlem/cascade"
)

func Count(n int, thing string) string {
	return CountObjects(n, cascade.Object{Singular: thing, Plural: thing + "s"})
}

func CountObjects(n int, o cascade.Object) string {
	switch o = o.OrAny(); n {
	case 0:
		return "no " + o.Plural
	case 1:
		return "1 " + o.Singular
	}
	return strconv.Itoa(n) + " " + o.Plural
}

// Score is short enough to be read on a picture too.
func Score(score float64) string { return strconv.FormatFloat(score, 'f', 2, 64) }

// Printable quotes names that would do something to a terminal.
func Printable(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) }) {
		return strconv.Quote(name)
	}
	return name
}
