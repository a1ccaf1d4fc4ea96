package engine

import "context"

// What follows is for tests, which are in package detector: it changes the way to
// the results of an engine that has searched nothing yet, not the results.

// StopAfter has lanes halt behind other numbers of weak learners than they
// would by themselves, so that small cascades come to packs too.
func (e *Engine) StopAfter(weak ...int) { e.stopsAfter = weak }

// SweepThrough has strips swept through another number of segments than they
// would by themselves, where they are swept at all.
func (e *Engine) SweepThrough(segments int) { e.sweep = segments }

// Swept is how many it is for pictures of a size.
func (e *Engine) Swept(ctx context.Context, width, height int) (int, error) {
	p, err := e.plan(ctx, width, height)
	if err != nil {
		return 0, err
	}
	n := 0
	for i := range p.grids {
		n = max(n, p.grids[i].swept)
	}
	return n, nil
}
