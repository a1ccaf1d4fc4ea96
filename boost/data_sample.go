package boost

import "math/rand/v2"

// sampledRows is the number of rows by which the bins of larger tables are chosen.
const sampledRows = 200_000

// sample returns the rows by which bins are chosen, ascending, nil meaning all: of
// a large table one of each of as many stretches of the rows with weight. It is a
// function of the table alone.
func (d *Data) sample() []int32 {
	n := d.Rows()
	if n <= sampledRows {
		return nil
	}
	var heavy []int32
	if d.Weights != nil {
		for i, w := range d.Weights {
			if w > 0 {
				heavy = append(heavy, int32(i))
			}
		}
		if n = len(heavy); n <= sampledRows {
			return heavy
		}
	}
	r := rand.New(rand.NewPCG(uint64(n), sampledRows))
	rows := make([]int32, sampledRows)
	for k := range rows {
		from, to := k*n/sampledRows, (k+1)*n/sampledRows
		rows[k] = int32(column(heavy, from+r.IntN(to-from)))
	}
	return rows
}
