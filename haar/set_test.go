package haar

import (
	"slices"
	"testing"

	"haarlem/internal/must"
)

func TestCounts(t *testing.T) {
	for _, c := range []struct {
		set  Set
		w, h int
		want int
	}{
		{Basic, 24, 24, 43200 + 43200 + 27600 + 27600 + 20736}, // x2 and y2, x3 and y3, x2y2: 162,336
		{Core, 24, 24, 210400},
		{All, 24, 24, 261600},
		{Basic, 20, 20, 78460},
		{All, 80, 40, 7767622},
		{Basic, 1, 1, 0},
		{Basic, 2, 1, 1},
		{Core, 4, 1, 3 + 1 + 2 + 1}, // x2 in units of 1 and 2, x3, x4
		{All, 0, 24, 0},
		{All, 24, -1, 0},
	} {
		if got := c.set.Count(c.w, c.h); got != c.want {
			t.Errorf("%v %dx%d: Count says %d, want %d", c.set, c.w, c.h, got, c.want)
		}
		n := 0
		for range c.set.Features(c.w, c.h) {
			n++
		}
		if n != c.want {
			t.Errorf("%v %dx%d: %d features come, want %d", c.set, c.w, c.h, n, c.want)
		}
		if c.w > 0 && c.h > 0 {
			if got := NewIndex(c.set, c.w, c.h).Len(); got != c.want {
				t.Errorf("%v %dx%d: the index has %d, want %d", c.set, c.w, c.h, got, c.want)
			}
		}
	}
}

// Every feature fits, occurs once, ignores a constant added to all pixels, and
// has its number in the index.
func TestFeatures(t *testing.T) {
	for _, set := range []Set{Basic, Core, All} {
		for _, size := range [][2]int{{9, 7}, {5, 12}, {16, 16}} {
			w, h := size[0], size[1]
			ix := NewIndex(set, w, h)
			seen := map[Feature]bool{}
			i, tilted := 0, 0
			for f := range set.Features(w, h) {
				if err := f.Check(w, h); err != nil {
					t.Fatalf("%v %dx%d feature %d: %v", set, w, h, i, err)
				}
				if seen[f] {
					t.Fatalf("%v %dx%d feature %d comes twice: %v", set, w, h, i, f)
				}
				seen[f] = true
				var flat float32
				for _, r := range f.Rects {
					flat += r.Weight * float32(r.W*r.H)
				}
				if flat != 0 {
					t.Fatalf("%v %dx%d feature %d: weighted area %v, want 0: %v", set, w, h, i, flat, f)
				}
				if got := ix.At(i); got != f {
					t.Fatalf("%v %dx%d: At(%d) is %v, want %v", set, w, h, i, got, f)
				}
				if f.Tilted {
					tilted++
				}
				i++
			}
			if (tilted > 0) != (set == All) {
				t.Errorf("%v %dx%d: %d tilted features", set, w, h, tilted)
			}
		}
	}
}

// The order is part of what a set means: a number names a feature.
func TestOrder(t *testing.T) {
	up := func(r ...Rect) Feature {
		var f Feature
		copy(f.Rects[:], r)
		return f
	}
	want := []Feature{
		up(Rect{0, 0, 2, 1, -1}, Rect{1, 0, 1, 1, 2}),
		up(Rect{0, 0, 1, 2, -1}, Rect{0, 1, 1, 1, 2}),
		up(Rect{0, 0, 3, 1, -1}, Rect{1, 0, 1, 1, 3}),
		up(Rect{0, 0, 1, 3, -1}, Rect{0, 1, 1, 1, 3}),
		up(Rect{0, 0, 4, 1, -1}, Rect{1, 0, 2, 1, 2}),
		up(Rect{0, 0, 1, 4, -1}, Rect{0, 1, 1, 2, 2}),
		up(Rect{0, 0, 2, 2, -1}, Rect{0, 0, 1, 1, 2}, Rect{1, 1, 1, 1, 2}),
		up(Rect{0, 0, 3, 3, -1}, Rect{1, 1, 1, 1, 9}),
		up(Rect{0, 0, 2, 2, -1}, Rect{1, 0, 1, 2, 2}), // unit 1x2: x2 again, two pixels high
	}
	var got []Feature
	for f := range All.Features(24, 24) {
		if got = append(got, f); len(got) == len(want) {
			break
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("All begins with\n%v\nwant\n%v", got, want)
	}
	// Tilted features begin at x = 1.
	for f := range All.Features(24, 24) {
		if f.Tilted {
			first := Feature{Tilted: true, Rects: [3]Rect{{1, 0, 2, 1, -1}, {1, 0, 1, 1, 2}}}
			if f != first {
				t.Errorf("the first tilted feature is %v, want %v", f, first)
			}
			break
		}
	}
}

func TestIndexPanics(t *testing.T) {
	ix := NewIndex(Basic, 4, 4)
	for _, i := range []int{-1, ix.Len()} {
		if must.Recover(func() { ix.At(i) }) == nil {
			t.Errorf("At(%d) of %d did not panic", i, ix.Len())
		}
	}
}

func TestSetString(t *testing.T) {
	got := []string{Basic.String(), Core.String(), All.String(), Set(9).String()}
	if want := []string{"BASIC", "CORE", "ALL", "Set(9)"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func BenchmarkIndexAt(b *testing.B) {
	ix := NewIndex(All, 24, 24)
	for i := range b.N {
		ix.At(i * 7919 % ix.Len())
	}
}
