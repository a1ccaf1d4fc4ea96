package main

import (
	"fmt"

	. "haarlem/asm/a64"
)

// neon describes the kernels for arm64.
func neon() *File {
	f := &File{}
	moveNEON(f)
	movePairsNEON(f)
	prefixNEON(f)
	areaNEON(f)
	rowNEON(f)
	return f
}

// difference returns i-o and i+o of sixteen pixels, as signed half words: i*i -
// o*o = (i-o)*(i+o).
func difference(f *Func, in, out G) (d, s [2]V) {
	i, o := f.V(), f.V()
	f.LdrNext("q", i, in, 16)
	f.LdrNext("q", o, out, 16)
	d, s = [2]V{f.V(), f.V()}, [2]V{f.V(), f.V()}
	for k, upper := range []string{"", "2"} {
		f.Do("usubl"+upper, H8, d[k], i, o)
		f.Do("uaddl"+upper, H8, s[k], i, o)
	}
	return d, s
}

// moveNEON makes sixteen columns at a time.
func moveNEON(file *File) {
	f, p := file.Begin("moveNEON", "func(sum, square *uint32, in, out *byte, n int)", "is moveGo.")
	sum, square, in, out, n := p[0], p[1], p[2], p[3], p[4]
	f.Blocks(n, 16, func() {
		d, s := difference(f, in, out)
		for k := range d {
			a, b := f.Pair(sum, 0), f.Pair(square, 0)
			for i, upper := range []string{"", "2"} {
				f.Do("saddw"+upper, S4, a[i], a[i], d[k])
				f.Do("smlal"+upper, S4, b[i], d[k], s[k])
			}
			f.StpNext(a[0], a[1], sum, 32)
			f.StpNext(b[0], b[1], square, 32)
		}
	})
	f.Return()
}

// movePairsNEON makes eight pairs of columns at a time.
func movePairsNEON(file *File) {
	f, p := file.Begin("movePairsNEON", "func(sum, square *uint32, in, out *byte, n int)", "is movePairsGo.")
	sum, square, in, out, n := p[0], p[1], p[2], p[3], p[4]
	f.Blocks(n, 8, func() {
		d, s := difference(f, in, out)
		a, b := f.Pair(sum, 0), f.Pair(square, 0)
		for k := range d {
			x, y := f.New("smull", S4, d[k], s[k]), f.New("smull2", S4, d[k], s[k])
			f.Do("addp", S4, x, x, y)
			f.Do("sadalp", S4, a[k], d[k])
			f.Do("add", S4, b[k], b[k], x)
		}
		f.StpNext(a[0], a[1], sum, 32)
		f.StpNext(b[0], b[1], square, 32)
	})
	f.Return()
}

// prefixNEON computes sixteen running sums at a time. They are loaded so that
// each lane of four registers has four neighbours: sums inside these are
// additions of registers, and only the sums of all four are added across lanes.
func prefixNEON(file *File) {
	f, p := file.Begin("prefixNEON", "func(dst, src *uint32, n int)", "writes dst[x] = src[0] + ... + src[x].")
	dst, src, n := p[0], p[1], p[2]
	zero, last := f.V(), f.V() // the latest sums; the last lane counts
	f.Zero(zero, last)
	f.Blocks(n, 16, func() {
		x := [4]V{f.Fixed(28), f.Fixed(29), f.Fixed(30), f.Fixed(31)}
		f.LoadFour(S4, x, src)
		for i := range 3 {
			f.Do("add", S4, x[i+1], x[i+1], x[i])
		}
		before, t := f.V(), f.V()
		f.Spread(S4, before, last, 3)
		for _, by := range []int{4, 8} {
			f.Extract(t, zero, x[3], 16-by)
			f.Do("add", S4, x[3], x[3], t)
		}
		f.Do("add", S4, x[3], x[3], before)
		f.Extract(before, last, x[3], 12) // the sums before each four
		for i := range 3 {
			f.Do("add", S4, x[i], x[i], before)
		}
		f.Move(last, x[3])
		f.StoreFour(S4, x, dst)
	})
	f.Return()
}

// areaNEON adds up sixteen pixels of a row at a time.
func areaNEON(file *File) {
	const block = 16
	inside := make([]byte, 2*block)
	for i := range block {
		inside[i] = 0xff
	}
	f, p := file.Begin("areaNEON", "func(pix *byte, stride, width, height int) (sum, square uint32)", "is areaGo.")
	pix, stride, width, height := p[0], p[1], p[2], p[3]
	// Of a row's last block, 1 to 16 pixels count.
	whole, at := f.G(), f.G()
	f.PlusN(whole, width, -1)
	f.AndN(whole, whole, -block)
	f.Less(width, width, whole)
	f.Address(at, file.Bytes("areaInside", inside))
	f.Less(at, at, width)
	last := f.V()
	f.Ldr("q", last, at, block)
	sums, squares := f.V(), f.V()
	f.Zero(sums, squares)
	add := func(v V) {
		pairs, low, high := f.New("uaddlp", H8, v), f.New("umull", H8, v, v), f.New("umull2", H8, v, v)
		f.Do("uadalp", S4, sums, pairs)
		f.Do("uadalp", S4, squares, low)
		f.Do("uadalp", S4, squares, high)
	}
	x, left, v := f.G(), f.G(), f.V()
	f.Label("row")
	f.Copy(x, pix)
	f.Copy(left, whole)
	f.BranchZero(left, "last")
	f.Label("block")
	f.LdrNext("q", v, x, block)
	add(v)
	f.Countdown(left, block, "block")
	f.Label("last")
	f.Ldr("q", v, x, 0)
	f.Do("and", B16, v, v, last)
	add(v)
	f.Plus(pix, pix, stride, 0)
	f.Countdown(height, 1, "row")
	for i, v := range []V{sums, squares} {
		r := f.G()
		f.Do("addv", S4, v, v)
		f.Take(S4, r, v, 0)
		f.Result([]string{"sum", "square"}[i], 4*i, r)
	}
	f.Return()
}

// rowNEON computes eight windows at a time. Roots and divisions take most of
// the time, so it skips blocks of windows whose variances are all below floor.
func rowNEON(file *File) {
	const block = 8
	f, p := file.Begin("rowNEON", "func(inv *float32, pass *byte, sum, square *uint32, n, step, width int, area, floor float64, below float32)",
		"is rowGo for steps of 1 and 2; sum and square begin at the first window's first column.\nNo window passes whose Area*q - s*s is below floor.")
	inv, pass, sum, square, n, step, width := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	area, floor, below, ones, zero, bits := f.V(), f.V(), f.V(), f.V(), f.V(), f.V()
	f.SpreadG(D2, area, f.Param("area", 56))
	f.SpreadG(D2, floor, f.Param("floor", 64))
	f.SpreadG(S4, below, f.Param32("below", 72))
	one, table := f.G(), f.G()
	f.Set(one, 0x3ff0000000000000)
	f.SpreadG(D2, ones, one)
	f.Zero(zero)
	weights := make([]byte, 16) // half words
	for i := range block {
		weights[2*i] = 1 << i
	}
	f.Address(table, file.Bytes("rowBits", weights))
	f.Ldr("q", bits, table, 0)
	sumEnd, squareEnd := f.G(), f.G()
	f.Plus(sumEnd, sum, width, 2)
	f.Plus(squareEnd, square, width, 2)

	// The two steps differ in how sums are read.
	body := func(step int, known string) {
		read := func(end, begin G) []V {
			if step == 1 {
				v, w := f.NextPair(end), f.NextPair(begin)
				for i := range v {
					f.Do("sub", S4, v[i], v[i], w[i])
				}
				return v
			}
			v, first, second := f.Vs(2), f.Fixed(30), f.Fixed(31)
			for i := range v {
				f.LoadSplit(S4, first, second, end)
				f.Move(v[i], first)
			}
			for i := range v {
				f.LoadSplit(S4, first, second, begin)
				f.Do("sub", S4, v[i], v[i], first)
			}
			return v
		}
		s, q := read(sumEnd, sum), read(squareEnd, square)
		var variance []V
		for i := range s {
			for _, upper := range []string{"", "2"} {
				a, b := f.New("ushll"+upper, D2, s[i], 0), f.New("ushll"+upper, D2, q[i], 0)
				f.Do("ucvtf", D2, a, a)
				f.Do("ucvtf", D2, b, b)
				f.Do("fmul", D2, b, b, area)
				f.Do("fmls", D2, b, a, a) // exact, fused or not
				variance = append(variance, b)
			}
		}
		largest, t, any := f.V(), f.V(), f.G()
		f.Do("fmax", D2, largest, variance[0], variance[1])
		f.Do("fmax", D2, t, variance[2], variance[3])
		f.Do("fmax", D2, largest, largest, t)
		f.Do("fcmge", D2, largest, largest, floor)
		f.Do("umaxv", S4, largest, largest)
		f.Take(S4, any, largest, 0)
		mask := f.V()
		f.Move(mask, zero)
		f.BranchZero(any, known)
		f.Move(mask, bits)
		single := f.Vs(2)
		for i, v := range variance {
			f.Do("fsqrt", D2, v, v)
			f.Do("fdiv", D2, v, ones, v)
			if i%2 == 0 {
				f.Do("fcvtn", S2, single[i/2], v)
			} else {
				f.Do("fcvtn2", S4, single[i/2], v)
			}
		}
		f.Stp(single[0], single[1], inv, 0)
		for _, v := range single {
			f.Do("fcmgt", S4, v, below, v)
		}
		f.Do("uzp1", H8, single[0], single[0], single[1])
		f.Do("and", B16, mask, mask, single[0])
		f.Do("addv", H8, mask, mask)
		f.Label(known)
		f.StrNext("b", mask, pass, 1)
		f.PlusN(inv, inv, 4*block)
		f.LessN(n, n, block)
	}
	f.CompareN(step, 1)
	f.Branch("BNE", "two")
	for i, name := range []string{"one", "two"} {
		f.Label(name)
		body(i+1, fmt.Sprint("known_", i+1))
		f.Branch("BGT", name)
		f.Return()
	}
}
