// Package mot measures trackers: CLEAR MOT (Bernardin and Stiefelhagen, "Evaluating
// Multiple Object Tracking Performance", 2008) and identities (Ristani and others,
// "Performance Measures and a Data Set for Multi-Target, Multi-Camera Tracking", 2016).
package mot

import (
	"cmp"
	"fmt"
	"image"
	"math"
	"slices"
)

// A Box is where an object is in a frame.
type Box struct {
	Frame, ID int
	image.Rectangle

	// Ignored says of a box of the truth that nobody has to find it, such as that of a
	// face that is turned away. A box that is found there counts neither way.
	Ignored bool
}

// A Result is what was counted.
type Result struct {
	Truth, Found  int // boxes
	Objects       int // identities of the truth
	Tracks        int // identities that were found
	Matches       int
	Misses        int // boxes of the truth that were not found
	FalseAlarms   int // boxes that were found and are none
	Switches      int // times that an object was found under another identity than before
	Fragments     int // times that an object was found again after it had been missed
	overlap       float64
	IDTruePos     int // boxes that were found under the identity that fits best in the whole
	IDFalsePos    int
	IDFalseNeg    int
	MOTA          float64 // 1 - (misses + false alarms + switches) / truth
	MOTP          float64 // mean overlap of matches
	IDF1, IDP     float64
	IDR           float64
	Precision     float64
	Recall        float64
	MostlyTracked int // objects of which at least 80 per cent were found
	MostlyLost    int // and less than 20
}

// String is a table of one line for each figure that people compare.
func (r Result) String() string {
	return fmt.Sprintf("IDF1 %.3f  MOTA %.3f  switches %d  objects %d  tracks %d\nrecall %.3f  precision %.3f  IDP %.3f  IDR %.3f  MOTP %.3f  fragments %d  mostly tracked %d  mostly lost %d\n",
		r.IDF1, r.MOTA, r.Switches, r.Objects, r.Tracks, r.Recall, r.Precision, r.IDP, r.IDR, r.MOTP, r.Fragments, r.MostlyTracked, r.MostlyLost)
}

// Evaluate compares boxes that were found with the truth. Boxes match if they overlap
// by at least so much of the area that they cover together, usually 0.5.
func Evaluate(truth, found []Box, overlap float64) Result {
	truth, found = dropIgnored(truth, found, overlap)
	byFrame := frames(truth, found)
	var r Result
	r.Truth, r.Found = len(truth), len(found)

	last := map[int]int{}      // object to the track that it was last found as
	missed := map[int]bool{}   // objects that were not found in their last frame
	matched := map[int]int{}   // boxes that were found, by object
	all := map[int]int{}       // boxes, by object
	common := map[[2]int]int{} // frames in which an object and a track overlap
	tracks := map[int]int{}
	for _, f := range byFrame {
		for _, b := range f.truth {
			all[b.ID]++
		}
		for _, b := range f.found {
			tracks[b.ID]++
		}
		pairs := f.pairs(overlap)
		for _, p := range pairs {
			common[[2]int{f.truth[p.truth].ID, f.found[p.found].ID}]++
		}
		takenT, takenF := make([]bool, len(f.truth)), make([]bool, len(f.found))
		match := func(p pair) {
			id, as := f.truth[p.truth].ID, f.found[p.found].ID
			takenT[p.truth], takenF[p.found] = true, true
			if before, ok := last[id]; ok && before != as {
				r.Switches++
			}
			if missed[id] && matched[id] > 0 {
				r.Fragments++
			}
			last[id], missed[id] = as, false
			matched[id]++
			r.Matches++
			r.overlap += p.overlap
		}
		// What was one object stays one as long as it fits.
		for _, p := range pairs {
			if as, ok := last[f.truth[p.truth].ID]; ok && as == f.found[p.found].ID && !takenT[p.truth] && !takenF[p.found] {
				match(p)
			}
		}
		for _, p := range best(pairs, takenT, takenF) {
			match(p)
		}
		for k, b := range f.truth {
			if !takenT[k] {
				r.Misses++
				missed[b.ID] = true
			}
		}
		for k := range f.found {
			if !takenF[k] {
				r.FalseAlarms++
			}
		}
	}
	r.Objects, r.Tracks = len(all), len(tracks)
	for id, n := range all {
		switch share := float64(matched[id]) / float64(n); {
		case share >= 0.8:
			r.MostlyTracked++
		case share < 0.2:
			r.MostlyLost++
		}
	}
	r.IDTruePos = identities(common)
	r.IDFalsePos, r.IDFalseNeg = r.Found-r.IDTruePos, r.Truth-r.IDTruePos
	r.MOTA = 1 - ratio(r.Misses+r.FalseAlarms+r.Switches, r.Truth)
	r.IDF1 = ratio(2*r.IDTruePos, r.Truth+r.Found)
	r.IDP, r.IDR = ratio(r.IDTruePos, r.Found), ratio(r.IDTruePos, r.Truth)
	r.Precision, r.Recall = ratio(r.Matches, r.Found), ratio(r.Matches, r.Truth)
	if r.Matches > 0 {
		r.MOTP = r.overlap / float64(r.Matches)
	}
	return r
}

func ratio(a, b int) float64 {
	if b == 0 {
		return 0
	}
	return float64(a) / float64(b)
}

type frame struct{ truth, found []Box }

// frames sorts boxes by frame.
func frames(truth, found []Box) []frame {
	index := map[int]*frame{}
	var numbers []int
	at := func(n int) *frame {
		if index[n] == nil {
			index[n] = &frame{}
			numbers = append(numbers, n)
		}
		return index[n]
	}
	for _, b := range truth {
		f := at(b.Frame)
		f.truth = append(f.truth, b)
	}
	for _, b := range found {
		f := at(b.Frame)
		f.found = append(f.found, b)
	}
	slices.Sort(numbers)
	all := make([]frame, len(numbers))
	for i, n := range numbers {
		all[i] = *index[n]
	}
	return all
}

type pair struct {
	truth, found int
	overlap      float64
}

// pairs are those that overlap enough, the best first.
func (f frame) pairs(smallest float64) []pair {
	var all []pair
	for i, t := range f.truth {
		for k, b := range f.found {
			if o := Overlap(t.Rectangle, b.Rectangle); o >= smallest && o > 0 {
				all = append(all, pair{i, k, o})
			}
		}
	}
	slices.SortFunc(all, func(a, b pair) int {
		return cmp.Or(cmp.Compare(b.overlap, a.overlap), cmp.Compare(a.truth, b.truth), cmp.Compare(a.found, b.found))
	})
	return all
}

// Overlap is the area that two boxes share, by the area that they cover together.
func Overlap(a, b image.Rectangle) float64 {
	area := func(r image.Rectangle) float64 { return float64(r.Dx()) * float64(r.Dy()) }
	shared := area(a.Intersect(b))
	return shared / max(1, area(a)+area(b)-shared)
}

// dropIgnored takes away the boxes of the truth that nobody has to find, and the boxes
// that were found there.
func dropIgnored(truth, found []Box, overlap float64) (t, f []Box) {
	for _, fr := range frames(truth, found) {
		taken := make([]bool, len(fr.truth))
		gone := make([]bool, len(fr.found))
		for _, p := range best(fr.pairs(overlap), taken, make([]bool, len(fr.found))) {
			gone[p.found] = fr.truth[p.truth].Ignored
		}
		for _, b := range fr.truth {
			if !b.Ignored {
				t = append(t, b)
			}
		}
		for k, b := range fr.found {
			if !gone[k] {
				f = append(f, b)
			}
		}
	}
	return t, f
}

// best chooses among pairs, without those that are taken, as many as possible, and of
// those the ones that overlap most.
func best(pairs []pair, takenTruth, takenFound []bool) []pair {
	var rows, columns []int
	free := pairs[:0:0]
	for _, p := range pairs {
		if takenTruth[p.truth] || takenFound[p.found] {
			continue
		}
		free = append(free, p)
		if !slices.Contains(rows, p.truth) {
			rows = append(rows, p.truth)
		}
		if !slices.Contains(columns, p.found) {
			columns = append(columns, p.found)
		}
	}
	if len(free) == 0 {
		return nil
	}
	cost := make([][]float64, len(rows))
	for i := range cost {
		cost[i] = make([]float64, max(len(columns), len(rows)))
	}
	at := map[[2]int]pair{}
	for _, p := range free {
		i, k := slices.Index(rows, p.truth), slices.Index(columns, p.found)
		cost[i][k] = -1000 - p.overlap // a pair more is worth more than any overlap
		at[[2]int{i, k}] = p
	}
	var chosen []pair
	for i, k := range assign(cost) {
		if p, ok := at[[2]int{i, k}]; ok {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// identities is the largest number of frames in which objects and tracks agree, if each
// object is one track at most.
func identities(common map[[2]int]int) int {
	var objects, tracks []int
	for k := range common {
		if !slices.Contains(objects, k[0]) {
			objects = append(objects, k[0])
		}
		if !slices.Contains(tracks, k[1]) {
			tracks = append(tracks, k[1])
		}
	}
	slices.Sort(objects)
	slices.Sort(tracks)
	cost := make([][]float64, len(objects))
	for i, o := range objects {
		cost[i] = make([]float64, max(len(objects), len(tracks)))
		for k, t := range tracks {
			cost[i][k] = -float64(common[[2]int{o, t}])
		}
	}
	n := 0
	for i, k := range assign(cost) {
		if k < len(tracks) {
			n += common[[2]int{objects[i], tracks[k]}]
		}
	}
	return n
}

// assign gives each row a column of its own, at the least cost in all: the Hungarian
// method with potentials (Kuhn 1955, Munkres 1957). There are at least as many columns
// as rows.
func assign(cost [][]float64) []int {
	n := len(cost)
	if n == 0 {
		return nil
	}
	m := len(cost[0])
	u, v := make([]float64, n+1), make([]float64, m+1)
	row := make([]int, m+1) // of each column, from 1; 0: none
	for i := 1; i <= n; i++ {
		row[0] = i
		smallest := make([]float64, m+1)
		way := make([]int, m+1)
		used := make([]bool, m+1)
		for k := range smallest {
			smallest[k] = math.Inf(1)
		}
		k0 := 0
		for row[k0] != 0 {
			used[k0] = true
			i0, delta, k1 := row[k0], math.Inf(1), 0
			for k := 1; k <= m; k++ {
				if used[k] {
					continue
				}
				if c := cost[i0-1][k-1] - u[i0] - v[k]; c < smallest[k] {
					smallest[k], way[k] = c, k0
				}
				if smallest[k] < delta {
					delta, k1 = smallest[k], k
				}
			}
			for k := range used {
				if used[k] {
					u[row[k]] += delta
					v[k] -= delta
				} else {
					smallest[k] -= delta
				}
			}
			k0 = k1
		}
		for k0 != 0 {
			row[k0] = row[way[k0]]
			k0 = way[k0]
		}
	}
	columns := make([]int, n)
	for k := 1; k <= m; k++ {
		if row[k] > 0 {
			columns[row[k]-1] = k - 1
		}
	}
	return columns
}
