package boost

// coverRows bounds the rows by which a model is covered.
const coverRows = 5000

// Cover notes in each tree how many rows of d come to each leaf, by weight, of at
// most 5,000 rows that are spread over d. The files of the model keep that, so that
// rows are explained without other data.
func (m *Model) Cover(d *Data) error {
	if err := m.Check(d); err != nil {
		return err
	}
	var trees []*Tree
	for k, term := range m.Terms {
		if t, ok := term.Weak.(*Tree); ok {
			// Other models may share it.
			t = &Tree{Nodes: t.Nodes, Leaves: t.Leaves, Covers: make([]float64, len(t.Leaves))}
			m.Terms[k].Weak, trees = t, append(trees, t)
		}
	}
	var x []float64
	n := min(d.Rows(), coverRows)
	for k := range n {
		i := int(int64(k) * int64(d.Rows()) / int64(n))
		x = d.Row(x, i)
		for _, t := range trees {
			t.Covers[t.leaf(x)] += weightOf(d.Weights, i)
		}
	}
	return nil
}

// Cover is [Model.Cover] of all classes.
func (m *MultiModel) Cover(d *Data) error {
	for _, one := range m.Models {
		if err := one.Cover(d); err != nil {
			return err
		}
	}
	return nil
}
