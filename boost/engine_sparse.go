package boost

import "context"

// eachSparse is each of a sparse table: a row is added to the bins of what it has, and
// the bin of a column's zeros has what is left of all rows.
func (e *engine) eachSparse(ctx context.Context, s *sparseColumns, columns, rows []int32, f func(worker, column int, b bins)) error {
	if e.sparse.a == nil {
		e.sparse = newBins(s.first[len(s.lists)])
	}
	all := e.sparse
	clear(all.a)
	clear(all.b)
	var totalA, totalB int64
	eachOf(rows, e.rows, func(i int) {
		a, b := e.weights.at(i)
		totalA += a
		totalB += b
		for _, k := range s.rowwise[s.starts[i]:s.starts[i+1]] {
			all.a[k] += a
			all.b[k] += b
		}
	})
	n := listed(columns, len(s.lists))
	return e.parallel(ctx, n, batch, len(all.a), func(worker, lo, hi int) {
		for k := lo; k < hi; k++ {
			j := column(columns, k)
			from, to := s.first[j], s.first[j+1]
			b := e.room(worker, j, to-from)
			copy(b.a, all.a[from:to])
			copy(b.b, all.b[from:to])
			restA, restB := totalA, totalB
			for c := range b.a {
				restA -= b.a[c]
				restB -= b.b[c]
			}
			b.a[s.zero[j]] += restA
			b.b[s.zero[j]] += restB
			f(worker, j, b)
		}
	})
}
