// Command contrast generates the assembly of haarlem/internal/kernel/contrast.
package main

import (
	"fmt"
	"math"
	"slices"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/a64"
	"haarlem/asm/vec"
)

func main() {
	vec.Both(func(m vec.Machine) {
		move(m, false)
		move(m, true)
		prefix(m)
		row(m)
		if !m.AVX512 { // wider registers do not help: windows are narrow
			area(m)
		}
	})
	a64.Generate(neon())
}

// move adds a row to sums and subtracts another: of each column, or of pairs,
// which the multiplication adds up.
func move(m vec.Machine, pairs bool) {
	name, columns, spread := "move", m.Bytes()/4, VPMOVZXBD
	if pairs {
		name, columns, spread = "movePairs", m.Bytes()/2, VPMOVZXBW
	}
	p := vec.Begin(m.Name(name), "func(sum, square *uint32, in, out *byte, n int)", "is "+name+"Go.")
	sum, square, in, out, n := p[0], p[1], p[2], p[3], p[4]
	var one VecVirtual
	if pairs {
		one = m.Load(vec.Words(m.Name("ones"), slices.Repeat([]uint16{1}, m.Bytes()/2)))
	}
	vec.Blocks(n, m.Bytes()/4, func() {
		i, o, d := m.Vector(), m.Vector(), m.Vector()
		spread(Mem{Base: in}, i)
		spread(Mem{Base: out}, o)
		// i*i - o*o = (i-o)*(i+o). The factors fit 16 bits; with a column in 32
		// bits the upper half of i+o is zero.
		if pairs {
			VPSUBW(o, i, d)
			VPADDW(o, i, i)
		} else {
			VPSUBD(o, i, d)
			VPADDD(o, i, i)
		}
		VPMADDWD(i, d, i)
		if pairs {
			VPMADDWD(one, d, d)
		}
		VPADDD(Mem{Base: sum}, d, d)
		VPADDD(Mem{Base: square}, i, i)
		m.Move(d, Mem{Base: sum})
		m.Move(i, Mem{Base: square})
		vec.Advance(m.Bytes(), sum, square)
		vec.Advance(columns, in, out)
	})
	vec.End()
}

// area adds up the pixels of a window and their squares, sixteen of a row at a
// time.
func area(m vec.Machine) {
	p := vec.Begin(m.Name("area"), "func(pix *byte, stride, width, height int) (sum, square uint32)", "is areaGo.")
	pix, stride, width, height := p[0], p[1], p[2], p[3]
	const block = 16
	inside := append(slices.Repeat([]uint16{math.MaxUint16}, block), make([]uint16, block)...)
	one := m.Load(vec.Words(m.Name("areaOnes"), slices.Repeat([]uint16{1}, block)))
	// Of a row's last block, 1 to 16 pixels count.
	whole, table := GP64(), GP64()
	LEAQ(Mem{Base: width, Disp: -1}, whole)
	ANDQ(I8(-block), whole)
	SUBQ(whole, width)
	NEGQ(width)
	LEAQ(vec.Words(m.Name("areaInside"), inside), table)
	last := m.Load(Mem{Base: table, Index: width, Scale: 2, Disp: 2 * block})
	sums, squares := m.Zero(), m.Zero()
	add := func(v VecVirtual) {
		t := m.Vector()
		VPMADDWD(one, v, t)
		VPADDD(t, sums, sums)
		VPMADDWD(v, v, v)
		VPADDD(v, squares, squares)
	}
	x := GP64()
	Label("row")
	XORQ(x, x)
	CMPQ(x, whole)
	JE(LabelRef("last"))
	Label("block")
	v := m.Vector()
	VPMOVZXBW(Mem{Base: pix, Index: x, Scale: 1}, v)
	add(v)
	ADDQ(U8(block), x)
	CMPQ(x, whole)
	JNE(LabelRef("block"))
	Label("last")
	w := m.Vector()
	VPMOVZXBW(Mem{Base: pix, Index: x, Scale: 1}, w)
	VPAND(last, w, w)
	add(w)
	ADDQ(stride, pix)
	DECQ(height)
	JNZ(LabelRef("row"))
	for i, s := range []VecVirtual{sums, squares} {
		t := m.Vector()
		VEXTRACTI128(U8(1), s, t.AsX())
		VPADDD(t, s, s)
		for _, order := range []uint8{0x4e, 0xb1} {
			VPSHUFD(U8(order), s, t)
			VPADDD(t, s, s)
		}
		r := GP32()
		VMOVD(s.AsX(), r)
		Store(r, ReturnIndex(i))
	}
	vec.End()
}

// prefix adds up the double words of a block inside its 128-bit parts with two
// shifts, then carries the parts' totals upwards.
func prefix(m vec.Machine) {
	p := vec.Begin(m.Name("prefix"), "func(dst, src *uint32, n int)", "writes dst[x] = src[0] + ... + src[x].")
	dst, src, n := p[0], p[1], p[2]
	carry := m.Zero()
	pick := func(name string, f func(i int) int) VecVirtual {
		d := make([]uint32, m.Bytes()/4)
		for i := range d {
			d[i] = uint32(f(i))
		}
		return m.Load(vec.Dwords(m.Name(name), d))
	}
	below := pick("below", func(i int) int { return max(i/4-1, 0)*4 + 3 })
	last := pick("last", func(int) int { return m.Bytes()/4 - 1 })
	var twoBelow VecVirtual
	var part1, part2 Register
	if m.AVX512 {
		twoBelow = pick("twoBelow", func(i int) int { return max(i/4-2, 0)*4 + 3 })
		k := GP32()
		part1, part2 = K(), K()
		MOVL(U32(0xfff0), k)
		KMOVW(k, part1)
		MOVL(U32(0xff00), k)
		KMOVW(k, part2)
	}
	zero := m.Zero()
	vec.Blocks(n, m.Bytes()/4, func() {
		x, t := m.Vector(), m.Vector()
		m.Move(Mem{Base: src}, x)
		for _, s := range []uint64{4, 8} {
			VPSLLDQ(U8(s), x, t)
			VPADDD(t, x, x)
		}
		old, total := m.Vector(), m.Vector()
		if m.AVX512 {
			VPERMD_Z(x, below, part1, t)
			VPADDD(t, x, x)
			VPERMD_Z(x, twoBelow, part2, t)
			VPADDD(t, x, x)
			VMOVDQA64(carry, old)
		} else {
			VPERMD(x, below, t)
			VPBLENDD(U8(0x0f), zero, t, t)
			VPADDD(t, x, x)
			VMOVDQA(carry, old)
		}
		VPERMD(x, last, total)
		VPADDD(total, carry, carry)
		VPADDD(old, x, x)
		m.Move(x, Mem{Base: dst})
		vec.Advance(m.Bytes(), dst, src)
	})
	vec.End()
}

// Constants of inverseRoot.
var half, threeEighths, fiveSixteenths, fraction, nearest, near VecVirtual

// row computes a block of windows: 16 or 8 of them, as halves in double
// precision. With AVX2, where roots and divisions take most of the time, it
// skips blocks of windows whose variances are all below floor.
func row(m vec.Machine) {
	const signature = "func(inv *float32, pass *byte, sum, square *uint32, n, step, width int, area float64, "
	last, doc := "below float32)", "."
	if !m.AVX512 {
		last, doc = "floor float64, below float32)", ". No window passes whose Area*q - s*s is below floor."
	}
	p := vec.Begin(m.Name("row"), signature+last, "is rowGo for steps of 1 and 2; sum and square begin at the first window's first column"+doc)
	inv, pass, sum, square, n, step, width := p[0], p[1], p[2], p[3], p[4], p[5], p[6]
	area, below, one := m.Vector(), m.Half(), m.Vector()
	VBROADCASTSD(NewParamAddr("area", 56), area)
	floor := m.Vector()
	if m.AVX512 {
		VBROADCASTSS(NewParamAddr("below", 64), below)
	} else {
		VBROADCASTSD(NewParamAddr("floor", 64), floor)
		VBROADCASTSS(NewParamAddr("below", 72), below)
	}
	o := vec.Get(U64(0x3ff0000000000000))
	VMOVQ(o, one.AsX())
	VPBROADCASTQ(one.AsX(), one)
	if m.AVX512 {
		constant := func(v uint64) VecVirtual {
			r, c := GP64(), ZMM()
			MOVQ(U64(v), r)
			VPBROADCASTQ(r, c)
			return c
		}
		half = constant(math.Float64bits(0.5))
		threeEighths = constant(math.Float64bits(0.375))
		fiveSixteenths = constant(math.Float64bits(0.3125))
		// The bits that rounding to single precision drops, around the
		// midpoint.
		fraction = constant(1<<29 - 1)
		nearest = constant(1<<28 - doubt)
		near = constant(2 * doubt)
	}
	lanes := m.Bytes() / 4
	evens := make([]uint32, lanes)
	for i := range evens {
		evens[i] = uint32(2 * i)
		if !m.AVX512 {
			evens[i] = uint32([]int{0, 1, 4, 5, 2, 3, 6, 7}[i])
		}
	}
	even := m.Load(vec.Dwords(m.Name("even"), evens))

	// The two steps differ in how sums are read.
	body := func(step int) {
		read := func(base Register) VecVirtual {
			diff := func(disp int) VecVirtual {
				v := m.Vector()
				m.Move(Mem{Base: base, Index: width, Scale: 4, Disp: disp}, v)
				VPSUBD(Mem{Base: base, Disp: disp}, v, v)
				return v
			}
			if step == 1 {
				return diff(0)
			}
			a, b := diff(0), diff(m.Bytes())
			v := m.Vector()
			if m.AVX512 {
				VMOVDQA64(even, v)
				VPERMI2D(b, a, v)
			} else {
				VSHUFPS(U8(0x88), b, a, v) // a0 a2 b0 b2 | a4 a6 b4 b6
				VPERMD(v, even, v)
			}
			return v
		}
		s, q := read(sum), read(square)
		mask := GP32()
		variance := func(part int) VecVirtual {
			sh, qh := upper(m, s, part), upper(m, q, part)
			sd, qd := double(m, sh), double(m, qh)
			VMULPD(area, qd, qd)
			if m.AVX512 {
				VFNMADD231PD(sd, sd, qd) // exact, fused or not
			} else {
				VMULPD(sd, sd, sd)
				VSUBPD(sd, qd, qd)
			}
			return qd
		}
		var ahead [2]VecVirtual
		known := fmt.Sprintf("known_%d", step)
		if !m.AVX512 {
			ahead[0], ahead[1] = variance(0), variance(1)
			largest := m.Vector()
			VMAXPD(ahead[0], ahead[1], largest)
			VCMPPD(U8(0x1d), floor, largest, largest) // at least
			VMOVMSKPD(largest, mask)
			TESTL(mask, mask)
			JE(LabelRef(known))
		}
		for part, v := range ahead {
			var f VecVirtual
			if m.AVX512 {
				f = inverseRoot(m, variance(part), one, fmt.Sprintf("_%d_%d", step, part))
			} else {
				VSQRTPD(v, v)
				VDIVPD(v, one, v)
				f = single(m, v)
			}
			if m.AVX512 {
				VMOVUPS(f, Mem{Base: inv, Disp: 32 * part})
			} else {
				VMOVUPS(f, Mem{Base: inv, Disp: 16 * part})
			}
			const less = 0x11
			bits := GP32()
			if m.AVX512 {
				k := K()
				VCMPPS(U8(less), below, f, k)
				KMOVW(k, bits)
			} else {
				VCMPPS(U8(less), below, f, f)
				VMOVMSKPS(f, bits)
			}
			if part == 0 {
				MOVL(bits, mask)
			} else {
				SHLL(U8(lanes/2), bits)
				ORL(bits, mask)
			}
		}
		if !m.AVX512 {
			Label(known)
		}
		if m.AVX512 {
			MOVW(mask.As16(), Mem{Base: pass})
		} else {
			MOVB(mask.As8(), Mem{Base: pass})
		}
		ADDQ(U8(m.Bytes()), inv)
		ADDQ(U8(lanes/8), pass)
		ADDQ(U32(step*m.Bytes()), sum)
		ADDQ(U32(step*m.Bytes()), square)
	}
	CMPQ(step, U8(1))
	JNE(LabelRef("two"))
	for i, name := range []string{"one", "two"} {
		Label(name)
		body(i + 1)
		SUBQ(U8(lanes), n)
		JG(LabelRef(name))
		vec.End()
	}
}

// doubt is the assumed error of an inverse root in units in the last place,
// before it is rounded to single precision: four times the largest.
const doubt = 16

// inverseRoot returns float32(1/sqrt(v)), rounded as division and square root
// would, but faster. An estimate y is accurate to 14 bits, and three terms of
// the series of y/sqrt(1-e) with e = 1 - v*y*y to 51 bits. So the rounding to
// 24 is the same unless the value is close to a midpoint; then the slow
// instructions are used. For zero the result is NaN.
func inverseRoot(m vec.Machine, v VecVirtual, one VecVirtual, label string) VecVirtual {
	y, e, p := m.Vector(), m.Vector(), m.Vector()
	VRSQRT14PD(v, y)
	VMULPD(v, y, e)
	VFNMADD213PD(one, y, e) // e = 1 - e*y
	VMOVAPD(threeEighths, p)
	VFMADD231PD(fiveSixteenths, e, p)
	VFMADD213PD(half, e, p)
	VMULPD(y, e, e)
	VFMADD231PD(p, e, y)
	f := m.Half()
	VCVTPD2PS(y, f)
	VPSUBQ(nearest, y, e)
	VPANDQ(fraction, e, e)
	k := K()
	VPCMPUQ(U8(2), near, e, k) // at most
	KORTESTB(k, k)
	JE(LabelRef("root" + label))
	t := m.Vector()
	VSQRTPD(v, t)
	VDIVPD(t, one, t)
	VCVTPD2PS(t, f)
	Label("root" + label)
	return f
}

// upper returns half of a register.
func upper(m vec.Machine, v VecVirtual, half int) VecVirtual {
	switch {
	case half == 0 && m.AVX512:
		return v.AsY().(VecVirtual)
	case half == 0:
		return v.AsX().(VecVirtual)
	}
	h := m.Half()
	if m.AVX512 {
		VEXTRACTI64X4(U8(1), v, h)
	} else {
		VEXTRACTI128(U8(1), v, h)
	}
	return h
}

// double converts unsigned double words to double precision. All sums are
// below 1<<31 where AVX2 takes them as signed; see the caller.
func double(m vec.Machine, v VecVirtual) VecVirtual {
	d := m.Vector()
	if m.AVX512 {
		VCVTUDQ2PD(v, d)
	} else {
		VCVTDQ2PD(v, d)
	}
	return d
}

// single rounds to single precision.
func single(m vec.Machine, v VecVirtual) VecVirtual {
	f := m.Half()
	if m.AVX512 {
		VCVTPD2PS(v, f)
	} else {
		VCVTPD2PSY(v, f)
	}
	return f
}
