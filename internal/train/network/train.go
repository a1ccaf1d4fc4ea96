package network

import (
	"context"
	"math"
	"slices"

	"haarlem/cascade"
	"haarlem/internal/network"
	"haarlem/internal/par"
	"haarlem/internal/splitmix"
)

// Hooks are what a training calls and begins with. All fields may be nil.
type Hooks struct {
	// Progress is called after each iteration.
	Progress func(Progress)

	// Save keeps a checkpoint: after some iterations, and after the last one. An error
	// ends the training.
	Save func(*State) error

	// Resume is a checkpoint of the same photographs and settings.
	Resume *State
}

// Progress is how far a training is.
type Progress struct {
	What          string // "learn", "learn in 8 bits", "find hard examples", "measure"
	Iteration, Of int
}

// A Measure is how good a network is on samples drawn like those of the training,
// but unchanged and in equal shares.
type Measure struct {
	Label, Box float64 // mean losses
	Missed     float64 // share of objects that are missed when 1 per cent of the background passes
}

// A Result is a trained step.
type Result struct {
	Step cascade.NetworkStep

	// Float is how good the network was before its weights had 8 bits, Rounded just
	// after that, and Final at the end.
	Float, Rounded, Final Measure
}

type trainer struct {
	s         Settings
	v         *shape
	e         *examples
	now       state
	optimizer optimizer
	decays    []bool
	eight     *eight
	floats    numbers
	gradients [][]float32 // of each group of a minibatch
	passes    []*pass     // of each worker
	croppers  []*cropper
	outer     par.Group
	hooks     Hooks
}

// Train trains a step. It returns ctx's error if that ends.
func Train(ctx context.Context, photos []Photo, settings *Settings, hooks *Hooks) (*Result, error) {
	s, err := settings.withDefaults()
	if err != nil {
		return nil, err
	}
	t := &trainer{s: s}
	if hooks != nil {
		t.hooks = *hooks
	}
	if t.v, err = shapeOf(&s.Step); err != nil {
		return nil, err
	}
	if t.e, err = gather(photos, &t.s); err != nil {
		return nil, err
	}
	t.start()
	if t.hooks.Resume != nil {
		if err := t.restore(t.hooks.Resume); err != nil {
			return nil, err
		}
	}
	return t.loop(ctx)
}

// start makes the first state.
func (t *trainer) start() {
	n := t.v.parameters
	t.now = state{Fingerprint: t.fingerprint(), Parameters: make([]float32, n), Mean: make([]float32, n), Square: make([]float32, n)}
	t.decays = make([]bool, n)
	r := splitmix.New(t.s.Seed, "network weights")
	for i := range t.v.layers {
		l := &t.v.layers[i]
		if l.inputs == 0 {
			continue
		}
		// He and others, Delving Deep into Rectifiers (2015), equation 10.
		deviation := math.Sqrt(2 / float64(l.inputs))
		if l.last {
			deviation = 0.1 * math.Sqrt(1/float64(l.inputs))
		}
		for k := range l.inputs * l.toChannels {
			t.now.Parameters[l.weights+k] = float32(deviation * r.Normal())
			t.decays[l.weights+k] = true
		}
	}
	for range t.s.Batch / group {
		t.gradients = append(t.gradients, make([]float32, n))
	}
	for range t.s.Workers {
		t.passes, t.croppers = append(t.passes, newPass(t.v, group)), append(t.croppers, newCropper(t.v.side))
	}
	floats(t.now.Parameters, t.v, &t.s.Step)
	t.attach()
}

// attach makes what computes use the state's numbers.
func (t *trainer) attach() {
	t.optimizer = optimizer{t.now.Mean, t.now.Square}
	t.floats = numbers{parameters: t.now.Parameters}
	t.weigh()
	if t.now.Ranges != nil {
		t.eight = newEight(t.v, t.now.Ranges)
	}
}

// numbers returns those that the network computes with now.
func (t *trainer) numbers() *numbers {
	n := &t.floats
	if t.eight != nil {
		t.eight.quantize(t.now.Parameters)
		n = &t.eight.numbers
	}
	return n
}

func (t *trainer) loop(ctx context.Context) (*Result, error) {
	for t.now.Iteration < t.s.Iterations {
		if err := t.turn(ctx); err != nil {
			return nil, err
		}
		if err := t.iterate(ctx); err != nil {
			return nil, err
		}
		t.now.Iteration++
		t.progress("learn")
		if (t.now.Iteration%t.s.Save == 0 || t.now.Iteration == t.s.Iterations) && t.hooks.Save != nil {
			if err := t.hooks.Save(&State{t.now.clone()}); err != nil {
				return nil, err
			}
		}
	}
	return t.end(ctx)
}

// turn does what comes before some iterations: mining, and the change to 8 bits.
func (t *trainer) turn(ctx context.Context) error {
	i := t.now.Iteration
	if t.s.Hard > 0 && t.now.Mined < t.s.Mines && i >= t.s.mining(t.now.Mined) {
		t.progress("find hard examples")
		if err := t.mine(ctx); err != nil {
			return err
		}
		t.now.Mined++
	}
	if i < t.s.from8() || t.eight != nil {
		return nil
	}
	t.progress("measure")
	var err error
	if t.now.Float, err = t.measure(ctx, &t.floats); err != nil {
		return err
	}
	if t.now.Ranges, err = t.ranges(ctx); err != nil {
		return err
	}
	t.eight = newEight(t.v, t.now.Ranges)
	t.now.Rounded, err = t.measure(ctx, t.numbers())
	return err
}

// iterate learns from a minibatch.
func (t *trainer) iterate(ctx context.Context) error {
	n := t.numbers()
	n.transpose(t.v)
	if err := ctx.Err(); err != nil {
		return err
	}
	err := t.outer.Run(ctx, len(t.gradients), t.s.Workers, func(_ context.Context, worker, task int) error {
		t.learn(n, worker, task)
		return nil
	})
	if err != nil {
		return err
	}
	const part = 4096
	rate := t.s.rate(t.now.Iteration)
	err = t.outer.Run(ctx, (t.v.parameters+part-1)/part, t.s.Workers, func(_ context.Context, _, task int) error {
		from := task * part
		to := min(from+part, t.v.parameters)
		sum := t.gradients[0][from:to]
		for _, g := range t.gradients[1:] {
			for i, v := range g[from:to] {
				sum[i] += v
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	if t.eight != nil {
		t.eight.chain(t.gradients[0])
	}
	return t.outer.Run(ctx, (t.v.parameters+part-1)/part, t.s.Workers, func(_ context.Context, _, task int) error {
		from := task * part
		t.optimizer.step(t.now.Parameters, t.gradients[0], t.decays, from, min(from+part, t.v.parameters), t.now.Iteration+1, rate, decay)
		return nil
	})
}

// learn computes the gradient of one group of a minibatch.
func (t *trainer) learn(n *numbers, worker, task int) {
	p, c, gradient := t.passes[worker], t.croppers[worker], t.gradients[task]
	size := t.v.side * t.v.side * planes
	var targets [group]target
	for k := range targets {
		r := splitmix.Unnamed(t.s.Seed, t.now.Iteration, task*group+k)
		x := t.e.draw(&r)
		c.changed(t.e.photos[x.photo].Planes, &x, &t.s, &r)
		c.put(p.values[0][k*size:][:size], n)
		targets[k] = x.target
	}
	p.forward(n, group)
	clear(gradient)
	var sum losses // of which only the derivatives matter here
	slopes := make([]float32, group*t.v.outputs)
	for k := range targets {
		at := k * t.v.outputs
		loss(&sum, slopes[at:][:t.v.outputs], p.outputs()[at:][:t.v.outputs], &targets[k], 1/float64(t.s.Batch))
	}
	p.backward(n, group, slopes, gradient)
}

// progress reports how far the training is.
func (t *trainer) progress(what string) {
	if t.hooks.Progress == nil {
		return
	}
	if what == "learn" && t.eight != nil {
		what = "learn in 8 bits"
	}
	t.hooks.Progress(Progress{What: what, Iteration: t.now.Iteration, Of: t.s.Iterations})
}

// mine scores the background's candidates, for the hardness of each: some of them,
// in turn, if there are many. It uses the integer network, which is several times as
// fast and near enough.
func (t *trainer) mine(ctx context.Context) error {
	e := t.eight
	if e == nil {
		ranges, err := t.ranges(ctx)
		if err != nil {
			return err
		}
		e = newEight(t.v, ranges)
	}
	e.quantize(t.now.Parameters)
	program, err := network.Compile(e.step(&t.s.Step))
	if err != nil {
		return err
	}
	hardness := make([]float32, len(t.e.background))
	copy(hardness, t.now.Hardness)
	parts := max(1, (len(hardness)+maxMined-1)/maxMined)
	type memory struct {
		worker  *network.Worker
		squares []network.Square
		results []float64
	}
	photos := t.e.ofPhotos()
	err = par.Each(ctx, len(photos)-1, t.s.Workers, func(m *memory, p int) error {
		if m.worker == nil {
			m.worker = program.NewWorker()
		}
		photo := &t.e.photos[p]
		m.squares = m.squares[:0]
		chosen := func(do func(i int)) {
			for i := photos[p]; i < photos[p+1]; i++ {
				if i%parts == t.now.Mined%parts {
					do(i)
				}
			}
		}
		chosen(func(i int) {
			m.squares = append(m.squares, photo.Candidates[t.e.background[i].index].Box.square(t.s.Step.Sides))
		})
		m.results = m.worker.Append(m.results[:0], photo.Planes, m.squares)
		k := 0
		chosen(func(i int) {
			hardness[i] = float32(sigmoid(m.results[k]))
			k += program.Outputs()
		})
		return nil
	}, nil)
	if err != nil {
		return err
	}
	t.now.Hardness = hardness
	t.weigh()
	return nil
}

// weigh makes the running sums of hardness.
func (t *trainer) weigh() {
	t.e.hardness = t.e.hardness[:0]
	sum := 0.0
	for _, h := range t.now.Hardness {
		sum += float64(h) + 1e-4
		t.e.hardness = append(t.e.hardness, sum)
	}
}

// drawn returns n samples that depend on name only, those of odd numbers of the
// background.
func (t *trainer) drawn(name string, n int) []sample {
	all := make([]sample, n)
	for i := range all {
		r := splitmix.New(t.s.Seed, name, i)
		if i%2 == 0 {
			all[i] = t.e.drawObject(&r)
		} else {
			all[i] = t.e.candidate(t.e.background[r.IntN(len(t.e.background))])
		}
	}
	return all
}

// measured is the number of samples that a Measure is made of, and calibrated that
// of those that ranges are found with: fewer in short trainings.
func (t *trainer) measured() int   { return min(8192, group*t.s.Iterations) }
func (t *trainer) calibrated() int { return min(2048, group*t.s.Iterations) }

// each computes the outputs for unchanged samples, a group at a time, and calls done with
// the pass of a group, the first of whose samples is from.
func (t *trainer) each(ctx context.Context, n *numbers, samples []sample, done func(p *pass, worker, from, count int)) error {
	size := t.v.side * t.v.side * planes
	return t.outer.Run(ctx, (len(samples)+group-1)/group, t.s.Workers, func(ctx context.Context, worker, task int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		p, c := t.passes[worker], t.croppers[worker]
		from := task * group
		count := min(group, len(samples)-from)
		for k, x := range samples[from:][:count] {
			c.plain(t.e.photos[x.photo].Planes, x.box, t.s.Step.Sides, t.v.side)
			c.put(p.values[0][k*size:][:size], n)
		}
		p.forward(n, count)
		done(p, worker, from, count)
		return nil
	})
}

func (t *trainer) measure(ctx context.Context, n *numbers) (Measure, error) {
	samples := t.drawn("network measure", t.measured())
	outputs := make([]float32, len(samples)*t.v.outputs)
	err := t.each(ctx, n, samples, func(p *pass, _, from, count int) {
		copy(outputs[from*t.v.outputs:], p.outputs()[:count*t.v.outputs])
	})
	if err != nil {
		return Measure{}, err
	}
	var sum losses
	var objects, others []float32
	slopes := make([]float32, t.v.outputs)
	for i := range samples {
		out := outputs[i*t.v.outputs:][:t.v.outputs]
		loss(&sum, slopes, out, &samples[i].target, 1)
		switch samples[i].label {
		case object:
			objects = append(objects, out[0])
		case background:
			others = append(others, out[0])
		}
	}
	slices.Sort(others)
	limit := float32(math.Inf(-1))
	if len(others) > 0 {
		limit = others[len(others)*99/100]
	}
	missed := 0
	for _, m := range objects {
		if m <= limit {
			missed++
		}
	}
	return Measure{sum.Label / float64(max(sum.Labels, 1)), sum.Box / float64(max(sum.Boxes, 1)), float64(missed) / float64(max(len(objects), 1))}, nil
}

// ranges finds what an activation of 127 should stand for, of each channel of each
// layer.
func (t *trainer) ranges(ctx context.Context) ([][]float32, error) {
	samples := t.drawn("network ranges", t.calibrated())
	zeros := func() [][]float32 {
		all := make([][]float32, len(t.v.layers))
		for i := range all {
			all[i] = make([]float32, t.v.layers[i].toChannels)
		}
		return all
	}
	peaks, histograms := make([][][]float32, t.s.Workers), make([][][][bins]int32, t.s.Workers)
	largest := zeros()
	for w := range peaks {
		peaks[w], histograms[w] = zeros(), make([][][bins]int32, len(t.v.layers))
		for i := range t.v.layers {
			histograms[w][i] = make([][bins]int32, t.v.layers[i].toChannels)
		}
	}
	err := t.each(ctx, &t.floats, samples, func(p *pass, worker, _, count int) { p.peaks(peaks[worker], count) })
	if err != nil {
		return nil, err
	}
	for _, seen := range peaks {
		for i := range seen {
			for o, x := range seen[i] {
				largest[i][o] = max(largest[i][o], x)
			}
		}
	}
	err = t.each(ctx, &t.floats, samples, func(p *pass, worker, _, count int) { p.counts(histograms[worker], largest, count) })
	if err != nil {
		return nil, err
	}
	ranges := zeros()
	for i := range ranges {
		for o := range ranges[i] {
			h := &histograms[0][i][o]
			for _, more := range histograms[1:] {
				for b, n := range more[i][o] {
					h[b] += n
				}
			}
			ranges[i][o] = bestRange(h, largest[i][o])
		}
	}
	return ranges, nil
}

// end makes the result.
func (t *trainer) end(ctx context.Context) (*Result, error) {
	t.progress("measure")
	n := t.numbers()
	r := &Result{Float: t.now.Float, Rounded: t.now.Rounded}
	var err error
	if r.Final, err = t.measure(ctx, n); err != nil {
		return nil, err
	}
	r.Step = *t.eight.step(&t.s.Step)
	if r.Step.Threshold, err = t.threshold(ctx, n); err != nil {
		return nil, err
	}
	return r, r.Step.Check()
}

// threshold returns the margin that a share of recall of the objects' candidates
// reach.
func (t *trainer) threshold(ctx context.Context, n *numbers) (float64, error) {
	margins := make([]float64, len(t.e.similar))
	if len(margins) == 0 {
		return 0, nil
	}
	samples := make([]sample, len(margins))
	for i, x := range t.e.similar {
		samples[i] = t.e.candidate(x)
	}
	err := t.each(ctx, n, samples, func(p *pass, _, from, count int) {
		for k, x := range t.e.similar[from:][:count] {
			margins[from+k] = float64(t.s.Step.Carry*t.e.photos[x.photo].Candidates[x.index].Margin) + float64(p.outputs()[k*t.v.outputs])
		}
	})
	slices.Sort(margins)
	return margins[min(int(float64(len(margins))*(1-recall)), len(margins)-1)], err
}
