package main

import . "haarlem/asm/a64"

// neon describes the kernels for arm64.
func neon() *File {
	f := &File{}
	sumNEON(f)
	splitNEON(f)
	tiltNEON(f)
	togetherNEON(f)
	return f
}

// sumNEON is sum for blocks of sixteen pixels, in two registers.
func sumNEON(file *File) {
	f, p := file.Begin("sumNEON", "func(dst, above *uint16, pix *byte, n int)", "writes dst[x] = above[x] + pix[0] + ... + pix[x].")
	dst, above, pix, n := p[0], p[1], p[2], p[3]
	zero, carry := f.V(), f.V() // the sum so far, in all lanes
	f.Zero(zero, carry)
	f.Blocks(n, 16, func() {
		bytes, t, a, b := f.V(), f.V(), f.V(), f.V()
		x := f.Vs(2)
		f.LdrNext("q", bytes, pix, 16)
		f.LdpNext(a, b, above, 32)
		f.Do("ushll", H8, x[0], bytes, 0)
		f.Do("ushll2", H8, x[1], bytes, 0)
		for _, by := range []int{2, 4, 8} {
			for _, x := range x {
				f.Extract(t, zero, x, 16-by)
				f.Do("add", H8, x, x, t)
			}
		}
		for _, x := range x {
			f.Do("add", H8, x, x, carry)
			f.Spread(H8, carry, x, 7)
		}
		f.Do("add", H8, x[0], x[0], a)
		f.Do("add", H8, x[1], x[1], b)
		f.StpNext(x[0], x[1], dst, 32)
	})
	f.Return()
}

// splitNEON distributes a row over two planes, sixteen elements at a time.
func splitNEON(file *File) {
	f, p := file.Begin("splitNEON", "func(even, odd, row *uint16, n int)", "is splitGo for two planes, of n elements each.")
	even, odd, row, n := p[0], p[1], p[2], p[3]
	f.Blocks(n, 16, func() {
		x, y, z, w := f.Fixed(0), f.Fixed(1), f.Fixed(2), f.Fixed(3)
		f.LoadSplit(H8, x, y, row)
		f.LoadSplit(H8, z, w, row)
		f.StpNext(x, z, even, 32)
		f.StpNext(y, w, odd, 32)
	})
	f.Return()
}

// tiltNEON computes the elements 1 to n of a tilted row.
func tiltNEON(file *File) {
	f, p := file.Begin("tiltNEON", "func(dst, t1, t2 *uint16, pix1, pix2 *byte, n int)",
		"writes dst[x+1] = t1[x] + t1[x+2] - t2[x+1] + pix1[x] + pix2[x].")
	dst, left, t2, pix1, pix2, n := p[0], p[1], p[2], p[3], p[4], p[5]
	right := f.G()
	f.PlusN(right, left, 4)
	f.PlusN(t2, t2, 2)
	f.PlusN(dst, dst, 2)
	f.Blocks(n, 16, func() {
		x, y, old := f.NextPair(left), f.NextPair(right), f.NextPair(t2)
		a, b := f.V(), f.V()
		f.LdrNext("q", a, pix1, 16)
		f.LdrNext("q", b, pix2, 16)
		for i, long := range []string{"uaddl", "uaddl2"} {
			pixels := f.New(long, H8, a, b)
			f.Do("add", H8, x[i], x[i], y[i])
			f.Do("sub", H8, x[i], x[i], old[i])
			f.Do("add", H8, x[i], x[i], pixels)
		}
		f.StpNext(x[0], x[1], dst, 32)
	})
	f.Return()
}

// togetherNEON transposes blocks of eight columns of sixteen windows, a row at
// a time: eight windows, then the other eight.
func togetherNEON(file *File) {
	f, p := file.Begin("togetherNEON", "func(dst, tab *uint16, blocks *int32, n, rows, stride, pitch, across int)",
		"is togetherGo; stride, pitch and across are in bytes.")
	dst, tab, blocks, n, rows, stride, pitch, across := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]
	at, left, to := f.G(), f.G(), f.G()
	f.Label("rows")
	f.Copy(at, blocks)
	f.Copy(left, n)
	f.Label("blocks")
	var half [2][]V
	for h := range half {
		v := f.Vs(8)
		for i := 0; i < 8; i += 2 {
			a, b := f.G(), f.G()
			f.LoadPair(a, b, at, 4*(8*h+i))
			f.Plus(a, tab, a, 1)
			f.Plus(b, tab, b, 1)
			f.Ldr("q", v[i], a, 0)
			f.Ldr("q", v[i+1], b, 0)
		}
		// Pairs of half words, of words, of double words.
		for s, l := range []Lanes{H8, S4, D2} {
			next := f.Vs(8)
			for i := range v {
				if i>>s&1 == 0 {
					f.Do("trn1", l, next[i], v[i], v[i|1<<s])
					f.Do("trn2", l, next[i|1<<s], v[i], v[i|1<<s])
				}
			}
			v = next
		}
		half[h] = v
	}
	f.Load("MOVW", to, at, blockTo)
	f.Plus(to, dst, to, 1)
	for c := range 8 {
		f.Stp(half[0][c], half[1][c], to, 0)
		if c < 7 {
			f.Plus(to, to, across, 0)
		}
	}
	f.PlusN(at, at, blockSize)
	f.Countdown(left, 1, "blocks")
	f.Plus(tab, tab, stride, 0)
	f.Plus(dst, dst, pitch, 0)
	f.Countdown(rows, 1, "rows")
	f.Return()
}
