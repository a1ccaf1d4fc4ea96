package catalogue

import (
	"fmt"
	"math"
	"math/rand/v2"

	"haarlem/boost"
)

// flipLabels flips round(share * rows) distinct labels.
func flipLabels(t *boost.Data, share float64, r *rand.Rand) {
	flips := int(math.Round(share * float64(len(t.Labels))))
	for _, row := range r.Perm(len(t.Labels))[:flips] {
		t.Labels[row] = -t.Labels[row]
	}
}

// hidePositives labels round(share * positives) distinct rows of class +1 as -1.
func hidePositives(t *boost.Data, share float64, r *rand.Rand) {
	var positives []int
	for row, y := range t.Labels {
		if y > 0 {
			positives = append(positives, row)
		}
	}
	hidden := int(math.Round(share * float64(len(positives))))
	for _, k := range r.Perm(len(positives))[:hidden] {
		t.Labels[positives[k]] = -1
	}
}

// blurAttributes replaces each cell, with probability p, with the value of a
// random row in the same column.
func blurAttributes(t *boost.Data, p float64, r *rand.Rand) {
	for i := range t.Columns {
		old := t.Columns[i]
		blurred := make([]float64, len(old))
		for row, v := range old {
			// Both numbers are always drawn, so that a larger p replaces the
			// same cells, and more.
			hit, other := r.Float64() < p, r.IntN(len(old))
			if hit {
				v = old[other]
			}
			blurred[row] = v
		}
		t.Columns[i] = blurred
	}
}

// addIrrelevant appends n columns that are independent of the class.
func addIrrelevant(t *boost.Data, n int, boolean bool, r *rand.Rand) {
	for i := range n {
		c := make([]float64, 0, len(t.Labels))
		for range t.Labels {
			v := 0.0
			switch {
			case !boolean:
				v = r.NormFloat64()
			case coin(r):
				v = 1
			}
			c = append(c, v)
		}
		t.Columns, t.Names = append(t.Columns, c), append(t.Names, fmt.Sprintf("noise%d", i+1))
		if t.Levels != nil {
			t.Levels = append(t.Levels, nil)
		}
	}
}

// boolean reports whether every column contains only names or zeros and ones.
func boolean(t *boost.Data) bool {
	for i := range t.Columns {
		if t.LevelsOf(i) != nil {
			continue
		}
		for _, v := range t.Columns[i] {
			if v != 0 && v != 1 {
				return false
			}
		}
	}
	return true
}
