package main

import (
	"fmt"

	. "haarlem/asm/a64"
)

// neon describes the kernels for arm64.
func neon() *File {
	f := &File{}
	planeNEON(f, 4)
	planeNEON(f, 3)
	return f
}

// planeNEON computes eight pixels at a time, from two registers that overlap if a pixel
// has three bytes.
func planeNEON(file *File, size int) {
	f, p := file.Begin(fmt.Sprint("plane", size), signature, fmt.Sprintf(doc, size, pixels))
	dst, src, n, form := p[0], p[1], p[2], p[3]
	second := 8*size - 16 // where the other register begins
	var channels []V      // their bytes, as words
	for c := range 3 {
		table := make([]byte, 16)
		for p := range 8 {
			at := size*p + c
			if at >= 16 {
				at += 16 - second
			}
			table[2*p], table[2*p+1] = byte(at), 0xff
		}
		from, v := f.G(), f.V()
		f.Address(from, file.Bytes(fmt.Sprintf("channel%d_%d", size, c), table))
		f.Ldr("q", v, from, 0)
		channels = append(channels, v)
	}
	spread := func(at int) V {
		g, v := f.G(), f.V()
		f.Load("MOVW", g, form, at)
		if at == shift {
			f.Negate(g, g)
		}
		f.SpreadG(S4, v, g)
		return v
	}
	factors, add, count := spread(factor), spread(bias), spread(shift)
	all, weights := f.V(), f.Vs(4)
	f.Ldr("d", all, form, first)
	for i, w := range weights {
		f.Spread(H8, w, all, i)
	}
	f.Blocks(n, 8, func() {
		in, v := f.Vs(2), f.Vs(3)
		f.Ldr("q", in[0], src, 0)
		f.Ldr("q", in[1], src, second)
		f.PlusN(src, src, 8*size)
		for c, index := range channels {
			f.Table(v[c], index, in[0], in[1])
		}
		sums := f.Vs(2)
		for i, upper := range []string{"", "2"} {
			f.Do("smull"+upper, S4, sums[i], v[0], weights[0])
			f.Do("smlal"+upper, S4, sums[i], v[1], weights[1])
			f.Do("smlal"+upper, S4, sums[i], v[2], weights[2])
			f.Do("smlal"+upper, S4, sums[i], v[1], weights[3])
			f.Do("mul", S4, sums[i], sums[i], factors)
			f.Do("add", S4, sums[i], sums[i], add)
			f.Do("ushl", S4, sums[i], sums[i], count)
		}
		out := f.New("uqxtn", H4, sums[0])
		f.Do("uqxtn2", H8, out, sums[1])
		f.Do("uqxtn", B8, out, out)
		f.StrNext("d", out, dst, 8)
	})
	f.Return()
}
