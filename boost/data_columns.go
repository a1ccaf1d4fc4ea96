package boost

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"haarlem/internal/par"
)

// Columns is the input of the search engine: one byte per value. [Quantize] stores
// them; a trainer with too many features to store implements it by
// computing columns on demand.
//
// Methods are called by many goroutines at once.
type Columns interface {
	Rows() int
	Len() int

	// Cuts returns the ascending values that divide column j into bins: the
	// code of a value v is the number of cuts that are <= v, so that a code is
	// less than b+1 exactly when v < Cuts(j)[b]. At most 255 cuts, and 254 if
	// values can be missing: a missing value has the code len(Cuts(j))+1. The
	// caller does not change them.
	Cuts(j int) []float64

	// Codes returns the codes of column j, one per row. It may store them in
	// buf, which has Rows bytes, or return its own memory, which the caller
	// does not change.
	Codes(j int, buf []byte) []byte
}

// Binning is the rule for the cuts of a quantised column.
type Binning uint8

const (
	// EqualFrequency puts about as much of the rows' weight into each bin; a
	// column with no more distinct values than bins gets a bin for each value,
	// so that nothing is lost. The default.
	EqualFrequency Binning = iota
	// EqualWidth divides the range from the smallest to the largest value
	// evenly.
	EqualWidth
)

// byteColumns are a table of one byte per value.
type byteColumns struct {
	rows  int
	codes [][]byte
	cuts  [][]float64
	sets  []bool // which columns are categorical; nil if none
}

func (q *byteColumns) categorical() []bool { return q.sets }

// Quantize quantises the columns of d to at most bins bins, 2 to 256; 0 means
// 256. A column with missing values has a further bin for them, and at most 255
// others. A categorical column has a bin for each level, regardless of bins; it
// must not have more than 255.
//
// Of more than 200,000 rows, equally frequent bins are those of a sample of
// 200,000, always the same of the same table.
func Quantize(d *Data, bins int, rule Binning) (Columns, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	return quantize(d, bins, rule)
}

// quantize is Quantize of a checked table.
func quantize(d *Data, bins int, rule Binning) (*byteColumns, error) {
	if bins = cmp.Or(bins, maxBins); bins < 2 || bins > maxBins {
		return nil, fmt.Errorf("%w: %d bins, want 2 to %d", ErrSettings, bins, maxBins)
	}
	q := &byteColumns{rows: d.Rows(), codes: make([][]byte, len(d.Columns)), cuts: make([][]float64, len(d.Columns))}
	for j := range d.Columns {
		levels := d.LevelsOf(j)
		if len(levels) >= maxBins {
			return nil, fmt.Errorf("%w: %s has %d levels, at most %d: Data.MergeRare makes one level of the rare ones", ErrData, d.column(j), len(levels), maxBins-1)
		}
		if levels != nil && q.sets == nil {
			q.sets = make([]bool, len(d.Columns))
		}
		if levels != nil {
			q.sets[j] = true
		}
	}
	var rows []int32
	if rule == EqualFrequency {
		rows = d.sample()
	}
	return q, par.Each(context.Background(), len(d.Columns), 0, func(s *sorter, j int) error {
		c := d.Columns[j]
		if levels := d.LevelsOf(j); levels != nil {
			q.cuts[j] = levelCuts[:max(0, len(levels)-1)]
			q.codes[j], _ = encode(c, q.cuts[j])
		} else {
			q.cuts[j], q.codes[j] = d.binned(s, c, rows, bins, rule)
		}
		return nil
	}, nil)
}

// binned returns the cuts of column c, by some of the rows, nil meaning all, and
// its codes.
func (d *Data) binned(s *sorter, c []float64, rows []int32, bins int, rule Binning) (cuts []float64, codes []byte) {
	sorted, missing := d.sorted(s, c, rows)
	cut := func() {
		n := bins
		if n == maxBins && missing {
			n-- // room for the missing
		}
		if rule == EqualWidth {
			cuts = equalWidth(sorted, n)
		} else {
			cuts = equalFrequency(sorted, n)
		}
	}
	cut()
	codes, more := encode(c, cuts)
	if rows != nil && len(cuts) == len(sorted)-1 && !all(c, sorted, codes) {
		return d.binned(s, c, nil, bins, rule) // a rare value is to have its own bin too
	}
	if more && !missing && len(cuts) == maxBins-1 {
		missing = true
		cut()
		codes, _ = encode(c, cuts)
	}
	return cuts, codes
}

// all reports whether every value of a column is the only one of its bin.
func all(c []float64, sorted []weighted, codes []byte) bool {
	for i, v := range c {
		if v == v && sorted[codes[i]].value != v {
			return false
		}
	}
	return true
}

// sorted returns the distinct values of column c in some rows, nil meaning all,
// ascending, with their weights, and whether some are missing. Rows without weight
// do not affect bins, so that a row of weight two equals two rows.
func (d *Data) sorted(s *sorter, c []float64, rows []int32) (sorted []weighted, missing bool) {
	if rows != nil {
		s.some = grow(s.some, len(rows))
		for k, r := range rows {
			s.some[k] = c[r]
		}
		c = s.some
	}
	missing = slices.ContainsFunc(c, math.IsNaN)
	if d.Weights == nil {
		return s.counted(c), missing
	}
	// A power of two keeps sums finite, and sums of whole weights exact.
	_, exponent := math.Frexp(slices.Max(d.Weights))
	dst := s.distinct[:0]
	for i, v := range c {
		w := math.Ldexp(d.Weights[column(rows, i)], -exponent)
		if v == v && w > 0 {
			dst = append(dst, weighted{v, w})
		}
	}
	// By value, and then by weight, so that sums do not depend on the rows' order.
	slices.SortFunc(dst, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(a.value, b.value), cmp.Compare(a.weight, b.weight))
	})
	s.distinct = dst
	n := 0
	for i, v := range dst {
		if i > 0 && v.value == dst[n-1].value {
			dst[n-1].weight += v.weight
		} else {
			dst[n] = v
			n++
		}
	}
	return dst[:n], missing
}

func (q *byteColumns) Rows() int { return q.rows }

func (q *byteColumns) Len() int { return len(q.codes) }

func (q *byteColumns) Cuts(j int) []float64 { return q.cuts[j] }

func (q *byteColumns) Codes(j int, buf []byte) []byte { return q.codes[j] }

const maxBins = 256

// levelCuts part the numbers of levels.
var levelCuts = func() []float64 {
	cuts := make([]float64, maxBins-1)
	for k := range cuts {
		cuts[k] = float64(k) + 0.5
	}
	return cuts
}()

// code returns the number of cuts that are <= v, or the code of a missing value.
func code(v float64, cuts []float64) byte {
	if v != v {
		return byte(len(cuts) + 1)
	}
	lo, hi := 0, len(cuts)
	for lo < hi {
		mid := (lo + hi) / 2
		if cuts[mid] <= v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return byte(lo)
}

// equalFrequency returns at most bins-1 cuts between neighbours.
func equalFrequency(sorted []weighted, bins int) []float64 {
	total := 0.0
	for _, v := range sorted {
		total += v.weight
	}
	// A bin is closed as soon as it has its share of the remaining weight, so
	// that a heavy value does not starve the bins after it.
	var cuts []float64
	sum := 0.0
	for i := 1; i < len(sorted) && len(cuts) < bins-1; i++ {
		left := bins - len(cuts)
		sum += sorted[i-1].weight
		if sum*float64(left) >= total || len(sorted)-i < left {
			cuts = append(cuts, between(sorted[i-1].value, sorted[i].value))
			total -= sum
			sum = 0
		}
	}
	return cuts
}

func equalWidth(sorted []weighted, bins int) []float64 {
	if len(sorted) == 0 {
		return nil
	}
	lo, hi := sorted[0].value, sorted[len(sorted)-1].value
	var cuts []float64
	for b := 1; b < bins; b++ {
		t := float64(b) / float64(bins)
		c := float64(lo*(1-t)) + float64(hi*t)
		if c > lo && c <= hi && (len(cuts) == 0 || c > cuts[len(cuts)-1]) {
			cuts = append(cuts, c)
		}
	}
	return cuts
}

// between returns a number t with a < t <= b, the middle if possible: a
// threshold that separates a from b by v < t.
func between(a, b float64) float64 {
	t := a/2 + b/2
	if !(t > a && t <= b) || math.IsInf(t, 0) {
		return b
	}
	return t
}
