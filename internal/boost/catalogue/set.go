package catalogue

import (
	"fmt"
	"math/rand/v2"

	"haarlem/boost"
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

	// draw makes a table with the columns, labels and classes. Complete sets
	// ignore rows.
	draw func(rows int, r *rand.Rand) *boost.Data
}

// newTable makes a table without rows, with room for some. The classes are those
// of the labels -1 and +1.
func newTable(rows int, classes, columns []string) *boost.Data {
	t := &boost.Data{Schema: boost.Schema{Names: columns, Classes: classes}, Columns: make([][]float64, len(columns))}
	for j := range t.Columns {
		t.Columns[j] = make([]float64, 0, rows)
	}
	return t
}

// numbered makes the names prefix1, prefix2, and so on.
func numbered(prefix string, n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("%s%d", prefix, i+1)
	}
	return names
}

// add appends an example.
func add(t *boost.Data, x []float64, positive bool) {
	for j := range t.Columns {
		t.Columns[j] = append(t.Columns[j], x[j])
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
func booleanCube(n int, classes []string, positive func(x []float64) bool) *boost.Data {
	t := newTable(1<<n, classes, numbered("a", n))
	x := make([]float64, n)
	for i := range 1 << n {
		bits(x, i)
		add(t, x, positive(x))
	}
	return t
}

// coin is true with probability one half.
func coin(r *rand.Rand) bool { return r.Uint64()&1 == 1 }
