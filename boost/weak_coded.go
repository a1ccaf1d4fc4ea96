package boost

import "math"

// leftCodes has a 1 for each code of a column with these cuts that goes left.
func (n *Node) leftCodes(cuts []float64) *[maxBins]uint8 {
	cut := len(cuts)                 // of present values all, if the threshold is infinite
	if !math.IsInf(n.Threshold, 1) { // v < Threshold exactly when fewer cuts are <= v than are <= Threshold
		cut = int(code(n.Threshold, cuts)) - 1
	}
	left := new([maxBins]uint8)
	for c := range left {
		if c == len(cuts)+1 && n.MissingLeft || c != len(cuts)+1 && (n.In == nil && c <= cut || n.In != nil && n.In[c/32]>>(c%32)&1 != 0) {
			left[c] = 1
		}
	}
	return left
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
	type coded struct {
		codes []byte
		left  *[maxBins]uint8
		next  [2]int32 // on the right, and on the left
	}
	nodes := make([]coded, len(t.Nodes))
	codes := map[int][]byte{}
	for k := range t.Nodes {
		n := &t.Nodes[k]
		if codes[n.Column] == nil {
			codes[n.Column] = c.Codes(n.Column, make([]byte, c.Rows()))
		}
		nodes[k] = coded{codes[n.Column], n.leftCodes(c.Cuts(n.Column)), [2]int32{n.Right, n.Left}}
	}
	for i := range out {
		n := &nodes[0]
		k := n.next[n.left[n.codes[i]]&1]
		for k > 0 {
			n = &nodes[k]
			k = n.next[n.left[n.codes[i]]&1]
		}
		out[i] = t.Leaves[-k]
	}
}
