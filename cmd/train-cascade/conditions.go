package main

import (
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/samples"
)

// conditions select objects by the truth's columns: values by column.
type conditions map[string]map[string]bool

// newConditions parses the values of a flag, COLUMN=VALUE,VALUE...
func newConditions(flag string, given []string) (conditions, error) {
	o := conditions{}
	for _, f := range given {
		column, values, ok := strings.Cut(f, "=")
		if !ok || column == "" {
			return nil, cli.Usagef("-%s is %q, want COLUMN=VALUE or COLUMN=VALUE,VALUE...", flag, f)
		}
		if o[column] == nil {
			o[column] = map[string]bool{}
		}
		for v := range strings.SplitSeq(values, ",") {
			o[column][v] = true
		}
	}
	return o, nil
}

// holds reports whether an object has one of the values in each column.
func (o conditions) holds(ob *samples.Object) bool {
	for column, values := range o {
		if !values[ob.Tags[column]] {
			return false
		}
	}
	return true
}

// flips returns the condition of -flip; nil without one.
func flips(given []string) (func(*samples.Object) bool, error) {
	if len(given) == 0 {
		return nil, nil
	}
	o, err := newConditions("flip", given)
	return o.holds, err
}
