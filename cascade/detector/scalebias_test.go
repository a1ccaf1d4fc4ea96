package detector_test

import (
	"image"
	"math"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
)

// A scale bias has the same effect on each level as thresholds that are lower
// by as much: the same windows pass, with the same margins.
func TestScaleBias(t *testing.T) {
	c, windows := bareFace(t)
	h := cascade.ScaleBias{PerOctave: 1.3, From: 1.5, Max: 0.9}
	ahead := *c
	ahead.Search.ScaleBias = h
	bySize := func(ws []engine.Window) map[int][]engine.Window {
		m := map[int][]engine.Window{}
		for _, w := range ws {
			m[w.Box.Dx()] = append(m[w.Box.Dx()], w)
		}
		return m
	}
	for _, refine := range [][2]int{{}, {200, 500}} {
		c.Search.RefineX, c.Search.RefineY = refine[0], refine[1]
		ahead.Search.RefineX, ahead.Search.RefineY = refine[0], refine[1]
		o := detector.Options{}
		plain, got := bySize(windows(c, o)), bySize(windows(&ahead, o))
		more, fewer, same := 0, 0, 0
		factor := 1.0
		for range 30 {
			size := int(math.RoundToEven(float64(float32(c.Width) * float32(factor))))
			by := math.RoundToEven(256*min(max(h.PerOctave*math.Log2(factor/h.From), -h.Max), h.Max)) / 256
			lower := *c
			lower.Exits = slices.Clone(c.Exits)
			for i := range lower.Exits {
				lower.Exits[i].Threshold -= float32(by)
			}
			o := o
			o.MinSize, o.MaxSize = image.Pt(size, size), image.Pt(size, size)
			want := windows(&lower, o)
			for i := range want {
				want[i].Start = by
			}
			if !slices.Equal(got[size], want) {
				t.Errorf("%+v, size %d, a scale bias of %v: %d windows, want %d", refine, size, by, len(got[size]), len(want))
			}
			switch n := len(plain[size]); {
			case len(want) > n:
				more++
			case len(want) < n:
				fewer++
			default:
				same++
			}
			factor *= 1.1
		}
		if more < 3 || fewer < 3 {
			t.Errorf("%+v: more windows pass on %d levels, fewer on %d, as many on %d: that proves little", refine, more, fewer, same)
		}
	}
}
