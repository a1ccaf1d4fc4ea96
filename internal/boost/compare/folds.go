package compare

import (
	"fmt"
	"math/rand/v2"

	"haarlem/boost"
)

// stratified assigns rows to k folds, stratified by class: a class's rows are
// shuffled and dealt in turn, and the second class continues where the first
// one stopped, so that folds differ by at most one row per class and one row in
// all. The result is the fold, 0 to k-1, of each row. It depends on the labels
// and the seed only.
func stratified(labels []int8, k int, seed uint64) ([]int, error) {
	if k < 2 {
		return nil, fmt.Errorf("%d folds, want at least 2", k)
	}
	var classes [2][]int
	for i, y := range labels {
		if y > 0 {
			classes[1] = append(classes[1], i)
		} else {
			classes[0] = append(classes[0], i)
		}
	}
	for c, rows := range classes {
		if len(rows) < k {
			return nil, fmt.Errorf("%d folds of %d rows of class %+d: use fewer folds", k, len(rows), 2*c-1)
		}
	}
	return deal(classes[:], len(labels), k, seed), nil
}

// foldsOf is stratified for any target: of numbers all rows are one class.
func foldsOf(d *boost.Data, k int, seed uint64) ([]int, error) {
	if d.Labels != nil {
		return stratified(d.Labels, k, seed)
	}
	if k > d.Rows() {
		return nil, fmt.Errorf("%d folds of %d rows: use fewer folds", k, d.Rows())
	}
	classes := make([][]int, max(1, len(d.Classes)))
	for i, y := range d.Targets {
		c := 0
		if d.Classes != nil {
			c = int(y)
		}
		classes[c] = append(classes[c], i)
	}
	return deal(classes, d.Rows(), k, seed), nil
}

// deal shuffles the rows of each class and deals them in turn.
func deal(classes [][]int, n, k int, seed uint64) []int {
	r := rand.New(rand.NewPCG(seed, 0x9e3779b97f4a7c19))
	folds := make([]int, n)
	next := 0
	for _, rows := range classes {
		r.Shuffle(len(rows), func(i, j int) { rows[i], rows[j] = rows[j], rows[i] })
		for _, row := range rows {
			folds[row] = next
			next = (next + 1) % k
		}
	}
	return folds
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
