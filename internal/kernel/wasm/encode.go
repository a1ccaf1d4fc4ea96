package wasm

// This file is a minimal assembler for WebAssembly: functions that append one
// instruction each. Numbers are those of the WebAssembly core specification,
// release 2.0.

// Opcodes of one byte.
const (
	opBlock     = 0x02
	opLoop      = 0x03
	opIf        = 0x04
	opElse      = 0x05
	opEnd       = 0x0b
	opBr        = 0x0c
	opBrIf      = 0x0d
	opBrTable   = 0x0e
	opSelect    = 0x1b
	opGet       = 0x20
	opSet       = 0x21
	opTee       = 0x22
	i32Load     = 0x28
	i32Load8U   = 0x2d
	i32Store16  = 0x3b
	i32Const    = 0x41
	i32Eqz      = 0x45
	i32LtU      = 0x49
	i32GtU      = 0x4b
	i32GeU      = 0x4f
	i32Add      = 0x6a
	i32And      = 0x71
	i32Or       = 0x72
	i32Xor      = 0x73
	i32Shl      = 0x74
	simdPrefix  = 0xfd
	typeVoid    = 0x40
	typeI32     = 0x7f
	typeV128    = 0x7b
	typeFunc    = 0x60
	kindFunc    = 0x00
	kindMemory  = 0x02
	secType     = 1
	secImport   = 2
	secFunction = 3
	secExport   = 7
	secCode     = 10
)

// Opcodes after the vector prefix.
const (
	v128Load        = 0x00
	v128Load8x8S    = 0x01
	v128Load8x8U    = 0x02
	v128Load16Splat = 0x08
	v128Load32Splat = 0x09
	v128Store       = 0x0b
	v128Const       = 0x0c
	i8x16Shuffle    = 0x0d
	i8x16Swizzle    = 0x0e
	i8x16Splat      = 0x0f
	i16x8Splat      = 0x10
	i32x4Splat      = 0x11
	i8x16Ne         = 0x24
	i16x8GeU        = 0x36
	i32x4LtS        = 0x39
	f32x4Lt         = 0x43
	v128Not         = 0x4d
	v128And         = 0x4e
	v128AndNot      = 0x4f
	v128Or          = 0x50
	v128AnyTrue     = 0x53
	v128Store64Lane = 0x5b
	v128Load64Zero  = 0x5d
	i8x16NarrowS    = 0x65
	i8x16NarrowU    = 0x66
	i8x16ShrU       = 0x6d
	i8x16Sub        = 0x71
	i8x16MaxS       = 0x78
	i8x16MaxU       = 0x79
	i16x8NarrowS    = 0x85
	i16x8ExtendLowS = 0x87
	i16x8ExtendHiS  = 0x88
	i16x8ExtendLowU = 0x89
	i16x8Shl        = 0x8b
	i16x8ShrU       = 0x8d
	i16x8Add        = 0x8e
	i16x8Sub        = 0x91
	i16x8Mul        = 0x95
	i32x4Bitmask    = 0xa4
	i32x4ExtendLowS = 0xa7
	i32x4ExtendHiS  = 0xa8
	i32x4ExtendLowU = 0xa9
	i32x4ExtendHiU  = 0xaa
	i32x4Shl        = 0xab
	i32x4ShrU       = 0xad
	i32x4Add        = 0xae
	i32x4Sub        = 0xb1
	i32x4Mul        = 0xb5
	i32x4Dot        = 0xba
	i64x2ShrU       = 0xcd
	i64x2ExtMulLowS = 0xdc
	i64x2ExtMulHiS  = 0xdd
	f32x4Sub        = 0xe5
	f32x4Mul        = 0xe6
	f32x4PMin       = 0xea
	f32x4PMax       = 0xeb
	i32x4TruncSatS  = 0xf8
	f32x4ConvertS   = 0xfa
)

// unsigned appends a number in LEB128.
func unsigned(b []byte, v uint32) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

// signed appends a number in signed LEB128.
func signed(b []byte, v int32) []byte {
	for v < -64 || v > 63 {
		b = append(b, byte(v)&0x7f|0x80)
		v >>= 7
	}
	return append(b, byte(v)&0x7f)
}

// A local is a parameter or a variable of the function.
type local uint32

// A code is the body of a function as it grows.
type code struct{ b []byte }

func (c *code) op(ops ...byte) { c.b = append(c.b, ops...) }

func (c *code) simd(ops ...uint32) {
	for _, o := range ops {
		c.b = unsigned(append(c.b, simdPrefix), o)
	}
}

func (c *code) get(ls ...local) {
	for _, l := range ls {
		c.b = unsigned(append(c.b, opGet), uint32(l))
	}
}

func (c *code) set(l local) { c.b = unsigned(append(c.b, opSet), uint32(l)) }
func (c *code) tee(l local) { c.b = unsigned(append(c.b, opTee), uint32(l)) }

func (c *code) number(v int32) { c.b = signed(append(c.b, i32Const), v) }

// access appends a load or store with an opcode of one byte.
func (c *code) access(op byte, offset uint32) { c.b = unsigned(append(c.b, op, 0), offset) }

// vector appends a load or store of a vector.
func (c *code) vector(op, offset uint32) {
	c.simd(op)
	c.b = unsigned(append(c.b, 0), offset)
}

func (c *code) constant(bytes [16]byte) {
	c.simd(v128Const)
	c.op(bytes[:]...)
}

func (c *code) shuffle(from [16]byte) {
	c.simd(i8x16Shuffle)
	c.op(from[:]...)
}

func (c *code) block()           { c.op(opBlock, typeVoid) }
func (c *code) loop()            { c.op(opLoop, typeVoid) }
func (c *code) when()            { c.op(opIf, typeVoid) }
func (c *code) end()             { c.op(opEnd) }
func (c *code) branch(depth int) { c.b = unsigned(append(c.b, opBr), uint32(depth)) }
func (c *code) branchIf(d int)   { c.b = unsigned(append(c.b, opBrIf), uint32(d)) }

// let sets a variable to the result of a vector instruction on these variables, before
// which some may be on the stack.
func (c *code) let(to local, op uint32, of ...local) {
	c.get(of...)
	c.simd(op)
	c.set(to)
}

func (c *code) copy(to, from local) {
	c.get(from)
	c.set(to)
}

func (c *code) zero(v local) {
	c.constant([16]byte{})
	c.set(v)
}

// field pushes variables, and for the last, an address, the number at this offset.
func (c *code) field(offset uint32, vs ...local) {
	c.get(vs...)
	c.access(i32Load, offset)
}

// load does so with a vector.
func (c *code) load(offset uint32, vs ...local) {
	c.get(vs...)
	c.vector(v128Load, offset)
}

// store stores a vector at an address plus offset.
func (c *code) store(offset uint32, address, v local) {
	c.get(address, v)
	c.vector(v128Store, offset)
}

// addScaled adds, to what is below it on the stack, the number on it times 1<<n.
func (c *code) addScaled(n int32) {
	c.number(n)
	c.op(i32Shl, i32Add)
}

// advance adds n to a variable.
func (c *code) advance(v local, n int32) {
	c.get(v)
	c.number(n)
	c.op(i32Add)
	c.set(v)
}

// again ends a loop that goes on while a is below b.
func (c *code) again(a, b local) {
	c.get(a, b)
	c.op(i32LtU)
	c.branchIf(0)
	c.end()
}

// againIf ends a loop that goes on while v is not zero.
func (c *code) againIf(v local) {
	c.get(v)
	c.branchIf(0)
	c.end()
}

// more ends a loop over n elements, at least this many, which takes so many from at on:
// with the next ones, or those that end with the last.
func (c *code) more(at, n local, each int32) {
	c.advance(at, each)
	c.get(at, n)
	c.op(i32LtU)
	c.when()
	c.get(n)
	c.number(-each)
	c.op(i32Add)
	c.get(at, at)
	c.number(each)
	c.op(i32Add)
	c.get(n)
	c.op(i32GtU, opSelect)
	c.set(at)
	c.branch(1)
	c.end()
}

// section appends a section of a module: its number, length and content.
func section(module []byte, number byte, content []byte) []byte {
	module = append(module, number)
	module = unsigned(module, uint32(len(content)))
	return append(module, content...)
}

func name(b []byte, s string) []byte { return append(unsigned(b, uint32(len(s))), s...) }
