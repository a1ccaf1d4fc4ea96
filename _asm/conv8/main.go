// Command conv8 generates the assembly of haarlem/internal/kernel/conv8.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"regexp"
	"slices"
	"strconv"

	. "github.com/mmcloughlin/avo/build"
	. "github.com/mmcloughlin/avo/operand"
	. "github.com/mmcloughlin/avo/reg"

	"haarlem/asm/a64"
	"haarlem/asm/layout"
	"haarlem/asm/vec"
)

// The same constants in package conv8.
var (
	numbers layout.Layout
	group   = numbers.Constant("Group", 4)
	step    = numbers.Constant("Step", 8)
	block   = numbers.Constant("block", 16)
	unit    = numbers.Constant("unit", 4)
	place   = numbers.Size("Place", 8)
	in      = numbers.Offset("Place", "In", 0)
	out     = numbers.Offset("Place", "Out", 4)
)

func main() {
	ConstraintExpr("!purego")
	describe()
	Generate()
	encodeDots(flag.Lookup("out").Value.String())
	a64.Generate(neon())
	numbers.Generate()
}

var dots = regexp.MustCompile(`VPDPBUSD +Y(\d+), Y(\d+), Y(\d+)`)

// encodeDots encodes VPDPBUSD on YMM registers in the file of assembly as AVX-VNNI does. Go's
// assembler knows only the instruction of AVX-512.
func encodeDots(path string) {
	text, err := os.ReadFile(path)
	if err != nil {
		log.Fatal(err)
	}
	text = dots.ReplaceAllFunc(text, func(line []byte) []byte {
		var r [3]byte // as in the text
		for i, number := range dots.FindSubmatch(line)[1:] {
			n, err := strconv.Atoi(string(number))
			if err != nil || n > 15 {
				log.Fatalf("%s: want registers up to Y15", line)
			}
			r[i] = byte(n)
		}
		return fmt.Appendf(nil, "LONG $0x%02x%02x%02xc4; BYTE $0x%02x // %s", 0x50, ^r[1]&15<<3|5, ^r[2]&8<<4|0x40|^r[0]&8<<2|2, 0xc0|r[2]&7<<3|r[0]&7, line)
	})
	if err := os.WriteFile(path, text, 0o666); err != nil {
		log.Fatal(err)
	}
}

// tables are constants in memory.
var tables struct{ order, limit Mem }

// describe describes the kernels for amd64.
func describe() {
	tables.order = vec.Dwords("order", []uint32{0, 4, 1, 5, 2, 6, 3, 7})
	tables.limit = vec.Dwords("limit", slices.Repeat([]uint32{0x7f7f7f7f}, 8))
	for _, avx512 := range []bool{true, false} {
		t := tile{m: vec.Machine{AVX512: avx512}}
		for _, t.raw = range []bool{false, true} {
			for _, t.outputs = range []int{block, step} {
				layer(t)
			}
		}
	}
	layer(tile{outputs: block, paired: true})
	layer(tile{outputs: block, dot: true})
	layer(tile{outputs: step, dot: true})
	layer(tile{m: vec.Machine{AVX512: true}, outputs: block, double: true})
}

// A tile is the outputs of a block at several places at once, in registers.
type tile struct {
	m       vec.Machine
	outputs int // of a place
	raw     bool
	paired  bool // two groups of inputs of a row at once
	dot     bool // AVX2 with sums of four products, AVX-VNNI
	double  bool // two blocks of outputs at once, which see the same inputs
	places  int

	rows, at GPVirtual   // counter of rows, byte from a place's first one on
	weights  []GPVirtual // group of weights of each block
	table    GPVirtual   // of places
	from     []GPVirtual
	sums     [][]VecVirtual // of a place
	ones     VecVirtual
}

// registers returns how many registers hold the outputs of a place.
func (t *tile) registers() int {
	switch {
	case t.double:
		return 2
	case t.m.AVX512:
		return 1
	}
	return t.outputs / 8
}

// vector returns a register for outputs.
func (t *tile) vector() VecVirtual {
	if t.m.AVX512 && t.outputs == 16 {
		return ZMM()
	}
	return YMM()
}

func (t *tile) bytes() int { return min(4*t.outputs, t.m.Bytes()) }

// move loads or stores a register for outputs.
func (t *tile) move(from, to Op) { t.m.Move(from, to) }

// layer computes one block of outputs at all places.
func layer(shape tile) {
	t := &shape
	m, outputs := t.m, t.outputs
	name, to := fmt.Sprint("apply", outputs), "*byte"
	what := "applyGo"
	switch {
	case t.raw:
		name, to, what = fmt.Sprint("sums", outputs), "*int32", "sumsGo"
	case t.paired:
		name += "Paired"
	case t.double:
		name += "Double"
	}
	if name = m.Name(name); t.dot {
		name = fmt.Sprintf("apply%dDot", outputs)
	}
	TEXT(name, NOSPLIT, "func(dst "+to+", src *byte, places *int32, n int, weights *int8, bias, shift *int32, rows, inputs, stride, maxima int)")
	of := "a block"
	if t.double {
		of = "each of two blocks"
	}
	if !t.raw {
		what += ", of one place or of units,"
	}
	Doc(fmt.Sprintf("%s is %s for %s of %d outputs, and n places in units of %d.", name, what, of, outputs, unit))
	Pragma("noescape")
	t.rows, t.at, t.weights = GP64(), GP64(), []GPVirtual{GP64()}
	if t.double {
		t.weights = append(t.weights, GP64())
	}
	t.table = Load(Param("places"), GP64()).(GPVirtual)
	if !m.AVX512 {
		t.ones = m.Spread(0x00010001)
		Label("places")
		t.block(unit)
		SUBQ(U8(unit), argument("n"))
		JG(LabelRef("places"))
		vec.End()
		return
	}
	// The sum of products takes some cycles, and two can begin in one: with eight
	// places they do not wait for each other.
	CMPQ(argument("n"), U8(2*unit))
	JL(LabelRef("few"))
	Label("places")
	t.block(2 * unit)
	SUBQ(U8(2*unit), argument("n"))
	CMPQ(argument("n"), U8(2*unit))
	JGE(LabelRef("places"))
	CMPQ(argument("n"), U8(0))
	JE(LabelRef("end"))
	Label("few")
	t.block(unit)
	Label("end")
	vec.End()
}

// argument returns the place in memory of a parameter.
func argument(name string) Mem {
	b, err := Param(name).Resolve()
	if err != nil {
		panic(err)
	}
	return b.Addr
}

// block computes the outputs at the next places.
func (t *tile) block(places int) {
	t.places = places
	t.from, t.sums = nil, nil
	for p := range places {
		at := GP64()
		MOVLQSX(Mem{Base: t.table, Disp: p*place + in}, at)
		ADDQ(argument("src"), at)
		t.from = append(t.from, at)
	}
	bias := vec.Get(argument("bias"))
	for range places {
		t.sums = append(t.sums, nil)
	}
	for r := range t.registers() {
		for p := range places {
			sum := t.vector()
			if p == 0 {
				t.move(Mem{Base: bias, Disp: r * t.bytes()}, sum)
			} else if t.m.AVX512 {
				VMOVDQA32(t.sums[0][r], sum)
			} else {
				VMOVDQA(t.sums[0][r], sum)
			}
			t.sums[p] = append(t.sums[p], sum)
		}
	}
	MOVQ(argument("weights"), t.weights[0])
	MOVQ(argument("rows"), t.rows)
	if t.double {
		next := t.weights[1]
		MOVQ(argument("inputs"), next)
		IMULQ(t.rows, next)
		SHLQ(U8(4), next) // block weights for each input
		ADDQ(t.weights[0], next)
	}
	rows, groups := fmt.Sprint("rows", places), fmt.Sprint("groups", places)
	last := vec.Get(argument("inputs")) // byte behind the row, or the last group's
	if t.paired {
		SUBQ(U8(group), last)
	}
	XORQ(t.at, t.at)
	Label(rows)
	if t.paired {
		Label("pairs")
		t.groups(2)
		CMPQ(t.at, last)
		JL(LabelRef("pairs"))
		JNE(LabelRef("done"))
		t.groups(1)
		Label("done")
	} else {
		Label(groups)
		t.groups(1)
		CMPQ(t.at, last)
		JL(LabelRef(groups))
	}
	ADDQ(argument("stride"), t.at)
	SUBQ(argument("inputs"), t.at)
	ADDQ(argument("stride"), last)
	DECQ(t.rows)
	JNZ(LabelRef(rows))
	if t.raw {
		t.storeSums()
	} else {
		single, stored := fmt.Sprint("single", places), fmt.Sprint("stored", places)
		CMPQ(argument("maxima"), U8(1))
		JE(LabelRef(single))
		t.storeMaxima()
		JMP(LabelRef(stored))
		Label(single)
		t.store(1)
		Label(stored)
	}
	ADDQ(U8(places*place), t.table)
}

// groups adds the products of n groups of inputs. Two are added in 16 bits.
func (t *tile) groups(n int) {
	var weights []Op // a group's registers, the next one's
	for i := range n * t.registers() {
		from := Mem{Base: t.weights[0], Disp: i * t.bytes()}
		if t.double {
			from = Mem{Base: t.weights[i]}
		}
		if i == 3 { // no register is left
			weights = append(weights, from)
			break
		}
		w := t.vector()
		t.move(from, w)
		weights = append(weights, w)
	}
	for p, from := range t.from {
		var inputs []VecVirtual
		for g := range n {
			v := t.vector()
			VPBROADCASTD(Mem{Base: from, Disp: g * group, Index: t.at, Scale: 1}, v)
			inputs = append(inputs, v)
		}
		for r, sum := range t.sums[p] {
			if t.m.AVX512 || t.dot {
				VPDPBUSD(weights[r], inputs[0], sum)
				continue
			}
			var products []VecVirtual
			for g, v := range inputs {
				to := v // which nothing else needs, at last
				if r < t.registers()-1 {
					to = YMM()
				}
				VPMADDUBSW(weights[g*t.registers()+r], v, to)
				products = append(products, to)
			}
			v := products[0]
			if n == 2 {
				VPADDW(products[1], v, v)
			}
			VPMADDWD(t.ones, v, v)
			VPADDD(v, sum, sum)
		}
	}
	for _, w := range t.weights {
		ADDQ(U8(n*t.registers()*t.bytes()/len(t.weights)), w)
	}
	ADDQ(U8(n*group), t.at)
}

// to returns where the outputs of a place go, so many bytes each.
func (t *tile) to(p, bytes int) Mem {
	at, dst := GP64(), GP64()
	MOVLQSX(Mem{Base: t.table, Disp: p*place + out}, at)
	MOVQ(argument("dst"), dst)
	return Mem{Base: dst, Index: at, Scale: uint8(bytes)}
}

func (t *tile) storeSums() {
	for p, sums := range t.sums {
		to := t.to(p, 4)
		for r, sum := range sums {
			to.Disp = r * t.bytes()
			t.move(sum, to)
		}
	}
}

// storeMaxima stores the largest outputs of each unit of places.
func (t *tile) storeMaxima() {
	for p, sums := range t.sums {
		for r, sum := range sums {
			if p%unit > 0 {
				VPMAXSD(sum, t.sums[p/unit*unit][r], t.sums[p/unit*unit][r])
			}
		}
	}
	t.store(unit)
}

// store stores the outputs of every so many places.
func (t *tile) store(every int) {
	shifts := vec.Get(argument("shift"))
	for r := range t.registers() {
		shift := t.vector()
		t.move(Mem{Base: shifts, Disp: r * t.bytes()}, shift)
		for p := 0; p < t.places; p += every {
			VPSRAVD(shift, t.sums[p][r], t.sums[p][r])
		}
	}
	if t.m.AVX512 {
		zero := t.vector()
		VPXORD(zero, zero, zero)
		for p := 0; p < t.places; p += every {
			to := t.to(p, 1)
			for r, sum := range t.sums[p] {
				to.Disp = r * block
				VPMAXSD(zero, sum, sum)
				VPMOVSDB(sum, to) // saturates at 127
			}
		}
		return
	}
	// Both packings saturate, and work on the halves of registers.
	order := YMM()
	VMOVDQU(tables.order, order)
	var all []VecVirtual
	var to []Mem
	for p := 0; p < t.places; p += every {
		all = append(all, t.sums[p]...)
		to = append(to, t.to(p, 1))
	}
	for len(all) > 0 {
		v := all[:min(4, len(all))]
		all = all[len(v):]
		VPACKSSDW(v[min(1, len(v)-1)], v[0], v[0])
		other := v[0]
		if len(v) == 4 {
			other = v[2]
			VPACKSSDW(v[3], v[2], v[2])
		}
		VPACKUSWB(other, v[0], v[0])
		VPMINUB(tables.limit, v[0], v[0])
		VPERMD(v[0], order, v[0])
		places := len(v) * 8 / t.outputs
		for i := 0; i < places; i += 16 / t.outputs {
			x := v[0].AsX()
			if i >= 16/t.outputs {
				x = XMM()
				VEXTRACTI128(U8(1), v[0], x)
			}
			if t.outputs == 16 {
				VMOVDQU(x, to[i])
				continue
			}
			VMOVQ(x, to[i])
			if i+1 < places {
				VPEXTRQ(U8(1), x, to[i+1])
			}
		}
		to = to[places:]
	}
}
