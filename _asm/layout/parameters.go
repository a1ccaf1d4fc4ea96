package layout

import "strings"

// Parameters returns the names of the parameters of a function type that take a general
// register, which are all but floats.
func Parameters(signature string) (names []string) {
	list, _, _ := strings.Cut(strings.TrimPrefix(signature, "func("), ")")
	var group []string // of one type
	for field := range strings.SplitSeq(list, ", ") {
		name, typ, last := strings.Cut(field, " ")
		if group = append(group, name); !last {
			continue
		}
		if !strings.HasPrefix(typ, "float") {
			names = append(names, group...)
		}
		group = nil
	}
	return names
}
