package detector

import (
	"cmp"
	"context"
	"image"
	"runtime"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/longsort"
	"haarlem/internal/network"
	"haarlem/internal/nms"
	"haarlem/internal/par"
)

// A net is a [cascade.Network] compiled.
type net struct {
	rule  nms.Rule // of suppression before the first step
	steps []netStep
}

type netStep struct {
	program *network.Program
	rule    nms.Rule // of suppression after it
	*cascade.NetworkStep
}

// compileNetwork compiles a network, which may be nil.
func compileNetwork(n *cascade.Network) (*net, error) {
	if n == nil {
		return nil, nil
	}
	m := &net{rule: nms.More(n.Overlap)}
	for i := range n.Steps {
		p, err := network.Compile(&n.Steps[i])
		if err != nil {
			return nil, err
		}
		m.steps = append(m.steps, netStep{p, nms.More(n.Steps[i].Overlap), &n.Steps[i]})
	}
	return m, nil
}

// squaresEach is the number of squares that a worker evaluates together.
const squaresEach = 8

// A netJob is the memory for examining the proposals of an image by a network.
type netJob struct {
	planes  network.Planes // of the image
	first   image.Point    // of its pixels that are searched
	rotated network.Planes // of a rotated copy, in grey
	grey    image.Gray     // the rotated copy
	crew    par.Group
	workers []*netWorker
	order   []rank
	buf     []rank
	boxes   []image.Rectangle
	kept    []proposal
	nms     nms.Suppressor

	// What the workers share.
	step      *netStep
	from      *network.Planes // planes or rotated
	origin    image.Point     // of what was searched, in from
	size      image.Point     // of what was searched
	quarters  int
	mirrored  bool
	proposals []proposal
	run       func(ctx context.Context, worker, task int) error // examineSome, as a value
}

// A netWorker is a goroutine's memory.
type netWorker struct {
	of      map[*network.Program]*network.Worker
	worker  *network.Worker // of the step
	cropper network.Cropper
	crops   []byte
	turned  []byte
	results []float64
}

// examine returns those of the proposals that pass n, with corrected boxes. The objects
// are rotated by a number of quarters.
func (j *netJob) examine(ctx context.Context, n *net, quarters int, proposals []proposal, workers int) ([]proposal, error) {
	if j.run == nil {
		j.run = j.examineSome
	}
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	j.quarters = quarters
	defer func() { j.proposals, j.step = nil, nil }()
	for i := range n.steps {
		var err error
		if proposals, err = j.pass(ctx, &n.steps[i], false, proposals, workers); err != nil {
			return nil, err
		}
		if s := &n.steps[i]; s.Mirror {
			// Those to examine come first.
			n := 0
			for k := range proposals {
				if proposals[k].margin >= s.MirrorFrom {
					proposals[n], proposals[k] = proposals[k], proposals[n]
					n++
				}
			}
			again, err := j.pass(ctx, s, true, proposals[:n], workers)
			if err != nil {
				return nil, err
			}
			proposals = append(again, proposals[n:]...)
		}
		if n.steps[i].Overlap < 1 {
			if proposals, err = j.suppress(ctx, proposals, n.steps[i].rule); err != nil {
				return nil, err
			}
		}
	}
	return proposals, nil
}

// pass returns those of the proposals that pass a step, with corrected boxes. If they are
// mirrored, they have passed it once.
func (j *netJob) pass(ctx context.Context, s *netStep, mirrored bool, proposals []proposal, workers int) ([]proposal, error) {
	tasks := (len(proposals) + squaresEach - 1) / squaresEach
	crew := max(min(workers, tasks), 1)
	for len(j.workers) < crew {
		j.workers = append(j.workers, &netWorker{of: map[*network.Program]*network.Worker{}})
	}
	for _, w := range j.workers[:crew] {
		if w.of[s.program] == nil {
			w.of[s.program] = s.program.NewWorker()
		}
		w.worker = w.of[s.program]
	}
	j.step, j.mirrored, j.proposals = s, mirrored, proposals
	if err := j.crew.Run(ctx, tasks, crew, j.run); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil { // during the last tasks
		return nil, err
	}
	return slices.DeleteFunc(proposals, func(p proposal) bool { return !(p.margin >= s.Threshold) }), nil
}

// A rank is a proposal's margin and number. They are less to move than proposals.
type rank struct {
	margin float64
	of     int32
}

// suppress returns the proposals that no better one suppresses by a rule, best first.
func (j *netJob) suppress(ctx context.Context, all []proposal, rule nms.Rule) ([]proposal, error) {
	j.order, j.boxes, j.kept = j.order[:0], j.boxes[:0], j.kept[:0]
	for i := range all {
		j.order = append(j.order, rank{all[i].margin, int32(i)})
	}
	var err error
	j.buf, err = longsort.Stable(ctx, j.order, j.buf, func(a, b rank) int {
		if a.margin != b.margin {
			return cmp.Compare(b.margin, a.margin)
		}
		return compareBoxes(all[a.of].box, all[b.of].box)
	})
	if err != nil {
		return nil, err
	}
	for _, r := range j.order {
		j.boxes = append(j.boxes, all[r.of].box)
	}
	kept, err := j.nms.Keep(ctx, j.boxes, rule)
	if err != nil {
		return nil, err
	}
	for _, i := range kept {
		j.kept = append(j.kept, all[j.order[i].of])
	}
	return all[:copy(all, j.kept)], nil
}

// examineSome examines the proposals of a task: sets their margins, and corrects their
// boxes.
func (j *netJob) examineSome(ctx context.Context, worker, task int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	w, s := j.workers[worker], j.step
	some := j.proposals[task*squaresEach : min((task+1)*squaresEach, len(j.proposals))]
	side := s.program.Side()
	bytes := side * side * network.Pixel
	w.crops = slices.Grow(w.crops[:0], squaresEach*bytes)[:len(some)*bytes]
	for i := range some {
		crop := w.crops[i*bytes : (i+1)*bytes]
		w.cropper.Crop(crop, j.from, network.Around(some[i].box.Add(j.origin), s.Sides), side)
		for range (4 - j.quarters) % 4 {
			w.quarter(crop, side)
		}
		if j.mirrored {
			network.Mirror(crop, side)
		}
	}
	w.results = w.worker.AppendCrops(w.results[:0], w.crops)
	outputs := s.program.Outputs()
	for i := range some {
		p, r := &some[i], w.results[i*outputs:(i+1)*outputs]
		if !j.mirrored {
			p.before = p.margin
			p.margin = float64(s.Carry*p.before) + r[0]
		} else {
			p.margin = (p.margin + float64(s.Carry*p.before) + r[0]) / 2
			if outputs > 1 {
				r[1] = -r[1]
			}
		}
		if outputs > 1 && p.margin >= s.Threshold {
			p.box = j.correct(p.box, [4]float64(r[1:5]))
		}
	}
	return nil
}

// quarter rotates a crop clockwise by a quarter: its left column becomes its top row.
func (w *netWorker) quarter(crop []byte, side int) {
	w.turned = append(w.turned[:0], crop...)
	for y := range side {
		for x := range side {
			from := ((side-1-x)*side + y) * network.Pixel
			copy(crop[(y*side+x)*network.Pixel:][:network.Pixel], w.turned[from:])
		}
	}
}

// correct corrects a box, upright as the network saw it.
func (j *netJob) correct(box image.Rectangle, by [4]float64) image.Rectangle {
	size := j.size
	b := turnBox(box, size, 4-j.quarters) // where the object is upright
	if j.quarters%2 != 0 {
		size.X, size.Y = size.Y, size.X
	}
	return turnBox(network.Correct(b, by), size, j.quarters)
}

// compareBoxes orders boxes by position.
func compareBoxes(a, b image.Rectangle) int {
	return cmp.Or(
		cmp.Compare(a.Min.Y, b.Min.Y),
		cmp.Compare(a.Min.X, b.Min.X),
		cmp.Compare(a.Dx(), b.Dx()),
	)
}
