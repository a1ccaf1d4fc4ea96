package main

import . "haarlem/asm/a64"

// neon describes the kernels for arm64.
func neon() *File {
	f := &File{}
	downNEON(f)
	acrossNEON(f)
	return f
}

// downNEON computes eight elements at a time; the last block may overlap the one before.
func downNEON(file *File) {
	f, p := file.Begin("downNEON", "func(dst *int16, p *byte, rows *int, taps int, weights *int16, n int)", "is downGo for n elements, at least 8.")
	dst, pixels, rows, taps, weights, n := p[0], p[1], p[2], p[3], p[4], p[5]
	at := f.G()
	f.Set(at, 0)
	f.PlusN(n, n, -8)
	f.Label("blocks")
	sum, k, row, weight := f.V(), f.G(), f.G(), f.G()
	f.Zero(sum)
	f.Copy(k, taps)
	f.Copy(row, rows)
	f.Copy(weight, weights)
	f.Label("taps")
	from, v, w := f.G(), f.V(), f.V()
	f.Load("MOVD", from, row, 0)
	f.Plus(from, from, at, 0)
	f.LdrAt("d", v, pixels, from)
	f.LdrNext("h", w, weight, 2)
	f.Spread(H8, w, w, 0)
	f.Do("ushll", H8, v, v, 0)
	f.Do("mla", H8, sum, v, w)
	f.PlusN(row, row, 8)
	f.Countdown(k, 1, "taps")
	to := f.G()
	f.Plus(to, dst, at, 1)
	f.StrNext("q", sum, to, 16)
	f.Next(at, n, 8, "blocks")
	f.Return()
}

// acrossNEON is across.
func acrossNEON(file *File) {
	f, p := file.Begin("acrossNEON", "func(dst *byte, src *int16, first *int32, weights *[8]int16, n, up int)",
		"is acrossGo for n pixels, at least 4, and for the plane of the bits from up on.")
	dst, src, first, weights, n, up := p[0], p[1], p[2], p[3], p[4], p[5]
	count, half, word := f.V(), f.V(), f.G()
	f.SpreadG(S4, count, up)
	f.Set(word, uint64(round))
	f.SpreadG(S4, half, word)
	at := f.G()
	f.Set(at, 0)
	f.PlusN(n, n, -4)
	f.Label("pixels")
	elements, pixel, to := f.G(), f.G(), f.G()
	f.Plus(elements, first, at, 2)
	f.Plus(pixel, weights, at, 4)
	f.Plus(to, dst, at, 2)
	var sums []V
	for i := range 4 {
		from, v, w, sum := f.G(), f.V(), f.V(), f.V()
		f.Load("MOVW", from, elements, 4*i)
		f.Plus(from, src, from, 1)
		f.Ldr("q", v, from, 0)
		f.Ldr("q", w, pixel, 2*taps*i)
		f.Do("smull", S4, sum, v, w)
		f.Do("smlal2", S4, sum, v, w)
		sums = append(sums, sum)
	}
	old := f.V()
	f.Do("addp", S4, sums[0], sums[0], sums[1])
	f.Do("addp", S4, sums[2], sums[2], sums[3])
	f.Do("addp", S4, sums[0], sums[0], sums[2])
	f.Do("add", S4, sums[0], sums[0], half)
	f.Do("ushr", S4, sums[0], sums[0], shift)
	f.Do("ushl", S4, sums[0], sums[0], count)
	f.Ldr("q", old, to, 0)
	f.Do("orr", B16, sums[0], sums[0], old)
	f.StrNext("q", sums[0], to, 16)
	f.Next(at, n, 4, "pixels")
	f.Return()
}
