package detector_test

import (
	"image"
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/channels"
	"haarlem/internal/channels/columns"
	"haarlem/internal/luma"
)

// randomChain returns n chained verifiers with box correction, second squares and mirror
// images.
func randomChain(r *rand.Rand, n int) *cascade.Verifier {
	v := randomVerifier(r)
	v.Mirror = len(v.Trees)%2 == 0
	trees := func() []cascade.Weak {
		all := randomVerifier(r).Trees
		for i := range all {
			for k := range all[i].Leaves {
				all[i].Leaves[k] /= 8
			}
		}
		return all
	}
	if r.IntN(2) == 0 {
		v.Context = 0.5 + 3*r.Float64()
		for i := range v.Trees {
			v.Trees[i].Nodes[0].Feature += channels.Count
		}
	}
	if r.IntN(3) > 0 {
		v.Boxes = &cascade.Boxes{Left: trees(), Right: trees()}
		if r.IntN(2) == 0 {
			v.Boxes.Top = trees()
		}
	}
	if n > 1 {
		v.Next = randomChain(r, n-1)
	}
	return v
}

// chained applies a chain to a box and its margin as the documentation says.
func chained(v *cascade.Verifier, g *luma.Plane, box image.Rectangle, margin float64) (image.Rectangle, float64, bool) {
	var l channels.Extractor
	for ; v != nil; v = v.Next {
		cols := append([]int32(nil), l.Extract(g, box, v.Sides)...)
		if v.Context != 0 {
			cols = append(cols, l.Extract(g, box, v.Context)...)
		}
		score := func(trees []cascade.Weak, cols []int32) float64 {
			return verifierScore(&cascade.Verifier{Trees: trees}, cols)
		}
		seen := mirroredColumns(cols)
		sum := score(v.Trees, cols)
		both := v.Mirror && margin+float64(v.Weight*sum) >= 0
		if both {
			sum = (sum + score(v.Trees, seen)) / 2
		}
		margin += float64(v.Weight * sum)
		if v.Next != nil && margin < 0 {
			return box, margin, false
		}
		if b := v.Boxes; b != nil {
			side := float64(box.Dx()+box.Dy()) / 2
			// In the mirror, an edge is the one in seenTrees, and moves by sign.
			move := func(at int, trees, seenTrees []cascade.Weak, sign float64) int {
				by := score(trees, cols)
				if both {
					by = (by + sign*score(seenTrees, seen)) / 2
				}
				return at + int(math.RoundToEven(float64(side*math.Max(-1, math.Min(1, by)))))
			}
			r := image.Rectangle{
				Min: image.Pt(move(box.Min.X, b.Left, b.Right, -1), move(box.Min.Y, b.Top, b.Top, 1)),
				Max: image.Pt(move(box.Max.X, b.Right, b.Left, -1), move(box.Max.Y, b.Bottom, b.Bottom, 1)),
			}
			if !r.Empty() {
				box = r
			}
		}
	}
	return box, margin, true
}

// mirroredColumns returns the columns that the mirror image of one or two squares has.
func mirroredColumns(of []int32) []int32 {
	all := make([]int32, len(of))
	for i := range of {
		first := i / channels.Count * channels.Count
		all[first+columns.Mirror(i-first)] = of[i]
	}
	return all
}

func TestSeveralVerifiers(t *testing.T) {
	rng := rand.New(rand.NewPCG(19, 0))
	dropped, moved, same := 0, 0, 0
	for i := range 40 {
		s := randomSoft(rng)
		c := randomCascade(rng, s)
		g := randomPicture(rng, s).draw()
		o := detector.Options{Scale: 1.3, MinNeighbors: 1, Overlapping: true, Workers: 1 + i%2}
		before := detectIn(t, newDetectorOf(t, c, &o), g)
		c.Verifier = randomChain(rng, 1+i%3)
		after := detectIn(t, newDetectorOf(t, c, &o), g)
		p, _ := luma.Of(g, nil)
		want := []detector.Detection{}
		for _, d := range before {
			box, score, ok := chained(c.Verifier, &p, d.Box.Sub(g.Rect.Min), d.Score)
			switch {
			case !ok:
				dropped++
				continue
			case box == d.Box.Sub(g.Rect.Min):
				same++
			default:
				moved++
			}
			if box = box.Add(g.Rect.Min).Intersect(g.Rect); !box.Empty() {
				want = append(want, detector.Detection{Box: box, Score: score, Neighbors: d.Neighbors})
			}
		}
		if !reflect.DeepEqual(byBox(after), byBox(want)) {
			t.Fatalf("%d: got %v, want %v", i, after, want)
		}
	}
	if dropped < 10 || moved < 10 || same < 5 {
		t.Errorf("%d dropped, %d boxes moved, %d not: too few to tell", dropped, moved, same)
	}
}
