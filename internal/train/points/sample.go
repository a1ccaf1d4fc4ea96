package points

import (
	"context"
	"math"

	"haarlem/internal/par"
	"haarlem/internal/splitmix"
	"haarlem/landmarks"
)

// parts is the number of pieces that work over samples is cut into, for any
// number of workers.
const parts = 64

// over calls f for every part of the numbers below n.
func over(workers, n int, f func(part, from, to int)) {
	var g par.Group
	_ = g.Run(context.Background(), parts, min(workers, parts), func(_ context.Context, _, p int) error {
		if from, to := p*n/parts, (p+1)*n/parts; from < to {
			f(p, from, to)
		}
		return nil
	})
}

// samples are examples in one placement each, at the start of a level.
type samples struct {
	n         int
	columns   [][]uint8 // by feature
	residuals []int32   // residuals of the points, 2*points per sample, in the orientation and scale of the mean shape
	weight    []int32   // 1 to maxWeight
}

// maxWeight is the largest weight of a sample; one whose eyes are as far apart
// as in the mean shape has weightUnit.
const (
	weightUnit = 4
	maxWeight  = 16
)

// draw makes the samples of a level of the unfinished model, with the features
// of that level.
func (t *trainer) draw(level int, features []landmarks.Feature) *samples {
	points := len(t.model.Mean)
	s := &samples{n: t.s.Samples, residuals: make([]int32, t.s.Samples*2*points), weight: make([]int32, t.s.Samples)}
	for range features {
		s.columns = append(s.columns, make([]uint8, s.n))
	}
	programs := make([]*landmarks.Program, level)
	for i := range programs {
		programs[i] = landmarks.NewProgram(&t.model.Levels[i])
	}
	over(t.s.Workers, s.n, func(_, from, to int) {
		w := landmarks.NewWork(t.model)
		want := make([]landmarks.Vec, points)
		scratch := make([]byte, t.s.Side*t.s.Side)
		for i := from; i < to; i++ {
			d := splitmix.Unnamed(t.s.Seed, 1, level, i)
			e := t.order[i%len(t.order)]
			t.place(w, e, &d, want, scratch)
			for _, p := range programs {
				w.Move(p)
			}
			for k, v := range w.Values(features) {
				s.columns[k][i] = v
			}
			t.residuals(s.residuals[i*2*points:][:2*points], w, want)
			s.weight[i] = t.weights[e]
		}
	})
	return s
}

// place begins with one example, and computes its points in the patch.
func (t *trainer) place(w *landmarks.Work, example int, d *splitmix.Source, want []landmarks.Vec, scratch []byte) {
	e, f := &t.examples[example], t.frames[example]
	side, wild := f.A, 1.0
	if d.Chance(0.15) { // detectors' errors have heavier tails than a normal distribution
		wild = 2
	}
	f.X += float64(side * float64(t.s.Shift*float64(wild*d.Normal())))
	f.Y += float64(side * float64(t.s.Shift*float64(wild*d.Normal())))
	if by := float64(t.s.Size * float64(wild*d.Normal())); by > 0 {
		f.A *= 1 + by
	} else {
		f.A /= 1 - by
	}
	turn := d.Between(-1, 1)
	if d.Chance(0.65) {
		turn = float64(d.Normal() * 0.2)
	}
	f = f.Turned(float64(turn * t.s.Turn))
	w.Begin(e.Plane.Gray(), f)
	unit := t.unit()
	for i, p := range e.Points {
		x, y := f.Of(p)
		want[i] = landmarks.Vec{X: int32(round(float64(x * unit))), Y: int32(round(float64(y * unit)))}
	}
	if t.s.Mirror != nil && d.Chance(0.5) {
		flip(w.Patch(), t.s.Side)
		for i, k := range t.s.Mirror {
			if i <= k {
				want[i], want[k] = want[k], want[i]
				want[i].X = -want[i].X
				if i != k {
					want[k].X = -want[k].X
				}
			}
		}
	}
	degrade(w.Patch(), t.s.Side, d, scratch)
	w.Settle()
}

// flip mirrors a patch.
func flip(pix []byte, side int) {
	for y := range side {
		row := pix[y*side:][:side]
		for i, j := 0, side-1; i < j; i, j = i+1, j-1 {
			row[i], row[j] = row[j], row[i]
		}
	}
}

// residuals computes the residuals of the points, in the orientation and scale of
// the mean shape.
func (t *trainer) residuals(dst []int32, w *landmarks.Work, want []landmarks.Vec) {
	ia, ib := w.Turn()
	a, b := float64(ia)*0x1p-14, float64(ib)*0x1p-14
	s := max(float64(a*a)+float64(b*b), 0x1p-8)
	largest := float64(t.s.Side * landmarks.Unit)
	for i, p := range w.Shape {
		x, y := float64(want[i].X-p.X), float64(want[i].Y-p.Y)
		dst[2*i] = int32(round(min(max((float64(a*x)+float64(b*y))/s, -largest), largest)))
		dst[2*i+1] = int32(round(min(max((float64(a*y)-float64(b*x))/s, -largest), largest)))
	}
}

// weigh sets the weights of examples by the distance of their eyes, in which
// errors are measured.
func (t *trainer) weigh() {
	eyes := func(a, b landmarks.Point) float64 {
		x, y := a.X-b.X, a.Y-b.Y
		return math.Sqrt(float64(x*x) + float64(y*y))
	}
	l, r := t.model.Mean[t.s.Eyes[0]], t.model.Mean[t.s.Eyes[1]]
	usual := eyes(landmarks.Point{X: float64(l.X), Y: float64(l.Y)}, landmarks.Point{X: float64(r.X), Y: float64(r.Y)}) / t.unit()
	t.weights = make([]int32, len(t.examples))
	for i := range t.examples {
		p := t.examples[i].Points
		d := eyes(p[t.s.Eyes[0]], p[t.s.Eyes[1]]) / t.frames[i].A / usual
		t.weights[i] = int32(min(max(round(weightUnit/max(float64(d*d), 0.01)), 1), maxWeight))
	}
}
