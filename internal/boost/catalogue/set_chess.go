package catalogue

import (
	"math/rand/v2"

	"haarlem/boost"
)

var kingRookKing = Set{
	Name: "krk", Rows: 1000,
	About: "Random squares of a white king, a white rook and a black king, white to move; positive when the position cannot be: two pieces on one square, kings side by side, or black in check (Muggleton and others, 1989).",
	draw: func(rows int, r *rand.Rand) *boost.Data {
		t := newTable(rows, []string{"legal", "illegal"}, []string{"white-king-file", "white-king-rank", "white-rook-file", "white-rook-rank", "black-king-file", "black-king-rank"})
		x := make([]float64, 6)
		for range rows {
			var p [6]int
			for i := range p {
				p[i] = r.IntN(8)
				x[i] = float64(p[i])
			}
			add(t, x, kingRookKingIllegal(square{p[0], p[1]}, square{p[2], p[3]}, square{p[4], p[5]}))
		}
		return t
	},
}

// square is a file and a rank, 0 to 7 each.
type square struct{ file, rank int }

// kingRookKingIllegal reports whether the position is illegal with white to
// move: black would be in check after its own move, the kings would touch, or
// pieces overlap.
func kingRookKingIllegal(king, rook, black square) bool {
	if king == rook || rook == black {
		return true
	}
	if abs(king.file-black.file) <= 1 && abs(king.rank-black.rank) <= 1 {
		return true
	}
	switch {
	case rook.file == black.file:
		return !(king.file == rook.file && between(king.rank, rook.rank, black.rank))
	case rook.rank == black.rank:
		return !(king.rank == rook.rank && between(king.file, rook.file, black.file))
	}
	return false
}

func abs(n int) int { return max(n, -n) }

// between reports whether n is strictly between a and b.
func between(n, a, b int) bool { return min(a, b) < n && n < max(a, b) }
