package boost

import "math"

// encode codes the values of one column, and reports whether some are missing.
func encode(values, cuts []float64) (codes []byte, missing bool) {
	codes = make([]byte, len(values))
	if len(cuts) < 8 {
		for i, v := range values {
			codes[i] = code(v, cuts)
			missing = missing || v != v
		}
		return codes, missing
	}
	// Cuts are few, and values unordered: each comparison of a search would be
	// mispredicted, so it has no branches.
	var padded [maxBins]float64
	for k := range padded {
		padded[k] = math.Inf(1)
	}
	copy(padded[:], cuts)
	if done, missing := encodeEven(codes, values, cuts, &padded); done {
		return codes, missing
	}
	for i, v := range values {
		k := right(v, padded[127]) << 7
		k += right(v, padded[k+63]) << 6
		k += right(v, padded[k+31]) << 5
		k += right(v, padded[k+15]) << 4
		k += right(v, padded[k+7]) << 3
		k += right(v, padded[k+3]) << 2
		k += right(v, padded[k+1]) << 1
		k += right(v, padded[k])
		codes[i] = byte(min(k, len(cuts))) // of infinity it is more
		if v != v {
			codes[i], missing = byte(len(cuts)+1), true
		}
	}
	return codes, missing
}

// evenCells divide the range of the cuts.
const evenCells = 4096

// encodeEven is encode for many values where even cells over the range of the
// cuts have few cuts each: a value is compared with those of its cell alone. A
// cell is a rising function of the value, so cuts of lower cells are below it
// and those of higher cells above it, however it is rounded. It returns false,
// and does nothing, where that is not worth it.
func encodeEven(codes []byte, values, cuts []float64, padded *[maxBins]float64) (done, missing bool) {
	first, last := cuts[0], cuts[len(cuts)-1]
	scale := evenCells / (last - first)
	if len(values) < 4*evenCells || !(scale > 0) || math.IsInf(scale, 1) {
		return false, false
	}
	cell := func(v float64) int { return min(evenCells-1, int((v-first)*scale)) }
	var below [evenCells]byte // cuts of lower cells
	fullest, count, at := 0, 0, 0
	for k, c := range cuts {
		if b := cell(c); b != at {
			for i := at + 1; i <= b; i++ {
				below[i] = byte(k)
			}
			at, count = b, 0
		}
		if count++; count > fullest {
			fullest = count
		}
	}
	for i := at + 1; i < evenCells; i++ {
		below[i] = byte(len(cuts))
	}
	if fullest > 4 {
		return false, false
	}
	beyond := func(v float64) byte {
		switch {
		case v < first:
			return 0
		case v == v:
			return byte(len(cuts))
		}
		missing = true
		return byte(len(cuts) + 1)
	}
	codes = codes[:len(values)]
	if fullest == 1 { // as of most columns of numbers
		for i, v := range values {
			if v >= first && v < last {
				k := below[cell(v)&(evenCells-1)]
				codes[i] = k + byte(right(v, padded[k]))
			} else {
				codes[i] = beyond(v)
			}
		}
		return true, missing
	}
	for i, v := range values {
		if v >= first && v < last {
			k := below[cell(v)&(evenCells-1)]
			k += byte(right(v, padded[k]))
			k += byte(right(v, padded[k]))
			k += byte(right(v, padded[k]))
			k += byte(right(v, padded[k]))
			codes[i] = k
		} else {
			codes[i] = beyond(v)
		}
	}
	return true, missing
}
