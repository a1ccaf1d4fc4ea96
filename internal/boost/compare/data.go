package compare

import (
	"haarlem/boost"
	"haarlem/boost/dataset"
)

// Data converts a table for boosting: nominal columns become indicators.
func Data(t *dataset.Table) *boost.Data {
	in := t.Indicators()
	d := &boost.Data{Columns: in.Matrix(), Labels: in.Labels, Weights: in.Weights}
	d.Classes = in.Classes[:]
	for i := range in.Columns {
		d.Names = append(d.Names, in.Columns[i].Name)
	}
	return d
}

// Native converts a table unchanged: nominal columns are categorical, which
// trees split by sets of levels.
func Native(t *dataset.Table) *boost.Data {
	d := &boost.Data{Columns: t.Matrix(), Labels: t.Labels, Targets: t.Targets, Weights: t.Weights}
	for i := range t.Columns {
		d.Names = append(d.Names, t.Columns[i].Name)
		if t.Columns[i].Nominal() {
			if d.Levels == nil {
				d.Levels = make([][]string, len(t.Columns))
			}
			d.Levels[i] = t.Columns[i].Levels
		}
	}
	if d.Classes = t.Several; t.Labels != nil {
		d.Classes = t.Classes[:]
	}
	return d
}
