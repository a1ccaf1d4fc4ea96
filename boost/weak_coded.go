package boost

import "math"

// A coded is a node of a tree over codes instead of values.
type coded struct {
	codes       []byte
	cut         int // left are the codes of at most cut
	missing     int // the code of a missing value, or one beyond all
	missingLeft bool
	in          *[8]uint32
	left, right int32
}

// codedTree sets out[i] to the value of t for row i of quantised columns. The
// thresholds of t are cuts of these.
func codedTree(t *Tree, c Columns, out []float64) {
	if len(t.Nodes) == 0 {
		for i := range out {
			out[i] = t.Leaves[0]
		}
		return
	}
	nodes := make([]coded, len(t.Nodes))
	codes := map[int][]byte{}
	for k := range t.Nodes {
		n := &t.Nodes[k]
		if codes[n.Column] == nil {
			codes[n.Column] = c.Codes(n.Column, make([]byte, c.Rows()))
		}
		cuts := c.Cuts(n.Column)
		d := coded{codes: codes[n.Column], missing: len(cuts) + 1, missingLeft: n.MissingLeft, in: n.In, left: n.Left, right: n.Right}
		switch {
		case d.in != nil:
		case math.IsInf(n.Threshold, 1): // present values go left
			d.cut = len(cuts)
		default: // v < Threshold exactly when fewer cuts are <= v than are <= Threshold
			d.cut = int(code(n.Threshold, cuts)) - 1
		}
		nodes[k] = d
	}
	for i := range out {
		k := int32(0)
		for {
			n := &nodes[k]
			code := int(n.codes[i])
			var left bool
			switch {
			case code == n.missing:
				left = n.missingLeft
			case n.in != nil:
				left = n.in[code/32]>>(code%32)&1 != 0
			default:
				left = code <= n.cut
			}
			k = n.right
			if left {
				k = n.left
			}
			if k <= 0 {
				out[i] = t.Leaves[-k]
				break
			}
		}
	}
}
