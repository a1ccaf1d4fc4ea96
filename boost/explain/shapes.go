package explain

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"haarlem/boost"
)

// A Shape is the effect of one column, or of two together, on the score of an
// additive model.
type Shape struct {
	Columns []int

	// Cuts[k] divide the values of Columns[k] into bins, as [boost.Histogram]
	// does: bin b holds Cuts[b-1] <= v < Cuts[b]. The last bin is that of
	// missing values. For a categorical column a bin is a level.
	Cuts [][]float64

	// Values are added to the score by the bins, less their mean over the rows:
	// for two columns the bins of the second vary fastest.
	Values []float64

	weight []float64 // of the rows in each bin

	// Size is the mean of the magnitude of Values over the rows: the importance
	// of the shape.
	Size float64
}

// Shapes returns the shapes of an additive model, one for each column or pair
// of columns that its terms use together, the most important first, and the
// remaining score: the mean over the rows of d. A score is that plus the values
// of the row's bins. Terms must use at most two columns, and must be constant
// between thresholds.
func Shapes(m *boost.Model, d *boost.Data) (mean float64, shapes []Shape, err error) {
	if err := m.Check(d); err != nil {
		return 0, nil, err
	}
	if m.Damping != 0 {
		return 0, nil, fmt.Errorf("%w: its terms are not added up", ErrUnsupported)
	}
	mean = m.Bias
	index := map[[2]int]int{}
	var terms [][]boost.Term
	for k, t := range m.Terms {
		cols := slices.Clone(t.Weak.Columns())
		slices.Sort(cols)
		key := [2]int{-1, -1}
		switch {
		case t.Weak.Columns() == nil || len(cols) > 2:
			return 0, nil, fmt.Errorf("%w: term %d asks for more than two columns", ErrUnsupported, k)
		case len(cols) == 0:
			mean += t.Coef * t.Weak.Value(make([]float64, m.Columns))
			continue
		}
		copy(key[:], cols)
		n, ok := index[key]
		if !ok {
			n = len(shapes)
			index[key] = n
			shapes = append(shapes, Shape{Columns: cols, Cuts: make([][]float64, len(cols))})
			terms = append(terms, nil)
		}
		terms[n] = append(terms[n], t)
		for c, j := range cols {
			cuts, ok := boost.Thresholds(t.Weak, j, len(m.LevelsOf(j)))
			if !ok {
				return 0, nil, fmt.Errorf("%w: term %d is a %T, which is not constant between thresholds", ErrUnsupported, k, t.Weak)
			}
			shapes[n].Cuts[c] = append(shapes[n].Cuts[c], cuts...)
		}
	}
	for n := range shapes {
		s := &shapes[n]
		for c := range s.Cuts {
			slices.Sort(s.Cuts[c])
			s.Cuts[c] = slices.Compact(s.Cuts[c])
		}
		s.fill(m, terms[n])
		mean += s.centre(d)
	}
	slices.SortStableFunc(shapes, func(a, b Shape) int { return cmp.Compare(b.Size, a.Size) })
	return mean, shapes, nil
}

// fill computes the value of every bin.
func (s *Shape) fill(m *boost.Model, terms []boost.Term) {
	x := make([]float64, m.Columns)
	var bins [2]int
	total := 1
	for c := range s.Columns {
		bins[c] = len(s.Cuts[c]) + 2
		total *= bins[c]
	}
	s.Values, s.weight = make([]float64, total), make([]float64, total)
	for b := range s.Values {
		rest := b
		for c := len(s.Columns) - 1; c >= 0; c-- {
			x[s.Columns[c]] = sample(s.Cuts[c], rest%bins[c])
			rest /= bins[c]
		}
		for _, t := range terms {
			s.Values[b] += float64(t.Coef * t.Weak.Value(x))
		}
	}
}

// sample returns a value of a bin.
func sample(cuts []float64, bin int) float64 {
	switch {
	case bin == len(cuts)+1:
		return math.NaN()
	case bin == 0:
		return math.Inf(-1)
	}
	return cuts[bin-1]
}

// bin returns the index into Values of the bin that row x falls into.
func (s *Shape) bin(x []float64) int {
	at := 0
	for c, j := range s.Columns {
		cuts := s.Cuts[c]
		b := len(cuts) + 1
		if v := x[j]; v == v {
			b, _ = slices.BinarySearch(cuts, math.Nextafter(v, math.Inf(1)))
		}
		at = at*(len(cuts)+2) + b
	}
	return at
}

// centre subtracts the mean over the rows from all values, and returns it.
func (s *Shape) centre(d *boost.Data) float64 {
	x := make([]float64, len(d.Columns))
	total, sum := 0.0, 0.0
	for i := range d.Rows() {
		for _, j := range s.Columns {
			x[j] = d.Columns[j][i]
		}
		b, w := s.bin(x), weight(d.Weights, i)
		s.weight[b] += w
		total += w
		sum += float64(w * s.Values[b])
	}
	mean := sum / total
	for b := range s.Values {
		s.Values[b] -= mean
		s.Size += math.Abs(s.Values[b]) * s.weight[b] / total
	}
	return mean
}

// Pairs ranks the pairs of columns by how much a table of the two, with at most
// bins bins each, lowers the squared error of the residuals of an additive
// model: the best pairs for [boost.Cyclic]. It returns at most n.
func Pairs(m *boost.Model, d *boost.Data, l boost.Loss, bins, n int) ([][2]int, error) {
	p, err := predicted(m, d)
	if err != nil {
		return nil, err
	}
	q, err := boost.Quantize(d, bins, boost.EqualFrequency)
	if err != nil {
		return nil, err
	}
	type ranked struct {
		pair [2]int
		gain float64
	}
	rows := slopes(p, l)
	var all []ranked
	for a := range q.Len() {
		ca := q.Codes(a, nil)
		one := make([]sums, len(q.Cuts(a))+2)
		for i, c := range ca {
			one[c].add(rows[i])
		}
		alone := 0.0
		for _, s := range one {
			alone += s.gain(1)
		}
		for b := a + 1; b < q.Len(); b++ {
			cb := q.Codes(b, nil)
			width := len(q.Cuts(b)) + 2
			cells, other := make([]sums, (len(q.Cuts(a))+2)*width), make([]sums, width)
			for i, c := range ca {
				cells[int(c)*width+int(cb[i])].add(rows[i])
				other[cb[i]].add(rows[i])
			}
			gain := -alone
			for _, s := range cells {
				gain += s.gain(1)
			}
			for _, s := range other {
				gain -= s.gain(1)
			}
			all = append(all, ranked{[2]int{a, b}, gain})
		}
	}
	slices.SortStableFunc(all, func(a, b ranked) int { return cmp.Compare(b.gain, a.gain) })
	var pairs [][2]int
	for _, r := range all[:min(n, len(all))] {
		pairs = append(pairs, r.pair)
	}
	return pairs, nil
}
