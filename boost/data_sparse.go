package boost

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
)

// Sparse is a table most of whose values are zero: only the others are kept.
// Its columns of one byte per value are made on demand, so that a table too
// large to store can be learned from:
//
//	columns, err := sparse.Quantize(0)
//	run, err := boost.Start(&boost.Problem{Data: labels, Columns: columns}, ...)
//
// where labels is [Data] without columns.
type Sparse struct {
	// Starts[i] is where row i begins in Index and Value, and the last one is
	// where all end: one more than rows.
	Starts []int

	// Index[k] is the column of Value[k]. Columns of a row ascend.
	Index []int32
	Value []float64

	// Columns is the number of columns.
	Columns int
}

// rows returns the number of rows.
func (s *Sparse) rows() int { return max(0, len(s.Starts)-1) }

// check reports an error in a table, or nil.
func (s *Sparse) check() error {
	if len(s.Starts) == 0 || s.Starts[0] != 0 || s.Starts[len(s.Starts)-1] != len(s.Index) || len(s.Index) != len(s.Value) {
		return fmt.Errorf("%w: a sparse table with %d starts, %d indices and %d values", ErrData, len(s.Starts), len(s.Index), len(s.Value))
	}
	for i := range s.rows() {
		from, to := s.Starts[i], s.Starts[i+1]
		if to < from {
			return fmt.Errorf("%w: row %d ends before it begins", ErrData, i)
		}
		last := int32(-1)
		for k := from; k < to; k++ {
			j, v := s.Index[k], s.Value[k]
			if j <= last || int(j) >= s.Columns {
				return fmt.Errorf("%w: column %d of row %d, want columns that ascend, below %d", ErrData, j, i, s.Columns)
			}
			if v-v != 0 && v == v {
				return fmt.Errorf("%w: column %d, row %d is infinite; a missing value is NaN", ErrData, j, i)
			}
			last = j
		}
	}
	return nil
}

// row writes row i to dst, which has as many values as there are columns and is
// zero except for the row written before; before is that row, or -1.
func (s *Sparse) row(dst []float64, i, before int) {
	if before >= 0 {
		for k := s.Starts[before]; k < s.Starts[before+1]; k++ {
			dst[s.Index[k]] = 0
		}
	}
	for k := s.Starts[i]; k < s.Starts[i+1]; k++ {
		dst[s.Index[k]] = s.Value[k]
	}
}

// sparseColumns are columns of a sparse table.
type sparseColumns struct {
	rows  int
	lists [][]entry // of each column: the codes that are not that of zero
	zero  []byte    // of each column
	cuts  [][]float64

	// The same codes by rows: those of row i are rowwise[starts[i]:starts[i+1]], by
	// their bins, of which those of column j begin at first[j].
	starts  []int
	rowwise []int32
	first   []int
}

// byRows makes the lists by rows.
func (c *sparseColumns) byRows() {
	c.starts, c.first = make([]int, c.rows+1), make([]int, len(c.lists)+1)
	for j, list := range c.lists {
		c.first[j+1] = c.first[j] + min(len(c.cuts[j])+2, maxBins)
		for _, e := range list {
			c.starts[e.row+1]++
		}
	}
	for i := range c.rows {
		c.starts[i+1] += c.starts[i]
	}
	c.rowwise = make([]int32, c.starts[c.rows])
	next := slices.Clone(c.starts)
	for j, list := range c.lists {
		for _, e := range list {
			c.rowwise[next[e.row]] = int32(c.first[j] + int(e.code))
			next[e.row]++
		}
	}
}

// An entry is a code of a row.
type entry struct {
	row  int32
	code byte
}

// Quantize quantises the table to at most bins bins, 2 to 256; 0 means 256.
// Bins are those that [Quantize] makes of the same numbers.
func (s *Sparse) Quantize(bins int) (Columns, error) {
	if bins = cmp.Or(bins, maxBins); bins < 2 || bins > maxBins {
		return nil, fmt.Errorf("%w: %d bins, want 2 to %d", ErrSettings, bins, maxBins)
	}
	if err := s.check(); err != nil {
		return nil, err
	}
	if s.rows() > maxRows {
		return nil, fmt.Errorf("%w: %d rows, at most %d", ErrData, s.rows(), int64(maxRows))
	}
	type cell struct {
		row   int32
		value float64
	}
	columns := make([][]cell, s.Columns)
	for i := range s.rows() {
		for k := s.Starts[i]; k < s.Starts[i+1]; k++ {
			if s.Value[k] != 0 {
				columns[s.Index[k]] = append(columns[s.Index[k]], cell{int32(i), s.Value[k]})
			}
		}
	}
	c := &sparseColumns{rows: s.rows(), lists: make([][]entry, s.Columns), zero: make([]byte, s.Columns), cuts: make([][]float64, s.Columns)}
	var values []float64
	var sorter sorter
	for j, cells := range columns {
		values = values[:0]
		missing := 0
		for _, v := range cells {
			if v.value != v.value {
				missing++
			}
			values = append(values, v.value)
		}
		sorted := sorter.counted(values)
		if zeros := s.rows() - len(cells); zeros > 0 {
			at := sort.Search(len(sorted), func(k int) bool { return sorted[k].value > 0 })
			sorted = slices.Insert(sorted, at, weighted{0, float64(zeros)})
		}
		n := bins
		if n == maxBins && missing > 0 {
			n-- // room for the missing
		}
		c.cuts[j] = equalFrequency(sorted, n)
		c.zero[j] = code(0, c.cuts[j])
		for _, v := range cells {
			if b := code(v.value, c.cuts[j]); b != c.zero[j] {
				c.lists[j] = append(c.lists[j], entry{v.row, b})
			}
		}
		slices.SortFunc(c.lists[j], func(a, b entry) int { return cmp.Compare(a.row, b.row) })
		columns[j] = nil
	}
	c.byRows()
	return c, nil
}

func (c *sparseColumns) Rows() int { return c.rows }

func (c *sparseColumns) Len() int { return len(c.cuts) }

func (c *sparseColumns) Cuts(j int) []float64 { return c.cuts[j] }

func (c *sparseColumns) Codes(j int, buf []byte) []byte {
	buf = buf[:c.rows]
	for i := range buf {
		buf[i] = c.zero[j]
	}
	for _, e := range c.lists[j] {
		buf[e.row] = e.code
	}
	return buf
}

// ScoresOf returns the scores of the rows of a sparse table.
func (p *Predictor) ScoresOf(s *Sparse) ([]float64, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if s.Columns != p.model.Columns {
		return nil, fmt.Errorf("%w: %d columns, want %d", ErrSchema, s.Columns, p.model.Columns)
	}
	scores := make([]float64, s.rows())
	x := make([]float64, s.Columns)
	for i := range scores {
		s.row(x, i, i-1)
		scores[i] = p.Score(x)
	}
	return scores, nil
}
