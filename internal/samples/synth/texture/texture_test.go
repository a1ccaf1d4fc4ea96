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
	for i, kind := range Kinds() {
		g, err := DrawKind(rand.New(rand.NewPCG(1, uint64(i))), kind, 61, 47)
		if err != nil {
			t.Fatal(err)
		}
		sum.Write(g.Pix)
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
	for _, kind := range Kinds() {
		flat := 0
		for seed := range uint64(20) {
			g, err := DrawKind(rand.New(rand.NewPCG(2, seed)), kind, 64, 64)
			if err != nil {
				t.Fatal(err)
			}
			lo, hi := byte(255), byte(0)
			for _, v := range g.Pix {
				lo, hi = min(lo, v), max(hi, v)
			}
			if hi-lo < 20 {
				flat++
			}
			sum := crc32.ChecksumIEEE(g.Pix)
			if before, ok := seen[sum]; ok {
				t.Errorf("%s with seed %d is the same as %s", kind, seed, before)
			}
			seen[sum] = kind
		}
		if flat > 8 {
			t.Errorf("%d of 20 pictures of %s are nearly flat", flat, kind)
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

func TestUnknownKind(t *testing.T) {
	_, err := DrawKind(rand.New(rand.NewPCG(1, 1)), "faces", 5, 5)
	const want = `texture: no kind is called "faces", want one of [clouds grain stripes checks discs houses writing leaves edges folds rings bricks shelf branches boards pattern]`
	if err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func BenchmarkDraw(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 1))
	b.SetBytes(320 * 240)
	for b.Loop() {
		Draw(rng, 320, 240)
	}
}
