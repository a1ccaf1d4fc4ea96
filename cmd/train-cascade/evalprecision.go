package main

import (
	"github.com/urfave/cli/v3"

	"haarlem/cascade/eval"
)

// precisionOptions reads the flags about precision. It returns nil if there are
// none.
func precisionOptions(c *cli.Command) (*eval.PrecisionOptions, error) {
	subsets, columns := c.StringSlice("subset"), c.StringSlice("recall-by")
	if !c.Bool("precision") && len(subsets)+len(columns) == 0 {
		return nil, nil
	}
	o := &eval.PrecisionOptions{Columns: columns}
	for _, s := range subsets {
		u, err := eval.ParseSubset(s)
		if err != nil {
			return nil, usageError{err}
		}
		o.Subsets = append(o.Subsets, u)
	}
	return o, nil
}
