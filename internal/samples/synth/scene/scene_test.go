package scene_test

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"image"
	"testing"

	"haarlem/internal/samples/synth/facemodel"
	"haarlem/internal/samples/synth/scene"
)

func Example() {
	m := facemodel.Builtin()
	positives := scene.Windows(m, 100, 24, 1, 2)
	backgrounds := scene.Backgrounds(5, 320, 240, 1, 2)
	group, boxes := scene.Group(m, 6, 30, 400, 300, 1)
	fmt.Println(len(positives), "windows of", positives[0].Rect.Dx(), "pixels,", len(backgrounds), "backgrounds")
	fmt.Println("a picture of", group.Rect.Dx(), "by", group.Rect.Dy(), "with", len(boxes), "faces")
	// Output:
	// 100 windows of 24 pixels, 5 backgrounds
	// a picture of 400 by 300 with 6 faces
}

// The same bytes on every machine: CI runs this on other processors too.
func TestDrawnBytes(t *testing.T) {
	sum := crc32.NewIEEE()
	for _, g := range scene.Windows(facemodel.Builtin(), 12, 24, 5, 1) {
		sum.Write(g.Pix)
	}
	g, boxes := scene.Group(facemodel.Builtin(), 3, 24, 160, 120, 5)
	sum.Write(g.Pix)
	fmt.Fprint(sum, boxes)
	if got, want := sum.Sum32(), uint32(0x7279bb12); got != want {
		t.Errorf("checksum %08x, want %08x", got, want)
	}
}

func TestWorkersChangeNothing(t *testing.T) {
	m := facemodel.Builtin()
	for name, draw := range map[string]func(workers int) []*image.Gray{
		"windows":     func(workers int) []*image.Gray { return scene.Windows(m, 9, 20, 3, workers) },
		"backgrounds": func(workers int) []*image.Gray { return scene.Backgrounds(9, 50, 40, 3, workers) },
	} {
		one := draw(0)
		for _, workers := range []int{1, 2, 5, 20} {
			for i, g := range draw(workers) {
				if !bytes.Equal(g.Pix, one[i].Pix) {
					t.Errorf("%s: %d workers draw another picture %d", name, workers, i)
				}
			}
		}
		for i := range one[1:] {
			if bytes.Equal(one[i].Pix, one[i+1].Pix) {
				t.Errorf("%s: pictures %d and %d are the same", name, i, i+1)
			}
		}
	}
}

// Faces of a group have enough space, and there are as many as fit.
func TestGroup(t *testing.T) {
	m := facemodel.Builtin()
	for seed := range uint64(10) {
		g, boxes := scene.Group(m, 8, 24, 320, 240, seed)
		if len(boxes) != 8 {
			t.Errorf("seed %d: %d faces, want 8", seed, len(boxes))
		}
		for i, b := range boxes {
			if !b.In(g.Rect) || b.Dx() < 24 || b.Dx() != b.Dy() {
				t.Errorf("seed %d: box %v", seed, b)
			}
			for _, c := range boxes[:i] {
				if b.Overlaps(c) {
					t.Errorf("seed %d: %v and %v overlap", seed, b, c)
				}
			}
		}
	}
	if _, boxes := scene.Group(m, 50, 24, 100, 80, 1); len(boxes) == 0 || len(boxes) > 6 {
		t.Errorf("%d faces in 100x80", len(boxes))
	}
	if _, boxes := scene.Group(m, 5, 24, 20, 20, 1); len(boxes) != 0 {
		t.Errorf("%d faces in 20x20", len(boxes))
	}
}
