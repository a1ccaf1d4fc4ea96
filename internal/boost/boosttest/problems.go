// Package boosttest has tables that tests of boosters share.
package boosttest

import (
	"math"
	"math/rand/v2"

	"haarlem/boost"
)

// Noisy is a table of rows by 6 columns of numbers with many digits, so that
// no two partitions of the rows have equal weights by chance. The class
// depends on the first three columns, and a tenth of the labels is wrong.
func Noisy(rows int, seed uint64) *boost.Data {
	r := rand.New(rand.NewPCG(seed, 1))
	d := &boost.Data{Columns: make([][]float64, 6), Weights: make([]float64, rows), Labels: make([]int8, rows)}
	for j := range d.Columns {
		d.Columns[j] = make([]float64, rows)
	}
	for i := range rows {
		for j := range d.Columns {
			d.Columns[j][i] = r.NormFloat64()
		}
		d.Labels[i] = 1
		if d.Columns[0][i]+0.7*d.Columns[1][i]-0.5*d.Columns[2][i] < 0.2 != (r.Float64() < 0.1) {
			d.Labels[i] = -1
		}
		d.Weights[i] = 0.5 + r.Float64()
	}
	return d
}

// WithMissing is Noisy with a fifth of the values missing.
func WithMissing(rows int, seed uint64) *boost.Data {
	d := Noisy(rows, seed)
	r := rand.New(rand.NewPCG(seed, 2))
	for _, c := range d.Columns {
		for i := range c {
			if r.IntN(5) == 0 {
				c[i] = math.NaN()
			}
		}
	}
	return d
}

// Separable is Noisy, but the sign of column 3 is the class.
func Separable(rows int, seed uint64) *boost.Data {
	d := Noisy(rows, seed)
	for i, v := range d.Columns[3] {
		d.Labels[i] = 1
		if v < 0 {
			d.Labels[i] = -1
		}
	}
	return d
}

// Tied is a table of few values and no weights, in which many splits are
// exactly equally good. (With an odd number of rows: in a block with equally
// much of both classes, all boosters predict +1.) The class is a vote of the
// columns, and a tenth of the labels is wrong.
func Tied(rows int, seed uint64) *boost.Data {
	r := rand.New(rand.NewPCG(seed, 3))
	d := &boost.Data{Columns: make([][]float64, 6), Labels: make([]int8, rows)}
	for j := range d.Columns {
		d.Columns[j] = make([]float64, rows)
	}
	for i := range rows {
		sum := 0.0
		for j := range d.Columns {
			d.Columns[j][i] = float64(r.IntN(3) - 1)
			sum += d.Columns[j][i]
		}
		d.Labels[i] = 1
		if sum < 0.5 != (r.IntN(10) == 0) {
			d.Labels[i] = -1
		}
	}
	return d
}

// Hopeless is a table of identical rows, half of each class.
func Hopeless(rows int) *boost.Data {
	d := &boost.Data{Columns: [][]float64{make([]float64, rows), make([]float64, rows)}, Labels: make([]int8, rows)}
	for i := range rows {
		d.Columns[0][i], d.Columns[1][i] = 3, -1
		d.Labels[i] = int8(i%2)*2 - 1
	}
	return d
}

// Extreme is Noisy with weights from 1e-300 to 1e300.
func Extreme(rows int, seed uint64) *boost.Data {
	d := Noisy(rows, seed)
	for i := range d.Weights {
		switch i % 3 {
		case 0:
			d.Weights[i] = 1e-300
		case 1:
			d.Weights[i] = 1e300
		}
	}
	return d
}

// Permuted returns d with its columns in the given order.
func Permuted(d *boost.Data, order []int) *boost.Data {
	p := *d
	p.Columns = make([][]float64, len(order))
	for k, j := range order {
		p.Columns[k] = d.Columns[j]
	}
	return &p
}

// Flipped returns d with the classes exchanged.
func Flipped(d *boost.Data) *boost.Data {
	f := *d
	f.Labels = make([]int8, len(d.Labels))
	for i, y := range d.Labels {
		f.Labels[i] = -y
	}
	return &f
}

// Scrambled is the category of a value, one of 32, in an
// order unrelated to that of the values.
func Scrambled(v float64) float64 {
	k := int(min(31, max(0, math.Floor(4*v)+16)))
	return float64(k * 13 % 32)
}
