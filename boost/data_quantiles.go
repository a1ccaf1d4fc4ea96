package boost

import "slices"

// quantileBits is the logarithm of the number of buckets of quantiles.
const quantileBits = 20

// quantiles returns equalFrequency of a column's distinct values, without
// sorting them all: rows are put into buckets of neighbouring values, and only
// those in which a cut must lie are sorted. It gives up, and returns false, if
// the buckets are too few for that, as for few values.
func quantiles(c []float64, bins int) ([]float64, bool) {
	n := 0
	lo, hi := ^uint64(0), uint64(0)
	for _, v := range c {
		if v == v {
			k := sortKey(v)
			lo, hi = min(lo, k), max(hi, k)
			n++
		}
	}
	shift := 0
	for n > 0 && (hi-lo)>>shift >= 1<<quantileBits {
		shift++
	}
	ends := make([]int32, 1<<quantileBits+1) // of each bucket, while it is filled
	for _, v := range c {
		if v == v {
			ends[(sortKey(v)-lo)>>shift+1]++
		}
	}
	after := 0 // buckets with rows that are still to come
	for b := 1; b < len(ends); b++ {
		if ends[b] > 0 {
			after++
		}
		ends[b] += ends[b-1]
	}
	if after < 2*bins {
		return nil, false
	}
	keys := make([]uint64, n)
	for _, v := range c {
		if v == v {
			k := sortKey(v)
			at := &ends[(k-lo)>>shift]
			keys[*at] = k
			*at++
		}
	}
	var cuts []float64
	total, sum := float64(n), 0.0
	from := int32(0)
	for _, to := range ends[:len(ends)-1] {
		bucket := keys[from:to]
		if len(bucket) == 0 {
			continue
		}
		after--
		left := bins - len(cuts)
		if after < left { // whether there are values for all bins may decide
			if rest := keys[from:]; len(rest) < n/4 {
				slices.Sort(rest)
				return moreCuts(cuts, distinct(nil, rest), bins, total, sum), true
			}
			return nil, false
		}
		from = to
		if size := float64(len(bucket)); (sum+size)*float64(left) < total {
			sum += size
			continue
		}
		slices.Sort(bucket)
		for i := 0; i < len(bucket); {
			j := i + 1
			for j < len(bucket) && bucket[j] == bucket[i] {
				j++
			}
			sum += float64(j - i)
			if sum*float64(left) >= total {
				var next uint64
				if j < len(bucket) {
					next = bucket[j]
				} else {
					next = firstBehind(keys[to:], lo, shift)
				}
				cuts = append(cuts, between(sortValue(bucket[i]), sortValue(next)))
				if len(cuts) == bins-1 {
					return cuts, true
				}
				total -= sum
				sum = 0
				left--
			}
			i = j
		}
	}
	return cuts, true
}

// firstBehind returns the smallest key of the next bucket.
func firstBehind(keys []uint64, lo uint64, shift int) uint64 {
	bucket := (keys[0] - lo) >> shift
	least := keys[0]
	for _, k := range keys {
		if (k-lo)>>shift != bucket {
			break
		}
		least = min(least, k)
	}
	return least
}
