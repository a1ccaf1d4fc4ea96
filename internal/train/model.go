package train

import (
	"bytes"
	"fmt"
	"image"
	"math"

	"haarlem/boost"
	"haarlem/cascade"
	"haarlem/haar"
)

// The cascade under construction.

// grid is the resolution of leaves and thresholds: sums of scores are then
// exact in the detector's lanes, and files are small.
const grid = 4096

// take replaces the step's weak classifiers with those of a boosting run.
func (t *trainer) take(run *boost.Run) error {
	t.c.Weak = t.c.Weak[:t.from]
	for _, term := range run.Result().Model.Terms {
		w, err := t.convert(term.Weak, term.Coef)
		if err != nil {
			return err
		}
		t.c.Weak = append(t.c.Weak, w)
	}
	return nil
}

// dropStep removes the weak classifiers of an unfinished step.
func (t *trainer) dropStep() {
	if n := len(t.c.Exits); n == 0 {
		t.c.Weak = nil
	} else {
		t.c.Weak = t.c.Weak[:t.c.Exits[n-1].After]
	}
}

// convert converts a weak learner over columns of codes to a weak classifier.
func (t *trainer) convert(w boost.Weak, coef float64) (cascade.Weak, error) {
	leaves := func(all []float64) (out []float32) {
		for _, v := range all {
			out = append(out, float32(math.Round(float64(v*coef)*grid)/grid))
		}
		return out
	}
	switch w := w.(type) {
	case *boost.Scaled:
		return t.convert(w.Of, float64(coef*w.Factor))
	case *boost.Histogram:
		return cascade.Weak{Feature: t.feature(w.Column), Low: t.columns.low[w.Column], Scale: t.columns.scale[w.Column], Leaves: leaves(w.Leaves)}, nil
	case *boost.Tree:
		if len(w.Nodes) == 0 { // a constant: a stump with two equal leaves
			w = &boost.Tree{Nodes: []boost.Node{{Threshold: 0.5, Left: 0, Right: -1}}, Leaves: []float64{w.Leaves[0], w.Leaves[0]}}
		}
		var out cascade.Weak
		for _, n := range w.Nodes {
			node := cascade.Node{Feature: t.feature(n.Column), Left: n.Left, Right: n.Right}
			if cut := int(min(n.Threshold, 1000) - 0.5); n.In != nil {
				node.Subset = *n.In
			} else if node.Threshold = math.MaxFloat32; cut < t.columns.bins-1 {
				node.Threshold = t.columns.threshold(n.Column, cut)
			}
			out.Nodes = append(out.Nodes, node)
		}
		out.Leaves = leaves(w.Leaves)
		return out, nil
	}
	return cascade.Weak{}, fmt.Errorf("train: a %T is no weak classifier of a cascade", w)
}

// feature returns the number of column j's feature in the cascade.
func (t *trainer) feature(j int) int32 {
	if t.s.Kind == cascade.LBP {
		return t.intern(haar.Feature{}, t.columns.cells[j])
	}
	return t.intern(t.columns.features[j], image.Rectangle{})
}

// intern returns the number of a feature, or of an LBP pattern's cell, in the
// cascade, and adds it if it is new.
func (t *trainer) intern(f haar.Feature, cell image.Rectangle) int32 {
	if t.s.Kind == cascade.LBP {
		k, ok := t.cells[cell]
		if !ok {
			k = int32(len(t.c.Cells))
			t.cells[cell] = k
			t.c.Cells = append(t.c.Cells, cell)
		}
		return k
	}
	k, ok := t.index[f]
	if !ok {
		k = int32(len(t.c.Features))
		t.index[f] = k
		t.c.Features = append(t.c.Features, f)
	}
	return k
}

// tidy numbers the features in the order in which weak classifiers use them,
// and removes those that only removed weak classifiers used.
func (t *trainer) tidy() {
	features, cells := t.c.Features, t.c.Cells
	t.c.Features, t.c.Cells = nil, nil
	clear(t.index)
	clear(t.cells)
	number := func(old int32) int32 {
		if t.s.Kind == cascade.LBP {
			return t.intern(haar.Feature{}, cells[old])
		}
		return t.intern(features[old], image.Rectangle{})
	}
	for i := range t.c.Weak {
		w := &t.c.Weak[i]
		if w.Histogram() {
			w.Feature = number(w.Feature)
		}
		for k := range w.Nodes {
			w.Nodes[k].Feature = number(w.Nodes[k].Feature)
		}
	}
}

// encoded returns the cascade without an unfinished step, in the native format;
// nil if that has no weak classifier.
func (t *trainer) encoded() ([]byte, error) {
	n := len(t.c.Exits)
	if n == 0 {
		return nil, nil
	}
	c := *t.c
	c.Weak = c.Weak[:c.Exits[n-1].After]
	var b bytes.Buffer
	err := c.Encode(&b)
	return b.Bytes(), err
}

// become replaces the cascade with what encoded returned.
func (t *trainer) become(encoded []byte) error {
	c := &cascade.Cascade{Kind: t.c.Kind, Width: t.c.Width, Height: t.c.Height, MinStdDev: t.c.MinStdDev, Search: t.c.Search}
	if len(encoded) > 0 {
		var err error
		if c, err = cascade.Read(bytes.NewReader(encoded), nil); err != nil {
			return err
		}
	}
	c.Name, c.Object, c.Provenance = t.c.Name, t.c.Object, t.c.Provenance
	t.c = c
	clear(t.index)
	clear(t.cells)
	for i, f := range c.Features {
		t.index[f] = int32(i)
	}
	for i, r := range c.Cells {
		t.cells[r] = int32(i)
	}
	return nil
}
