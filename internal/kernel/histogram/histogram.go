// Package histogram adds pairs of sums to the bins of eight columns: the inner
// loop of growing trees of Newton steps.
package histogram

// Columns is the number of columns of a word of codes.
const Columns = 8

// Sums are the two sums of each bin of each column.
type Sums [Columns][256][2]int64

// Add adds the pair of each row to the bins of its codes. A row has stride words,
// of which this uses the first, so codes must hold (len(pairs)-1)*stride+1. With
// c = codes[i*stride], Add equals, for every i and every k below columns,
//
//	h[k][byte(c>>(8*k))][0] += pairs[i][0]
//	h[k][byte(c>>(8*k))][1] += pairs[i][1]
//
// What happens to the sums of the other columns is not said.
func Add(h *Sums, codes []uint64, stride, columns int, pairs [][2]int64) {
	if len(pairs) == 0 {
		return
	}
	_ = codes[(len(pairs)-1)*stride]
	add(h, codes, stride, nil, pairs, columns <= Columns/2)
}

// AddRows is Add of the listed rows: c is codes[rows[i]*stride]. Every row must be
// in codes, which is not checked, and the last of them the largest.
func AddRows(h *Sums, codes []uint64, stride, columns int, rows []int32, pairs [][2]int64) {
	if len(rows) == 0 {
		return
	}
	_ = codes[int(rows[len(rows)-1])*stride]
	add(h, codes, stride, rows, pairs[:len(rows)], columns <= Columns/2)
}

// addGo adds to half of the columns, or to all; rows that are nil are all rows.
func addGo(h *Sums, codes []uint64, stride int, rows []int32, pairs [][2]int64, half bool) {
	at := 0
	switch {
	case rows != nil && half:
		for i, r := range rows {
			h.low(codes[int(r)*stride], pairs[i][0], pairs[i][1])
		}
	case rows != nil:
		for i, r := range rows {
			c := codes[int(r)*stride]
			h.low(c, pairs[i][0], pairs[i][1])
			h.high(c, pairs[i][0], pairs[i][1])
		}
	case half:
		for i := range pairs {
			h.low(codes[at], pairs[i][0], pairs[i][1])
			at += stride
		}
	default:
		for i := range pairs {
			h.low(codes[at], pairs[i][0], pairs[i][1])
			h.high(codes[at], pairs[i][0], pairs[i][1])
			at += stride
		}
	}
}

// low adds a pair to the first four columns.
func (h *Sums) low(c uint64, a, b int64) {
	addPair(&h[0][byte(c)], a, b)
	addPair(&h[1][byte(c>>8)], a, b)
	addPair(&h[2][byte(c>>16)], a, b)
	addPair(&h[3][byte(c>>24)], a, b)
}

// high adds a pair to the last four columns.
func (h *Sums) high(c uint64, a, b int64) {
	addPair(&h[4][byte(c>>32)], a, b)
	addPair(&h[5][byte(c>>40)], a, b)
	addPair(&h[6][byte(c>>48)], a, b)
	addPair(&h[7][byte(c>>56)], a, b)
}

func addPair(p *[2]int64, a, b int64) {
	p[0] += a
	p[1] += b
}
