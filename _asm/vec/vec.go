// Package vec has the common parts of the generators: registers of either
// width, and loops over blocks.
package vec

import (
	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/layout"
)

// A Machine generates for AVX2 or for AVX-512.
type Machine struct{ AVX512 bool }

// Name returns the name of a function for m.
func (m Machine) Name(name string) string {
	if m.AVX512 {
		return name + "AVX512"
	}
	return name + "AVX2"
}

// Bytes returns the size of a register.
func (m Machine) Bytes() int {
	if m.AVX512 {
		return 64
	}
	return 32
}

// Vector returns a register of m's width.
func (m Machine) Vector() VecVirtual {
	if m.AVX512 {
		return ZMM()
	}
	return YMM()
}

// Half returns a register of half of m's width.
func (m Machine) Half() VecVirtual {
	if m.AVX512 {
		return YMM()
	}
	return XMM()
}

// Load loads a register of m's width.
func (m Machine) Load(from Mem) VecVirtual {
	v := m.Vector()
	m.Move(from, v)
	return v
}

// Move loads or stores a register of m's width.
func (m Machine) Move(from, to Op) {
	if m.AVX512 {
		VMOVDQU32(from, to)
	} else {
		VMOVDQU(from, to)
	}
}

// Zero returns a register of m's width that holds zeros. The short form clears a whole ZMM
// register too, and tells avo that an old value is not needed.
func (m Machine) Zero() VecVirtual {
	v := m.Vector()
	y := v.AsY()
	VPXOR(y, y, y)
	return v
}

// Get copies a memory place, a register or a constant of 64 bits to a new register.
func Get(from Op) GPVirtual {
	r := GP64()
	MOVQ(from, r)
	return r
}

// Spread returns a register of m's width with a constant in all double words.
func (m Machine) Spread(v uint32) VecVirtual {
	word, all := GP32(), m.Vector()
	MOVL(U32(v), word)
	VMOVD(word, all.AsX())
	VPBROADCASTD(all.AsX(), all)
	return all
}

// Next advances at by size, to n at most, and branches, or goes on behind n: the last
// block may overlap the one before.
func Next(at, n GPVirtual, size int, to string) {
	CMPQ(at, n)
	JE(LabelRef("end"))
	ADDQ(U8(size), at)
	CMPQ(at, n)
	CMOVQGT(n, at)
	JMP(LabelRef(to))
	Label("end")
}

// Begin begins a function, and returns its parameters in registers, in order, but for
// floats. doc follows its name in its comment.
func Begin(name, signature, doc string) []GPVirtual {
	TEXT(name, NOSPLIT, signature)
	Doc(name + " " + doc)
	Pragma("noescape")
	var r []GPVirtual
	for _, p := range layout.Parameters(signature) {
		r = append(r, Load(Param(p), GP64()).(GPVirtual))
	}
	return r
}

// End ends a function.
func End() {
	VZEROUPPER()
	RET()
}

// Blocks emits body for every block of size elements, including a partial last
// one; n is at least 1. body advances its own pointers.
func Blocks(n GPVirtual, size int, body func()) {
	Label("blocks")
	body()
	SUBQ(U8(size), n)
	JG(LabelRef("blocks"))
}

// Countdown takes one from n, and branches to a label unless nothing is left.
func Countdown(n Op, label string) {
	DECQ(n)
	JNE(LabelRef(label))
}

// Advance adds a number of bytes to pointers.
func Advance(bytes int, pointers ...GPVirtual) {
	for _, p := range pointers {
		if bytes < 128 {
			ADDQ(U8(bytes), p)
		} else {
			ADDQ(U32(bytes), p)
		}
	}
}

// Both generates f for both machines.
func Both(f func(m Machine)) {
	ConstraintExpr("!purego")
	f(Machine{AVX512: true})
	f(Machine{})
	Generate()
}

// Words returns the address of a constant table.
func Words(name string, words []uint16) Mem {
	t := GLOBL(name, RODATA|NOPTR)
	for i, w := range words {
		DATA(2*i, U16(w))
	}
	return t
}

// Dwords returns the address of a constant table.
func Dwords(name string, words []uint32) Mem {
	t := GLOBL(name, RODATA|NOPTR)
	for i, w := range words {
		DATA(4*i, U32(w))
	}
	return t
}
