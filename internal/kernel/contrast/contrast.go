// Package contrast computes the contrast of every window of a row, and gates by
// it.
//
// It keeps the sum and the sum of squares of every pixel column over the rows
// of the windows, less a border of one pixel. A row of windows then takes one
// running sum over the columns. This replaces an integral image of squares,
// which would be the most that the search writes to memory.
package contrast

import (
	"math"

	"haarlem/internal/cpu"
)

// Slack is the number of elements that every slice must have beyond those asked
// for: kernels read and write whole registers.
const Slack = 64

// Move adds the row in to the column sums and subtracts the row out.
func Move(sum, square []uint32, in, out []byte, n int) {
	_, _, _, _ = sum[:n+Slack], square[:n+Slack], in[:n+Slack], out[:n+Slack]
	if n == 0 || cpu.Current() == cpu.PureGo {
		moveGo(sum, square, in, out, n)
		return
	}
	move(sum, square, in, out, n)
}

func moveGo(sum, square []uint32, in, out []byte, n int) {
	sum, square, in, out = sum[:n], square[:n], in[:n], out[:n]
	for x, p := range in {
		i, o := uint32(p), uint32(out[x])
		sum[x] += i - o
		square[x] += i*i - o*o
	}
}

// MovePairs is Move for windows of even width at a stride of two columns, where
// sums over pairs of columns suffice: sum[i] and square[i] are of the pixels
// 2*i and 2*i+1.
func MovePairs(sum, square []uint32, in, out []byte, n int) {
	_, _, _, _ = sum[:n+Slack], square[:n+Slack], in[:2*n+Slack], out[:2*n+Slack]
	if n == 0 || cpu.Current() == cpu.PureGo {
		movePairsGo(sum, square, in, out, n)
		return
	}
	movePairs(sum, square, in, out, n)
}

func movePairsGo(sum, square []uint32, in, out []byte, n int) {
	sum, square, in, out = sum[:n], square[:n], in[:2*n], out[:2*n]
	for x, p := range in {
		i, o := uint32(p), uint32(out[x])
		sum[x/2] += i - o
		square[x/2] += i*i - o*o
	}
}

// Prefix writes running sums: dst[0] = 0 and dst[x+1] = dst[x] + src[x] for
// all x below n, modulo 1<<32.
func Prefix(dst, src []uint32, n int) {
	_, _ = dst[:n+1+Slack], src[:n+Slack]
	dst[0] = 0
	if n == 0 || cpu.Current() == cpu.PureGo {
		prefixGo(dst, src, n)
		return
	}
	prefix(dst, src, n)
}

func prefixGo(dst, src []uint32, n int) {
	dst, src = dst[1:][:n], src[:n]
	s := uint32(0)
	for x, v := range src {
		s += v
		dst[x] = s
	}
}

// Area returns the sum of the pixels of a window of width x height and the sum
// of their squares, modulo 1<<32. pix begins at the window's first pixel.
func Area(pix []byte, stride, width, height int) (sum, square uint32) {
	if width == 0 || height == 0 {
		return 0, 0
	}
	_ = pix[:(height-1)*stride+width+Slack]
	if cpu.Current() == cpu.PureGo {
		return areaGo(pix, stride, width, height)
	}
	return area(pix, stride, width, height)
}

func areaGo(pix []byte, stride, width, height int) (sum, square uint32) {
	for y := range height {
		for _, p := range pix[y*stride:][:width] {
			v := uint32(p)
			sum += v
			square += v * v
		}
	}
	return sum, square
}

// A Gate decides which windows have enough contrast.
type Gate struct {
	Width int     // columns that count, the window's less 2
	Area  float64 // pixels that count
	Below float32 // a window passes if its inv is below
}

// Below returns the least inv for which area*inv is not below limit.
func Below(area, limit float64) float32 {
	inf := float32(math.Inf(1))
	v := float32(limit / area)
	for v < inf && area*float64(v) < limit {
		v = math.Nextafter32(v, inf)
	}
	for v > 0 {
		less := math.Nextafter32(v, 0)
		if area*float64(less) < limit {
			break
		}
		v = less
	}
	return v
}

// Row computes the contrast of windows i = 0 to n-1 of a row; window i begins
// at column i*step. With s and q the sum of its pixels and of their squares,
// from the running sums,
//
//	inv[i] = float32(1/sqrt(Area*q - s*s))
//
// and bit i%64 of pass[i/64] says whether the window passes the gate; bits from
// n on are zero. inv of a window that fails is undefined and may be infinite or
// NaN. inv and pass have room for n rounded up to 64; sum and square have Slack
// more elements per step behind those of the last window.
func Row(inv []float32, pass []uint64, sum, square []uint32, n, step int, g *Gate) {
	if n == 0 {
		return
	}
	words := (n + 63) / 64
	_, pass = inv[:words*64], pass[:words]
	last := (n-1)*step + 1 + g.Width + step*Slack
	_, _ = sum[:last+1], square[:last+1]
	clear(pass)
	if step > 2 || cpu.Current() == cpu.PureGo {
		rowGo(inv, pass, sum, square, n, step, g)
	} else {
		row(inv, pass, sum, square, n, step, g)
	}
	if n%64 != 0 {
		pass[words-1] &= 1<<(n%64) - 1
	}
}

// floor returns a variance, times Area squared, below which every window fails.
// It is smaller than the limit by far more than rounding to single precision
// can change.
func (g *Gate) floor() float64 { return (1 - 1e-6) / (float64(g.Below) * float64(g.Below)) }

// One is Row for one window with these sums.
func (g *Gate) One(sum, square uint32) (inv float32, pass bool) {
	s, q := float64(sum), float64(square)
	// All of these are integers below 1<<53, so this is exact, fused or not.
	nf := g.Area*q - s*s
	inv = float32(1 / math.Sqrt(nf))
	return inv, inv < g.Below
}

func rowGo(inv []float32, pass []uint64, sum, square []uint32, n, step int, g *Gate) {
	inv = inv[:n]
	for i := range inv {
		x := i*step + 1
		v, ok := g.One(sum[x+g.Width]-sum[x], square[x+g.Width]-square[x])
		inv[i] = v
		if ok {
			pass[i>>6] |= 1 << (i & 63)
		}
	}
}
