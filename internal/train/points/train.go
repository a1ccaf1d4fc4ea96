// Package train trains landmark models: ensembles of regression trees that find
// points in the box of an object.
//
// A level is learned from new samples: examples in frames with a detector's
// errors, rotated, mirrored and degraded, with the points where the earlier
// levels leave them. Its trees are gradient boosting of the squared error
// (Kazemi and Sullivan, CVPR 2014) of the residuals, in the orientation and
// scale of the mean shape and along their principal components. The comparison
// of a node is the best of some pairs of features at the best of all
// thresholds. Leaves are integers from the first tree on, so that later trees
// correct the rounding.
package points

import (
	"context"
	"fmt"
	"math"

	"haarlem/internal/splitmix"
	"haarlem/landmarks"
)

// Run trains a model. It depends on the examples and settings only.
func Run(ctx context.Context, examples []Example, settings *Settings) (*landmarks.Model, error) {
	t := &trainer{examples: examples}
	if settings != nil {
		t.s = *settings
	}
	if len(examples) > 0 {
		t.s = t.s.with(len(examples[0].Points))
	}
	if err := t.s.check(examples); err != nil {
		return nil, err
	}
	t.model = &landmarks.Model{
		Name: t.s.Name, Notes: t.s.Notes, Box: t.s.Box, Eyes: t.s.Eyes,
		Side: t.s.Side, Reach: t.s.Reach,
	}
	t.begin()
	if err := t.levels(ctx); err != nil {
		return nil, err
	}
	return t.model, nil
}

// begin computes the frames, order and weights of the examples, and the mean shape of a
// model without one.
func (t *trainer) begin() {
	for _, e := range t.examples {
		t.frames = append(t.frames, landmarks.FrameOf(e.Points))
	}
	d := splitmix.Unnamed(t.s.Seed, 0)
	t.order = shuffled(&d, len(t.examples))
	if t.model.Mean == nil {
		t.mean()
	}
	t.weigh()
}

// levels trains all levels.
func (t *trainer) levels(ctx context.Context) error {
	if err := t.model.Check(); err != nil {
		return err
	}
	for i := range t.s.Levels {
		if err := t.level(ctx, i); err != nil {
			return err
		}
	}
	return nil
}

// Coarse trains the coarse levels of a model, whose points are those of the examples.
// Their boxes are the examples' Start, with the random errors of the settings besides.
// Name, Notes, Box, Eyes, Side and Reach of the settings are those of the model.
func Coarse(ctx context.Context, m *landmarks.Model, examples []Example, settings *Settings) error {
	t := &trainer{examples: examples}
	if settings != nil {
		t.s = *settings
	}
	t.s.Eyes, t.s.Side, t.s.Reach = m.Eyes, m.Side, m.Reach
	t.s = t.s.with(len(m.Mean))
	if err := t.s.check(examples); err != nil {
		return err
	}
	if n := len(examples[0].Points); n != len(m.Mean) {
		return fmt.Errorf("%w: examples have %d points, and the model has %d", ErrSettings, n, len(m.Mean))
	}
	own := *m
	own.Levels, own.Coarse = nil, nil
	t.model = &own
	t.begin()
	starts := make([]landmarks.Frame, len(examples))
	for i, f := range t.frames {
		if starts[i] = examples[i].Start; !(starts[i].Side() > 0) {
			starts[i] = f
		}
	}
	t.frames = starts
	if err := t.levels(ctx); err != nil {
		return err
	}
	m.Coarse = own.Levels
	return nil
}

// mean computes the mean shape.
func (t *trainer) mean() {
	n := len(t.examples[0].Points)
	sums := make([][2]float64, n)
	for i, e := range t.examples {
		for k, p := range e.Points {
			x, y := t.frames[i].Of(p)
			sums[k][0] += x
			sums[k][1] += y
		}
	}
	if t.s.Mirror != nil {
		both := make([][2]float64, n)
		for i, k := range t.s.Mirror {
			both[i] = [2]float64{(sums[i][0] - sums[k][0]) / 2, (sums[i][1] + sums[k][1]) / 2}
		}
		sums = both
	}
	scale := t.unit() / float64(len(t.examples))
	for _, s := range sums {
		t.model.Mean = append(t.model.Mean, landmarks.Vec{X: int32(round(float64(s[0] * scale))), Y: int32(round(float64(s[1] * scale)))})
	}
}

// features samples those of a level, which are closer to the points with each
// level.
func (t *trainer) features(level int, d *splitmix.Source) []landmarks.Feature {
	share := float64(level) / float64(max(t.s.Levels-1, 1))
	px := float64(t.s.Side) / t.s.Reach // of a side
	radius := float64(px * (0.45 - float64(0.33*share)))
	t.near = float64(px * (0.4 - float64(0.3*share)))
	t.positions = t.positions[:0]
	features := make([]landmarks.Feature, t.s.Features)
	for i := range features {
		p := i % len(t.model.Mean)
		if len(t.model.Mean) > t.s.Features {
			p = d.IntN(len(t.model.Mean))
		}
		x, y := disc(d)
		features[i] = landmarks.Feature{Point: p, Offset: landmarks.Vec{
			X: int32(round(float64(x * radius * landmarks.Unit))), Y: int32(round(float64(y * radius * landmarks.Unit))),
		}}
		m := t.model.Mean[p]
		t.positions = append(t.positions, [2]float64{
			float64(m.X+features[i].Offset.X) / landmarks.Unit, float64(m.Y+features[i].Offset.Y) / landmarks.Unit,
		})
	}
	return features
}

// level trains one level.
func (t *trainer) level(ctx context.Context, number int) error {
	d := splitmix.Unnamed(t.s.Seed, 2, number)
	l := landmarks.Level{Features: t.features(number, &d), Depth: t.s.Depth, Components: t.s.Components}
	s := t.draw(number, l.Features)
	left, steps := t.components(s, &l)

	leaf := make([]uint8, s.n)
	b := &block{bins: make([][bins]bin, t.s.Workers)}
	for i := range t.s.Trees {
		if err := ctx.Err(); err != nil {
			return err
		}
		from := 0
		if room := s.n - t.s.Block; room > 0 {
			from = i * t.s.Block % room
		}
		b.take(s, left, l.Components, from, t.s.Block, &d)
		nodes := t.grow(s, b, &d)
		values := t.setLeaves(s, nodes, leaf, left, steps, l.Components)
		l.Nodes = append(l.Nodes, nodes...)
		l.Leaves = append(l.Leaves, values...)
		if t.s.Progress != nil {
			t.s.Progress(number*t.s.Trees+i+1, t.s.Levels*t.s.Trees)
		}
	}
	t.model.Levels = append(t.model.Levels, l)
	return nil
}

// components computes the principal components of the residuals, and returns
// each sample's residual along each, and the value of 1 in a leaf.
func (t *trainer) components(s *samples, l *landmarks.Level) (left []int32, steps []float64) {
	n := 2 * len(t.model.Mean)
	sums := make([][]int64, parts)
	over(t.s.Workers, s.n, func(part, from, to int) {
		m := make([]int64, n*n)
		for i := from; i < to; i++ {
			r, w := s.residuals[i*n:][:n], int64(s.weight[i])
			for a, v := range r {
				wv := w * int64(v)
				for b, u := range r[:a+1] {
					m[a*n+b] += wv * int64(u)
				}
			}
		}
		sums[part] = m
	})
	cov := make([]float64, n*n)
	for a := range n {
		for b := range a + 1 {
			var v int64
			for _, m := range sums {
				if m != nil {
					v += m[a*n+b]
				}
			}
			cov[a*n+b], cov[b*n+a] = float64(v), float64(v)
		}
	}
	vectors, values := principal(cov, n)
	var weight int64
	for _, w := range s.weight {
		weight += int64(w)
	}
	for k := range l.Components {
		// Leaves are fractions of means, which are rarely beyond three standard
		// deviations.
		wide := math.Sqrt(max(values[k], 0) / float64(weight))
		step := max(float64(3*t.s.Shrinkage*wide)/127, 0x1p-10)
		steps = append(steps, step)
		for _, v := range vectors[k] {
			l.Basis = append(l.Basis, int32(round(float64(step*v*(1<<16)))))
		}
	}
	left = make([]int32, s.n*l.Components)
	over(t.s.Workers, s.n, func(_, from, to int) {
		for i := from; i < to; i++ {
			r := s.residuals[i*n:][:n]
			for k := range l.Components {
				var sum float64
				for j, v := range vectors[k] {
					sum += float64(v * float64(r[j]))
				}
				left[i*l.Components+k] = int32(round(sum))
			}
		}
	})
	return left, steps
}

// setLeaves sets the leaves of a tree, and subtracts them from the residuals.
func (t *trainer) setLeaves(s *samples, nodes []landmarks.Node, leaf []uint8, left []int32, steps []float64, components int) []int8 {
	leaves := len(nodes) + 1
	sums := make([][]int64, parts)
	wide := 1 + components
	over(t.s.Workers, s.n, func(part, from, to int) {
		m := make([]int64, leaves*wide)
		for i := from; i < to; i++ {
			n := 0
			for n < len(nodes) {
				node := nodes[n]
				n = 2*n + 1
				if int(s.columns[node.A][i])-int(s.columns[node.B][i]) > int(node.Above) {
					n++
				}
			}
			n -= len(nodes)
			leaf[i] = uint8(n)
			w := int64(s.weight[i])
			row := m[n*wide:][:wide]
			row[0] += w
			for k, c := range left[i*components:][:components] {
				row[1+k] += w * int64(c)
			}
		}
		sums[part] = m
	})
	total := make([]int64, leaves*wide)
	for _, m := range sums {
		for i, v := range m {
			total[i] += v
		}
	}
	values := make([]int8, leaves*components)
	takes := make([]int32, leaves*components)
	for n := range leaves {
		row := total[n*wide:][:wide]
		for k := range components {
			mean := float64(row[1+k]) / float64(row[0]+20*weightUnit)
			q := min(max(round(float64(t.s.Shrinkage*mean)/steps[k]), -127), 127)
			values[n*components+k] = int8(q)
			takes[n*components+k] = int32(round(float64(q * steps[k])))
		}
	}
	over(t.s.Workers, s.n, func(_, from, to int) {
		for i := from; i < to; i++ {
			row := left[i*components:][:components]
			for k, v := range takes[int(leaf[i])*components:][:components] {
				row[k] -= v
			}
		}
	})
	return values
}
