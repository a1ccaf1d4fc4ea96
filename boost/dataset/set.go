package dataset

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Set is one built-in problem.
type Set struct {
	// Name is a short name for recipes, in lower case.
	Name string

	// About describes the problem, its reduction to two classes if it had more,
	// and its source.
	About string

	// Rows is the default number of examples.
	Rows int

	// Complete says that the set is a finite domain with each of its points
	// once: its number of rows cannot be chosen.
	Complete bool

	// Bayes is the error of the best classifier, NaN if unknown. It is 0 if the
	// class is a function of the attributes.
	Bayes float64

	// draw makes a table with the columns, labels and classes. Complete sets
	// ignore rows.
	draw func(rows int, r *rand.Rand) *Table
}

// unknown is an unknown Bayes error.
var unknown = math.NaN()

// numeric makes an empty column with capacity.
func numeric(name string, rows int) Column {
	return Column{Name: name, Values: make([]float64, 0, rows)}
}

// numbered makes columns called prefix1, prefix2, and so on.
func numbered(prefix string, n, rows int) []Column {
	columns := make([]Column, n)
	for i := range columns {
		columns[i] = numeric(fmt.Sprintf("%s%d", prefix, i+1), rows)
	}
	return columns
}

// add appends an example.
func (t *Table) add(x []float64, positive bool) {
	for i := range t.Columns {
		t.Columns[i].Values = append(t.Columns[i].Values, x[i])
	}
	y := int8(-1)
	if positive {
		y = 1
	}
	t.Labels = append(t.Labels, y)
}

// bits writes the lowest len(x) bits of n into x as zeros and ones.
func bits(x []float64, n int) {
	for i := range x {
		x[i] = float64(n >> i & 1)
	}
}

// booleanCube is the complete domain of n Boolean attributes.
func booleanCube(n int, classes [2]string, positive func(x []float64) bool) *Table {
	t := &Table{Columns: numbered("a", n, 1<<n), Classes: classes}
	x := make([]float64, n)
	for i := range 1 << n {
		bits(x, i)
		t.add(x, positive(x))
	}
	return t
}

// coin is true with probability one half.
func coin(r *rand.Rand) bool { return r.Uint64()&1 == 1 }
