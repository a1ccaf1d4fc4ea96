package main

import . "haarlem/asm/a64"

// neon describes the kernels for arm64.
func neon() *File {
	f := &File{}
	rowTables(f, "rowNear", 1)
	rowTables(f, "rowFar", 2)
	rowTables(f, "rowFarther", 4)
	rowLoads(f)
	blendNEON(f)
	halveNEON(f)
	return f
}

// rowTables computes blocks of 16 destination pixels, as rowShuffles does, from
// the same tables.
func rowTables(file *File, name string, loads int) {
	name += "NEON"
	f, p := file.Begin(name, "func(dst *uint16, src *byte, starts *int32, shuffle *byte, part *uint16, blocks int)",
		"scales blocks of 16 pixels; see Axis.loads.")
	dst, src, starts, shuffle, part, blocks := p[0], p[1], p[2], p[3], p[4], p[5]
	zero := f.V()
	f.Zero(zero)
	f.Label("blocks")
	pairs := f.Vs(2)
	for i := range loads {
		at := []G{f.G(), f.G()}
		f.LoadPair(at[0], at[1], starts, 8*i)
		index := f.NextPair(shuffle)
		for k := range pairs {
			pixels := f.V()
			f.LdrAt("q", pixels, src, at[k])
			if i == 0 {
				f.Table(pairs[k], index[k], pixels)
			} else {
				f.TableOver(pairs[k], index[k], pixels)
			}
		}
	}
	weigh(f, dst, part, zero, pairs)
	f.PlusN(starts, starts, 8*loads)
	f.Countdown(blocks, 1, "blocks")
	f.Return()
}

// rowLoads computes blocks of 16 destination pixels, and loads their pairs of
// neighbours one by one: there are no gathers.
func rowLoads(file *File) {
	f, p := file.Begin("rowLoadsNEON", "func(dst *uint16, src *byte, index *int32, part *uint16, blocks int)",
		"scales blocks of 16 pixels, wherever their source pixels are.")
	dst, src, index, part, blocks := p[0], p[1], p[2], p[3], p[4]
	zero := f.V()
	f.Zero(zero)
	f.Label("blocks")
	pairs := f.Vs(2)
	for i := 0; i < 16; i += 2 {
		at := []G{f.G(), f.G()}
		f.LoadPair(at[0], at[1], index, 4*i)
		for k, at := range at {
			if i+k == 0 || i+k == 8 {
				f.LdrAt("h", pairs[i/8], src, at) // and zeros
				continue
			}
			f.Plus(at, src, at, 0)
			f.LoadLane(H8, pairs[i/8], (i+k)%8, at)
		}
	}
	weigh(f, dst, part, zero, pairs)
	f.PlusN(index, index, 64)
	f.Countdown(blocks, 1, "blocks")
	f.Return()
}

// weigh interpolates and stores 16 pixels.
func weigh(f *Func, dst, part G, zero V, pairs []V) {
	left, right := f.New("uzp1", B16, pairs[0], pairs[1]), f.New("uzp2", B16, pairs[0], pairs[1])
	parts, sum := f.NextPair(part), f.Vs(2)
	for i, upper := range []string{"", "2"} {
		more := f.New("usubl"+upper, H8, right, left)
		f.Do([]string{"zip1", "zip2"}[i], B16, sum[i], zero, left) // 256 times left
		f.Do("mla", H8, sum[i], more, parts[i])
	}
	f.StpNext(sum[0], sum[1], dst, 32)
}

func blendNEON(file *File) {
	f, p := file.Begin("blendNEON", "func(dst *byte, top, bottom *uint16, n, pair int)", "is blendGo; pair holds (256-part) and part<<16.")
	dst, top, bottom, n, pair := p[0], p[1], p[2], p[3], p[4]
	upper, lower := f.V(), f.V()
	f.SpreadG(H8, upper, pair)
	f.Shift("LSR", pair, pair, 16)
	f.SpreadG(H8, lower, pair)
	f.Blocks(n, 16, func() {
		a, b, r := f.NextPair(top), f.NextPair(bottom), f.Vs(2)
		for i := range a {
			low, high := f.New("umull", S4, a[i], upper), f.New("umull2", S4, a[i], upper)
			f.Do("umlal", S4, low, b[i], lower)
			f.Do("umlal2", S4, high, b[i], lower)
			f.Do("rshrn", H4, r[i], low, 16)
			f.Do("rshrn2", H8, r[i], high, 16)
		}
		f.Do("uzp1", B16, r[0], r[0], r[1])
		f.StrNext("q", r[0], dst, 16)
	})
	f.Return()
}

// halveNEON computes 32 pixels at a time.
func halveNEON(file *File) {
	f, p := file.Begin("halveNEON", "func(dst, top, bottom *byte, blocks int)", "makes blocks of 32 pixels as halveGo does.")
	dst, top, bottom, blocks := p[0], p[1], p[2], p[3]
	f.Label("blocks")
	r := f.Vs(2)
	for i := range r {
		a, b := f.NextPair(top), f.NextPair(bottom)
		for k := range a {
			f.Do("uaddlp", H8, a[k], a[k])
			f.Do("uadalp", H8, a[k], b[k])
			if k == 0 {
				f.Do("rshrn", B8, r[i], a[k], 2)
			} else {
				f.Do("rshrn2", B16, r[i], a[k], 2)
			}
		}
	}
	f.StpNext(r[0], r[1], dst, 32)
	f.Countdown(blocks, 1, "blocks")
	f.Return()
}
