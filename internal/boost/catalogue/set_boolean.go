package catalogue

import (
	"math/rand/v2"

	"haarlem/boost"
)

// Boolean functions over their complete domain.
var (
	parity = Set{
		Name: "parity", Rows: 1024, Complete: true,
		About: "All 1024 points of ten Boolean attributes; positive when an odd number of the first four is set. No single attribute says anything.",
		draw: func(int, *rand.Rand) *boost.Data {
			return booleanCube(10, []string{"even", "odd"}, func(x []float64) bool {
				return int(x[0]+x[1]+x[2]+x[3])%2 == 1
			})
		},
	}
	majority = Set{
		Name: "majority", Rows: 2048, Complete: true,
		About: "All 2048 points of eleven Boolean attributes; positive when six or more are set. The vote of all one-attribute stumps is right everywhere.",
		draw: func(int, *rand.Rand) *boost.Data {
			return booleanCube(11, []string{"few", "most"}, func(x []float64) bool {
				set := 0.0
				for _, v := range x {
					set += v
				}
				return set > 5
			})
		},
	}
	multiplexer = Set{
		Name: "multiplexer", Rows: 2048, Complete: true,
		About: "All 2048 points of eleven Boolean attributes; the first three are the address of the one among the other eight that is the class (Barto, 1985).",
		draw: func(int, *rand.Rand) *boost.Data {
			return booleanCube(11, []string{"0", "1"}, func(x []float64) bool {
				return x[3+int(x[0]+2*x[1]+4*x[2])] == 1
			})
		},
	}
	xd6 = Set{
		Name: "xd6", Rows: 600,
		About: "Ten Boolean attributes; positive when a1 a2 a3 or a4 a5 a6 or a7 a8 a9, with a tenth of the labels flipped; a10 is irrelevant (Buntine and Niblett, 1992).",
		draw: func(rows int, r *rand.Rand) *boost.Data {
			t := newTable(rows, []string{"0", "1"}, numbered("a", 10))
			x := make([]float64, 10)
			for range rows {
				bits(x, int(r.Uint64()>>54))
				all := func(i int) bool { return x[i] == 1 && x[i+1] == 1 && x[i+2] == 1 }
				add(t, x, all(0) || all(3) || all(6))
			}
			flipLabels(t, 0.1, r)
			return t
		},
	}
)
