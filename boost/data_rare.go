package boost

import (
	"cmp"
	"slices"
)

// RareLevel is the level that [Data.MergeRare] makes. A model that has it takes levels
// that it does not know for it.
const RareLevel = "(rare)"

// MergeRare makes one level, [RareLevel], of all but the 254 most frequent levels of each
// column that has more than 255, which is as many as can be learned from, and returns the
// names of these columns, or their numbers. It changes d's columns.
func (d *Data) MergeRare() []string {
	var merged []string
	for j := range d.Columns {
		levels := d.LevelsOf(j)
		if len(levels) < maxBins {
			continue
		}
		rows := make([]int, len(levels))
		for _, v := range d.Columns[j] {
			if v == v {
				rows[int(v)]++
			}
		}
		order := seq(len(levels))
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(rows[b], rows[a]) })
		order = slices.DeleteFunc(order, func(k int) bool { return levels[k] == RareLevel })[:maxBins-2]
		slices.Sort(order)
		to := slices.Repeat([]float64{float64(len(order))}, len(levels))
		var kept []string
		for n, k := range order {
			to[k], kept = float64(n), append(kept, levels[k])
		}
		for i, v := range d.Columns[j] {
			if v == v {
				d.Columns[j][i] = to[int(v)]
			}
		}
		d.Levels[j] = append(kept, RareLevel)
		merged = append(merged, d.column(j))
	}
	return merged
}
