package cascade

import "context"

// StopAfter has lanes halt behind other numbers of weak learners than they
// would by themselves, so that small cascades come to packs too.
func (d *Detector) StopAfter(weak ...int) { d.stopsAfter = weak }

// SweepThrough has strips swept through another number of segments than they
// would by themselves, where they are swept at all.
func (d *Detector) SweepThrough(segments int) { d.sweep = segments }

// Swept is how many it is for pictures of a size.
func (d *Detector) Swept(width, height int) int {
	n := 0
	p, err := d.newPlan(context.Background(), width, height)
	if err != nil {
		panic(err)
	}
	for _, prog := range p.programs {
		n = max(n, prog.swept)
	}
	return n
}
