package train

import (
	"image"
	"math/rand/v2"
	"slices"
	"testing"
)

// What is dropped on the way would not have been taken, and little more is kept than is
// wanted.
func TestSpareKeepsWhatIsTaken(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		need, taken := 1+rng.IntN(4000), 0
		var all, some spare
		var front []Negative
		for picture := range 1 + rng.IntN(300) {
			var windows []Negative
			for number := range rng.IntN(1 + rng.IntN(200)) {
				windows = append(windows, Negative{Origin: Origin{Picture: picture, Box: image.Rect(0, 0, number, 1)}})
			}
			all.images = append(all.images, slices.Clone(windows))
			taken += rng.IntN(10)
			for len(front) < min(taken, need) {
				front = append(front, Negative{})
			}
			some.add(windows, need-len(front))
			if largest := (need-len(front))*3/2 + 1000; some.count > largest {
				t.Fatalf("%d windows are kept for a need of %d", some.count, need-len(front))
			}
		}
		if got, want := some.appendTo(slices.Clone(front), need), all.appendTo(slices.Clone(front), need); !slices.Equal(got, want) {
			t.Fatalf("%d windows for a need of %d, and the whole has %d or others", len(got), need, len(want))
		}
	}
}
