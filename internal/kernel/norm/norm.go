// Package norm works out the contrast of every window of a row.
//
// It keeps, for every pixel column, the sum and the squared sum over the rows
// of the windows (less a border of one pixel); a row of windows is then one
// running sum over the columns. This replaces a table of squares, which would
// be the largest thing that the scan writes to memory.
package norm

import "math"

// Add adds a row of pixels to the column sums: for every x,
//
//	sum[x] += pix[x]
//	square[x] += pix[x]*pix[x]
func Add(sum, square []uint32, pix []byte) { add(sum, square, pix) }

func addGo(sum, square []uint32, pix []byte) {
	sum, square = sum[:len(pix)], square[:len(pix)]
	for x, p := range pix {
		v := uint32(p)
		sum[x] += v
		square[x] += v * v
	}
}

// Move adds the row in and takes the row out off the column sums.
func Move(sum, square []uint32, in, out []byte) { move(sum, square, in, out) }

func moveGo(sum, square []uint32, in, out []byte) {
	sum, square, out = sum[:len(in)], square[:len(in)], out[:len(in)]
	for x, p := range in {
		i, o := uint32(p), uint32(out[x])
		sum[x] += i - o
		square[x] += i*i - o*o
	}
}

// Prefix writes running sums: dst[0] = 0 and dst[x+1] = dst[x] + src[x],
// modulo 1<<32.
func Prefix(dst, src []uint32) { prefix(dst, src) }

func prefixGo(dst, src []uint32) {
	dst = dst[:len(src)+1]
	dst[0] = 0
	s := uint32(0)
	for x, v := range src {
		s += v
		dst[x+1] = s
	}
}

// A Gate says which windows have enough contrast.
type Gate struct {
	Width int     // columns that count, the window's less 2
	Area  float64 // pixels that count
	Limit float64 // a window passes if Area*inv < Limit
}

// Row works out the windows i = 0 to n-1 of a row; window i begins at column
// i*step. With s and q the sums of its pixels and of their squares, taken from
// the running sums,
//
//	inv[i] = float32(1/sqrt(Area*q - s*s))
//
// and bit i%64 of pass[i/64] says whether the window passes the gate. inv of a
// window that does not pass may be anything, infinity included. inv and pass have room for n rounded up to 64.
func Row(inv []float32, pass []uint64, sum, square []uint32, n, step int, g *Gate) {
	row(inv, pass, sum, square, n, step, g)
}

func rowGo(inv []float32, pass []uint64, sum, square []uint32, n, step int, g *Gate) {
	inv = inv[:n]
	clear(pass[:(n+63)/64])
	for i := range inv {
		x := i*step + 1
		s := float64(sum[x+g.Width] - sum[x])
		q := float64(square[x+g.Width] - square[x])
		// All of these are whole numbers below 1<<53, so fused or not, it is
		// exact.
		nf := g.Area*q - s*s
		v := float32(1 / math.Sqrt(nf))
		inv[i] = v
		if g.Area*float64(v) < g.Limit {
			pass[i>>6] |= 1 << (i & 63)
		}
	}
}
