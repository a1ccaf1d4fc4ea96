package mot

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"
)

func at(frame, id, x int) Box {
	return Box{Frame: frame, ID: id, Rectangle: image.Rect(x, 0, x+10, 10)}
}

// Figures that were worked out by hand.
func TestByHand(t *testing.T) {
	for name, test := range map[string]struct {
		truth, found []Box
		want         Result
	}{
		// One object, found in frames 0 to 5 under two identities, missed in frame 3, and a
		// false alarm. Truth 6, found 6: matches 5, misses 1, false alarms 1, switches 1:
		// MOTA 1 - 3/6. The better identity has 3 of 5: IDF1 6/12.
		"one object": {
			[]Box{at(0, 1, 0), at(1, 1, 0), at(2, 1, 0), at(3, 1, 0), at(4, 1, 0), at(5, 1, 0)},
			[]Box{at(0, 7, 0), at(1, 7, 0), at(2, 7, 0), at(4, 8, 0), at(5, 8, 0), at(5, 9, 500)},
			Result{Truth: 6, Found: 6, Objects: 1, Tracks: 3, Matches: 5, Misses: 1, FalseAlarms: 1, Switches: 1, Fragments: 1, IDTruePos: 3, IDFalsePos: 3, IDFalseNeg: 3, MOTA: 0.5, MOTP: 1, IDF1: 0.5, IDP: 0.5, IDR: 0.5, Precision: 5. / 6, Recall: 5. / 6, MostlyTracked: 1},
		},
		// Two objects whose identities are exchanged in the last of four frames: two
		// switches. Each identity has 3 of its 4: IDF1 2*6/16.
		"exchanged": {
			[]Box{at(0, 1, 0), at(0, 2, 100), at(1, 1, 0), at(1, 2, 100), at(2, 1, 0), at(2, 2, 100), at(3, 1, 0), at(3, 2, 100)},
			[]Box{at(0, 5, 0), at(0, 6, 100), at(1, 5, 0), at(1, 6, 100), at(2, 5, 0), at(2, 6, 100), at(3, 6, 0), at(3, 5, 100)},
			Result{Truth: 8, Found: 8, Objects: 2, Tracks: 2, Matches: 8, Switches: 2, IDTruePos: 6, IDFalsePos: 2, IDFalseNeg: 2, MOTA: 0.75, MOTP: 1, IDF1: 0.75, IDP: 0.75, IDR: 0.75, Precision: 1, Recall: 1, MostlyTracked: 2},
		},
		// The match of the frame before is kept, though another box fits better: 6 of 14
		// and 8 of 12 pixels.
		"kept": {
			[]Box{at(0, 1, 0), at(1, 1, 0)},
			[]Box{at(0, 5, 0), at(1, 5, 3), at(1, 6, 0)},
			Result{Truth: 2, Found: 3, Objects: 1, Tracks: 2, Matches: 2, FalseAlarms: 1, IDTruePos: 2, IDFalsePos: 1, MOTA: 0.5, MOTP: (1 + 7./13) / 2, IDF1: 0.8, IDP: 2. / 3, IDR: 1, Precision: 2. / 3, Recall: 1, MostlyTracked: 1},
		},
		// As many pairs as possible: the best one alone would leave the other object out.
		"two at once": {
			[]Box{at(0, 1, 0), at(0, 2, 3)},
			[]Box{at(0, 5, 1), at(0, 6, -3)},
			Result{Truth: 2, Found: 2, Objects: 2, Tracks: 2, Matches: 2, IDTruePos: 2, MOTA: 1, MOTP: (8./12 + 7./13) / 2, IDF1: 1, IDP: 1, IDR: 1, Precision: 1, Recall: 1, MostlyTracked: 2},
		},
		// Nobody has to find what is ignored, and who finds it loses nothing.
		"ignored": {
			[]Box{at(0, 1, 0), {Frame: 0, ID: 2, Rectangle: image.Rect(100, 0, 110, 10), Ignored: true}, {Frame: 1, ID: 2, Rectangle: image.Rect(100, 0, 110, 10), Ignored: true}},
			[]Box{at(0, 5, 0), at(0, 6, 101)},
			Result{Truth: 1, Found: 1, Objects: 1, Tracks: 1, Matches: 1, IDTruePos: 1, MOTA: 1, MOTP: 1, IDF1: 1, IDP: 1, IDR: 1, Precision: 1, Recall: 1, MostlyTracked: 1},
		},
		"nothing": {nil, nil, Result{MOTA: 1}},
		"missed":  {[]Box{at(0, 1, 0)}, nil, Result{Truth: 1, Objects: 1, Misses: 1, IDFalseNeg: 1, MostlyLost: 1}},
	} {
		got := Evaluate(test.truth, test.found, 0.5)
		got.overlap = 0
		round := func(r *Result) {
			for _, v := range []*float64{&r.MOTA, &r.MOTP, &r.IDF1, &r.IDP, &r.IDR, &r.Precision, &r.Recall} {
				*v = math.Round(*v*1e9) / 1e9
			}
		}
		round(&got)
		round(&test.want)
		if got != test.want {
			t.Errorf("%s:\n%+v, want\n%+v", name, got, test.want)
		}
	}
}

// The assignment is the best of all that there are.
func TestAssign(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		n := 1 + rng.IntN(5)
		m := n + rng.IntN(3)
		cost := make([][]float64, n)
		for i := range cost {
			for range m {
				cost[i] = append(cost[i], float64(rng.IntN(20)-10))
			}
		}
		smallest := math.Inf(1)
		var try func(i int, used []bool, sum float64)
		try = func(i int, used []bool, sum float64) {
			if i == n {
				smallest = min(smallest, sum)
				return
			}
			for k := range m {
				if !used[k] {
					used[k] = true
					try(i+1, used, sum+cost[i][k])
					used[k] = false
				}
			}
		}
		try(0, make([]bool, m), 0)
		sum, seen := 0.0, map[int]bool{}
		for i, k := range assign(cost) {
			sum += cost[i][k]
			if seen[k] {
				t.Fatal("a column is used twice")
			}
			seen[k] = true
		}
		if sum != smallest {
			t.Fatalf("%v, the best is %v: %v", sum, smallest, cost)
		}
	}
}
