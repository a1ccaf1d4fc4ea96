package boost

import "math"

// counted returns the distinct values of a column, ascending, with the number of
// rows that have them. Missing values are left out.
func counted(c []float64) []weighted {
	keys := make([]uint64, 0, len(c))
	for _, v := range c {
		if v == v {
			keys = append(keys, sortKey(v))
		}
	}
	keys = radixSort(keys)
	var dst []weighted
	for i := 0; i < len(keys); {
		j := i + 1
		for j < len(keys) && keys[j] == keys[i] {
			j++
		}
		dst = append(dst, weighted{sortValue(keys[i]), float64(j - i)})
		i = j
	}
	return dst
}

// sortKey maps a number to an integer in the same order. Both zeros are one.
func sortKey(v float64) uint64 {
	b := math.Float64bits(v + 0)
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// sortValue is the inverse of sortKey.
func sortValue(k uint64) float64 {
	if k>>63 != 0 {
		return math.Float64frombits(k &^ (1 << 63))
	}
	return math.Float64frombits(^k)
}

// radixSort sorts keys, and returns them, in the same memory or in other. A
// digit that all keys share, as the low ones of numbers of 32 bits, takes no
// pass.
func radixSort(keys []uint64) []uint64 {
	const bits, digits = 11, 6
	var counts [digits][1 << bits]int32
	for _, k := range keys {
		for d := range digits {
			counts[d][k>>(bits*d)&(1<<bits-1)]++
		}
	}
	other := make([]uint64, len(keys))
	for d := range digits {
		n := &counts[d]
		if len(keys) == 0 || int(n[keys[0]>>(bits*d)&(1<<bits-1)]) == len(keys) {
			continue
		}
		sum := int32(0)
		for k, c := range n {
			n[k] = sum
			sum += c
		}
		for _, k := range keys {
			at := &n[k>>(bits*d)&(1<<bits-1)]
			other[*at] = k
			*at++
		}
		keys, other = other, keys
	}
	return keys
}

// weighted is a value with the weight of the rows that have it.
type weighted struct {
	value, weight float64
}
