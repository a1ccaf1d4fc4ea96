package a64

import (
	"fmt"
	"strings"
)

// A Lanes is an arrangement of a vector register.
type Lanes struct {
	name string
	size uint32 // log2 of an element's bytes
	q    uint32 // 1 for a whole register
}

var (
	B8  = Lanes{"8b", 0, 0}
	B16 = Lanes{"16b", 0, 1}
	H4  = Lanes{"4h", 1, 0}
	H8  = Lanes{"8h", 1, 1}
	S2  = Lanes{"2s", 2, 0}
	S4  = Lanes{"4s", 2, 1}
	D2  = Lanes{"2d", 3, 1}
)

var all = []Lanes{B8, B16, H4, H8, S2, S4, {"1d", 3, 0}, D2}

// narrower returns elements of half the size in the lower half of a register,
// or in the upper half, which is named like the whole.
func (l Lanes) narrower(upper bool) Lanes {
	return all[2*(l.size-1)+map[bool]uint32{true: 1}[upper]]
}

// A form is a kind of encoding.
type form int

const (
	same        form = iota // three of the same arrangement
	logical                 // three, of bytes
	float                   // three, of floats
	long                    // the result has elements twice as large as both operands
	wide                    // and as the second operand
	one                     // two of the same arrangement
	oneFloat                // and of floats
	pairwise                // the result has half as many, twice as large
	narrow                  // the operand has elements twice as large as the result
	lengthen                // half as large, and a constant
	shift                   // a constant, to the left
	shiftDown               // a constant, to the right
	shrink                  // a constant to the right, the operand twice as large
	fixedPoint              // two, and a constant that says how many bits are behind the point
	permute                 // three of the same arrangement
	across                  // the result is a scalar
	double2half             // fcvtn
)

// An op is the encoding of an instruction: bits beside those of its form, and
// whether it reads its destination.
type op struct {
	form    form
	u, code uint32
	reads   bool
}

// For floats, code has bit 5 set where the upper bit of the size is.
var ops = map[string]op{
	"add":     {form: same, u: 0, code: 0x10},
	"sub":     {form: same, u: 1, code: 0x10},
	"mul":     {form: same, u: 0, code: 0x13},
	"mla":     {form: same, u: 0, code: 0x12, reads: true},
	"mls":     {form: same, u: 1, code: 0x12, reads: true},
	"cmgt":    {form: same, u: 0, code: 0x06},
	"cmhs":    {form: same, u: 1, code: 0x07},
	"cmtst":   {form: same, u: 0, code: 0x11},
	"smax":    {form: same, u: 0, code: 0x0c},
	"smin":    {form: same, u: 0, code: 0x0d},
	"umax":    {form: same, u: 1, code: 0x0c},
	"umin":    {form: same, u: 1, code: 0x0d},
	"addp":    {form: same, u: 0, code: 0x17},
	"sshl":    {form: same, u: 0, code: 0x08},
	"ushl":    {form: same, u: 1, code: 0x08},
	"and":     {form: logical, u: 0, code: 0},
	"bic":     {form: logical, u: 0, code: 1},
	"orr":     {form: logical, u: 0, code: 2},
	"eor":     {form: logical, u: 1, code: 0},
	"bit":     {form: logical, u: 1, code: 2, reads: true},
	"fadd":    {form: float, u: 0, code: 0x1a},
	"fsub":    {form: float, u: 0, code: 0x3a},
	"fmul":    {form: float, u: 1, code: 0x1b},
	"fdiv":    {form: float, u: 1, code: 0x1f},
	"fmax":    {form: float, u: 0, code: 0x1e},
	"fmin":    {form: float, u: 0, code: 0x3e},
	"fmls":    {form: float, u: 0, code: 0x39, reads: true},
	"fcmgt":   {form: float, u: 1, code: 0x3c},
	"fcmge":   {form: float, u: 1, code: 0x1c},
	"smull":   {form: long, u: 0, code: 0xc},
	"umull":   {form: long, u: 1, code: 0xc},
	"smlal":   {form: long, u: 0, code: 0x8, reads: true},
	"umlal":   {form: long, u: 1, code: 0x8, reads: true},
	"uaddl":   {form: long, u: 1, code: 0x0},
	"usubl":   {form: long, u: 1, code: 0x2},
	"saddw":   {form: wide, u: 0, code: 0x1},
	"not":     {form: one, u: 1, code: 0x05},
	"abs":     {form: one, u: 0, code: 0x0b},
	"scvtf":   {form: oneFloat, u: 0, code: 0x1d},
	"ucvtf":   {form: oneFloat, u: 1, code: 0x1d},
	"fcvtzu":  {form: oneFloat, u: 1, code: 0x3b},
	"fcvtzu#": {form: fixedPoint, u: 1, code: 0x1f},
	"fsqrt":   {form: oneFloat, u: 1, code: 0x3f},
	"uaddlp":  {form: pairwise, u: 1, code: 0x02},
	"uadalp":  {form: pairwise, u: 1, code: 0x06, reads: true},
	"sadalp":  {form: pairwise, u: 0, code: 0x06, reads: true},
	"xtn":     {form: narrow, u: 0, code: 0x12},
	"sqxtun":  {form: narrow, u: 1, code: 0x12},
	"uqxtn":   {form: narrow, u: 1, code: 0x14},
	"sshll":   {form: lengthen, u: 0, code: 0x14},
	"ushll":   {form: lengthen, u: 1, code: 0x14},
	"shl":     {form: shift, u: 0, code: 0x0a},
	"sshr":    {form: shiftDown, u: 0, code: 0x00},
	"ushr":    {form: shiftDown, u: 1, code: 0x00},
	"rshrn":   {form: shrink, u: 0, code: 0x11},
	"uzp1":    {form: permute, code: 1},
	"trn1":    {form: permute, code: 2},
	"zip1":    {form: permute, code: 3},
	"uzp2":    {form: permute, code: 5},
	"trn2":    {form: permute, code: 6},
	"zip2":    {form: permute, code: 7},
	"addv":    {form: across, u: 0, code: 0x1b},
	"umaxv":   {form: across, u: 1, code: 0x0a},
	"fcvtn":   {form: double2half, code: 0x16},
}

// Do appends a vector instruction: d is the destination, n and m are vectors
// or, as the last operand, a constant. The arrangement is that of d, for across
// that of n. Mnemonics that end with 2 read or write the upper half.
func (f *Func) Do(mnemonic string, l Lanes, d V, operands ...any) {
	name, upper := mnemonic, false
	o, ok := ops[name]
	if !ok {
		name, upper = strings.CutSuffix(mnemonic, "2")
		o, ok = ops[name]
	}
	if !ok {
		panic("no instruction " + mnemonic)
	}
	var v []V
	constant := -1
	for _, x := range operands {
		switch x := x.(type) {
		case V:
			v = append(v, x)
		case int:
			constant = x
		default:
			panic(fmt.Sprintf("%s: operand %v", mnemonic, x))
		}
	}
	if fixed, ok := ops[name+"#"]; ok && constant >= 0 {
		o = fixed
	}
	want, shifts := 2, false
	switch o.form {
	case one, oneFloat, pairwise, narrow, across, double2half:
		want = 1
	case lengthen, shift, shiftDown, shrink, fixedPoint:
		want, shifts = 1, true
	}
	if len(v) != want || shifts != (constant >= 0) {
		panic(fmt.Sprintf("%s: %d operands", mnemonic, len(operands)))
	}
	var high uint32
	if upper {
		high = 1
	}
	bits, from, second := l.q<<30, l, l
	base := uint32(0x0e200400) | o.u<<29
	size := l.size << 22
	esize := 8 << l.size
	suffix := ""
	switch o.form {
	case same:
		bits |= base | size | o.code<<11
	case logical:
		bits |= base | o.code<<22 | 0x03<<11
	case float:
		bits |= base | o.code>>5<<23 | (l.size-2)<<22 | o.code&0x1f<<11
	case long:
		from = l.narrower(upper)
		second = from
		bits = high<<30 | base&^0x400 | from.size<<22 | o.code<<12
	case wide:
		second = l.narrower(upper)
		bits = high<<30 | base&^0x400 | second.size<<22 | o.code<<12
	case one:
		bits |= 0x0e200800 | o.u<<29 | size | o.code<<12
	case oneFloat:
		bits |= 0x0e200800 | o.u<<29 | o.code>>5<<23 | (l.size-2)<<22 | o.code&0x1f<<12
	case pairwise:
		from = all[2*(l.size-1)+l.q]
		bits |= 0x0e200800 | o.u<<29 | from.size<<22 | o.code<<12
	case narrow:
		from = all[2*(l.size+1)+1]
		bits |= 0x0e200800 | o.u<<29 | size | o.code<<12
	case double2half:
		from = all[2*(l.size+1)+1]
		bits |= 0x0e200800 | (l.size-1)<<22 | o.code<<12
	case lengthen:
		from = l.narrower(upper)
		bits = high<<30 | 0x0f000400 | o.u<<29 | uint32(8<<from.size+constant)<<16 | o.code<<11
	case shift:
		bits |= 0x0f000400 | o.u<<29 | uint32(esize+constant)<<16 | o.code<<11
	case shiftDown, fixedPoint:
		bits |= 0x0f000400 | o.u<<29 | uint32(2*esize-constant)<<16 | o.code<<11
	case shrink:
		from = all[2*(l.size+1)+1]
		bits |= 0x0f000400 | o.u<<29 | uint32(2*esize-constant)<<16 | o.code<<11
	case permute:
		bits |= 0x0e000800 | size | o.code<<12
	case across:
		bits |= 0x0e300800 | o.u<<29 | size | o.code<<12
		suffix = "bhsd"[l.size : l.size+1]
	}
	i := &instruction{v: access{writes: []int{d.id}}}
	for _, x := range v {
		i.v.reads = append(i.v.reads, x.id)
	}
	// A narrow result in the upper half keeps the lower one.
	if o.reads || upper && (o.form == narrow || o.form == shrink || o.form == double2half) {
		i.v.reads = append(i.v.reads, d.id)
	}
	i.format = func(_, number []int) string {
		w := bits | uint32(number[d.id]) | uint32(number[v[0].id])<<5
		text := fmt.Sprintf("%s v%d.%s, v%d.%s", mnemonic, number[d.id], l.name, number[v[0].id], from.name)
		if suffix != "" {
			text = fmt.Sprintf("%s %s%d, v%d.%s", mnemonic, suffix, number[d.id], number[v[0].id], l.name)
		}
		if len(v) > 1 {
			w |= uint32(number[v[1].id]) << 16
			text += fmt.Sprintf(", v%d.%s", number[v[1].id], second.name)
		}
		if shifts {
			text += fmt.Sprintf(", #%d", constant)
		}
		return word(w, text)
	}
	f.add(i)
}

// New is Do with a new register as its destination, which it returns.
func (f *Func) New(mnemonic string, l Lanes, operands ...any) V {
	d := f.V()
	f.Do(mnemonic, l, d, operands...)
	return d
}

func word(w uint32, text string) string { return fmt.Sprintf("WORD $0x%08x // %s", w, text) }

// vectors appends an instruction whose word and text depend on the numbers of
// vector registers, those that it writes and then those that it reads.
func (f *Func) vectors(writes, reads []V, g *G, written bool, encode func(v []int, g int) (uint32, string)) {
	i := &instruction{}
	var ids []int
	for _, r := range writes {
		i.v.writes, ids = append(i.v.writes, r.id), append(ids, r.id)
	}
	for _, r := range reads {
		i.v.reads, ids = append(i.v.reads, r.id), append(ids, r.id)
	}
	if g != nil {
		if !written {
			i.g.reads = []int{g.id}
		} else {
			i.g.writes = []int{g.id}
		}
	}
	i.format = func(gs, vs []int) string {
		n := make([]int, len(ids))
		for k, id := range ids {
			n[k] = vs[id]
		}
		r := 0
		if g != nil {
			r = generals[gs[g.id]]
		}
		return word(encode(n, r))
	}
	f.add(i)
}

// Zero sets registers to zero.
func (f *Func) Zero(all ...V) {
	for _, d := range all {
		f.vectors([]V{d}, nil, nil, false, func(v []int, _ int) (uint32, string) {
			return 0x4f000400 | uint32(v[0]), fmt.Sprintf("movi v%d.4s, #0", v[0])
		})
	}
}

// Fill sets all lanes, of bytes, half words or words, to b, which is below 256.
func (f *Func) Fill(l Lanes, d V, b int) {
	cmode := map[uint32]uint32{0: 0xe, 1: 0x8, 2: 0x0}[l.size]
	f.vectors([]V{d}, nil, nil, false, func(v []int, _ int) (uint32, string) {
		return 0x0f000400 | l.q<<30 | uint32(b>>5)<<16 | cmode<<12 | uint32(b&31)<<5 | uint32(v[0]),
			fmt.Sprintf("movi v%d.%s, #%d", v[0], l.name, b)
	})
}

// Move copies a register.
func (f *Func) Move(d, n V) {
	f.vectors([]V{d}, []V{n}, nil, false, func(v []int, _ int) (uint32, string) {
		return 0x4ea01c00 | uint32(v[1])<<16 | uint32(v[1])<<5 | uint32(v[0]), fmt.Sprintf("mov v%d.16b, v%d.16b", v[0], v[1])
	})
}

// Extract takes 16 bytes of n and m, from byte at on.
func (f *Func) Extract(d, n, m V, at int) {
	f.vectors([]V{d}, []V{n, m}, nil, false, func(v []int, _ int) (uint32, string) {
		return 0x6e000000 | uint32(v[2])<<16 | uint32(at)<<11 | uint32(v[1])<<5 | uint32(v[0]),
			fmt.Sprintf("ext v%d.16b, v%d.16b, v%d.16b, #%d", v[0], v[1], v[2], at)
	})
}

// Table looks the bytes of index up in one or two consecutive registers;
// indices beyond give zero, or, with TableOver, keep d's bytes.
func (f *Func) Table(d, index V, table ...V) { f.table(false, d, index, table) }

// TableOver is Table that keeps bytes whose index is beyond.
func (f *Func) TableOver(d, index V, table ...V) { f.table(true, d, index, table) }

func (f *Func) table(over bool, d, index V, table []V) {
	reads := append([]V{index}, table...)
	name, bit := "tbl", uint32(0)
	if over {
		reads, name, bit = append(reads, d), "tbx", 1<<12
	}
	f.vectors([]V{d}, reads, nil, false, func(v []int, _ int) (uint32, string) {
		list := fmt.Sprintf("v%d.16b", v[2])
		for k := range table[1:] {
			if v[3+k] != v[2]+1+k {
				panic("table: registers that do not follow each other")
			}
			list += fmt.Sprintf(", v%d.16b", v[3+k])
		}
		return 0x4e000000 | uint32(v[1])<<16 | uint32(len(table)-1)<<13 | bit | uint32(v[2])<<5 | uint32(v[0]),
			fmt.Sprintf("%s v%d.16b, {%s}, v%d.16b", name, v[0], list, v[1])
	})
}

// lane returns the field of an instruction that names a lane.
func (l Lanes) lane(i int) uint32 { return uint32(i)<<(l.size+1) | 1<<l.size }

func (l Lanes) letter() string { return "bhsd"[l.size : l.size+1] }

// Spread copies a lane of n to all of d.
func (f *Func) Spread(l Lanes, d, n V, lane int) {
	f.vectors([]V{d}, []V{n}, nil, false, func(v []int, _ int) (uint32, string) {
		return 0x0e000400 | l.q<<30 | l.lane(lane)<<16 | uint32(v[1])<<5 | uint32(v[0]),
			fmt.Sprintf("dup v%d.%s, v%d.%s[%d]", v[0], l.name, v[1], l.letter(), lane)
	})
}

// SpreadG copies a general register to all lanes of d.
func (f *Func) SpreadG(l Lanes, d V, g G) {
	f.vectors([]V{d}, nil, &g, false, func(v []int, r int) (uint32, string) {
		size := "w"
		if l.size == 3 {
			size = "x"
		}
		return 0x0e000c00 | l.q<<30 | l.lane(0)<<16 | uint32(r)<<5 | uint32(v[0]),
			fmt.Sprintf("dup v%d.%s, %s%d", v[0], l.name, size, r)
	})
}

// Take copies a lane, unsigned, to a general register.
func (f *Func) Take(l Lanes, g G, n V, lane int) {
	f.vectors(nil, []V{n}, &g, true, func(v []int, r int) (uint32, string) {
		q, size := uint32(0), "w"
		if l.size == 3 {
			q, size = 1, "x"
		}
		return 0x0e003c00 | q<<30 | l.lane(lane)<<16 | uint32(v[0])<<5 | uint32(r),
			fmt.Sprintf("umov %s%d, v%d.%s[%d]", size, r, v[0], l.letter(), lane)
	})
}

// TimesLane multiplies floats or words of 32 bits by one lane of m: "fmul",
// "mul", or "mla", which adds.
func (f *Func) TimesLane(mnemonic string, l Lanes, d, n, m V, lane int) {
	code := map[string]uint32{"fmul": 0x0f809000, "mul": 0x0f808000, "mla": 0x2f800000}[mnemonic]
	reads := []V{n, m}
	if mnemonic == "mla" {
		reads = append(reads, d)
	}
	f.vectors([]V{d}, reads, nil, false, func(v []int, _ int) (uint32, string) {
		return code | l.q<<30 | uint32(lane&1)<<21 | uint32(lane>>1)<<11 | uint32(v[2])<<16 | uint32(v[1])<<5 | uint32(v[0]),
			fmt.Sprintf("%s v%d.%s, v%d.%s, v%d.s[%d]", mnemonic, v[0], l.name, v[1], l.name, v[2], lane)
	})
}

// Dot adds to each word of d the products of four signed bytes of n and those of a lane of
// m. Not all machines have it: it belongs to FEAT_DotProd.
func (f *Func) Dot(d, n, m V, lane int) {
	f.vectors([]V{d}, []V{n, m, d}, nil, false, func(v []int, _ int) (uint32, string) {
		return 0x4f80e000 | uint32(lane&1)<<21 | uint32(lane>>1)<<11 | uint32(v[2])<<16 | uint32(v[1])<<5 | uint32(v[0]),
			fmt.Sprintf("sdot v%d.4s, v%d.16b, v%d.4b[%d]", v[0], v[1], v[2], lane)
	})
}
