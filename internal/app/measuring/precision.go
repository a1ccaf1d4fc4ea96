package measuring

import (
	"haarlem/internal/app/cli"
	"haarlem/internal/eval"
)

// precisionOptions parses the flags about precision. It returns nil without
// any.
func (v *evalFlags) precisionOptions() (*eval.PrecisionOptions, error) {
	if !v.precision && len(v.subsets)+len(v.recallBy) == 0 {
		return nil, nil
	}
	o := &eval.PrecisionOptions{Columns: v.recallBy}
	for _, s := range v.subsets {
		u, err := eval.ParseSubset(s)
		if err != nil {
			return nil, cli.Usage(err)
		}
		o.Subsets = append(o.Subsets, u)
	}
	return o, nil
}
