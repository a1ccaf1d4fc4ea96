// Package a64 writes Go assembly for arm64, as avo does for amd64: functions
// over virtual registers, which are allocated at the end.
//
// Instructions on general registers are in the syntax of Go's assembler. That
// lacks float vectors, widening multiplications and most narrowing ones, so all
// vector instructions are written as words, with their meaning beside them in
// the syntax of GNU as. A test compares the words with that assembler's.
package a64

import (
	"bytes"
	"fmt"
	"strings"

	"haarlem/asm/layout"
)

// A File is the input of Generate.
type File struct {
	funcs []*Func
	data  []*data
}

// A data is a constant table.
type data struct {
	name  string
	bytes []byte
}

// Bytes adds a constant table, whose address Func.Address loads.
func (f *File) Bytes(name string, b []byte) string {
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	f.data = append(f.data, &data{name, b})
	return name
}

// A Func is a function in progress. Its methods append instructions; operands
// are in the order of GNU as, with the destination first.
type Func struct {
	name, signature, doc string
	params               int // bytes
	results              int // offset of the first
	code                 []*instruction
	general, vector      int   // registers so far
	fixed                []int // numbers of vector registers, or -1
}

// A G is a general register, a V a vector register.
type (
	G struct{ id int }
	V struct{ id int }
)

// An instruction is a line of assembly, a label or a branch.
type instruction struct {
	label  string // of this place
	to     string // where this may branch to
	ends   bool   // what follows is not reached from here
	g      access
	v      access
	format func(g, v []int) string // with numbers of registers
}

// An access is the registers that an instruction reads and writes.
type access struct{ reads, writes []int }

// Begin begins a function of pointers and integers, 8 bytes each, and returns
// them in registers, in order; Param and Param32 load floats, which come last. doc
// follows its name in its comment. Results are stored with Result, which counts bytes
// after the parameters.
func (f *File) Begin(name, signature, doc string) (*Func, []G) {
	fn := &Func{name: name, signature: signature, doc: name + " " + doc}
	f.funcs = append(f.funcs, fn)
	var in []G
	params := layout.Parameters(signature)
	for i, p := range params {
		in = append(in, fn.Param(p, 8*i))
	}
	fn.params, fn.results = 8*len(params), 8*len(params)
	return fn, in
}

// Param loads 8 bytes of the parameters.
func (f *Func) Param(name string, at int) G {
	r := f.G()
	f.line(fmt.Sprintf("MOVD %s+%d(FP), %%0", name, at), []G{r}, nil)
	f.params = max(f.params, at+8)
	return r
}

// Param32 loads 4 bytes of the parameters.
func (f *Func) Param32(name string, at int) G {
	r := f.G()
	f.line(fmt.Sprintf("MOVWU %s+%d(FP), %%0", name, at), []G{r}, nil)
	f.params = max(f.params, at+4)
	return r
}

// Result stores 4 bytes of the results.
func (f *Func) Result(name string, at int, r G) {
	f.line(fmt.Sprintf("MOVW %%0, %s+%d(FP)", name, f.results+at), nil, []G{r})
	f.params = max(f.params, (f.results+at+4+7)&^7)
}

// G returns a new general register.
func (f *Func) G() G { f.general++; return G{f.general - 1} }

// V returns a new vector register.
func (f *Func) V() V {
	f.vector++
	f.fixed = append(f.fixed, -1)
	return V{f.vector - 1}
}

// Vs returns n new vector registers.
func (f *Func) Vs(n int) []V {
	v := make([]V, n)
	for i := range v {
		v[i] = f.V()
	}
	return v
}

// Fixed returns a new vector register with this number, for instructions that
// take several in a row.
func (f *Func) Fixed(number int) V {
	v := f.V()
	f.fixed[v.id] = number
	return v
}

func (f *Func) add(i *instruction) { f.code = append(f.code, i) }

// Label defines a label.
func (f *Func) Label(name string) { f.add(&instruction{label: name}) }

// Branch branches to a label always ("B") or, with another of Go's mnemonics,
// by the flags.
func (f *Func) Branch(mnemonic, to string) {
	f.add(&instruction{to: to, ends: mnemonic == "B", format: func(_, _ []int) string { return mnemonic + " " + to }})
}

// BranchZero branches to a label if r is zero, BranchNot if it is not.
func (f *Func) BranchZero(r G, to string) { f.branchOn("CBZ", r, to) }
func (f *Func) BranchNot(r G, to string)  { f.branchOn("CBNZ", r, to) }

func (f *Func) branchOn(mnemonic string, r G, to string) {
	f.add(&instruction{to: to, g: access{reads: []int{r.id}}, format: func(g, _ []int) string {
		return fmt.Sprintf("%s %s, %s", mnemonic, general(g[r.id]), to)
	}})
}

// Return returns.
func (f *Func) Return() {
	f.add(&instruction{ends: true, format: func(_, _ []int) string { return "RET" }})
}

// line appends an instruction on general registers. %0 and so on are those that
// it writes, then those that it reads.
func (f *Func) line(text string, writes, reads []G) {
	i := &instruction{}
	var all []int
	for _, r := range writes {
		i.g.writes, all = append(i.g.writes, r.id), append(all, r.id)
	}
	for _, r := range reads {
		i.g.reads, all = append(i.g.reads, r.id), append(all, r.id)
	}
	i.format = func(g, _ []int) string {
		s := text
		for k, id := range all {
			s = strings.ReplaceAll(s, fmt.Sprintf("%%%d", k), general(g[id]))
		}
		return s
	}
	f.add(i)
}

// Address loads the address of a constant table.
func (f *Func) Address(d G, table string) {
	f.line(fmt.Sprintf("MOVD $%s<>(SB), %%0", table), []G{d}, nil)
}

// Set loads a constant.
func (f *Func) Set(d G, v uint64) { f.line(fmt.Sprintf("MOVD $%d, %%0", int64(v)), []G{d}, nil) }

// Copy copies a register.
func (f *Func) Copy(d, n G) { f.line("MOVD %1, %0", []G{d}, []G{n}) }

// Load loads an element with one of Go's moves, such as MOVW or MOVBU.
func (f *Func) Load(move string, d, base G, disp int) {
	f.line(fmt.Sprintf("%s %d(%%1), %%0", move, disp), []G{d}, []G{base})
}

// Get loads an element into a new register.
func (f *Func) Get(move string, base G, disp int) G {
	d := f.G()
	f.Load(move, d, base, disp)
	return d
}

// Store stores an element.
func (f *Func) Store(move string, s, base G, disp int) {
	f.line(fmt.Sprintf("%s %%0, %d(%%1)", move, disp), nil, []G{s, base})
}

// LoadPair loads two signed words.
func (f *Func) LoadPair(d, e, base G, disp int) {
	f.line(fmt.Sprintf("LDPSW %d(%%2), (%%0, %%1)", disp), []G{d, e}, []G{base})
}

// Plus adds m, shifted to the left, to n. Less subtracts it.
func (f *Func) Plus(d, n, m G, shift int) {
	f.line(fmt.Sprintf("ADD %%2<<%d, %%1, %%0", shift), []G{d}, []G{n, m})
}
func (f *Func) Less(d, n, m G) { f.line("SUB %2, %1, %0", []G{d}, []G{n, m}) }

// PlusN adds a constant. LessN subtracts one, and sets flags.
func (f *Func) PlusN(d, n G, by int) {
	if by < 0 {
		f.line(fmt.Sprintf("SUB $%d, %%1, %%0", -by), []G{d}, []G{n})
		return
	}
	f.line(fmt.Sprintf("ADD $%d, %%1, %%0", by), []G{d}, []G{n})
}
func (f *Func) LessN(d, n G, by int) {
	f.line(fmt.Sprintf("SUBS $%d, %%1, %%0", by), []G{d}, []G{n})
}

// AndN masks with a constant. Op3, of two registers, and Shift, by a constant,
// take one of Go's mnemonics.
func (f *Func) AndN(d, n G, mask int) {
	f.line(fmt.Sprintf("AND $%d, %%1, %%0", mask), []G{d}, []G{n})
}
func (f *Func) Op3(mnemonic string, d, n, m G) {
	f.line(mnemonic+" %2, %1, %0", []G{d}, []G{n, m})
}
func (f *Func) Shift(mnemonic string, d, n G, by int) {
	f.line(fmt.Sprintf("%s $%d, %%1, %%0", mnemonic, by), []G{d}, []G{n})
}
func (f *Func) Negate(d, n G) { f.line("NEG %1, %0", []G{d}, []G{n}) }

// Compare compares n with m, CompareN with a constant (as 32 bits: CompareW).
func (f *Func) Compare(n, m G)      { f.line("CMP %1, %0", nil, []G{n, m}) }
func (f *Func) CompareN(n G, v int) { f.line(fmt.Sprintf("CMP $%d, %%0", v), nil, []G{n}) }
func (f *Func) CompareW(n G, v int) { f.line(fmt.Sprintf("CMPW $%d, %%0", v), nil, []G{n}) }

// Blocks emits body for every block of size elements, including a partial last
// one; n is at least 1. body advances its own pointers.
func (f *Func) Blocks(n G, size int, body func()) {
	f.Label("blocks")
	body()
	f.LessN(n, n, size)
	f.Branch("BGT", "blocks")
}

// Next advances at by size, to n at most, and branches, or goes on behind n: the last
// block may overlap the one before.
func (f *Func) Next(at, n G, size int, to string) {
	f.Compare(at, n)
	f.Branch("BEQ", "end")
	f.PlusN(at, at, size)
	f.Compare(at, n)
	f.line("CSEL GT, %1, %2, %0", []G{at}, []G{n, at})
	f.Branch("B", to)
	f.Label("end")
}

// Countdown takes by from n, and branches to a label unless nothing is left.
func (f *Func) Countdown(n G, by int, label string) {
	f.LessN(n, n, by)
	f.Branch("BNE", label)
}

// general returns a register's name. R16 to R18 and R26 up are the linker's,
// the platform's, the assembler's and Go's.
func general(n int) string { return fmt.Sprintf("R%d", generals[n]) }

var generals = [...]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 19, 20, 21, 22, 23, 24, 25}

// assembly writes a function.
func (f *Func) assembly(b *bytes.Buffer) {
	g, err := allot(f.code, f.general, nil, len(generals), func(i *instruction) access { return i.g })
	if err != nil {
		panic(fmt.Sprintf("%s: general registers: %v", f.name, err))
	}
	v, err := allot(f.code, f.vector, f.fixed, 32, func(i *instruction) access { return i.v })
	if err != nil {
		panic(fmt.Sprintf("%s: vector registers: %v", f.name, err))
	}
	fmt.Fprintf(b, "\n// func %s%s\nTEXT ·%s(SB), NOSPLIT, $0-%d\n", f.name, strings.TrimPrefix(f.signature, "func"), f.name, f.params)
	for k, i := range f.code {
		if i.label != "" {
			if k > 0 {
				fmt.Fprintln(b)
			}
			fmt.Fprintf(b, "%s:\n", i.label)
			continue
		}
		fmt.Fprintf(b, "\t%s\n", i.format(g, v))
	}
}
