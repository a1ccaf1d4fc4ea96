package main

import . "haarlem/asm/a64"

// neon describes the kernels for arm64.
func neon() *File {
	f := &File{}
	stackNEON(f)
	pickNEON(f)
	return f
}

// stackNEON sums sixteen elements at a time, row by row.
func stackNEON(file *File) {
	f, p := file.Begin("stackNEON", "func(dst *int32, p *byte, rows *int, weights *int32, taps, n int)", "is stackGo for so many taps.")
	dst, pixels, rows, weights, taps, n := p[0], p[1], p[2], p[3], p[4], p[5]
	f.Blocks(n, 16, func() {
		sums, row, weight, left := f.Vs(4), f.G(), f.G(), f.G()
		f.Zero(sums...)
		f.Copy(row, rows)
		f.Copy(weight, weights)
		f.Copy(left, taps)
		f.Label("taps")
		from, v, w := f.Get("MOVD", row, 0), f.V(), f.V()
		f.LdrAt("q", v, pixels, from)
		f.LdrNext("s", w, weight, 4)
		f.Spread(H8, w, w, 0)
		for i, upper := range []string{"", "2"} {
			words := f.New("ushll"+upper, H8, v, 0)
			f.Do("umlal", S4, sums[2*i], words, w)
			f.Do("umlal2", S4, sums[2*i+1], words, w)
		}
		f.PlusN(row, row, 8)
		f.Countdown(left, 1, "taps")
		f.StpNext(sums[0], sums[1], dst, 32)
		f.StpNext(sums[2], sums[3], dst, 32)
		f.PlusN(pixels, pixels, 16)
	})
	f.Return()
}

// pickNEON keeps a whole row in registers. NEON has no gathers, so it loads elements one
// by one.
func pickNEON(file *File) {
	f, p := file.Begin("pickNEON", "func(dst, src, at, weights *int32, n int, factor, shift uint64)", "is pickGo.")
	dst, src, at, weights, n := p[0], p[1], p[2], p[3], p[4]
	sums := f.Vs(side / 4)
	f.Zero(sums...)
	f.Blocks(n, 1, func() {
		for i := 0; i < len(sums); i += 2 {
			for k, weight := range f.NextPair(weights) {
				v, from := f.V(), [4]G{f.G(), f.G(), f.G(), f.G()}
				f.LoadPair(from[0], from[1], at, 16*(i+k))
				f.LoadPair(from[2], from[3], at, 16*(i+k)+8)
				for lane, from := range from {
					f.Plus(from, src, from, 2)
					if lane == 0 {
						f.Ldr("s", v, from, 0)
					} else {
						f.LoadLane(S4, v, lane, from)
					}
				}
				f.Do("mla", S4, sums[i+k], v, weight)
			}
		}
		f.PlusN(at, at, 4*side)
	})
	factor, shift := f.V(), f.V()
	f.SpreadG(S4, factor, p[5])
	f.Negate(p[6], p[6])
	f.SpreadG(D2, shift, p[6]) // ushl by a negative count shifts right
	for i, s := range sums {
		low, high := f.New("umull", D2, s, factor), f.New("umull2", D2, s, factor)
		f.Do("ushl", D2, low, low, shift)
		f.Do("ushl", D2, high, high, shift)
		f.Do("uzp1", S4, sums[i], low, high)
	}
	for i := 0; i < len(sums); i += 2 {
		f.StpNext(sums[i], sums[i+1], dst, 32)
	}
	f.Return()
}
