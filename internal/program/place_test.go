package program

import (
	"context"
	"fmt"
	"image"
	"math/rand/v2"
	"reflect"
	"testing"

	"haarlem/cascade"
	"haarlem/haar"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/must"
)

// randomCascade returns a cascade of trees of one to five nodes, and of histograms if
// there are any.
func randomCascade(r *rand.Rand, kind cascade.Kind, histograms bool) *cascade.Cascade {
	const side = 40
	c := &cascade.Cascade{Kind: kind, Width: side, Height: side}
	rect := func(upper int) haar.Rect {
		w, h := 1+r.IntN(upper), 1+r.IntN(upper)
		return haar.Rect{X: int32(r.IntN(side - w + 1)), Y: int32(r.IntN(side - h + 1)), W: int32(w), H: int32(h), Weight: -1}
	}
	feature := func() int32 {
		if kind == cascade.LBP {
			cell := rect(side / 3)
			c.Cells = append(c.Cells, image.Rect(0, 0, int(cell.W), int(cell.H)))
			return int32(len(c.Cells) - 1)
		}
		upper := 12
		if r.IntN(4) == 0 {
			upper = side // sums of more than 16 bits
		}
		w := rect(upper)
		w.W, w.H = w.W+w.W%2, w.H+w.H%2
		w.X, w.Y = min(w.X, side-w.W), min(w.Y, side-w.H)
		f := haar.Feature{Rects: [3]haar.Rect{w}}
		p := w
		p.Weight = 2
		switch r.IntN(5) {
		case 0: // two halves
			p.W /= 2
			p.X += p.W * int32(r.IntN(2))
		case 1: // a checkerboard
			p.W, p.H = p.W/2, p.H/2
			q := p
			q.X, q.Y = p.X+p.W, p.Y+p.H
			f.Rects[2] = q
		case 2: // any two
			p = rect(upper)
			p.Weight = float32(1 + r.IntN(3))
		case 3: // a line
			p.W = 1 + (p.W-1)/4
		case 4: // weights that lanes cannot hold
			p.Weight = 1.25
		}
		f.Rects[1] = p
		if r.IntN(5) == 0 {
			f = haar.Feature{Tilted: true, Rects: [3]haar.Rect{
				{X: 12, Y: 0, W: int32(1 + r.IntN(6)), H: int32(1 + r.IntN(6)), Weight: -1}, {X: 13, Y: 2, W: 2, H: 3, Weight: 2}}}
		}
		c.Features = append(c.Features, f)
		return int32(len(c.Features) - 1)
	}
	leaf := func() float32 { return float32(r.NormFloat64()) }
	for n := range 60 {
		var w cascade.Weak
		if histograms && n%3 == 0 {
			w.Feature, w.Low, w.Scale = feature(), -1, 8
			for range 16 {
				w.Leaves = append(w.Leaves, leaf())
			}
		} else {
			// A chain of nodes, each the left or the right child of the one before.
			last := r.IntN(5)
			for k := range last + 1 {
				n := cascade.Node{Feature: feature(), Threshold: leaf()}
				for i := range n.Subset {
					n.Subset[i] = r.Uint32()
				}
				child := func() int32 { w.Leaves = append(w.Leaves, leaf()); return int32(1 - len(w.Leaves)) }
				switch {
				case k == last:
					n.Left, n.Right = child(), child()
				case r.IntN(2) == 0:
					n.Left, n.Right = int32(k+1), child()
				default:
					n.Left, n.Right = child(), int32(k+1)
				}
				w.Nodes = append(w.Nodes, n)
			}
		}
		c.Weak = append(c.Weak, w)
		if n%7 == 6 {
			c.Exits = append(c.Exits, cascade.Exit{After: n + 1, Threshold: leaf(), Restart: n%2 == 0})
		}
	}
	c.Exits = append(c.Exits, cascade.Exit{After: 60, Restart: true})
	return c
}

// TestIn compares programs placed in another layout with those compiled for it.
func TestIn(t *testing.T) {
	ctx := context.Background()
	shapes, turned := map[lanes.Shape]int{}, 0
	for seed := range uint64(24) {
		r := rand.New(rand.NewPCG(seed, 1))
		c := randomCascade(r, []cascade.Kind{cascade.Haar, cascade.LBP}[seed%3/2], seed%3 == 1)
		layouts := []Layout{
			{Step: c.Width + 1, Plane: lanes.Width, Stride: (c.Width + 1) * lanes.Width},
			NewLayout(c, 100+r.IntN(2000), 1, 50),
			NewLayout(c, 100+r.IntN(2000), 2, 99),
			NewLayout(c, 100+r.IntN(2000), 3, 70),
		}
		layouts = append(layouts, layouts[2])
		layouts[4].Right = 1
		for i, from := range layouts {
			p := must.Get(Compile(ctx, c, from))
			for j, to := range layouts {
				want := must.Get(Compile(ctx, c, to))
				got := must.Get(p.In(ctx, to))
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("seed %d: from layout %d to %d: %s", seed, i, j, difference(got, want))
				}
			}
			for _, s := range p.sources {
				shapes[p.values[s.feature].shape]++
				if s.turned {
					turned++
				}
			}
		}
	}
	if len(shapes) != 6 || turned == 0 {
		t.Errorf("of shapes %v, %d turned: not all are tested", shapes, turned)
	}
}

// difference names the first field that differs.
func difference(a, b *Program) string {
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range x.NumField() {
		if f, g := fmt.Sprint(x.Field(i)), fmt.Sprint(y.Field(i)); f != g {
			return x.Type().Field(i).Name
		}
	}
	return "none"
}
