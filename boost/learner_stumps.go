package boost

import "context"

// Stumps are trees of one node over quantised columns: the best threshold of
// the best column. Where no column can be split, a constant.
type Stumps struct {
	// Bins is the number of bins of a column, 2 to 256. 0 means 256.
	Bins int
	// Binning is the rule for the bins.
	Binning Binning
}

// Name returns "stumps".
func (*Stumps) Name() string { return "stumps" }

func (l *Stumps) prepare(p *Problem, s *Settings) (searcher, error) {
	f := &stumpSearch{}
	return f, f.prepare(p, l.Bins, l.Binning, s)
}

type stumpSearch struct {
	quantized
	tree treeSearch // for Newton steps
}

func (f *stumpSearch) newton() {}

func (f *stumpSearch) Outputs(w Weak, out []float64) error {
	f.tree.engine = f.engine
	return f.tree.Outputs(w, out)
}

func (f *stumpSearch) Find(ctx context.Context, q *query) (Weak, error) {
	if q.Newton != nil {
		f.tree.engine, f.tree.leaves, f.tree.depth = f.engine, 2, 1
		return f.tree.Find(ctx, q)
	}
	e := f.engine
	best, err := e.bestSplit(q.Criterion, e.over(ctx, q.Columns, e.weigh(q)))
	if err != nil {
		return nil, err
	}
	if best.column < 0 {
		s0, s1 := leafSums(q, q.Rows)
		return &Tree{Leaves: []float64{q.Leaf.value(s0, s1)}}, nil
	}
	cuts := e.cols.Cuts(best.column)
	s0, s1 := e.sideSums(q, best.column, func(code byte) bool { return best.left(code, len(cuts)) })
	return &Tree{
		Nodes:  []Node{best.node(cuts, 0, -1)},
		Leaves: []float64{q.Leaf.value(s0[0], s1[0]), q.Leaf.value(s0[1], s1[1])},
	}, nil
}
