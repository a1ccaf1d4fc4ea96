// Command resize generates the assembly of haarlem/internal/kernel/resize.
package main

import (
	"fmt"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/a64"
	"haarlem/asm/vec"
)

func main() {
	rowBlocks("rowNearAVX512", 64)
	rowBlocks("rowFarAVX512", 128)
	rowBlocks("rowFartherAVX512", 256)
	rowShuffles("rowNearAVX2", 1)
	rowShuffles("rowFarAVX2", 2)
	rowShuffles("rowFartherAVX2", 4)
	rowGather()
	vec.Both(func(m vec.Machine) {
		blend(m)
		halve(m)
	})
	a64.Generate(neon())
}

// rowBlocks computes blocks of 32 destination pixels whose source pixels lie
// within so many bytes: byte permutations pick the neighbours.
func rowBlocks(name string, reads int) {
	p := vec.Begin(name, "func(dst *uint16, src *byte, base *int32, perm *byte, part *uint16, blocks int)",
		fmt.Sprintf("scales blocks of 32 pixels that each need %d source pixels at most.", reads))
	dst, src, base, perm, part, blocks := p[0], p[1], p[2], p[3], p[4], p[5]
	ones := ZMM()
	one := GP32()
	MOVL(U32(0x01010101), one)
	VPBROADCASTD(one, ones)
	even := K()
	mask := vec.Get(U64(0x5555555555555555))
	KMOVQ(mask, even)
	Label("blocks")
	at := GP64()
	MOVLQSX(Mem{Base: base}, at)
	var pix []VecVirtual
	for i := range reads / 64 {
		v := ZMM()
		VMOVDQU64(Mem{Base: src, Index: at, Scale: 1, Disp: 64 * i}, v)
		pix = append(pix, v)
	}
	left, right := ZMM(), ZMM()
	VMOVDQU64(Mem{Base: perm}, left)
	VPADDB(ones, left, right)
	for _, v := range []VecVirtual{left, right} {
		switch reads {
		case 64:
			VPERMB_Z(pix[0], v, even, v)
		case 128:
			VPERMI2B_Z(pix[1], pix[0], even, v)
		default:
			// Each pair of registers takes the lower seven bits for its own.
			far, w := K(), ZMM()
			VPMOVB2M(v, far)
			KANDQ(far, even, far)
			VMOVDQA64(v, w)
			VPERMI2B_Z(pix[1], pix[0], even, v)
			VPERMI2B(pix[3], pix[2], w)
			VMOVDQU8(w, far, v)
		}
	}
	VPSUBW(left, right, right)
	VPSLLW(U8(8), left, left)
	VPMULLW(Mem{Base: part}, right, right)
	VPADDW(right, left, left)
	VMOVDQU64(left, Mem{Base: dst})
	vec.Advance(64, dst, perm, part)
	ADDQ(U8(4), base)
	vec.Countdown(blocks, "blocks")
	vec.End()
}

// rowShuffles computes blocks of 16 destination pixels. Each part of a register
// takes 16 source pixels per load, and byte shuffles pair neighbours into
// words.
func rowShuffles(name string, loads int) {
	p := vec.Begin(name, "func(dst *uint16, src *byte, starts *int32, shuffle *byte, part *uint16, blocks int)",
		fmt.Sprintf("scales blocks of 16 pixels, %d loads for each half of one.", loads))
	dst, src, starts, shuffle, part, blocks := p[0], p[1], p[2], p[3], p[4], p[5]
	low := YMM()
	VPCMPEQW(low, low, low)
	VPSRLW(U8(8), low, low)
	Label("blocks")
	var pairs VecVirtual
	for i := range loads {
		lower, upper := GP64(), GP64()
		MOVLQSX(Mem{Base: starts, Disp: 8 * i}, lower)
		MOVLQSX(Mem{Base: starts, Disp: 8*i + 4}, upper)
		v := YMM()
		VBROADCASTI128(Mem{Base: src, Index: lower, Scale: 1}, v) // both parts, to set all of it
		VINSERTI128(U8(1), Mem{Base: src, Index: upper, Scale: 1}, v, v)
		VPSHUFB(Mem{Base: shuffle, Disp: 32 * i}, v, v)
		if i == 0 {
			pairs = v
		} else {
			VPOR(v, pairs, pairs)
		}
	}
	left := YMM()
	VPAND(low, pairs, left)
	VPSRLW(U8(8), pairs, pairs)
	VPSUBW(left, pairs, pairs)
	VPSLLW(U8(8), left, left)
	VPMULLW(Mem{Base: part}, pairs, pairs)
	VPADDW(pairs, left, left)
	VMOVDQU(left, Mem{Base: dst})
	vec.Advance(32, dst, part)
	ADDQ(U8(8*loads), starts)
	ADDQ(U32(32*loads), shuffle)
	vec.Countdown(blocks, "blocks")
	vec.End()
}

// rowGather computes blocks of 16 pixels with gathers of four bytes, of which
// two are used.
func rowGather() {
	p := vec.Begin("rowGatherAVX2", "func(dst *uint16, src *byte, index *int32, pair *uint32, blocks int)",
		"scales blocks of 16 pixels, wherever their source pixels are.")
	dst, src, index, pair, blocks := p[0], p[1], p[2], p[3], p[4]
	spread := vec.Words("spread", []uint16{0x8000, 0x8001, 0x8004, 0x8005, 0x8008, 0x8009, 0x800c, 0x800d,
		0x8000, 0x8001, 0x8004, 0x8005, 0x8008, 0x8009, 0x800c, 0x800d})
	shuffle := YMM()
	VMOVDQU(spread, shuffle)
	Label("blocks")
	var sums [2]VecVirtual
	for i := range sums {
		at, mask, pix := YMM(), YMM(), YMM()
		VMOVDQU(Mem{Base: index, Disp: 32 * i}, at)
		VPCMPEQD(mask, mask, mask)
		VPXOR(pix, pix, pix)
		VPGATHERDD(mask, Mem{Base: src, Index: at, Scale: 1}, pix)
		VPSHUFB(shuffle, pix, pix)
		VPMADDWD(Mem{Base: pair, Disp: 32 * i}, pix, pix)
		sums[i] = pix
	}
	VPACKUSDW(sums[1], sums[0], sums[0])
	VPERMQ(U8(0xd8), sums[0], sums[0])
	VMOVDQU(sums[0], Mem{Base: dst})
	ADDQ(U8(32), dst)
	vec.Advance(64, index, pair)
	vec.Countdown(blocks, "blocks")
	vec.End()
}

func blend(m vec.Machine) {
	p := vec.Begin(m.Name("blend"), "func(dst *byte, top, bottom *uint16, n, pair int)", "is blendGo; pair holds (256-part) and part<<16.")
	dst, top, bottom, n, pair := p[0], p[1], p[2], p[3], p[4]
	weights := m.Vector()
	VMOVD(pair.As32(), weights.AsX())
	VPBROADCASTD(weights.AsX(), weights)
	// Words are made signed by subtracting 32768, which the sum adds again.
	sign, round := m.Spread(0x80008000), m.Spread(256*32768+32768)
	vec.Blocks(n, m.Bytes()/2, func() {
		a, b := m.Load(Mem{Base: top}), m.Load(Mem{Base: bottom})
		if m.AVX512 {
			VPXORD(sign, a, a)
			VPXORD(sign, b, b)
		} else {
			VPXOR(sign, a, a)
			VPXOR(sign, b, b)
		}
		lo, hi := m.Vector(), m.Vector()
		VPUNPCKLWD(b, a, lo)
		VPUNPCKHWD(b, a, hi)
		for _, v := range []VecVirtual{lo, hi} {
			VPMADDWD(weights, v, v)
			VPADDD(round, v, v)
			VPSRLD(U8(16), v, v)
		}
		VPACKUSDW(hi, lo, lo)
		if m.AVX512 {
			VPMOVWB(lo, Mem{Base: dst})
		} else {
			VPACKUSWB(lo, lo, lo)
			VPERMQ(U8(0xd8), lo, lo)
			VMOVDQU(lo.AsX(), Mem{Base: dst})
		}
		vec.Advance(m.Bytes(), top, bottom)
		ADDQ(U8(m.Bytes()/2), dst)
	})
	vec.End()
}

// halve computes 32 pixels at a time.
func halve(m vec.Machine) {
	p := vec.Begin(m.Name("halve"), "func(dst, top, bottom *byte, blocks int)", "makes blocks of 32 pixels as halveGo does.")
	dst, top, bottom, blocks := p[0], p[1], p[2], p[3]
	ones, twos := m.Spread(0x01010101), m.Spread(0x00020002)
	Label("blocks")
	var sums []VecVirtual
	for i := range 64 / m.Bytes() {
		a, b := m.Load(Mem{Base: top, Disp: m.Bytes() * i}), m.Load(Mem{Base: bottom, Disp: m.Bytes() * i})
		VPMADDUBSW(ones, a, a)
		VPMADDUBSW(ones, b, b)
		VPADDW(twos, a, a)
		VPADDW(b, a, a)
		VPSRLW(U8(2), a, a)
		sums = append(sums, a)
	}
	if m.AVX512 {
		VPMOVWB(sums[0], Mem{Base: dst})
	} else {
		VPACKUSWB(sums[1], sums[0], sums[0])
		VPERMQ(U8(0xd8), sums[0], sums[0])
		VMOVDQU(sums[0], Mem{Base: dst})
	}
	vec.Advance(64, top, bottom)
	ADDQ(U8(32), dst)
	vec.Countdown(blocks, "blocks")
	vec.End()
}
