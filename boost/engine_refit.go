package boost

import "math"

// refit returns a tree with the nodes of t and leaves for the query, of all rows.
func (g *grower) refit(t *Tree) *Tree {
	g.leaves = append(g.leaves[:0], growing{size: g.engine.rows})
	parts := make([]int, len(t.Nodes)) // the leaf that each node parts
	for i := range t.Nodes {
		n := &t.Nodes[i]
		k := parts[i]
		if n.Left > 0 {
			parts[n.Left] = k
		}
		if n.Right > 0 {
			parts[n.Right] = i + 1
		}
		l := &g.leaves[k]
		codes := g.engine.cols.Codes(n.Column, g.engine.scratch[0].codes[0])
		left := g.divide(l, codes, n.leftCodes(g.engine.cols.Cuts(n.Column)))
		right := l.rows[left:]
		l.rows, l.size = l.rows[:left], left
		g.leaves = append(g.leaves, growing{rows: right, size: len(right)})
	}
	refitted := &Tree{Nodes: t.Nodes, Leaves: make([]float64, len(g.leaves))}
	for k := range g.leaves {
		h, s := newtonSums(g.query, g.leaves[k].rows)
		refitted.Leaves[k] = g.query.Newton.value(h, s, math.Inf(-1), math.Inf(1))
	}
	return refitted
}
