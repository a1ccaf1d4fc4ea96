package main

import . "haarlem/asm/a64"

// neon describes the kernel for arm64.
func neon() *File {
	f := &File{}
	columnNEON(f)
	return f
}

// columnNEON computes eight samples at a time. There are enough registers for
// the addresses of all corners.
func columnNEON(file *File) {
	f, p := file.Begin("makeNEON", "func(dst *byte, table *int32, inv *float32, c *byte)", "is makeGo.")
	dst, table, inv, c := p[0], p[1], p[2], p[3]
	weights, more, low, limit := f.V(), f.V(), f.V(), f.V()
	f.Ldr("q", weights, c, weightAt) // and low behind them
	f.Ldr("d", more, c, scaleAt)     // and limit
	f.Spread(S4, low, weights, 3)
	f.Spread(S4, limit, more, 1)
	third, n := f.G(), f.G()
	f.Load("MOVWU", third, c, weightAt+8)
	var corners [3][4]G
	for r := range corners {
		for k := 0; k < 4; k += 2 {
			a, b := f.G(), f.G()
			f.LoadPair(a, b, c, 16*r+4*k)
			f.Plus(a, table, a, 2)
			f.Plus(b, table, b, 2)
			corners[r][k], corners[r][k+1] = a, b
		}
	}
	f.Set(n, lanes)
	weighed := func(r int) []V {
		var v []V
		for k, at := range corners[r] {
			t := f.NextPair(at)
			if k == 0 {
				v = t
				continue
			}
			for i := range v {
				f.Do([]string{"", "sub", "sub", "add"}[k], S4, v[i], v[i], t[i])
			}
		}
		for i := range v {
			f.Do("scvtf", S4, v[i], v[i])
			f.TimesLane("fmul", S4, v[i], v[i], weights, r)
		}
		return v
	}
	f.Blocks(n, 8, func() {
		v := weighed(0)
		add := func(r int) {
			for i, w := range weighed(r) {
				f.Do("fadd", S4, v[i], v[i], w)
			}
		}
		add(1)
		f.BranchZero(third, "two")
		add(2)
		f.Label("two")
		contrast := f.NextPair(inv)
		for i := range v {
			f.Do("fmul", S4, v[i], v[i], contrast[i])
			f.Do("fsub", S4, v[i], v[i], low)
			f.TimesLane("fmul", S4, v[i], v[i], more, 0)
			f.Do("fmin", S4, v[i], v[i], limit)
			f.Do("fcvtzu", S4, v[i], v[i]) // saturates at zero
		}
		f.Do("uzp1", H8, v[0], v[0], v[1])
		f.Do("xtn", B8, v[0], v[0])
		f.StrNext("d", v[0], dst, 8)
	})
	f.Return()
}
