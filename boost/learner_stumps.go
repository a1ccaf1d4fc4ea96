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
		return oneLeaf(q), nil
	}
	cuts, codes := e.cols.Cuts(best.column), e.cols.Codes(best.column, e.scratch[0].codes[0])
	return &Tree{
		Nodes:  []Node{best.node(cuts, 0, -1)},
		Leaves: leafPair(q, func(i int) bool { return best.left(codes[i], len(cuts)) }),
	}, nil
}
