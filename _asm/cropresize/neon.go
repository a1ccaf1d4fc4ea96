package main

import . "haarlem/asm/a64"

// neon describes the kernels for arm64.
func neon() *File {
	f := &File{}
	acrossNEON(f, "acrossHalfNEON", S4)
	acrossNEON(f, "acrossNEON", D2)
	downNEON(f)
	return f
}

// acrossNEON computes eight pixels at a time, from as many bytes each as an
// element of l has. NEON has no gathers, so it loads elements one by one; table
// look-ups then pick the first bytes of four pixels, the second ones, and so on.
func acrossNEON(file *File, name string, l Lanes) {
	taps := 4
	if l == D2 {
		taps = maxTaps
	}
	f, p := file.Begin(name, "func(dst *int32, p *byte, first, weights *int32, n int)", "is acrossGo for at most that many taps.")
	dst, pixels, first, weights, n := p[0], p[1], p[2], p[3], p[4]
	// For each tap, where its bytes are in four pixels side by side.
	picks := make([]byte, 16*taps)
	for i := range picks {
		picks[i] = 0xff // gives zero
		if i%4 == 0 {
			picks[i] = byte(i%16/4*taps + i/16)
		}
	}
	table := f.G()
	f.Address(table, file.Bytes(name+"Picks", picks))
	pick := f.Vs(taps)
	for k := range pick {
		f.Ldr("q", pick[k], table, 16*k)
	}
	f.Blocks(n, 8, func() {
		// Four pixels are in one register, or in two that follow each other.
		var four [2][]V
		each := 16 / taps
		for half := range four {
			for i := range taps / 4 {
				four[half] = append(four[half], f.Fixed(24+2*half+i))
			}
			for i := 0; i < 4; i += 2 {
				at := []G{f.G(), f.G()}
				f.LoadPair(at[0], at[1], first, 16*half+4*i)
				for k, at := range at {
					v, lane := four[half][(i+k)/each], (i+k)%each
					if lane == 0 {
						f.LdrAt(map[Lanes]string{S4: "s", D2: "d"}[l], v, pixels, at)
						continue
					}
					f.Plus(at, pixels, at, 0)
					f.LoadLane(l, v, lane, at)
				}
			}
		}
		sum := f.Vs(2)
		for k := range taps {
			weight := f.Vs(2)
			if at := 4 * side * k; at < 1024 {
				f.Ldp(weight[0], weight[1], weights, at)
			} else {
				f.Ldr("q", weight[0], weights, at)
				f.Ldr("q", weight[1], weights, at+16)
			}
			for half := range four {
				v := f.V()
				f.Table(v, pick[k], four[half]...)
				if k == 0 {
					f.Do("mul", S4, sum[half], v, weight[half])
				} else {
					f.Do("mla", S4, sum[half], v, weight[half])
				}
			}
		}
		f.StpNext(sum[0], sum[1], dst, 32)
		f.PlusN(first, first, 32)
		f.PlusN(weights, weights, 32)
	})
	f.Return()
}

// downNEON keeps a whole row in registers.
func downNEON(file *File) {
	f, p := file.Begin("downNEON", "func(dst, rows *int32, first int, weights *int32, n int, factor, shift uint64)", "is downGo.")
	dst, rows, first, weights, n := p[0], p[1], p[2], p[3], p[4]
	sums := f.Vs(side / 4)
	f.Zero(sums...)
	f.Blocks(n, 1, func() {
		weight, row := f.V(), f.G()
		f.LdrNext("s", weight, weights, 4)
		f.Plus(row, first, first, 2) // 40 words are 5 * 32 bytes
		f.Plus(row, rows, row, 5)
		for i := 0; i < len(sums); i += 2 {
			for k, v := range f.NextPair(row) {
				f.TimesLane("mla", S4, sums[i+k], v, weight, 0)
			}
		}
		f.PlusN(first, first, 1)
		f.AndN(first, first, maxTaps-1)
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
