package boost

import "context"

// A half is one side of a split whose rows were not told apart.
type half struct {
	codes   []byte
	left    *[maxBins]uint8 // 1 for codes on the left
	side    uint8           // its own
	sibling int             // a leaf
}

// outputs sets out to the values of the leaves of all rows.
func (g *grower) outputs(values, out []float64) {
	// It has no end but its own: a round is not left halfway.
	_ = g.engine.parallel(context.Background(), len(g.leaves), 1, len(out), func(_, k, _ int) {
		l := &g.leaves[k]
		h := l.half
		switch {
		case h == nil && l.rows == nil:
			for i := range out {
				out[i] = values[k]
			}
		case h == nil:
			for _, r := range l.rows {
				out[r] = values[k]
			}
		case h.side == 1:
			var of [maxBins]float64
			for c := range of {
				of[c] = values[h.sibling]
				if h.left[c] == 1 {
					of[c] = values[k]
				}
			}
			if l.rows == nil {
				for i, c := range h.codes {
					out[i] = of[c]
				}
			}
			for _, r := range l.rows {
				out[r] = of[h.codes[r]]
			}
		}
	})
}

// newtonSums returns the sums of curvatures and gradients of a leaf. Those of
// integers are as good as those of the numbers themselves if the leaf is no tiny
// part of all.
func (g *grower) newtonSums(l *growing) (s0, s1 float64) {
	const tinyPart = 1 << (60 - 12)
	switch {
	case l.a >= tinyPart:
		return l.s0, l.s1
	case l.half == nil:
		return newtonSums(g.query, l.rows)
	}
	rows := make([]int32, 0, l.size)
	eachOf(l.rows, len(l.half.codes), func(i int) {
		if l.half.left[l.half.codes[i]] == l.half.side {
			rows = append(rows, int32(i))
		}
	})
	return newtonSums(g.query, rows)
}
