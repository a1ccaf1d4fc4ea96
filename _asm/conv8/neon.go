package main

import (
	"fmt"

	. "haarlem/asm/a64"
)

// neon describes the kernels for arm64: for all machines, and with sums of four
// products for those that have them.
func neon() *File {
	f := &File{}
	for _, dot := range []bool{true, false} {
		for _, raw := range []bool{false, true} {
			layerNEON(f, block, raw, dot)
			layerNEON(f, step, raw, dot)
		}
	}
	return f
}

// layerNEON computes one block of outputs at all places. A register of weights has those
// of four outputs. With dot, a register of sums has these outputs; without, it has two
// parts of the sums of two outputs, so that half as many places fit into registers.
func layerNEON(file *File, outputs int, raw, dot bool) {
	name, to, end := fmt.Sprint("apply", outputs), "*byte", "NEON"
	what := "applyGo, but keeps what is larger if there are maxima,"
	if raw {
		name, to, what = fmt.Sprint("sums", outputs), "*int32", "sumsGo"
	}
	if dot {
		end = "Dot"
	}
	f, p := file.Begin(name+end, "func(dst "+to+", src *byte, places *int32, n int, weights *int8, bias, shift *int32, rows, inputs, stride, maxima int)",
		fmt.Sprintf("is %s for a block of %d outputs, and n places in units of %d.", what, outputs, unit))
	dst, src, places, n, weights, bias, shifts, rows, inputs, stride, maxima := p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7], p[8], p[9], p[10]
	quads := outputs / 4
	together := unit
	if !dot && outputs == block {
		together = unit / 2
	}
	limit, keep := f.V(), f.V()
	f.Fill(B8, limit, 127)
	mask := f.G()
	f.Set(mask, 1)
	f.Less(mask, mask, maxima)
	f.Shift("ASR", mask, mask, 63) // all bits, or none for one place
	f.SpreadG(S4, keep, mask)

	f.Label("places")
	var from []G
	var sums [][]V // of a place, by fours of outputs or twos
	for i := range together {
		g := f.Get("MOVW", places, i*place+in)
		f.Plus(g, src, g, 0)
		from = append(from, g)
		var s []V
		for k := range quads {
			if dot {
				s = append(s, f.V())
				f.Ldr("q", s[k], bias, 16*k)
				continue
			}
			s = append(s, f.V(), f.V())
			f.Zero(s[2*k], s[2*k+1])
		}
		sums = append(sums, s)
	}
	w, row := f.G(), f.G()
	f.Copy(w, weights)
	f.Copy(row, rows)
	f.Label("rows")
	left := f.G()
	f.Copy(left, inputs)
	f.Label("groups")
	ws := f.Vs(quads)
	for k := 0; k < quads; k += 2 {
		f.LdpNext(ws[k], ws[k+1], w, 32)
	}
	for i, g := range from {
		x := f.V()
		f.LdrNext("s", x, g, group)
		if !dot {
			f.Spread(S4, x, x, 0)
		}
		for k := range quads {
			if dot {
				f.Dot(sums[i][k], ws[k], x, 0)
				continue
			}
			// Two products fit 16 bits, but these are one each.
			low, high := f.New("smull", H8, x, ws[k]), f.New("smull2", H8, x, ws[k])
			f.Do("sadalp", S4, sums[i][2*k], low)
			f.Do("sadalp", S4, sums[i][2*k+1], high)
		}
	}
	f.Countdown(left, group, "groups")
	for _, g := range from {
		f.Plus(g, g, stride, 0)
		f.Less(g, g, inputs)
	}
	f.Countdown(row, 1, "rows")

	for i, s := range sums {
		if !dot {
			var whole []V
			for k := range quads {
				b := f.V()
				f.Ldr("q", b, bias, 16*k)
				f.Do("addp", S4, s[2*k], s[2*k], s[2*k+1])
				f.Do("add", S4, s[2*k], s[2*k], b)
				whole = append(whole, s[2*k])
			}
			s = whole
		}
		at := f.Get("MOVW", places, i*place+out)
		if raw {
			f.Plus(at, dst, at, 2)
			for k := 0; k < quads; k += 2 {
				f.Stp(s[k], s[k+1], at, 16*k)
			}
			continue
		}
		f.Plus(at, dst, at, 0)
		zero := f.V()
		f.Zero(zero)
		for k := range quads {
			v := f.V()
			f.Ldr("q", v, shifts, 16*k)
			f.Do("sub", S4, v, zero, v) // to the right
			f.Do("sshl", S4, s[k], s[k], v)
		}
		for k := 0; k < quads; k += 2 {
			f.Do("sqxtun", H4, s[k], s[k])
			f.Do("sqxtun2", H8, s[k], s[k+1])
			f.Do("uqxtn", B8, s[k], s[k])
			f.Do("umin", B8, s[k], s[k], limit)
			old := f.V()
			f.Ldr("d", old, at, 0)
			f.Do("and", B8, old, old, keep)
			f.Do("umax", B8, s[k], s[k], old)
			f.StrNext("d", s[k], at, 8)
		}
	}
	f.PlusN(places, places, together*place)
	f.LessN(n, n, together)
	f.Branch("BGT", "places")
	f.Return()
}
