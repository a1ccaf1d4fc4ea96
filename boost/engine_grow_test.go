package boost

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestDivide: rows go left by their codes and stay in order on both sides, in one
// part or in several, of all rows or of some, with sides of any size.
func TestDivide(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 38))
	const rows = 3*partRows + 77
	codes := make([]byte, rows)
	var some []int32
	for i := range codes {
		codes[i] = byte(r.IntN(256))
		if r.IntN(3) > 0 {
			some = append(some, int32(i))
		}
	}
	for _, below := range []int{0, 1, 100, 255, 256} {
		var left [maxBins]uint8
		for c := range below {
			left[c] = 1
		}
		for _, of := range [][]int32{nil, some, some[:partRows], some[:0]} {
			var want, right []int32
			size := rows
			if of != nil {
				size = len(of)
			}
			for i := range size {
				k := column(of, i)
				if int(codes[k]) < below {
					want = append(want, int32(k))
				} else {
					right = append(right, int32(k))
				}
			}
			n := len(want)
			want = append(want, right...)
			for _, workers := range []int{1, 2, 5} {
				g := &grower{engine: &engine{workers: workers}}
				l := &growing{rows: slices.Clone(of), size: size}
				if got := g.divide(l, codes, &left); got != n || !slices.Equal(l.rows, want) {
					t.Errorf("%d workers, codes below %d, %d rows: %d go left, want %d, or others", workers, below, size, got, n)
				}
			}
		}
	}
}
