package cascade

import "slices"

// Cut returns c without verifiers, a network and a calibration, shortened to the last exit after
// at most n weak classifiers; nil if there is none. Features after the last that these
// use are dropped: trainers number them in the order of use. Slices are shared with c.
func (c *Cascade) Cut(n int) *Cascade {
	v := *c
	v.Verifier, v.Network, v.Calibration, v.Search.MinScore = nil, nil, nil, 0
	exits := 0
	for exits < len(c.Exits) && c.Exits[exits].After <= n {
		exits++
	}
	if exits == 0 {
		return nil
	}
	v.Exits = slices.Clip(c.Exits[:exits])
	for _, n := range []*int{&v.Search.RefineX, &v.Search.RefineY, &v.Search.InterLevel} {
		*n = min(*n, exits)
	}
	v.Weak = slices.Clip(c.Weak[:v.Exits[exits-1].After])
	used := 0
	for i := range v.Weak {
		w := &v.Weak[i]
		used = max(used, int(w.Feature)+1) // 0 of a tree
		for k := range w.Nodes {
			used = max(used, int(w.Nodes[k].Feature)+1)
		}
	}
	v.Features = slices.Clip(c.Features[:min(used, len(c.Features))])
	v.Cells = slices.Clip(c.Cells[:min(used, len(c.Cells))])
	return &v
}
