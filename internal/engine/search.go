package engine

import (
	"cmp"
	"context"
	"slices"

	"haarlem/internal/longsort"
	"haarlem/internal/luma"
	"haarlem/internal/par"
)

// A Search is the memory for one search at a time. After the first image of a size it
// allocates nothing for others of that size.
type Search struct {
	runs    []*run // one for each cascade
	workers []*worker
	image   source
	frame   *Frame
	crew    par.Group
	units   func(ctx context.Context, worker, task int) error // a method value, made once
}

// A run is the part of a search that belongs to one cascade.
type run struct {
	s          *Search
	n          int // number in s, and of its form in workers
	e          *Engine
	plan       *plan     // for the size of the last image
	funnels    []*funnel // of the workers
	quota      quota
	batches    func(ctx context.Context, worker, task int) error // method values, made once
	cellsFound func(ctx context.Context, cells []cell) error

	hits       []hit
	sorting    []hit
	survivors  []survivors
	finder     cellFinder
	cells      []cell // being searched
	candidates []Candidate
}

// NewSearch returns memory for searches with e.
func (e *Engine) NewSearch() *Search { return NewSearch(e) }

// NewSearch returns memory for searches with several engines at once, which share the
// image pyramid, the integral images and the contrast of windows. All but the first are
// [Engine.Quarter] of the first.
func NewSearch(engines ...*Engine) *Search {
	s := &Search{}
	s.units = s.unit
	for n, e := range engines {
		r := &run{s: s, n: n, e: e}
		r.batches, r.cellsFound = r.batch, r.searchCells
		s.runs = append(s.runs, r)
	}
	return s
}

// Candidates returns the candidates of g, ordered by level, row and column. They are
// valid until the next call.
func (s *Search) Candidates(ctx context.Context, g luma.Plane) ([]Candidate, error) {
	if err := s.Search(ctx, g, nil); err != nil {
		return nil, err
	}
	return s.Found(ctx, 0)
}

// Found returns the candidates of the last search with engine n. They are valid until
// the next call for it.
func (s *Search) Found(ctx context.Context, n int) ([]Candidate, error) {
	r := s.runs[n]
	r.candidates = r.candidates[:0]
	for i, h := range r.hits {
		if i%(checkEvery/16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l := &r.plan.levels[levelOf(h.at)]
		x, y := l.position(h.at)
		r.candidates = append(r.candidates, Candidate{l.candidate(x, y), h.margin})
	}
	return r.candidates, nil
}

// Search searches g with all engines. frame is the part of g that is searched; nil means
// all of it.
func (s *Search) Search(ctx context.Context, g luma.Plane, frame *Frame) error {
	if err := s.prepare(ctx, g.Width, g.Height); err != nil {
		return err
	}
	first := s.runs[0]
	n := min(first.e.o.workers(), len(first.plan.units))
	if n == 0 {
		return nil
	}
	s.frame = frame
	defer func() { s.image.image, s.frame = luma.Plane{}, nil }()
	if err := s.begin(ctx, g, n); err != nil {
		return err
	}
	if err := s.crew.Run(ctx, len(first.plan.units), n, s.units); err != nil {
		return err
	}
	for _, r := range s.runs {
		if err := r.finish(ctx, n); err != nil {
			return err
		}
	}
	return nil
}

// prepare sets the plans for images of a size, and forgets what was found.
func (s *Search) prepare(ctx context.Context, width, height int) error {
	for _, r := range s.runs {
		r.hits = r.hits[:0]
	}
	if p := s.runs[0].plan; p != nil && p.width == width && p.height == height {
		return nil
	}
	if err := s.runs[0].e.checkEnlarged(width, height); err != nil {
		return err
	}
	p, err := s.runs[0].e.plan(ctx, width, height, s.runs[0].plan)
	if err != nil {
		return err
	}
	plans := []*plan{p}
	for _, r := range s.runs[1:] { // which have the same pyramid
		if p, err = r.e.planOn(ctx, width, height, p.levels, &r.e.order, r.plan); err != nil {
			return err
		}
		plans = append(plans, p)
	}
	for n, r := range s.runs {
		r.plan, r.funnels = plans[n], r.funnels[:0]
	}
	s.workers = s.workers[:0]
	return nil
}

// begin prepares n workers for g.
func (s *Search) begin(ctx context.Context, g luma.Plane, n int) error {
	for len(s.workers) < n {
		s.addWorker()
	}
	for _, r := range s.runs {
		r.begin(g.Width, g.Height, n)
	}
	return s.image.set(ctx, g, s.runs[0].plan.halved)
}

// addWorker allocates one more worker.
func (s *Search) addWorker() {
	var plans []*plan
	for _, r := range s.runs {
		plans = append(plans, r.plan)
	}
	w := newWorker(s.runs[0].e.setup, plans...)
	for n, r := range s.runs {
		f := newFunnel(r.e.setup, r.plan, &w.tables, &w.contrasts)
		f.judge.results.quota = &r.quota
		w.visitWith(n, f)
		r.funnels = append(r.funnels, f)
	}
	s.workers = append(s.workers, w)
}

// unit does a unit of the plan.
func (s *Search) unit(ctx context.Context, worker, task int) error {
	return s.workers[worker].unit(ctx, &s.image, s.runs[0].plan.units[task], s.frame)
}

// begin prepares for an image of a size and n workers.
func (r *run) begin(width, height, n int) {
	for i, w := range r.s.workers[:n] {
		f, k := &r.funnels[i].judge.results, &w.forms[r.n]
		f.hits, f.room, k.survivors = f.hits[:0], 0, k.survivors[:0]
	}
	r.quota.max, r.quota.width, r.quota.height = r.e.o.MaxCandidates, width, height
	r.quota.reserve(n, r.e.near.y > 0)
}

// finish searches the levels that are not dense, and sets r.hits.
func (r *run) finish(ctx context.Context, n int) error {
	r.survivors = r.survivors[:0]
	if r.plan.cells != nil {
		for _, w := range r.s.workers[:n] {
			r.survivors = append(r.survivors, w.forms[r.n].survivors...)
		}
		if err := r.finder.each(ctx, r.plan, r.survivors, r.cellsFound); err != nil {
			return err
		}
	}
	return r.collect(ctx, n)
}

// searchCells searches cells.
func (r *run) searchCells(ctx context.Context, cells []cell) error {
	r.cells = cells
	batch := r.plan.cells.batch
	return r.s.crew.Run(ctx, (len(cells)+batch-1)/batch, len(r.s.workers), r.batches)
}

// batch searches some of r.cells.
func (r *run) batch(ctx context.Context, worker, task int) error {
	batch := r.plan.cells.batch
	return r.s.workers[worker].cells(ctx, &r.s.image, r.n, r.cells[task*batch:min((task+1)*batch, len(r.cells))])
}

// collect sets r.hits to those of n workers, in order.
func (r *run) collect(ctx context.Context, n int) error {
	for _, f := range r.funnels[:n] {
		r.hits = append(r.hits, f.judge.results.hits...)
	}
	for i, f := range r.funnels[:n] {
		// Next time one worker may find them all.
		found, k := &f.judge.results, &r.s.workers[i].forms[r.n]
		found.hits, k.survivors = slices.Grow(found.hits[:0], len(r.hits)), slices.Grow(k.survivors[:0], len(r.survivors))
	}
	// Sums of scores depend on the order.
	var err error
	if r.sorting, err = longsort.Stable(ctx, r.hits, r.sorting, func(a, b hit) int { return cmp.Compare(a.at, b.at) }); err != nil {
		return err
	}
	if r.e.near.y > 0 { // two bands may have found the same window
		r.hits = slices.CompactFunc(r.hits, func(a, b hit) bool { return a.at == b.at })
	}
	if limit := r.e.o.MaxCandidates; limit > 0 && len(r.hits) > limit {
		return r.quota.err()
	}
	return nil
}
