package detector

import (
	"cmp"
	"context"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/must"
	"haarlem/internal/orient"
)

// randomNetwork is a network of two steps that lets about half of the squares pass.
func randomNetwork(r *rand.Rand) *cascade.Network {
	step := func(sides float64, mirror bool) cascade.NetworkStep {
		weights := func(n int) []int8 {
			w := make([]int8, n)
			for i := range w {
				w[i] = int8(r.IntN(255) - 127)
			}
			return w
		}
		return cascade.NetworkStep{
			Side: 12, Sides: sides, Carry: 0.5, Mirror: mirror, Threshold: -1e3, Overlap: 0.9, Scales: []float64{1e-3, 1e-6, 1e-6, 1e-6, 1e-6},
			Layers: []cascade.NetworkLayer{
				{Kind: cascade.Conv, Kernel: 3, Stride: 1, Outputs: 8, Weights: weights(8 * 27), Bias: make([]int32, 8), Shift: slices.Repeat([]uint8{9}, 8)},
				{Kind: cascade.MaxPool, Kernel: 2, Stride: 2},
				{Kind: cascade.Dense, Outputs: 5, Weights: weights(5 * 5 * 5 * 8), Bias: make([]int32, 5)},
			},
		}
	}
	return &cascade.Network{Overlap: 0.6, Steps: []cascade.NetworkStep{step(1.2, false), step(1, true)}}
}

// quarterTurned is m rotated clockwise by a quarter.
func quarterTurned(m *image.RGBA) *image.RGBA {
	t := orient.Of(6, m.Rect.Dx(), m.Rect.Dy())
	return &image.RGBA{Pix: t.Plane(nil, m.Pix, m.Stride, 4), Stride: 4 * t.Width, Rect: image.Rect(0, 0, t.Width, t.Height)}
}

// Objects that are rotated by quarters in a rotated picture have the results of upright
// objects, with any number of workers.
func TestNetworkQuarters(t *testing.T) {
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	r := rand.New(rand.NewPCG(seed, 0))
	m := image.NewRGBA(image.Rect(0, 0, 96, 80))
	for y := range 80 {
		for x := range 96 {
			m.Set(x, y, color.RGBA{byte(r.IntN(256)), byte(2 * x), byte(3 * y), 255})
		}
	}
	n := must.Get(compileNetwork(randomNetwork(r)))
	var upright []proposal
	for range 60 {
		side := 12 * (1 + r.IntN(3))
		at := image.Pt(r.IntN(120)-20, r.IntN(100)-20)
		upright = append(upright, proposal{box: image.Rectangle{at, at.Add(image.Pt(side, side))}, margin: r.Float64(), n: 1})
	}
	byPosition := func(all []proposal, size image.Point, quarters int) []proposal {
		for i := range all {
			all[i].box = turnBox(all[i].box, size, quarters)
		}
		slices.SortFunc(all, func(a, b proposal) int {
			return cmp.Or(cmp.Compare(b.margin, a.margin), compareBoxes(a.box, b.box))
		})
		return all
	}
	var want []proposal
	size := m.Rect.Size()
	for quarters := range 4 {
		proposals := slices.Clone(upright)
		for i := range proposals {
			proposals[i].box = turnBox(proposals[i].box, image.Pt(96, 80), quarters)
		}
		j := &netJob{}
		must.Do(j.planes.Set(context.Background(), m))
		j.from, j.size = &j.planes, size
		found := must.Get(j.examine(context.Background(), n, quarters, proposals, 1+quarters))
		found = byPosition(found, size, (4-quarters)%4)
		if quarters == 0 {
			if want = found; len(want) < 10 {
				t.Fatalf("%d of %d proposals pass", len(want), len(upright))
			}
		} else if !slices.Equal(found, want) {
			t.Errorf("%d quarters: %v, want %v", quarters, found, want)
		}
		m = quarterTurned(m)
		size.X, size.Y = size.Y, size.X
	}
}

// A mirrored step examines the mirror image of the corrected box: the same proposals in
// the mirrored picture, corrected by hand, have the same mean.
func TestNetworkMirror(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	m := image.NewRGBA(image.Rect(0, 0, 64, 64))
	mirrored := image.NewRGBA(m.Rect)
	for y := range 64 {
		for x := range 64 {
			c := color.RGBA{byte(r.IntN(256)), byte(4 * x), byte(4 * y), 255}
			m.Set(x, y, c)
			mirrored.Set(63-x, y, c)
		}
	}
	steps := randomNetwork(r)
	steps.Steps = steps.Steps[1:]
	steps.Steps[0].Threshold, steps.Steps[0].Overlap = -1e9, 1
	from := -1e9
	examine := func(m *image.RGBA, mirror bool, p proposal) proposal {
		t.Helper()
		steps.Steps[0].Mirror, steps.Steps[0].MirrorFrom = mirror, 0
		if mirror {
			steps.Steps[0].MirrorFrom = from
		}
		n := must.Get(compileNetwork(steps))
		j := &netJob{size: m.Rect.Size()}
		must.Do(j.planes.Set(context.Background(), m))
		j.from = &j.planes
		found, err := j.examine(context.Background(), n, 0, []proposal{p}, 1)
		if err != nil || len(found) != 1 {
			t.Fatal(found, err)
		}
		return found[0]
	}
	flip := func(r image.Rectangle) image.Rectangle {
		return image.Rect(64-r.Max.X, r.Min.Y, 64-r.Min.X, r.Max.Y)
	}
	for range 20 {
		at := image.Pt(r.IntN(40), r.IntN(40))
		p := proposal{box: image.Rectangle{at, at.Add(image.Pt(24, 24))}, margin: r.Float64()}
		got := examine(m, true, p)
		first := examine(m, false, p)
		second := examine(mirrored, false, proposal{box: flip(first.box), margin: p.margin})
		if want := (first.margin + second.margin) / 2; math.Abs(got.margin-want) > 1e-9 {
			t.Errorf("margin %v, want %v", got.margin, want)
		}
		from = max(got.margin, first.margin) + 1e3
		if once := examine(m, true, p); once != first {
			t.Errorf("below MirrorFrom: %v, want %v", once, first)
		}
		from = -1e9
		if want := flip(second.box); got.box != want {
			t.Errorf("box %v, want %v (first %v)", got.box, want, first.box)
		}
	}
}

// A proposal at the far end of the widest pictures is examined like any other.
func TestNetworkWide(t *testing.T) {
	n := must.Get(compileNetwork(randomNetwork(rand.New(rand.NewPCG(1, 0)))))
	m := image.NewGray(image.Rect(0, 0, 6_000_000, 3))
	j := &netJob{size: m.Rect.Size()}
	must.Do(j.planes.Set(context.Background(), m))
	j.from = &j.planes
	far := proposal{box: image.Rect(m.Rect.Max.X-3, 0, m.Rect.Max.X, 3), n: 1}
	must.Get(j.examine(context.Background(), n, 0, []proposal{far}, 1))
}
