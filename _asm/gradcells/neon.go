package main

import . "haarlem/asm/a64"

// neon describes the kernels for arm64.
func neon() *File {
	f := &File{}
	rowNEON(f)
	weighNEON(f)
	weighBlocksNEON(f)
	return f
}

// rowNEON computes two cells at a time, each in a register.
func rowNEON(file *File) {
	f, p := file.Begin("rowNEON", "func(dst *[8]int32, p, counts *int32, n, rows int)",
		"is rowGo from the second row of p on, and makes cells two by two.")
	dst, pixels, counts, n, rows := p[0], p[1], p[2], p[3], p[4]
	stride, root := f.G(), f.G()
	f.Shift("LSL", stride, n, 2)
	roots, zero := f.V(), f.V()
	f.Set(root, root3)
	f.SpreadG(S4, roots, root)
	f.Zero(zero)

	f.Blocks(n, 8, func() {
		var sums [6][]V // at 0, 30, 60 and 90 degrees; beyond 90 those at 30 and 60
		for i := range sums {
			sums[i] = f.Vs(2)
			f.Zero(sums[i][0], sums[i][1])
		}
		left, right, above, below, rest := f.G(), f.G(), f.G(), f.G(), f.G()
		f.PlusN(left, pixels, -4)
		f.PlusN(right, pixels, 4)
		f.Less(above, pixels, stride)
		f.Plus(below, pixels, stride, 0)
		f.Copy(rest, rows)
		f.Label("rows")
		load := func(at G) []V {
			v := f.Pair(at, 0)
			f.Plus(at, at, stride, 0)
			return v
		}
		l, r, a, b := load(left), load(right), load(above), load(below)
		for i := range l {
			x, y, beyond := f.V(), f.V(), f.V()
			f.Do("sub", S4, x, r[i], l[i])
			f.Do("sub", S4, y, b[i], a[i])
			f.Do("eor", B16, beyond, x, y)
			f.Do("sshr", S4, beyond, beyond, 31)
			f.Do("abs", S4, x, x)
			f.Do("abs", S4, y, y)
			rootX, rootY := f.New("mul", S4, x, roots), f.New("mul", S4, y, roots)
			f.Do("shl", S4, x, x, shift)
			f.Do("shl", S4, y, y, shift)
			along := func(a, rootB, sum V) {
				v := f.New("sub", S4, a, rootB)
				f.Do("smax", S4, v, v, zero)
				f.Do("add", S4, sum, sum, v)
			}
			between := func(a, rootB, sum, over V) {
				v, w := f.New("add", S4, a, a), f.New("sub", S4, rootB, a)
				f.Do("smin", S4, v, v, w)
				f.Do("smax", S4, v, v, zero)
				f.Do("add", S4, sum, sum, v)
				f.Do("and", B16, v, v, beyond)
				f.Do("add", S4, over, over, v)
			}
			along(x, rootY, sums[0][i])
			between(y, rootX, sums[1][i], sums[4][i])
			between(x, rootY, sums[2][i], sums[5][i])
			along(y, rootX, sums[3][i])
		}
		f.Countdown(rest, 1, "rows")

		count := f.NextPair(counts)
		for i := range count {
			for _, s := range sums {
				f.Do("and", B16, s[i], s[i], count[i])
			}
			add := func(a, b V) V { return f.New("addp", S4, a, b) }
			first := add(add(sums[0][i], sums[1][i]), add(sums[2][i], sums[3][i]))
			over := add(sums[4][i], sums[5][i])
			f.StpNext(first, add(over, over), dst, 32)
		}
		f.PlusN(pixels, pixels, 32)
	})
	f.Return()
}

// weighNEON processes eight cells at a time; the last block may overlap the one
// before.
func weighNEON(file *File) {
	f, p := file.Begin("weighNEON", "func(dst, sums *int32, parts *uint32, n int)", "is weighGo for size 1 and n cells, at least 8.")
	dst, sums, parts, n := p[0], p[1], p[2], p[3]
	eachLayerNEON(f, dst, sums, n, func() {
		alongNEON(f, n, func(at G) {
			from := f.G()
			f.Plus(from, sums, at, 2)
			storeNEON(f, f.Pair(from, 0), dst, parts, at)
		})
	})
	f.Return()
}

// weighBlocksNEON does the same row by row.
func weighBlocksNEON(file *File) {
	f, p := file.Begin("weighBlocksNEON", "func(dst, sums *int32, parts *uint32, n int)", "is weighGo for size 2 and n by n blocks, n at least 8.")
	dst, sums, parts, n := p[0], p[1], p[2], p[3]
	eachLayerNEON(f, dst, sums, n, func() {
		from, rows, weights, below := f.G(), f.G(), f.G(), f.G()
		f.Copy(from, sums)
		f.Copy(rows, n)
		f.Copy(weights, parts)
		f.Label("rows")
		f.Plus(below, from, n, 2)
		f.PlusN(below, below, 4)
		alongNEON(f, n, func(at G) {
			var v []V
			for i, row := range []G{from, below} {
				g := f.G()
				f.Plus(g, row, at, 2)
				w, next := f.Pair(g, 0), f.Vs(2)
				for k := range w {
					f.Ldr("q", next[k], g, 4+16*k)
					f.Do("add", S4, w[k], w[k], next[k])
					if i > 0 {
						f.Do("add", S4, w[k], w[k], v[k])
					}
				}
				v = w
			}
			storeNEON(f, v, dst, weights, at)
		})
		f.Copy(from, below)
		f.Plus(weights, weights, n, 2)
		f.LessN(rows, rows, 1)
		f.Branch("BEQ", "layer")
		f.Plus(dst, dst, n, 2)
		f.Branch("B", "rows")
		f.Label("layer")
	})
	f.Return()
}

// eachLayerNEON is eachLayer.
func eachLayerNEON(f *Func, dst, sums, n G, body func()) {
	left := f.G()
	f.Set(left, uint64(layers))
	f.Label("layers")
	body()
	f.Plus(dst, dst, n, 2)
	f.PlusN(sums, sums, 4*cells)
	f.Countdown(left, 1, "layers")
}

// alongNEON is along.
func alongNEON(f *Func, n G, body func(at G)) {
	at, last := f.G(), f.G()
	f.Set(at, 0)
	f.PlusN(last, n, -8)
	f.Label("along")
	body(at)
	f.Next(at, last, 8, "along")
}

// storeNEON is store: it keeps the upper halves of products.
func storeNEON(f *Func, v []V, dst, parts, at G) {
	from, to := f.G(), f.G()
	f.Plus(from, parts, at, 2)
	part := f.Pair(from, 0)
	for i := range v {
		low, high := f.New("umull", D2, v[i], part[i]), f.New("umull2", D2, v[i], part[i])
		f.Do("uzp2", S4, v[i], low, high)
	}
	f.Plus(to, dst, at, 2)
	f.Stp(v[0], v[1], to, 0)
}
