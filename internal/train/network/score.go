package network

import (
	"context"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/network"
	"haarlem/internal/par"
)

// Survivors returns the photographs with what passes a step as their candidates, as the
// detector does: with a margin of at least its threshold, after suppression, with
// corrected boxes, the best first. 0 workers mean GOMAXPROCS.
func Survivors(ctx context.Context, photos []Photo, step *cascade.NetworkStep, workers int) ([]Photo, error) {
	program, err := network.Compile(step)
	if err != nil {
		return nil, err
	}
	type memory struct {
		worker  *network.Worker
		squares []network.Square
		results []float64
	}
	out := slices.Clone(photos)
	err = par.Each(ctx, len(photos), workers, func(m *memory, i int) error {
		if m.worker == nil {
			m.worker = program.NewWorker()
		}
		m.squares = m.squares[:0]
		for _, c := range photos[i].Candidates {
			m.squares = append(m.squares, c.Box.square(step.Sides))
		}
		m.results = m.worker.Append(m.results[:0], photos[i].Planes, m.squares)
		var passed []Candidate
		for k, c := range photos[i].Candidates {
			r := m.results[k*program.Outputs():][:program.Outputs()]
			if c.Margin = float64(step.Carry*c.Margin) + r[0]; c.Margin < step.Threshold {
				continue
			}
			if len(r) >= 5 {
				c.Box = c.Box.corrected([4]float64(r[1:]))
			}
			passed = append(passed, c)
		}
		var err error
		out[i].Candidates, err = suppress(ctx, passed, step.Overlap)
		return err
	}, nil)
	if err != nil {
		return nil, err
	}
	return out, nil
}
