package boost

import (
	"context"

	"haarlem/internal/par"
)

// partRows is the number of rows of a part.
const partRows = 1 << 14

// inParts calls f for one part of n rows after the other, with that many workers.
// Parts do not depend on the number of workers, so neither do sums of parts that
// are added in order.
func inParts(workers, n int, f func(part, from, to int)) {
	// It has no end but its own: a round is not left halfway.
	_ = par.Chunks(context.Background(), n, partRows, max(workers, 1), func(from, to int) { f(from/partRows, from, to) })
}
