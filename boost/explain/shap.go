package explain

import (
	"fmt"
	"math"

	"haarlem/boost"
)

// An Explainer distributes the score of a row over the columns by Shapley
// values: the contribution of a column to the score, averaged over all orders
// in which columns become known. At a split of an unknown column, a row goes
// both ways, weighted by the fractions of the background rows that go there.
//
// The values are exact. A tree of L leaves and depth D takes L D^2 operations.
//
// Lundberg, Erion and Lee, Consistent individualized feature attribution for tree
// ensembles (2018), Algorithm 2.
type Explainer struct {
	model *boost.Model
	trees []covered

	// Mean is the score of a row with all columns unknown: together with a
	// row's values it adds up to its score.
	Mean float64
}

// covered is a tree with the fraction of the background in each node.
type covered struct {
	tree   *boost.Tree
	coef   float64
	nodes  []float64 // weight of the background rows in each node
	leaves []float64
	mean   float64
}

// NewExplainer returns an explainer of a model of trees. The background is
// usually the data that the model was fitted on; nil means what the model holds of
// them by [boost.Model.Cover].
func NewExplainer(m *boost.Model, background *boost.Data) (*Explainer, error) {
	if background != nil {
		if err := m.Check(background); err != nil {
			return nil, err
		}
	}
	if m.Damping != 0 {
		return nil, fmt.Errorf("%w: its terms are not added up", ErrUnsupported)
	}
	e := &Explainer{model: m, Mean: m.Bias}
	var x []float64
	for k, term := range m.Terms {
		t, ok := term.Weak.(*boost.Tree)
		if !ok {
			return nil, fmt.Errorf("%w: term %d is a %T, want trees", ErrUnsupported, k, term.Weak)
		}
		c := covered{tree: t, coef: term.Coef, nodes: make([]float64, len(t.Nodes)), leaves: make([]float64, len(t.Leaves))}
		if background == nil {
			if len(t.Nodes) == 0 {
				t = &boost.Tree{Leaves: t.Leaves, Covers: []float64{1}}
			}
			if len(t.Covers) != len(t.Leaves) {
				return nil, fmt.Errorf("%w: term %d has no covers, and no background is given", ErrUnsupported, k)
			}
			copy(c.leaves, t.Covers)
			for n := len(t.Nodes) - 1; n >= 0; n-- { // children come after it
				c.nodes[n] = c.cover(t.Nodes[n].Left) + c.cover(t.Nodes[n].Right)
			}
		} else {
			for i := range background.Rows() {
				x = background.Row(x, i)
				w := weight(background.Weights, i)
				c.leaves[path(t, x, func(n int32) { c.nodes[n] += w })] += w
			}
		}
		total := 0.0
		for j, w := range c.leaves {
			total += w
			c.mean += float64(w * t.Leaves[j])
		}
		if total > 0 {
			c.mean /= total
		}
		c.mean *= term.Coef
		e.Mean += c.mean
		e.trees = append(e.trees, c)
	}
	return e, nil
}

// Explain adds the Shapley values of row x to dst, one per column, which it
// makes if it is nil, and returns it. It panics unless x and dst have a value
// per column.
func (e *Explainer) Explain(dst, x []float64) []float64 {
	if dst == nil {
		dst = make([]float64, e.model.Columns)
	}
	if len(x) != e.model.Columns || len(dst) != e.model.Columns {
		panic(fmt.Sprintf("explain: %d values and room for %d, want %d, one a column", len(x), len(dst), e.model.Columns))
	}
	for k := range e.trees {
		c := &e.trees[k]
		if len(c.tree.Nodes) > 0 {
			c.walk(dst, x, 0, nil, 1, 1, -1)
		}
	}
	return dst
}

// step is a column on the path to a leaf: the fraction of the background that
// continues if the column is unknown, whether the row continues if it is known,
// and the sum of the weights of the sets of columns of each size.
type step struct {
	column    int
	zero, one float64
	weight    float64
}

func (c *covered) cover(child int32) float64 {
	if child > 0 {
		return c.nodes[child]
	}
	return c.leaves[-child]
}

// walk goes down from a node, or a leaf if at is below 0 or a leaf's number.
func (c *covered) walk(phi, x []float64, at int32, way []step, zero, one float64, column int) {
	way = extend(way, zero, one, column)
	leaf := at < 0 || at == 0 && len(way) > 1
	if leaf {
		for k := 1; k < len(way); k++ {
			w := unwound(way, k)
			phi[way[k].column] += float64(w*(way[k].one-way[k].zero)) * float64(c.coef*c.tree.Leaves[-at])
		}
		return
	}
	n := &c.tree.Nodes[at]
	hot := n.Next(x)
	cold := n.Left
	if hot == n.Left {
		cold = n.Right
	}
	inZero, inOne := 1.0, 1.0
	for k := 1; k < len(way); k++ {
		if way[k].column == n.Column { // on the path before: remove that
			inZero, inOne = way[k].zero, way[k].one
			way = unwind(way, k)
			break
		}
	}
	all := c.nodes[at]
	share := func(child int32) float64 {
		if all > 0 {
			return c.cover(child) / all
		}
		return 0.5 // without background rows, either side is as good
	}
	c.walk(phi, x, hot, way, float64(inZero*share(hot)), inOne, n.Column)
	c.walk(phi, x, cold, way, float64(inZero*share(cold)), 0, n.Column)
}

// extend returns the path with one more column.
func extend(way []step, zero, one float64, column int) []step {
	n := len(way)
	out := make([]step, n+1)
	copy(out, way)
	out[n] = step{column: column, zero: zero, one: one}
	if n == 0 {
		out[n].weight = 1
	}
	for i := n - 1; i >= 0; i-- {
		out[i+1].weight += one * out[i].weight * float64(i+1) / float64(n+1)
		out[i].weight = zero * out[i].weight * float64(n-i) / float64(n+1)
	}
	return out
}

// unwind returns the path without step k.
func unwind(way []step, k int) []step {
	n := len(way) - 1
	out := make([]step, n+1)
	copy(out, way)
	next := out[n].weight
	for i := n - 1; i >= 0; i-- {
		if out[k].one != 0 {
			t := out[i].weight
			out[i].weight = next * float64(n+1) / (float64(i+1) * out[k].one)
			next = t - out[i].weight*out[k].zero*float64(n-i)/float64(n+1)
		} else {
			out[i].weight = out[i].weight * float64(n+1) / (out[k].zero * float64(n-i))
		}
	}
	for i := k; i < n; i++ {
		out[i].column, out[i].zero, out[i].one = out[i+1].column, out[i+1].zero, out[i+1].one
	}
	return out[:n]
}

// unwound returns the sum of the weights of the path without step k.
func unwound(way []step, k int) float64 {
	n := len(way) - 1
	one, zero := way[k].one, way[k].zero
	next, total := way[n].weight, 0.0
	for i := n - 1; i >= 0; i-- {
		if one != 0 {
			t := next * float64(n+1) / (float64(i+1) * one)
			total += t
			next = way[i].weight - t*zero*float64(n-i)/float64(n+1)
		} else if zero != 0 {
			total += way[i].weight / (zero * float64(n-i) / float64(n+1))
		}
	}
	if math.IsNaN(total) {
		return 0
	}
	return total
}
