package boost

import (
	"math"
)

// A split is a test of a column.
type split struct {
	loss        float64
	column      int // -1: there is none
	cut         int // left are the codes of at most cut
	missingLeft bool
	in          *block // of a categorical column: the codes on the left
}

var noSplit = split{loss: math.Inf(1), column: -1}

// before reports whether s is better than t: the smaller loss, then the earlier
// column. Splits of one column are compared in the order of cuts.
func (s split) before(t split) bool {
	if s.loss != t.loss {
		return s.loss < t.loss
	}
	return s.column >= 0 && (t.column < 0 || s.column < t.column)
}

// settling returns a number that rounds a loss to a multiple of about 2^-44 of
// the total when it is added and subtracted again. Equally good splits, as
// among few rows of equal weight, have losses that differ by the rounding of
// weights; after settling they are equal and the first wins, whatever rows and
// weights the same sums came from.
func settling(total float64) float64 {
	_, e := math.Frexp(total)
	return math.Ldexp(1.5, 8+e)
}

// heavier reports whether a weighs more than b by more than the rounding of
// labelled weights; a tie is a tie.
func heavier(a, b int64) bool { return a-b > (a+b)>>30 }

// left reports whether a code goes left, in a column with that many cuts.
func (s *split) left(code byte, cuts int) bool {
	if s.in != nil {
		return s.in.has(int(code))
	}
	if int(code) > cuts {
		return s.missingLeft
	}
	return int(code) <= s.cut
}

// node returns the node of a split, for a column with these cuts.
func (s *split) node(cuts []float64, left, right int32) Node {
	n := Node{Column: s.column, MissingLeft: s.missingLeft, Left: left, Right: right}
	if s.in == nil {
		n.Threshold = threshold(cuts, s.cut)
		return n
	}
	n.In, n.MissingLeft = s.in.levels(len(cuts)), len(cuts)+1 < maxBins && s.in.has(len(cuts)+1)
	return n
}
