package boost

import "math"

// A sorter has the memory for sorting columns. Each result lasts until the next.
type sorter struct {
	some        []float64
	keys, other []uint64
	distinct    []weighted
}

// counted returns the distinct values of a column, ascending, with the number of
// rows that have them. Missing values are left out.
func (s *sorter) counted(c []float64) []weighted {
	s.keys, s.other = grow(s.keys, len(c))[:0], grow(s.other, len(c))
	for _, v := range c {
		if v == v {
			s.keys = append(s.keys, sortKey(v))
		}
	}
	keys, dst := radixSort(s.keys, s.other), s.distinct[:0]
	for i := 0; i < len(keys); {
		j := i + 1
		for j < len(keys) && keys[j] == keys[i] {
			j++
		}
		dst = append(dst, weighted{sortValue(keys[i]), float64(j - i)})
		i = j
	}
	s.distinct = dst
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

// radixSort sorts keys, and returns them, in the same memory or in other, which is
// as large. A digit that all keys share, as the low ones of numbers of 32 bits, takes no
// pass.
func radixSort(keys, other []uint64) []uint64 {
	const bits, digits = 11, 6
	var counts [digits][1 << bits]int32
	for _, k := range keys {
		for d := range digits {
			counts[d][k>>(bits*d)&(1<<bits-1)]++
		}
	}
	other = other[:len(keys)]
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
