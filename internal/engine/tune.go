package engine

import "context"

// These methods are for tests in package detector. They change how an engine that has
// searched nothing yet comes to its results, not the results.

// StopAfter compacts survivors after other numbers of weak classifiers, so that small
// cascades are compacted too.
func (e *Engine) StopAfter(weak ...int) { e.stopsAfter = weak }

// SweepThrough changes the number of segments of a sweep, where there are sweeps.
func (e *Engine) SweepThrough(segments int) { e.sweep = segments }

// Swept returns that number for images of a size.
func (e *Engine) Swept(ctx context.Context, width, height int) (int, error) {
	p, err := e.plan(ctx, width, height, nil)
	if err != nil {
		return 0, err
	}
	n := 0
	for i := range p.grids {
		n = max(n, p.grids[i].swept)
	}
	return n, nil
}
