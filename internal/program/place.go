package program

import (
	"context"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/kernel/lanes"
)

// Only offsets depend on the layout, and the layout on the width of the image. So a
// cascade is compiled once, and its offsets are set for each layout.

// some is the number of weak classifiers, features or records between two checks of the
// context.
const some = 1 << 10

// In returns p for another layout. It fails only if ctx ends.
func (p *Program) In(ctx context.Context, l Layout) (*Program, error) {
	q := *p
	if err := q.place(ctx, &l); err != nil {
		return nil, err
	}
	q.Records = slices.Clone(p.Records)
	for i := range q.Records {
		if i%some == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		r, v := &q.Records[i], &q.values[p.sources[i].feature]
		if r.Off = v.record.Off; p.sources[i].turned {
			turn(r, v.shape)
		}
	}
	q.stumps = q.plainStumps()
	sure := p.sure.Segments
	q.sure = q.Program
	q.sure.Segments = sure
	return &q, q.measure(ctx)
}

// place sets p.values and p.Pieces for a layout.
func (p *Program) place(ctx context.Context, l *Layout) error {
	c := p.model
	p.values, p.Pieces = make([]compiled, 0, max(len(c.Cells), len(c.Features))), make([]lanes.Piece, 0, len(p.Pieces))
	if c.Kind == cascade.LBP {
		for i, cell := range c.Cells {
			if i%some == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			p.values = append(p.values, l.compileCell(cell))
		}
		return nil
	}
	for i := range c.Features {
		if i%some == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		v := l.compileHaar(&c.Features[i])
		v.record.Aux = int32(len(p.Pieces))
		p.Pieces = append(p.Pieces, v.pieces...)
		v.pieces = nil
		p.values = append(p.values, v)
	}
	for i := range p.values {
		if v := &p.values[i]; v.shape == lanes.Wide {
			v.pieces = p.Pieces
		}
	}
	return nil
}

// measure sets p.Reach.
func (p *Program) measure(ctx context.Context) error {
	p.Reach = 0
	for i := range p.Segments {
		if i%some == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		s := &p.Segments[i]
		shape, _ := lanes.Parts(s.Op)
		for k := range p.Records[s.First:][:s.N] {
			p.Reach = max(p.Reach, reach(&p.Records[int(s.First)+k], shape))
		}
	}
	for i := range p.Pieces {
		p.Reach = max(p.Reach, int(p.Pieces[i].Top), int(p.Pieces[i].Bottom))
	}
	p.sure.Reach = p.Reach
	return nil
}

// reach returns the largest offset that a record reads, or more.
func reach(r *lanes.Record, shape lanes.Shape) int {
	switch shape {
	case lanes.Grid:
		return int(slices.Max(r.Off[:4]) + slices.Max(r.Off[4:8]))
	case lanes.Edge:
		return int(r.Off[0] + max(0, r.Off[3]) + max(0, slices.Max(r.Off[1:3])))
	case lanes.Line:
		return int(r.Off[0] + max(0, r.Off[4]) + max(0, slices.Max(r.Off[1:4])))
	case lanes.Check:
		return int(r.Off[0] + max(0, slices.Max(r.Off[3:5])) + max(0, slices.Max(r.Off[1:3])))
	}
	return int(slices.Max(r.Off[:]))
}

// turn makes r the feature seen from its other side, with the opposite sign, and reports
// whether its shape allows that.
func turn(r *lanes.Record, shape lanes.Shape) bool {
	o := &r.Off
	switch shape {
	case lanes.Edge:
		o[0], o[3] = o[0]+o[3], -o[3]
	case lanes.Line:
		o[0], o[4] = o[0]+o[4], -o[4]
	case lanes.Pair:
		o[0], o[1], o[2], o[3] = o[2], o[3], o[0], o[1]
		o[4], o[5], o[6], o[7] = o[6], o[7], o[4], o[5]
	default:
		return false
	}
	return true
}
