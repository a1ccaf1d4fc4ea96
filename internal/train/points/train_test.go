package points

import (
	"bytes"
	"context"
	"errors"
	"hash/fnv"
	"math"
	"slices"
	"strings"
	"testing"

	"haarlem/internal/luma"
	"haarlem/internal/must"
	"haarlem/internal/splitmix"
	"haarlem/landmarks"
)

// drawn returns a synthetic object: a grey disc with two dark spots, of which
// the right one is the larger, and a bright one below. Its three points are the
// spots.
func drawn(seed int) Example {
	const side = 60
	d := splitmix.Unnamed(uint64(seed), 9)
	f := landmarks.Frame{X: 30 + float64(d.Normal()), Y: 30 + float64(d.Normal()), A: d.Between(26, 32)}.Turned(d.Between(-20, 20))
	spots := [3]struct{ x, y, radius, level float64 }{
		{-0.25 + 0.03*d.Normal(), -0.15, 0.07, -70},
		{0.25 + 0.03*d.Normal(), -0.15, 0.1, -70},
		{0.04 * d.Normal(), 0.25 + 0.03*d.Normal(), 0.09, 80},
	}
	g := luma.Plane{Pix: make([]byte, side*side), Stride: side, Width: side, Height: side}
	for y := range side {
		for x := range side {
			p, q := f.Of(landmarks.Point{X: float64(x) + 0.5, Y: float64(y) + 0.5})
			v := 60 + 20*d.Float64()
			if p*p+q*q < 0.3 {
				v += 70
			}
			for _, s := range spots {
				far := math.Hypot(p-s.x, q-s.y) / s.radius
				v += s.level * min(max(1.5-far, 0), 1)
			}
			g.Pix[y*side+x] = byte(min(max(v, 0), 255))
		}
	}
	e := Example{Name: "drawn", Plane: g}
	for _, s := range spots {
		e.Points = append(e.Points, f.At(s.x, s.y))
	}
	return e
}

func examples(from, n int) []Example {
	var all []Example
	for i := range n {
		all = append(all, drawn(from+i))
	}
	return all
}

func small() *Settings {
	return &Settings{
		Name: "spots", Notes: []string{"drawn"}, Box: landmarks.Convention{Name: "frame", Side: 1},
		Eyes: [2]int{0, 1}, Levels: 4, Trees: 40, Depth: 3, Features: 60, Side: 32, Reach: 2,
		Samples: 1500, Block: 1500, Pairs: 20, Shrinkage: 0.2, Turn: 10, Seed: 1,
	}
}

func model(t *testing.T, s *Settings) *landmarks.Model {
	t.Helper()
	return must.Get(Run(context.Background(), examples(0, 150), s))
}

func encoded(t *testing.T, m *landmarks.Model) []byte {
	t.Helper()
	return must.Bytes(m.Encode)
}

// errorOf returns the mean error on new objects, with errors of the frames, as
// a fraction of the distance of the eyes.
func errorOf(t *testing.T, m *landmarks.Model) float64 {
	t.Helper()
	p := must.Get(landmarks.NewPredictor(m))
	var sum float64
	all := examples(10_000, 60)
	d := splitmix.Unnamed(5)
	for _, e := range all {
		f := landmarks.FrameOf(e.Points)
		f.X += f.A * 0.06 * d.Normal()
		f.Y += f.A * 0.06 * d.Normal()
		f.A *= 1 + 0.1*d.Between(-1, 1)
		eyes := math.Hypot(e.Points[0].X-e.Points[1].X, e.Points[0].Y-e.Points[1].Y)
		for i, q := range p.Points(nil, e.Plane.Gray(), f) {
			sum += math.Hypot(q.X-e.Points[i].X, q.Y-e.Points[i].Y) / eyes / float64(len(e.Points)*len(all))
		}
	}
	return sum
}

// A model generalises to new objects, and each level improves it.
func TestRunLearns(t *testing.T) {
	m := model(t, small())
	all := m.Levels
	m.Levels = nil
	last := errorOf(t, m)
	if last < 0.15 {
		t.Fatalf("the mean shape is only %.3f off: nothing to learn", last)
	}
	for _, n := range []int{1, 2, 4} {
		m.Levels = all[:n]
		e := errorOf(t, m)
		if e >= last {
			t.Errorf("with %d levels the error is %.3f, before it was %.3f", n, e, last)
		}
		last = e
	}
	if last > 0.09 {
		t.Errorf("the error is %.3f, want at most 0.09", last)
	}
	if m.Name != "spots" || !slices.Equal(m.Notes, []string{"drawn"}) || m.Box.Name != "frame" || m.Eyes != [2]int{0, 1} {
		t.Errorf("the model calls itself %q, %q, %v, %v", m.Name, m.Notes, m.Box, m.Eyes)
	}
}

// Coarse levels find the frame in boxes that are off in a way that the picture shows: to
// the side of the larger spot. They change nothing else, and repeat.
func TestCoarse(t *testing.T) {
	s := small()
	s.Levels, s.Trees = 2, 20
	m := model(t, s)
	off := func(e Example) landmarks.Frame {
		f := landmarks.FrameOf(e.Points)
		f.X += 0.3 * (e.Points[1].X - e.Points[0].X)
		f.Y += 0.3 * (e.Points[1].Y - e.Points[0].Y)
		f.A *= 1.2
		return f
	}
	all := examples(0, 150)
	for i := range all {
		all[i].Start = off(all[i])
	}
	before := encoded(t, m)
	s.Shift, s.Size = 0.02, 0.02
	if err := Coarse(context.Background(), m, all, s); err != nil || len(m.Coarse) != 2 {
		t.Fatalf("%d coarse levels, %v", len(m.Coarse), err)
	}
	after := encoded(t, m)
	s.Workers = 3
	if err := Coarse(context.Background(), m, all, s); err != nil || !bytes.Equal(encoded(t, m), after) {
		t.Errorf("again they are others, %v", err)
	}
	m.Box.Boxes = landmarks.Rough
	p := must.Get(landmarks.NewPredictor(m))
	plain := *m
	plain.Coarse = nil
	if !bytes.Equal(encoded(t, &plain), before) {
		t.Error("more than the coarse levels changed")
	}
	twice := must.Get(landmarks.NewPredictor(&plain))
	var with, without float64
	for _, e := range examples(10_000, 60) {
		f := off(e)
		a, b := p.Points(nil, e.Plane.Gray(), f), twice.Points(nil, e.Plane.Gray(), f)
		for i, q := range e.Points {
			with += math.Hypot(a[i].X-q.X, a[i].Y-q.Y)
			without += math.Hypot(b[i].X-q.X, b[i].Y-q.Y)
		}
	}
	if with > 0.9*without {
		t.Errorf("errors sum to %.1f pixels with coarse levels, %.1f without", with, without)
	}
	if err := Coarse(context.Background(), m, nil, s); !errors.Is(err, ErrSettings) {
		t.Errorf("without examples: %v", err)
	}
	two := slices.Clone(all)
	for i := range two {
		two[i].Points = two[i].Points[:2]
	}
	if err := Coarse(context.Background(), m, two, s); !errors.Is(err, ErrSettings) || !strings.Contains(err.Error(), "the model has 3") {
		t.Errorf("examples of two points: %v", err)
	}
}

// The model depends on data and settings only.
func TestRunRepeats(t *testing.T) {
	s := small()
	s.Levels, s.Trees, s.Workers = 2, 10, 1
	one := encoded(t, model(t, s))
	for _, workers := range []int{2, 7} {
		s.Workers = workers
		if !bytes.Equal(encoded(t, model(t, s)), one) {
			t.Errorf("%d workers made another model", workers)
		}
	}
	s.Seed = 2
	if bytes.Equal(encoded(t, model(t, s)), one) {
		t.Error("another seed made the same model")
	}
}

// The mean shape of mirror images is its own mirror image, and a placed example
// has its points where they are in the image, mirrored or not.
func TestMirror(t *testing.T) {
	s := small()
	s.Mirror = []int{1, 0, 2}
	s.Levels, s.Trees, s.Samples, s.Block = 1, 1, 100, 100
	m := model(t, s)
	if a, b := m.Mean[0], m.Mean[1]; a.X > -b.X+1 || a.X < -b.X-1 || a.Y != b.Y || m.Mean[2].X > 1 || m.Mean[2].X < -1 {
		t.Errorf("the mean shape is %v", m.Mean)
	}
	tr := &trainer{s: s.with(3), examples: examples(0, 1), model: m}
	tr.frames = []landmarks.Frame{landmarks.FrameOf(tr.examples[0].Points)}
	w := landmarks.NewWork(m)
	want := make([]landmarks.Vec, 3)
	larger := [2]int{}
	for i := range 40 {
		d := splitmix.Unnamed(3, i)
		tr.place(w, 0, &d, want, make([]byte, s.Side*s.Side))
		if want[0].X > want[1].X {
			t.Errorf("placement %d: the left spot is at %v, the right one at %v", i, want[0], want[1])
		}
		// The right spot is the larger one; in a mirror image the left one is.
		dark := func(v landmarks.Vec) (n int) {
			x, y := int(v.X)/landmarks.Unit+s.Side/2, int(v.Y)/landmarks.Unit+s.Side/2
			for j := max(y-4, 0); j < min(y+5, s.Side); j++ {
				for k := max(x-4, 0); k < min(x+5, s.Side); k++ {
					n += 255 - int(w.Patch()[j*s.Side+k])
				}
			}
			return n
		}
		if dark(want[0]) > dark(want[1]) {
			larger[0]++
		} else {
			larger[1]++
		}
	}
	if larger[0] < 8 || larger[1] < 8 {
		t.Errorf("the larger spot is %d times left and %d times right, want both", larger[0], larger[1])
	}
}

func TestMirror68(t *testing.T) {
	m := Mirror68()
	for i, k := range m {
		if m[k] != i {
			t.Errorf("point %d becomes %d, which becomes %d", i+1, k+1, m[k]+1)
		}
	}
	for a, b := range map[int]int{1: 17, 9: 9, 18: 27, 22: 23, 28: 28, 31: 31, 32: 36, 34: 34, 37: 46, 40: 43, 41: 48, 42: 47, 49: 55, 52: 52, 56: 60, 58: 58, 61: 65, 63: 63, 66: 68, 67: 67} {
		if m[a-1] != b-1 {
			t.Errorf("point %d becomes %d, want %d", a, m[a-1]+1, b)
		}
	}
}

func TestRunStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := small()
	trees := 0
	s.Progress = func(done, total int) {
		if trees = done; done == 3 {
			cancel()
		}
		if total != 4*40 {
			t.Errorf("%d trees in all", total)
		}
	}
	if m, err := Run(ctx, examples(0, 20), s); m != nil || !errors.Is(err, context.Canceled) || trees != 3 {
		t.Errorf("%v, %v after %d trees", m, err, trees)
	}
}

func TestRunRefuses(t *testing.T) {
	all := examples(0, 3)
	for want, spoil := range map[string]func(s *Settings, e []Example) []Example{
		"no examples":              func(_ *Settings, e []Example) []Example { return nil },
		"points: 1":                func(_ *Settings, e []Example) []Example { e[0].Points = e[0].Points[:1]; return e },
		"drawn has 2 points":       func(_ *Settings, e []Example) []Example { e[2].Points = e[2].Points[:2]; return e },
		"no pixels":                func(_ *Settings, e []Example) []Example { e[1].Plane = luma.Plane{}; return e },
		"at one place":             func(_ *Settings, e []Example) []Example { e[1].Points = make([]landmarks.Point, 3); return e },
		"trees: 257":               func(s *Settings, e []Example) []Example { s.Trees = 257; return e },
		"depth: 9":                 func(s *Settings, e []Example) []Example { s.Depth = 9; return e },
		"shrinkage: -1":            func(s *Settings, e []Example) []Example { s.Shrinkage = -1; return e },
		"both eyes":                func(s *Settings, e []Example) []Example { s.Eyes = [2]int{2, 2}; return e },
		"the right eye's point: 3": func(s *Settings, e []Example) []Example { s.Eyes = [2]int{0, 3}; return e },
		"not the other way":        func(s *Settings, e []Example) []Example { s.Mirror = []int{1, 2, 0}; return e },
		"have a partner":           func(s *Settings, e []Example) []Example { s.Mirror = []int{1, 0}; return e },
	} {
		s := small()
		m, err := Run(context.Background(), spoil(s, slices.Clone(all)), s)
		if m != nil || !errors.Is(err, ErrSettings) || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, %v, want %q", m, err, want)
		}
	}
}

// The vectors are orthonormal, and each is an eigenvector with its value.
func TestPrincipal(t *testing.T) {
	for n := 1; n <= 30; n += 7 {
		d := splitmix.Unnamed(uint64(n))
		m := make([]float64, n*n)
		for range n {
			v := make([]float64, n)
			for i := range v {
				v[i] = d.Normal()
			}
			for i := range n {
				for j := range n {
					m[i*n+j] += v[i] * v[j]
				}
			}
		}
		was := append([]float64(nil), m...)
		vectors, values := principal(m, n)
		for a, v := range vectors {
			if a > 0 && values[a] > values[a-1] {
				t.Errorf("value %d is %v, after %v", a, values[a], values[a-1])
			}
			for b, u := range vectors {
				dot, want := 0.0, 0.0
				for i := range n {
					dot += v[i] * u[i]
				}
				if a == b {
					want = 1
				}
				if math.Abs(dot-want) > 1e-9 {
					t.Errorf("n %d: vectors %d and %d: %v", n, a, b, dot)
				}
			}
			for i := range n {
				var sum float64
				for j := range n {
					sum += was[i*n+j] * v[j]
				}
				if math.Abs(sum-values[a]*v[i]) > 1e-8*float64(n) {
					t.Errorf("n %d: the matrix makes %v of number %d of vector %d, want %v", n, sum, i, a, values[a]*v[i])
				}
			}
		}
	}
}

// A training gives the same bytes on every architecture: a hash of the result
// on amd64, from objects with integer coordinates.
func TestRunGolden(t *testing.T) {
	var all []Example
	for i := range 20 {
		g := luma.Plane{Pix: make([]byte, 40*40), Stride: 40, Width: 40, Height: 40}
		for k := range g.Pix {
			x, y := k%40-18-i%5, k/40-20-i%3
			g.Pix[k] = byte(60 + max(0, 120-x*x-y*y) + (k*k>>4)%(5+i))
		}
		x, y := float64(18+i%5), float64(20+i%3)
		all = append(all, Example{Name: "disc", Plane: g, Points: []landmarks.Point{{X: x - 6, Y: y}, {X: x + 7, Y: y + 1}, {X: x, Y: y + 8}}})
	}
	s := small()
	s.Levels, s.Trees, s.Samples, s.Block, s.Mirror = 3, 6, 600, 500, []int{1, 0, 2}
	m := must.Get(Run(t.Context(), all, s))
	h := fnv.New64a()
	h.Write(encoded(t, m))
	if got, want := h.Sum64(), uint64(0x95686b15ca4ed295); got != want {
		t.Errorf("the model's hash is %#x, want %#x", got, want)
	}
}

// The two sums of a word are right for any signs.
func TestBinSums(t *testing.T) {
	var b bin
	var want [2 * words]float64
	d := splitmix.Unnamed(1)
	for range 1000 {
		for k := range want {
			v := int64(d.IntN(2_000_001) - 1_000_000)
			b[k/2] += v << (k % 2 * 32)
			want[k] += float64(v)
		}
	}
	if got := b.sums(); got != want {
		t.Errorf("got %v, want %v", got, want)
	}
}

// The chosen comparison is that of all pairs and thresholds with the smallest
// squared error, computed one by one.
func TestJudge(t *testing.T) {
	const n, components = 500, 3
	d := splitmix.Unnamed(2)
	s := &samples{n: n, weight: make([]int32, n)}
	for range 4 {
		s.columns = append(s.columns, make([]uint8, n))
	}
	left := make([]int32, n*components)
	for i := range n {
		s.weight[i] = 1 + int32(d.IntN(maxWeight))
		for k := range s.columns {
			s.columns[k][i] = uint8(60 + d.IntN(100))
		}
		for k := range components {
			left[i*components+k] = int32(d.IntN(2000) - 1000)
		}
		if int(s.columns[1][i])-int(s.columns[3][i]) > 15 {
			left[i*components] += 600
		}
	}
	b := &block{}
	b.take(s, left, components, 0, n, &d)
	best, at := math.Inf(-1), 0
	var seen []float64
	for above := -121; above <= 127; above += binWidth {
		var sums [2][components]float64
		var weights [2]float64
		for i := range n {
			side := 0
			if int(s.columns[1][i])-int(s.columns[3][i]) > above {
				side = 1
			}
			w := float64(s.weight[i])
			weights[side] += w
			for k := range components {
				sums[side][k] += w * float64(left[i*components+k])
			}
		}
		var gain float64
		for side := range 2 {
			for k := range components {
				gain += sums[side][k] * sums[side][k] / max(weights[side], 1)
			}
		}
		if min(weights[0], weights[1]) >= minWeight && gain > best {
			best, at = gain, above
		}
		seen = append(seen, gain)
	}
	c := choice{node: landmarks.Node{A: 1, B: 3}}
	var h [bins]bin
	c.findThreshold(s, b, b.order, &h)
	if int(c.node.Above) != at || math.Abs(c.gain/best-1) > 1e-9 {
		t.Errorf("threshold %d with gain %v, want %d with %v (of %v)", c.node.Above, c.gain, at, best, seen)
	}
	middle := b.part(s, c.node, 0, n)
	for i, k := range b.order {
		if above := int(s.columns[1][k])-int(s.columns[3][k]) > int(c.node.Above); above != (i >= middle) {
			t.Fatalf("sample %d is on the wrong side", k)
		}
	}
}

func TestPick(t *testing.T) {
	power := []float64{0, 1, 0, 1000, 10}
	first := 0
	for i := range 200 {
		d := splitmix.Unnamed(4, i)
		p := pick(power, 5, &d)
		seen := map[int]bool{}
		for _, k := range p {
			if k < 0 || k > 4 || seen[k] {
				t.Fatalf("picked %v, want each of 5 once", p)
			}
			seen[k] = true
		}
		if p[0] == 3 {
			first++
		}
	}
	if first < 190 {
		t.Errorf("what is most residuals came first %d of 200 times", first)
	}
}
