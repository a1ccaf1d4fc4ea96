package program

import (
	"haarlem/cascade"
)

// plainStumps returns the model's weak classifiers as stumps, or nil if it has others
// too.
func (p *Program) plainStumps() []stump {
	if p.model.Kind != cascade.Haar {
		return nil
	}
	stumps := make([]stump, 0, len(p.model.Weak))
	for i := range p.model.Weak {
		w := &p.model.Weak[i]
		if len(w.Nodes) != 1 || p.values[w.Nodes[0].Feature].general {
			return nil
		}
		n := &w.Nodes[0]
		v := &p.values[n.Feature]
		stumps = append(stumps, stump{v.record, v.shape, n.Threshold,
			float64(w.Leaves[-n.Left]), float64(w.Leaves[-n.Right])})
	}
	return stumps
}

// addStumps adds the leaves of stumps to a score.
func (p *Program) addStumps(score float64, stumps []stump, t []uint16, inv float32) float64 {
	for i := range stumps {
		s := &stumps[i]
		if float32(s.record.Value(s.shape, t, p.Pieces))*inv < s.threshold {
			score += s.left
		} else {
			score += s.right
		}
	}
	return score
}

// Exact evaluates the window at t, with an initial score, up to a number of exits. It
// adds leaves in the model's order in float64, as OpenCV does. It returns how many of
// these exits the window passes, and the margin of the score at the last one evaluated,
// which is negative if the window is rejected there.
func (p *Program) Exact(t []uint16, inv float32, start float64, exits int) (passed int, margin float64) {
	return p.exact(t, inv, start, 0, exits)
}

// Last returns the margin at the last exit of a window that passes all before it. It is
// that of Exact.
func (p *Program) Last(t []uint16, inv float32, start float64) (margin float64) {
	exits := p.model.Exits
	first := len(exits) - 1
	for first > 0 && !exits[first-1].Restart {
		first--
	}
	if first > 0 {
		start = 0
	}
	_, margin = p.exact(t, inv, start, first, len(exits))
	return margin
}

// exact is Exact from an exit on.
func (p *Program) exact(t []uint16, inv float32, start float64, first, exits int) (passed int, margin float64) {
	score, from := start, 0
	if first > 0 {
		from = p.model.Exits[first-1].After
	}
	for e := first; e < exits; e++ {
		x := p.model.Exits[e]
		if p.stumps != nil {
			score = p.addStumps(score, p.stumps[from:x.After], t, inv)
		} else {
			for w := from; w < x.After; w++ {
				score += float64(p.Leaf(w, t, inv))
			}
		}
		from = x.After
		margin = score - float64(x.Threshold)
		if margin < 0 {
			return e, margin
		}
		if x.Restart {
			score = 0
		}
	}
	return exits, margin
}

// Leaf returns the output of a weak classifier for the window at t.
func (p *Program) Leaf(number int, t []uint16, inv float32) float32 {
	w := &p.model.Weak[number]
	if w.Histogram() {
		v := p.values[w.Feature].float(t, inv)
		return w.Leaves[binOf(w, v)]
	}
	c := int32(0)
	for {
		n := &w.Nodes[c]
		var yes bool
		if p.model.Kind == cascade.LBP {
			code := p.values[n.Feature].code(t)
			yes = n.Subset[code>>5]>>(code&31)&1 != 0
		} else {
			yes = p.values[n.Feature].float(t, inv) < n.Threshold
		}
		if yes {
			c = n.Left
		} else {
			c = n.Right
		}
		if c <= 0 {
			return w.Leaves[-c]
		}
	}
}

// binOf returns the bin that the value v falls into.
func binOf(w *cascade.Weak, v float32) int {
	b := float32(v-w.Low) * w.Scale
	top := float32(len(w.Leaves) - 1)
	switch {
	case !(b > 0):
		return 0
	case !(b < top):
		return int(top)
	}
	return int(b)
}
