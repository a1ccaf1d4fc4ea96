package engine

import (
	"cmp"
	"context"
	"slices"

	"haarlem/integral"
	"haarlem/internal/longsort"
	"haarlem/internal/par"
)

// A Search is the memory for searching one image at a time. After a first image of
// a size it takes no more for others of that size.
type Search struct {
	e       *Engine
	plan    *plan // of the size that was searched last
	workers []*worker
	funnels []*funnel // of the workers
	image   source
	quota   quota
	crew    par.Group
	units   func(ctx context.Context, worker, task int) error // methods, as values
	batches func(ctx context.Context, worker, task int) error
	look    func(ctx context.Context, cells []cell) error

	hits       []hit
	sorting    []hit
	survivors  []survivors
	asked      askedCells
	cells      []cell // to look at
	candidates []Candidate
}

// NewSearch returns memory for searches with e.
func (e *Engine) NewSearch() *Search {
	s := &Search{e: e}
	s.units, s.batches, s.look = s.unit, s.batch, s.lookAt
	return s
}

// Candidates returns the windows of g that pass the cascade, ordered by level, row
// and column. They are valid until the next call.
func (s *Search) Candidates(ctx context.Context, g integral.Grey) ([]Candidate, error) {
	s.candidates = s.candidates[:0]
	if err := s.search(ctx, g); err != nil {
		return nil, err
	}
	for i, h := range s.hits {
		if i%(checkEvery/16) == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		l := &s.plan.levels[levelOf(h.at)]
		x, y := l.place(h.at)
		s.candidates = append(s.candidates, Candidate{l.candidate(x, y), h.margin})
	}
	return s.candidates, nil
}

// search fills s.hits.
func (s *Search) search(ctx context.Context, g integral.Grey) error {
	s.hits = s.hits[:0]
	if err := s.prepare(ctx, g.Width, g.Height); err != nil {
		return err
	}
	if len(s.plan.units) == 0 {
		return nil
	}
	o := &s.e.o
	n := min(o.workers(), len(s.plan.units))
	for len(s.workers) < n {
		w := newWorker(s.e.setup, s.plan)
		f := newFunnel(s.e.setup, s.plan, &w.tables, &w.contrasts)
		f.judge.results.quota = &s.quota
		w.visitWith(f)
		s.workers, s.funnels = append(s.workers, w), append(s.funnels, f)
	}
	for i := range n {
		r := &s.funnels[i].judge.results
		r.hits, r.room, s.workers[i].survivors = r.hits[:0], 0, s.workers[i].survivors[:0]
	}
	s.quota.max, s.quota.width, s.quota.height = o.MaxCandidates, g.Width, g.Height
	s.quota.reserve(n, s.e.near.y > 0)
	defer func() { s.image.image = integral.Grey{} }()
	if err := s.image.set(ctx, g, s.plan.halved); err != nil {
		return err
	}
	if err := s.crew.Run(ctx, len(s.plan.units), n, s.units); err != nil {
		return err
	}
	s.survivors = s.survivors[:0]
	if s.plan.cells != nil {
		for _, w := range s.workers[:n] {
			s.survivors = append(s.survivors, w.survivors...)
		}
		if err := s.asked.each(ctx, s.plan, s.survivors, s.look); err != nil {
			return err
		}
	}
	return s.collect(ctx, n)
}

// prepare makes the plan one for images of a size.
func (s *Search) prepare(ctx context.Context, width, height int) error {
	if s.plan != nil && s.plan.width == width && s.plan.height == height {
		return nil
	}
	if err := s.e.checkEnlarged(width, height); err != nil {
		return err
	}
	p, err := s.e.plan(ctx, width, height)
	if err != nil {
		return err
	}
	s.plan, s.workers, s.funnels = p, s.workers[:0], s.funnels[:0]
	return nil
}

// unit does a unit of the plan.
func (s *Search) unit(ctx context.Context, worker, task int) error {
	return s.workers[worker].unit(ctx, &s.image, s.plan.units[task])
}

// lookAt looks at cells.
func (s *Search) lookAt(ctx context.Context, cells []cell) error {
	s.cells = cells
	batch := s.plan.cells.batch
	n := min(s.e.o.workers(), len(s.plan.units))
	return s.crew.Run(ctx, (len(cells)+batch-1)/batch, n, s.batches)
}

// batch looks at some of s.cells.
func (s *Search) batch(ctx context.Context, worker, task int) error {
	batch := s.plan.cells.batch
	return s.workers[worker].cells(ctx, &s.image, s.cells[task*batch:min((task+1)*batch, len(s.cells))])
}

// collect puts what n workers have found into s.hits, in order.
func (s *Search) collect(ctx context.Context, n int) error {
	for _, f := range s.funnels[:n] {
		s.hits = append(s.hits, f.judge.results.hits...)
	}
	for i, f := range s.funnels[:n] {
		// Next time any of them may find it all.
		r, w := &f.judge.results, s.workers[i]
		r.hits, w.survivors = slices.Grow(r.hits[:0], len(s.hits)), slices.Grow(w.survivors[:0], len(s.survivors))
	}
	// Scores of groups are sums in this order.
	var err error
	if s.sorting, err = longsort.Stable(ctx, s.hits, s.sorting, func(a, b hit) int { return cmp.Compare(a.at, b.at) }); err != nil {
		return err
	}
	if s.e.near.y > 0 { // two bands may have looked at the same window
		s.hits = slices.CompactFunc(s.hits, func(a, b hit) bool { return a.at == b.at })
	}
	if most := s.e.o.MaxCandidates; most > 0 && len(s.hits) > most {
		return s.quota.err()
	}
	return nil
}
