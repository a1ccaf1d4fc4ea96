package input

import (
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/samples"
)

// Conditions select objects by the truth's columns: values by column.
type Conditions map[string]map[string]bool

// NewConditions parses the values of a flag, COLUMN=VALUE,VALUE...
func NewConditions(flag string, given []string) (Conditions, error) {
	o := Conditions{}
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

// Holds reports whether an object has one of the values in each column.
func (o Conditions) Holds(ob *samples.Object) bool {
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
	o, err := NewConditions("flip", given)
	return o.Holds, err
}
