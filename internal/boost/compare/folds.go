package compare

import (
	"fmt"
	"math/rand/v2"

	"haarlem/boost"
)

// foldsOf assigns rows to k folds, stratified by class: a class's rows are
// shuffled and dealt in turn, and the next class continues where the one before
// stopped, so that folds differ by at most one row per class and one row in
// all. Of numbers all rows are one class. The result is the fold, 0 to k-1, of each
// row. It depends on the targets and the seed only.
func foldsOf(d *boost.Data, k int, seed uint64) ([]int, error) {
	if k < 2 || k > d.Rows() {
		return nil, fmt.Errorf("%d folds of %d rows, want at least 2 and no more than there are", k, d.Rows())
	}
	classes := make([][]int, max(2, len(d.Classes)))
	for i := range d.Rows() {
		c := 0
		if d.Labels != nil {
			c = int(d.Labels[i]+1) / 2
		} else if d.Classes != nil {
			c = int(d.Targets[i])
		}
		classes[c] = append(classes[c], i)
	}
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c19))
	folds := make([]int, d.Rows())
	next := 0
	for c, rows := range classes {
		if d.Labels != nil && len(rows) < k {
			return nil, fmt.Errorf("%d folds of %d rows of class %+d: use fewer folds", k, len(rows), 2*c-1)
		}
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, row := range rows {
			folds[row] = next
			next = (next + 1) % k
		}
	}
	return folds, nil
}

// split returns the rows outside and inside one fold, in ascending order: for
// training and for testing.
func split(folds []int, fold int) (train, test []int) {
	for row, f := range folds {
		if f == fold {
			test = append(test, row)
		} else {
			train = append(train, row)
		}
	}
	return train, test
}
