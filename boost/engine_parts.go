package boost

import (
	"sync"
	"sync/atomic"
)

// partRows is the number of rows of a part.
const partRows = 1 << 14

// inParts calls f for one part of n rows after the other, with that many workers.
// Parts do not depend on the number of workers, so neither do sums of parts that
// are added in order.
func inParts(workers, n int, f func(part, from, to int)) {
	parts := (n + partRows - 1) / partRows
	var next atomic.Int64
	work := func() {
		for k := int(next.Add(1)) - 1; k < parts; k = int(next.Add(1)) - 1 {
			f(k, k*partRows, min(n, (k+1)*partRows))
		}
	}
	if workers = min(workers, parts); workers <= 1 {
		work()
		return
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(work)
	}
	wg.Wait()
}
