package texture

import (
	"bytes"
	"hash/crc32"
	"math/rand/v2"
	"testing"
)

// The same bytes on every machine: CI runs this on other processors too.
func TestDrawnBytes(t *testing.T) {
	sum := crc32.NewIEEE()
	for i, kind := range kinds {
		c := newCanvas(rand.New(rand.NewPCG(1, uint64(i))), 61, 47)
		kind.paint(c)
		sum.Write(c.finish().Pix)
	}
	sum.Write(Draw(rand.New(rand.NewPCG(1, 99)), 61, 47).Pix)
	if got, want := sum.Sum32(), uint32(0x6fe6bcf6); got != want {
		t.Errorf("checksum %08x, want %08x", got, want)
	}
}

// Each kind usually has contrast, differs from the others, and from itself with
// another seed.
func TestKindsVary(t *testing.T) {
	seen := map[uint32]string{}
	for _, kind := range kinds {
		flat := 0
		for seed := range uint64(20) {
			c := newCanvas(rand.New(rand.NewPCG(2, seed)), 64, 64)
			kind.paint(c)
			g := c.finish()
			lo, hi := byte(255), byte(0)
			for _, v := range g.Pix {
				lo, hi = min(lo, v), max(hi, v)
			}
			if hi-lo < 20 {
				flat++
			}
			sum := crc32.ChecksumIEEE(g.Pix)
			if before, ok := seen[sum]; ok {
				t.Errorf("%s with seed %d is the same as %s", kind.name, seed, before)
			}
			seen[sum] = kind.name
		}
		if flat > 8 {
			t.Errorf("%d of 20 pictures of %s are nearly flat", flat, kind.name)
		}
	}
}

// Any size can be drawn, repeatably.
func TestSizes(t *testing.T) {
	for _, s := range [][2]int{{1, 1}, {1, 90}, {90, 1}, {7, 5}, {24, 24}, {300, 20}} {
		for seed := range uint64(30) {
			g := Draw(rand.New(rand.NewPCG(3, seed)), s[0], s[1])
			if g.Rect.Dx() != s[0] || g.Rect.Dy() != s[1] {
				t.Fatalf("%v, want %v", g.Rect, s)
			}
			if !bytes.Equal(g.Pix, Draw(rand.New(rand.NewPCG(3, seed)), s[0], s[1]).Pix) {
				t.Fatalf("size %v, seed %d: another picture", s, seed)
			}
		}
	}
}

func BenchmarkDraw(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	b.SetBytes(320 * 240)
	for b.Loop() {
		Draw(rng, 320, 240)
	}
}
