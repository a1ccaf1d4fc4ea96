package detector_test

import (
	"context"
	"image"
	"math"
	"slices"
	"testing"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/engine"
	"haarlem/internal/must"
)

// Windows of levels that are not dense are those of a dense search of all levels with a
// stride of 1 that are nearest to a survivor of the grid on a neighbouring dense level.
func TestInterLevel(t *testing.T) {
	c, windows := bareFace(t)
	size := groupPicture(t).Bounds().Size()
	if testing.Short() {
		size = image.Pt(320, 250)
	}
	for _, test := range []struct {
		scale             float64
		interLevel, every int
		pad               float64
	}{{1.1, len(c.Exits), 2, 0}, {1.1, 300, 2, 0.25}, {1.1, 40, 2, 0}, {1.05, len(c.Exits), 4, 0}, {1.118, 600, 2, 0.4}, {1.119, 600, 1, 0}, {1.3, 600, 1, 0}} {
		search := detector.Options{Scale: test.scale}
		c.Search.Pad = test.pad
		far := windows(begun(c, test.interLevel), search)

		// The size of a level tells its number.
		number, factors := map[image.Point]int{}, []float64{}
		for f := 1.0; math.Round(24*f) <= float64(min(size.X, size.Y)); f *= test.scale {
			number[image.Pt(int(math.RoundToEven(float64(size.X)/f)), int(math.RoundToEven(float64(size.Y)/f)))] = len(factors)
			factors = append(factors, float64(float32(f)))
		}
		type position struct {
			level int
			at    image.Point
		}
		near := map[position]bool{}
		for _, w := range far {
			k := number[w.Size]
			if k%test.every != 0 {
				continue
			}
			for i := max(k-test.every+1, 0); i < min(k+test.every, len(factors)); i++ {
				on := func(v int) int { return int(math.RoundToEven((float64(v)+12)*factors[k]/factors[i] - 12)) }
				for n := range 9 {
					near[position{i, image.Pt(on(w.At.X)+n%3-1, on(w.At.Y)+n/3-1)}] = true
				}
			}
		}
		plain := windows(c, search)
		want := slices.DeleteFunc(slices.Clone(plain), func(w engine.Window) bool { return number[w.Size]%test.every != 0 })
		whole := len(want)
		all := search
		all.Search = with(c, func(s *cascade.Search) { s.Stride = 1 })
		for _, w := range windows(c, all) {
			if k := number[w.Size]; k%test.every != 0 && near[position{k, w.At}] {
				want = append(want, w)
			}
		}
		if whole < 50 || test.every > 1 && len(want) < 2*whole {
			t.Fatalf("%+v: %d windows of %d levels pass, %d with those of inter-level search: too few to test anything", test, whole, len(factors), len(want))
		}
		inOrder := func(ws []engine.Window) []engine.Window {
			slices.SortFunc(ws, func(a, b engine.Window) int {
				if a.Size != b.Size {
					return b.Size.X - a.Size.X
				}
				if a.At.Y != b.At.Y {
					return a.At.Y - b.At.Y
				}
				return a.At.X - b.At.X
			})
			return ws
		}
		want = inOrder(want)
		o := search
		for _, o.Workers = range []int{1, 2, 7} {
			o.Search = with(c, func(s *cascade.Search) { s.InterLevel = test.interLevel })
			if got := windows(c, o); !slices.Equal(got, want) {
				t.Errorf("%+v with %d workers: %d windows, want %d", test, o.Workers, len(got), len(want))
			}

			// The cascade's own settings apply where the options have none.
			o.Search, c.Search.InterLevel = nil, test.interLevel
			if got := windows(c, o); !slices.Equal(got, want) {
				t.Errorf("%+v: as the cascade's, %d windows, want %d", test, len(got), len(want))
			}
			o.Search = with(c, func(s *cascade.Search) { s.InterLevel = 0 })
			if got := windows(c, o); !slices.Equal(got, plain) {
				t.Errorf("%+v: with 0 %d windows pass, want the %d of all levels", test, len(got), len(plain))
			}
			c.Search.InterLevel = 0
		}
	}
}

func TestDenseFrom(t *testing.T) {
	c := must.Get(cascade.Open("testdata/parity/upright-stumps.xml"))
	visits := func(s *cascade.Search) int {
		return newDetectorOf(t, c, &detector.Options{Search: s}).Engine().Visits(640, 480)
	}
	all, some := visits(nil), visits(&cascade.Search{InterLevel: 1})
	fewer := visits(&cascade.Search{InterLevel: 1, DenseFrom: 1.5})
	if !(some < fewer && fewer < all) {
		t.Fatalf("%d windows on levels searched whole, %d with those from 1.5 on, %d of %d on all", some, fewer, fewer, all)
	}
	atAngles := func(from float64) int {
		o := &detector.Options{Search: &cascade.Search{InterLevel: 1, DenseFrom: from}, Angles: []float64{0, 90}}
		return newDetectorOf(t, c, o).Engine().Visits(640, 480)
	}
	if got, want := atAngles(1.5), atAngles(0); got != want || got >= some {
		t.Errorf("at several angles %d windows, want %d, fewer than %d", got, want, some)
	}
	c.Search.InterLevel, c.Search.DenseFrom = 1, 1.5
	for _, test := range []struct {
		search *cascade.Search
		want   int
	}{
		{nil, fewer},
		{with(c, func(s *cascade.Search) { s.DenseFrom = 0 }), some},
		{with(c, func(s *cascade.Search) { s.DenseFrom = 1 }), all},
		{&cascade.Search{InterLevel: 1}, some},
		{&cascade.Search{}, all},
	} {
		if got := visits(test.search); got != test.want {
			t.Errorf("%+v: %d windows, want %d", test.search, got, test.want)
		}
	}
}

func TestInterLevelAllocates(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	c := must.Get(cascade.Open("../../models/frontalface/frontalface.cascade"))
	g := greyCopy(groupPicture(t))
	for _, workers := range []int{1, 2} {
		c.Search.InterLevel, c.Search.DenseFrom = 400, 0
		d := newDetectorOf(t, c, &detector.Options{Workers: workers})
		var found []detector.Detection
		search := func() {
			found = must.Get(d.AppendDetect(context.Background(), found[:0], g))
		}
		for range 3 {
			search()
		}
		if n := testing.AllocsPerRun(5, search); n > 0 {
			t.Errorf("%d workers: %v allocations a picture", workers, n)
		}
	}
}
