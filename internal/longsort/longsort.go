// Package longsort sorts long slices under a context: sorting a million
// elements takes longer than callers with a deadline may want to wait.
package longsort

import (
	"context"
	"slices"
)

// run is the number of elements sorted by insertion before merging.
const run = 16

// chunk is about the number of elements moved between two checks of the
// context: well under 10 ms.
const chunk = 1 << 16

// Stable sorts s and keeps equal elements in their order. It works in buf,
// which is returned, grown as needed, for the next call. If ctx ends, its error
// is returned, and s is garbage: some elements occur twice.
func Stable[E any](ctx context.Context, s, buf []E, compare func(a, b E) int) ([]E, error) {
	n, work := len(s), 0
	tick := func(k int) error {
		if work += k; work < chunk {
			return nil
		}
		work = 0
		return ctx.Err()
	}
	for i := 0; i < n; i += run {
		insertion(s[i:min(i+run, n)], compare)
		if err := tick(run); err != nil {
			return buf, err
		}
	}
	if n <= run {
		return buf, nil
	}
	buf = slices.Grow(buf[:0], n)[:n]
	for width := run; width < n; width *= 2 {
		for i := 0; i+width < n; i += 2 * width {
			mid, end := i+width, min(i+2*width, n)
			if compare(s[mid-1], s[mid]) <= 0 {
				continue // they are in order already
			}
			// The left half waits in buf, the right one is where it is.
			left := buf[:copy(buf, s[i:mid])]
			to, right := i, mid
			for len(left) > 0 && right < end {
				stop := min(to+chunk, end)
				from := to
				for len(left) > 0 && right < end && to < stop {
					if compare(left[0], s[right]) <= 0 {
						s[to] = left[0]
						left = left[1:]
					} else {
						s[to] = s[right]
						right++
					}
					to++
				}
				if err := tick(to - from); err != nil {
					return buf, err
				}
			}
			copy(s[to:], left)
		}
		if err := tick(n / run); err != nil {
			return buf, err
		}
	}
	return buf, nil
}

func insertion[E any](s []E, compare func(a, b E) int) {
	for i := 1; i < len(s); i++ {
		for j := i; j > 0 && compare(s[j-1], s[j]) > 0; j-- {
			s[j-1], s[j] = s[j], s[j-1]
		}
	}
}
