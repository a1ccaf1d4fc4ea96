package a64

import "fmt"

// Letters of registers by size: b, h, s, d and q have 1, 2, 4, 8 and 16 bytes.
var sizes = map[string]struct{ bytes, bits uint32 }{
	"b": {1, 0x3d000000},
	"h": {2, 0x7d000000},
	"s": {4, 0xbd000000},
	"d": {8, 0xfd000000},
	"q": {16, 0x3d800000},
}

// Ldr loads a vector register of this size from base plus disp.
func (f *Func) Ldr(size string, d V, base G, disp int) {
	f.vectors([]V{d}, nil, &base, false, func(v []int, r int) (uint32, string) {
		return load(size, v[0], r, disp)
	})
}

func load(size string, v, r, disp int) (uint32, string) {
	s := sizes[size]
	bits, name := s.bits|0x400000, "ldr"
	if disp >= 0 && uint32(disp)%s.bytes == 0 && uint32(disp)/s.bytes < 1<<12 {
		bits |= uint32(disp) / s.bytes << 10
	} else {
		if disp < -256 || disp > 255 {
			panic(fmt.Sprintf("%s %s with %d", name, size, disp))
		}
		name = "ldur"
		bits = bits&^0x01000000 | uint32(disp)&0x1ff<<12
	}
	at := fmt.Sprintf("[x%d]", r)
	if disp != 0 {
		at = fmt.Sprintf("[x%d, #%d]", r, disp)
	}
	return bits | uint32(r)<<5 | uint32(v), fmt.Sprintf("%s %s%d, %s", name, size, v, at)
}

// Ldp loads two whole registers from base plus disp, a multiple of 16.
func (f *Func) Ldp(d, e V, base G, disp int) {
	f.vectors([]V{d, e}, nil, &base, false, func(v []int, r int) (uint32, string) {
		return pair(0xad400000, "ldp", v, r, disp, false)
	})
}

// Pair loads two whole registers with Ldp, and returns them.
func (f *Func) Pair(base G, disp int) []V {
	v := f.Vs(2)
	f.Ldp(v[0], v[1], base, disp)
	return v
}

// NextPair is Pair of what base points to, which it then advances.
func (f *Func) NextPair(base G) []V {
	v := f.Vs(2)
	f.LdpNext(v[0], v[1], base, 32)
	return v
}

// Stp stores two.
func (f *Func) Stp(s, t V, base G, disp int) {
	f.vectors(nil, []V{s, t}, &base, false, func(v []int, r int) (uint32, string) {
		return pair(0xad000000, "stp", v, r, disp, false)
	})
}

// LdpNext, LdrNext, StrNext and StpNext are Ldp, Ldr, Str and Stp that then
// advance base.
func (f *Func) LdpNext(d, e V, base G, by int) {
	f.next([]V{d, e}, nil, base, func(v []int, r int) (uint32, string) {
		return pair(0xacc00000, "ldp", v, r, by, true)
	})
}

func (f *Func) StpNext(s, t V, base G, by int) {
	f.next(nil, []V{s, t}, base, func(v []int, r int) (uint32, string) {
		return pair(0xac800000, "stp", v, r, by, true)
	})
}

func pair(bits uint32, name string, v []int, r, disp int, next bool) (uint32, string) {
	if disp%16 != 0 || disp < -1024 || disp > 1008 {
		panic(fmt.Sprintf("%s with %d", name, disp))
	}
	at := fmt.Sprintf("[x%d, #%d]", r, disp)
	if next {
		at = fmt.Sprintf("[x%d], #%d", r, disp)
	} else if disp == 0 {
		at = fmt.Sprintf("[x%d]", r)
	}
	return bits | uint32(disp/16)&0x7f<<15 | uint32(v[1])<<10 | uint32(r)<<5 | uint32(v[0]),
		fmt.Sprintf("%s q%d, q%d, %s", name, v[0], v[1], at)
}

func (f *Func) LdrNext(size string, d V, base G, by int) {
	f.next([]V{d}, nil, base, func(v []int, r int) (uint32, string) { return moveNext(size, true, v[0], r, by) })
}

func (f *Func) StrNext(size string, s V, base G, by int) {
	f.next(nil, []V{s}, base, func(v []int, r int) (uint32, string) { return moveNext(size, false, v[0], r, by) })
}

func moveNext(size string, load bool, v, r, by int) (uint32, string) {
	bits, name := sizes[size].bits&^0x01000000|0x400, "str"
	if load {
		bits, name = bits|0x400000, "ldr"
	}
	return bits | uint32(by)&0x1ff<<12 | uint32(r)<<5 | uint32(v), fmt.Sprintf("%s %s%d, [x%d], #%d", name, size, v, r, by)
}

// next appends an instruction that advances base.
func (f *Func) next(writes, reads []V, base G, encode func(v []int, g int) (uint32, string)) {
	f.vectors(writes, reads, &base, false, encode)
	last := f.code[len(f.code)-1]
	last.g.writes = []int{base.id}
}

// LdrAt loads a vector register of this size from base plus index.
func (f *Func) LdrAt(size string, d V, base, index G) {
	f.vectors([]V{d}, nil, &base, false, nil)
	last := f.code[len(f.code)-1]
	last.g.reads = append(last.g.reads, index.id)
	bits := sizes[size].bits&^0x01000000 | 0x00606800
	last.format = func(g, v []int) string {
		b, i, n := generals[g[base.id]], generals[g[index.id]], v[d.id]
		return word(bits|uint32(i)<<16|uint32(b)<<5|uint32(n), fmt.Sprintf("ldr %s%d, [x%d, x%d]", size, n, b, i))
	}
}

// LoadLane loads one lane from base, and keeps the others.
func (f *Func) LoadLane(l Lanes, d V, lane int, base G) {
	code := map[uint32]uint32{0: 0x0d400000, 1: 0x0d404000, 2: 0x0d408000, 3: 0x0d408400}[l.size]
	at := uint32(lane) << l.size // of sixteen bytes: Q, S and size
	f.vectors([]V{d}, []V{d}, &base, false, func(v []int, r int) (uint32, string) {
		return code | at>>3<<30 | at>>2&1<<12 | at&3<<10 | uint32(r)<<5 | uint32(v[0]),
			fmt.Sprintf("ld1 {v%d.%s}[%d], [x%d]", v[0], l.letter(), lane, r)
	})
}

// LoadSplit loads pairs of elements, the first of each into d and the second
// into e, the register after d, and advances base by all 32 bytes.
func (f *Func) LoadSplit(l Lanes, d, e V, base G) {
	f.next([]V{d, e}, nil, base, func(v []int, r int) (uint32, string) {
		if v[1] != v[0]+1 {
			panic("ld2: registers that do not follow each other")
		}
		return 0x0cdf8000 | l.q<<30 | l.size<<10 | uint32(r)<<5 | uint32(v[0]),
			fmt.Sprintf("ld2 {v%d.%s, v%d.%s}, [x%d], #32", v[0], l.name, v[1], l.name, r)
	})
}

// LoadFour loads runs of four elements, the first of each into v[0] and so on,
// and advances base by all 64 bytes; the registers must be consecutive.
// StoreFour is the inverse.
func (f *Func) LoadFour(l Lanes, v [4]V, base G) {
	f.next(v[:], nil, base, func(v []int, r int) (uint32, string) { return four(0x0cdf0000, "ld4", l, v, r) })
}

func (f *Func) StoreFour(l Lanes, v [4]V, base G) {
	f.next(nil, v[:], base, func(v []int, r int) (uint32, string) { return four(0x0c9f0000, "st4", l, v, r) })
}

func four(bits uint32, name string, l Lanes, v []int, r int) (uint32, string) {
	list := ""
	for i, n := range v {
		if n != v[0]+i {
			panic(name + ": registers that do not follow each other")
		}
		list += fmt.Sprintf(", v%d.%s", n, l.name)
	}
	return bits | l.q<<30 | l.size<<10 | uint32(r)<<5 | uint32(v[0]), fmt.Sprintf("%s {%s}, [x%d], #64", name, list[2:], r)
}
