package landmarks

import (
	"cmp"
	"image"
	"image/draw"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"

	"haarlem/internal/must"
)

// The packed sums are those of single leaves, up to the largest values.
func TestProgramSums(t *testing.T) {
	for seed, c := range [][3]int{{0, 1, 1}, {1, 1, 1}, {7, 2, 3}, {maxTrees, 3, 10}, {maxTrees, 4, maxComponents}, {40, 8, 12}, {9, 3, 4}} {
		for _, leaf := range []int{0, -128, 127} {
			m := some(uint64(seed), 2, 1, c[0], c[1], c[2])
			l := &m.Levels[0]
			if leaf != 0 {
				for i := range l.Leaves {
					l.Leaves[i] = int8(leaf)
				}
			}
			var values [maxFeatures]uint8
			for i := range values {
				values[i] = uint8(i * 89)
			}
			want := make([]int32, c[2])
			for tree := range c[0] {
				nodes := l.Nodes[tree*(1<<c[1]-1):]
				n := 0
				for range c[1] {
					node := nodes[n]
					if n = 2*n + 1; int(values[node.A])-int(values[node.B]) > int(node.Above) {
						n++
					}
				}
				n -= 1<<c[1] - 1
				for k := range want {
					want[k] += int32(l.Leaves[(tree<<c[1]+n)*c[2]+k])
				}
			}
			var got [maxComponents / 4]four
			NewProgram(l).sum(&values, &got)
			for k, w := range want {
				if got := got[k/4][k%4]; got != int64(w) {
					t.Errorf("%v: component %d is %d, want %d", c, k, got, w)
				}
			}
		}
	}
}

// A model without levels puts the mean shape into the frame, and its basis
// moves the points, rotated and scaled with the frame.
func TestPointsFollowFrame(t *testing.T) {
	m := &Model{Side: 40, Reach: 2, Eyes: [2]int{0, 1}, Box: Convention{Side: 1}, Mean: []Vec{{-5 * Unit, 0}, {5 * Unit, 0}, {0, 10 * Unit}}}
	level := Level{ // one tree, both of whose leaves are 3
		Features: []Feature{{Point: 0}}, Depth: 1, Nodes: []Node{{}}, Components: 1, Leaves: []int8{3, 3},
		Basis: []int32{0, 0, 0, 0, 1 << 16 * Unit, -2 << 16 * Unit / 2},
	}
	g := plane(50, 50, func(x, y float64) float64 { return x + y })
	for levels := range 2 {
		m.Levels = []Level{level}[:levels]
		p := must.Get(NewPredictor(m))
		f := Frame{X: 20, Y: 30, A: 10}.Turned(30)
		got := p.Points(nil, g.Gray(), f)
		for i, v := range m.Mean {
			x, y := float64(v.X)/Unit/20, float64(v.Y)/Unit/20
			if i == 2 && levels == 1 {
				x, y = x+3.0/20, y-3.0/20
			}
			want := f.At(x, y)
			if math.Hypot(got[i].X-want.X, got[i].Y-want.Y) > 1e-3 {
				t.Errorf("%d levels: point %d is at %v, want %v", levels, i, got[i], want)
			}
		}
	}
}

// In a rough box the coarse levels find the frame, and the others the points in it. In
// one that is near the others find both. The points of this model are far from where
// their frame says, so they are found once more.
func TestCoarse(t *testing.T) {
	m := some(7, 5, 1, 10, 3, 4)
	g := uneven()
	f := Frame{X: 30, Y: 28, A: 20, B: 3}
	points := func(levels, coarse []Level, boxes Boxes, f Frame) []Point {
		t.Helper()
		own := *m
		own.Levels, own.Coarse, own.Box.Boxes = levels, coarse, boxes
		p := must.Get(NewPredictor(&own))
		return p.Points(nil, g.Gray(), f)
	}
	coarse := some(8, 5, 1, 10, 2, 3).Levels
	once := points(m.Levels, coarse, Learned, f)
	if want := points(m.Levels, nil, Learned, f); !slices.Equal(once, want) {
		t.Errorf("in a box that fits: %v, want %v", once, want)
	}
	found := points(coarse, nil, Learned, f)
	twice := func(f Frame) []Point {
		t.Helper()
		over := f.over(points(m.Levels, nil, Learned, f))
		if d := f.distance(over); !(d > settled && d < lost) {
			t.Fatalf("the points' frame is %v away, want %v to %v", d, settled, lost)
		}
		return points(m.Levels, nil, Learned, over)
	}
	if got, want := points(m.Levels, coarse, Rough, f), twice(f.over(found)); !slices.Equal(got, want) || slices.Equal(got, once) {
		t.Errorf("in a rough box: %v, want %v, and not %v", got, want, once)
	}
	want := twice(f.over(once))
	if got := points(m.Levels, nil, Rough, f); !slices.Equal(got, want) {
		t.Errorf("in a rough box without coarse levels: %v, want %v", got, want)
	}
	if got := points(m.Levels, coarse, Near, f); !slices.Equal(got, want) {
		t.Errorf("in a near box: %v, want %v", got, want)
	}
	// Points that are where their frame says are not looked for again.
	small := some(9, 5, 1, 3, 2, 2).Levels
	for k := range small[0].Basis {
		small[0].Basis[k] /= 16
	}
	shape := []Point{{X: -1, Y: -1}, {X: 1, Y: -1}, {}, {X: -1, Y: 1}, {X: 1, Y: 1}}
	scale := Unit * float64(m.Side) / m.Reach / FrameOf(shape).Side()
	for i, v := range shape {
		m.Mean[i] = Vec{int32(math.Round(v.X * scale)), int32(math.Round(v.Y * scale))}
	}
	over := f.over(points(small, nil, Learned, f))
	want = points(small, nil, Learned, over)
	if d := over.distance(over.over(want)); d == 0 || d > settled {
		t.Fatalf("the points' frame is %v away, want a little", d)
	}
	if got := points(small, nil, Near, f); !slices.Equal(got, want) {
		t.Errorf("what has settled: %v, want %v", got, want)
	}
}

// The second half of the levels moves the points twice more in their frame, the second time
// as it sees them in a mirror if the mean shape is symmetric, and the result is the mean.
func TestHalf(t *testing.T) {
	g := uneven()
	f := Frame{X: 30, Y: 28, A: 20, B: 3}
	for _, symmetric := range []bool{false, true} {
		m := some(11, 5, 3, 10, 3, 4)
		if symmetric {
			m.Mean = []Vec{{-5 * Unit, -900}, {5*Unit - 1, -900}, {0, 333}, {-4 * Unit, 9000}, {4 * Unit, 9000}}
		}
		p := must.Get(NewPredictor(m))
		mirrored := NewProgram(&m.Levels[2])
		if got := partners(m.Mean); symmetric != slices.Equal(got, []int{1, 0, 2, 4, 3}) || !symmetric && got != nil {
			t.Fatalf("partners %v of a shape whose symmetry is %v", got, symmetric)
		} else if symmetric {
			mirrored = mirrored.mirrored(got)
		}
		w := NewWork(m)
		w.begin(&g, f)
		w.Settle()
		for i := range m.Levels {
			w.Move(NewProgram(&m.Levels[i]))
		}
		found := w.Points(nil)
		over := f.over(found)
		if !(f.distance(over) < lost) {
			t.Fatal("the points' frame is lost")
		}
		w.begin(&g, over)
		w.Settle()
		w.put(found)
		w.Move(NewProgram(&m.Levels[2]))
		a := w.Points(nil)
		w.Move(mirrored)
		want := w.Points(nil)
		for i, q := range p.Points(nil, g.Gray(), f) {
			near(t, "x", q.X, (a[i].X+want[i].X)/2, 0.01)
			near(t, "y", q.Y, (a[i].Y+want[i].Y)/2, 0.01)
		}
	}
}

// A mirrored program moves the points of a mirror image to the mirrored places.
func TestMirrored(t *testing.T) {
	m := some(12, 5, 1, 20, 3, 4)
	m.Mean = []Vec{{-5 * Unit, -900}, {5 * Unit, -900}, {0, 333}, {-4 * Unit, 9000}, {4 * Unit, 9000}}
	scene := func(x, y float64) float64 { return 128 + 60*math.Sin(x/5) + 60*math.Cos((x+y)/7) }
	g, mirror := plane(64, 64, scene), plane(64, 64, func(x, y float64) float64 { return scene(64-x, y) })
	p := NewProgram(&m.Levels[0])
	w := NewWork(m)
	w.begin(&g, Frame{X: 32, Y: 32, A: 20, B: 2})
	w.Settle()
	w.Move(p)
	want := w.Points(nil)
	partners := partners(m.Mean)
	w.begin(&mirror, Frame{X: 32, Y: 32, A: 20, B: -2})
	w.Settle()
	w.Move(p.mirrored(partners))
	moved := 0.0
	for i, q := range w.Points(nil) {
		k := want[partners[i]]
		near(t, "x", q.X, 64-k.X, 0.05)
		near(t, "y", q.Y, k.Y, 0.05)
		moved += math.Abs(q.X - 32)
	}
	if moved < 1 {
		t.Error("no point is anywhere")
	}
}

// Points are moved by the sums of what the basis says, of any size.
func TestMove(t *testing.T) {
	for _, largest := range []int32{1 << 4, 1 << 14, 1 << 30} {
		m := some(13, 7, 1, 20, 2, 10)
		l := &m.Levels[0]
		for i := range l.Basis {
			l.Basis[i] = int32(i*i*7919)%(2*largest+1) - largest
		}
		p, w := NewProgram(l), NewWork(m)
		g := plane(30, 30, func(x, y float64) float64 { return x })
		w.begin(&g, Frame{X: 15, Y: 15, A: 10})
		var sums [maxComponents / 4]four
		for k := range 10 {
			sums[k/4][k%4] = int64(k*k*311)%2000 - 1000
		}
		far := int64(m.Side * Unit)
		want := slices.Clone(w.Shape)
		for i := range want {
			var v [2]int64
			for k := range 10 {
				for c := range v {
					v[c] += sums[k/4][k%4] * int64(l.Basis[(k*7+i)*2+c])
				}
			}
			for c := range v {
				v[c] = min(max((v[c]+1<<15)>>16, -far), far)
			}
			want[i].X = int32(min(max(int64(want[i].X)+v[0], -far), far))
			want[i].Y = int32(min(max(int64(want[i].Y)+v[1], -far), far))
		}
		w.move(p, sums[:p.words])
		if !slices.Equal(w.Shape, want) {
			t.Errorf("a basis of up to %d: %v, want %v", largest, w.Shape, want)
		}
	}
}

// The shape's rotation and scale are found, and features rotate with it.
func TestWorkTurns(t *testing.T) {
	m := some(3, 6, 0, 0, 1, 1)
	w := NewWork(m)
	c := middle(m.Mean)
	for _, degrees := range []float64{0, 25, -140} {
		sin, cos := math.Sincos(degrees * math.Pi / 180)
		for i, v := range m.Mean {
			x, y := float64(v.X-c.X), float64(v.Y-c.Y)
			w.Shape[i] = Vec{int32(math.Round(0.7*(cos*x-sin*y))) + 900, int32(math.Round(0.7*(sin*x+cos*y))) - 300}
		}
		w.turn()
		a, b := w.Turn()
		near(t, "a", float64(a)/(1<<14), 0.7*cos, 2e-3)
		near(t, "b", float64(b)/(1<<14), 0.7*sin, 2e-3)
	}
}

// Models with the largest numbers do not overflow.
func TestPointsStayFinite(t *testing.T) {
	g := uneven()
	for seed := range uint64(5) {
		m := some(seed, 10, 5, maxTrees, 2, maxComponents)
		for i := range m.Levels {
			for k := range m.Levels[i].Basis {
				m.Levels[i].Basis[k] = 1 << 30
				if k%3 == 0 {
					m.Levels[i].Basis[k] = -1 << 30
				}
			}
		}
		p := must.Get(NewPredictor(m))
		for i, q := range p.Points(nil, g.Gray(), Frame{X: 30, Y: 30, A: 20}) {
			if !(math.Hypot(q.X-30, q.Y-30) < 200) {
				t.Errorf("point %d is at %v", i, q)
			}
		}
	}
}

func TestPointsAllocateNothing(t *testing.T) {
	p := must.Get(NewPredictor(some(4, 5, 4, 30, 3, 10)))
	p64 := plane(64, 64, func(x, y float64) float64 { return x * 3 })
	g := p64.Gray()
	var points []Point
	if n := testing.AllocsPerRun(100, func() { points = p.Points(points[:0], g, Frame{X: 30, Y: 30, A: 20}) }); n != 0 {
		t.Errorf("%v allocations a call", n)
	}
}

// Many goroutines share a predictor.
func TestPointsConcurrently(t *testing.T) {
	p := must.Get(NewPredictor(some(5, 5, 4, 30, 3, 10)))
	g := uneven()
	frame := func(i int) Frame { return Frame{X: 20 + float64(i), Y: 30, A: 15, B: float64(i) - 8} }
	var want [16][]Point
	for i := range want {
		want[i] = p.Points(nil, g.Gray(), frame(i))
	}
	var wg sync.WaitGroup
	for i := range want {
		wg.Go(func() {
			for range 20 {
				for k, q := range p.Points(nil, g.Gray(), frame(i)) {
					if q != want[i][k] {
						t.Errorf("frame %d, point %d: %v, want %v", i, k, q, want[i][k])
						return
					}
				}
			}
		})
	}
	wg.Wait()
}

// What a predictor reads it has asked for; the first part is near the box.
func TestPointsFilled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	scene := plane(400, 300, func(x, y float64) float64 { return 128 + 60*math.Sin(x/5) + 60*math.Cos((x+y)/7) })
	whole := scene.Gray()
	for _, boxes := range []Boxes{Learned, Near, Rough} {
		m := some(12, 5, 3, 20, 3, 4)
		m.Box.Boxes = boxes
		m.Coarse = m.Levels[:1]
		p := must.Get(NewPredictor(m))
		for range 100 {
			x, y := r.IntN(500)-50, r.IntN(400)-50
			box := image.Rect(x, y, x+1+r.IntN(90), y+1+r.IntN(90))
			angle := []float64{0, 0, 90, float64(r.IntN(360))}[r.IntN(4)]
			part, read := image.NewGray(whole.Rect), 0
			for i := range part.Pix {
				part.Pix[i] = byte(r.Uint32())
			}
			got := p.PointsFilled(nil, part, box, angle, func(rect image.Rectangle) {
				draw.Draw(part, rect, whole, rect.Min, draw.Src)
				read = cmp.Or(read, rect.Dx())
			})
			if want := p.PointsIn(nil, whole, box, angle); !slices.Equal(got, want) {
				t.Fatalf("%v at %v degrees: %v, want %v", box, angle, got, want)
			}
			if limit := 4*max(box.Dx(), box.Dy()) + 10; read == 0 || read > limit {
				t.Fatalf("%v: %d pixels wide is read, want at most %d", box, read, limit)
			}
		}
	}
}
