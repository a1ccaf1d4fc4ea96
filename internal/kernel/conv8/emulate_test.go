//go:build amd64

package conv8

import (
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"haarlem/internal/kernel/kerneltest"
	"haarlem/internal/must"
)

// Few machines have AVX-512, and no emulator of Debian's. So this file reads the assembly
// for amd64 and computes what the manual of its instructions says. What it makes of the
// functions for AVX2 is a test of itself.

// An emulator has the state of a function's run.
type emulator struct {
	code    []operation
	labels  map[string]int
	general map[string]int64
	vectors [32][64]byte
	last    int64 // what flags tell about
	memory  map[int64][]byte
	symbols map[string]int64
}

// An operation is a line of assembly.
type operation struct {
	name string
	args []string
}

// Addresses are a region's number above these bits, and an offset into it.
const region = 32

// stack is the region of arguments.
const stack = 1

// assemble reads the functions of a file, and the constants that all have.
func assemble(t *testing.T, file string) (functions map[string]*emulator) {
	t.Helper()
	text := must.Get(os.ReadFile(file))
	functions = map[string]*emulator{}
	memory, symbols := map[int64][]byte{}, map[string]int64{}
	var f *emulator
	data := regexp.MustCompile(`^DATA (\w+)<>\+(\d+)\(SB\)/4, \$(0x[0-9a-f]+)$`)
	for _, line := range strings.Split(string(text), "\n") {
		switch {
		case line == "" || strings.HasPrefix(line, "//") || strings.HasPrefix(line, "#") || strings.HasPrefix(line, "GLOBL"):
		case strings.HasPrefix(line, "DATA"):
			m := data.FindStringSubmatch(line)
			if symbols[m[1]] == 0 {
				symbols[m[1]] = int64(100+len(symbols)) << region
			}
			at := symbols[m[1]]
			v, _ := strconv.ParseUint(m[3], 0, 32)
			memory[at] = binary.LittleEndian.AppendUint32(memory[at], uint32(v))
			if offset, _ := strconv.Atoi(m[2]); offset+4 != len(memory[at]) {
				t.Fatalf("%q is not in order", line)
			}
		case strings.HasPrefix(line, "TEXT"):
			f = &emulator{labels: map[string]int{}, general: map[string]int64{}, memory: memory, symbols: symbols}
			functions[line[strings.Index(line, "·")+len("·"):strings.Index(line, "(")]] = f
		case strings.HasSuffix(line, ":"):
			f.labels[line[:len(line)-1]] = len(f.code)
		default:
			name, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
			var args []string
			if rest != "" {
				for _, a := range strings.Split(rest, ",") {
					args = append(args, strings.TrimSpace(a))
				}
			}
			f.code = append(f.code, operation{name, args})
		}
	}
	return functions
}

var address = regexp.MustCompile(`^(?:(?:\w+\+)?(-?\d+)?\((\w+)\)(?:\((\w+)\*(\d)\))?|(\w+)<>\+(\d+)\(SB\))$`)

// A pointer is an operand in memory.
type pointer struct {
	base, index, symbol string
	offset, scale       int64
}

var pointers = map[string]pointer{}

func parse(arg string) pointer {
	p, ok := pointers[arg]
	if !ok {
		m := address.FindStringSubmatch(arg)
		if m == nil {
			panic("address " + arg)
		}
		p = pointer{base: m[2], index: m[3], symbol: m[5]}
		p.offset, _ = strconv.ParseInt(m[1]+m[6], 10, 64)
		p.scale, _ = strconv.ParseInt(m[4], 10, 64)
		pointers[arg] = p
	}
	return p
}

// address returns where an operand is.
func (e *emulator) address(arg string) int64 {
	p := parse(arg)
	switch {
	case p.symbol != "":
		return e.symbols[p.symbol] + p.offset
	case p.base == "FP":
		return stack<<region + p.offset
	}
	return e.general[p.base] + p.offset + e.general[p.index]*p.scale
}

// at returns bytes of memory.
func (e *emulator) at(arg string, size int) []byte {
	a := e.address(arg)
	mem := e.memory[a>>region<<region]
	if from := int(a & (1<<region - 1)); from+size <= len(mem) {
		return mem[from : from+size]
	}
	panic(fmt.Sprintf("%s: %d bytes at %#x, region of %d", arg, size, a, len(mem)))
}

// width returns the bytes of a vector register.
func width(arg string) int {
	return map[byte]int{'X': 16, 'Y': 32, 'Z': 64}[arg[0]]
}

func isVector(arg string) bool {
	_, err := strconv.Atoi(arg[1:])
	return width(arg) > 0 && err == nil
}

// bytes returns an operand of this size, to read or to write.
func (e *emulator) bytes(arg string, size int) []byte {
	if isVector(arg) {
		n, _ := strconv.Atoi(arg[1:])
		return e.vectors[n][:size]
	}
	return e.at(arg, size)
}

// write writes a vector: the rest of a register becomes 0.
func (e *emulator) write(arg string, v []byte) {
	to := e.bytes(arg, len(v))
	if isVector(arg) {
		n, _ := strconv.Atoi(arg[1:])
		e.vectors[n] = [64]byte{}
	}
	copy(to, v)
}

// value reads a constant, general register or memory.
func (e *emulator) value(arg string, size int) int64 {
	if arg[0] == '$' {
		return must.Get(strconv.ParseInt(arg[1:], 0, 64))
	}
	if strings.Contains(arg, "(") {
		b := e.at(arg, size)
		if size == 4 {
			return int64(int32(binary.LittleEndian.Uint32(b)))
		}
		return int64(binary.LittleEndian.Uint64(b))
	}
	return e.general[arg]
}

func (e *emulator) set(arg string, v int64) {
	if strings.Contains(arg, "(") {
		binary.LittleEndian.PutUint64(e.at(arg, 8), uint64(v))
		return
	}
	e.general[arg] = v
}

func words(b []byte) []int16 {
	v := make([]int16, len(b)/2)
	for i := range v {
		v[i] = int16(binary.LittleEndian.Uint16(b[2*i:]))
	}
	return v
}

func dwords(b []byte) []int32 {
	v := make([]int32, len(b)/4)
	for i := range v {
		v[i] = int32(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return v
}

func ofWords(v []int16) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint16(b, uint16(x))
	}
	return b
}

func ofDwords(v []int32) (b []byte) {
	for _, x := range v {
		b = binary.LittleEndian.AppendUint32(b, uint32(x))
	}
	return b
}

func within[T int16 | int32 | int](v, low, high T) T { return min(max(v, low), high) }

// run calls the function with these arguments.
func (e *emulator) run(args ...int64) {
	e.memory[stack<<region] = nil
	for _, a := range args {
		e.memory[stack<<region] = binary.LittleEndian.AppendUint64(e.memory[stack<<region], uint64(a))
	}
	for i := range e.vectors { // what a caller left
		for k := range e.vectors[i] {
			e.vectors[i][k] = byte(37*i + k + 1)
		}
	}
	for pc := 0; ; pc++ {
		o := e.code[pc]
		a := o.args
		n := 0 // bytes of the last operand that is a register
		for _, x := range a {
			if isVector(x) {
				n = width(x)
			}
		}
		// The last operand is the destination; of two sources, Go writes Intel's
		// second one first.
		each := func(f func(x, y int32) int32) {
			x, y := dwords(e.bytes(a[1], n)), dwords(e.bytes(a[0], n))
			for i := range x {
				x[i] = f(x[i], y[i])
			}
			e.write(a[2], ofDwords(x))
		}
		jump := false
		switch o.name {
		case "RET":
			return
		case "VZEROUPPER":
		case "MOVQ":
			e.set(a[1], e.value(a[0], 8))
		case "MOVL":
			e.set(a[1], int64(uint32(e.value(a[0], 4))))
		case "MOVLQSX":
			e.set(a[1], e.value(a[0], 4))
		case "LEAQ":
			e.set(a[1], e.address(a[0]))
		case "ADDQ":
			e.set(a[1], e.value(a[1], 8)+e.value(a[0], 8))
		case "SUBQ":
			e.last = e.value(a[1], 8) - e.value(a[0], 8)
			e.set(a[1], e.last)
		case "DECQ":
			e.last = e.value(a[0], 8) - 1
			e.set(a[0], e.last)
		case "CMPQ": // Go writes it in Intel's order
			e.last = e.value(a[0], 8) - e.value(a[1], 8)
		case "IMULQ":
			e.set(a[1], e.value(a[1], 8)*e.value(a[0], 8))
		case "SHLQ":
			e.set(a[1], e.value(a[1], 8)<<e.value(a[0], 8))
		case "XORQ":
			e.set(a[1], e.value(a[1], 8)^e.value(a[0], 8))
		case "JMP":
			jump = true
		case "JE":
			jump = e.last == 0
		case "JNZ":
			jump = e.last != 0
		case "JL":
			jump = e.last < 0
		case "JG":
			jump = e.last > 0
		case "JGE":
			jump = e.last >= 0
		case "VMOVD":
			e.write(a[1], append(ofDwords([]int32{int32(e.general[a[0]])}), make([]byte, 12)...))
		case "VMOVQ":
			v := slices.Clone(e.bytes(a[0], 8))
			if isVector(a[1]) {
				v = append(v, make([]byte, 8)...)
			}
			e.write(a[1], v)
		case "VMOVDQU", "VMOVDQA", "VMOVDQU32", "VMOVDQA32":
			e.write(a[1], slices.Clone(e.bytes(a[0], n)))
		case "VPBROADCASTD":
			e.write(a[1], slices.Repeat(e.bytes(a[0], 4), n/4))
		case "VPXOR", "VPXORD":
			each(func(x, y int32) int32 { return x ^ y })
		case "VPADDD":
			each(func(x, y int32) int32 { return x + y })
		case "VPMAXSD":
			each(func(x, y int32) int32 { return max(x, y) })
		case "VPSRAVD":
			each(func(x, y int32) int32 { return x >> min(uint32(y), 31) })
		case "VPDPBUSD":
			sum := dwords(e.bytes(a[2], n))
			x, y := e.bytes(a[1], n), e.bytes(a[0], n) // without and with sign
			for i := range x {
				sum[i/4] += int32(x[i]) * int32(int8(y[i]))
			}
			e.write(a[2], ofDwords(sum))
		case "VPMADDUBSW":
			x, y := e.bytes(a[1], n), e.bytes(a[0], n)
			v := make([]int16, n/2)
			for i := range v {
				v[i] = int16(within(int(x[2*i])*int(int8(y[2*i]))+int(x[2*i+1])*int(int8(y[2*i+1])), -1<<15, 1<<15-1))
			}
			e.write(a[2], ofWords(v))
		case "VPMADDWD":
			x, y := words(e.bytes(a[1], n)), words(e.bytes(a[0], n))
			v := make([]int32, n/4)
			for i := range v {
				v[i] = int32(x[2*i])*int32(y[2*i]) + int32(x[2*i+1])*int32(y[2*i+1])
			}
			e.write(a[2], ofDwords(v))
		case "VPMAXUB", "VPMINUB":
			x, y := e.bytes(a[1], n), e.bytes(a[0], n)
			v := make([]byte, n)
			for i := range v {
				if v[i] = max(x[i], y[i]); o.name == "VPMINUB" {
					v[i] = min(x[i], y[i])
				}
			}
			e.write(a[2], v)
		case "VPACKSSDW":
			x, y := dwords(e.bytes(a[1], n)), dwords(e.bytes(a[0], n))
			var v []int16
			for half := range n / 16 {
				for _, d := range slices.Concat(x[4*half:4*half+4], y[4*half:4*half+4]) {
					v = append(v, int16(within(d, -1<<15, 1<<15-1)))
				}
			}
			e.write(a[2], ofWords(v))
		case "VPACKUSWB":
			x, y := words(e.bytes(a[1], n)), words(e.bytes(a[0], n))
			var v []byte
			for half := range n / 16 {
				for _, w := range slices.Concat(x[8*half:8*half+8], y[8*half:8*half+8]) {
					v = append(v, byte(within(w, 0, 255)))
				}
			}
			e.write(a[2], v)
		case "VPERMD":
			v, x, index := make([]int32, n/4), dwords(e.bytes(a[0], n)), dwords(e.bytes(a[1], n))
			for i := range v {
				v[i] = x[int(index[i])%len(x)]
			}
			e.write(a[2], ofDwords(v))
		case "VEXTRACTI128":
			at := 16 * e.value(a[0], 0)
			e.write(a[2], slices.Clone(e.bytes(a[1], 32)[at:at+16]))
		case "VPEXTRQ":
			at := 8 * e.value(a[0], 0)
			e.write(a[2], slices.Clone(e.bytes(a[1], 16)[at:at+8]))
		case "VPMOVSDB":
			var v []byte
			for _, d := range dwords(e.bytes(a[0], n)) {
				v = append(v, byte(within(d, -128, 127)))
			}
			e.write(a[1], v)
		default:
			panic("instruction " + o.name)
		}
		if jump {
			to, ok := e.labels[a[0]]
			if !ok {
				panic("label " + a[0])
			}
			pc = to - 1
		}
	}
}

// What the assembly computes for AVX2 and AVX-512, instruction by instruction, is what the
// plain loops do, in memory that ends where theirs does.
func TestEmulated(t *testing.T) {
	functions := assemble(t, "conv8_amd64.s")
	rng := kerneltest.Rand(t)
	for _, level := range []string{"AVX2", "AVX512"} {
		for k := range 50 {
			n := 1 + k%(5*unit)
			rows, inputs, outputs := 1+rng.IntN(3), Group*(1+rng.IntN(5)), 1+rng.IntN(40)
			w := draw(rng, rows, inputs, outputs).pack()
			stride := inputs + rng.IntN(50)
			places, lastIn, lastOut := scatter(rng, n, w.Outputs()+1, 1+rng.IntN(100))
			src := make([]byte, lastIn+(rows-1)*stride+inputs)
			activations(rng, src)
			want, wantSums := make([]byte, lastOut+w.Outputs()), make([]int32, lastOut+w.Outputs())
			applyGo(want, src, &places, w, stride)
			sumsGo(wantSums, src, &places, w, stride)

			got, gotSums := make([]byte, len(want)), make([]byte, 4*len(want))
			var table []int32
			for _, p := range places.all {
				table = append(table, p.In, p.Out)
			}
			var weights []byte
			for _, v := range w.weights {
				weights = append(weights, byte(v))
			}
			for name, to := range map[string][]byte{"apply": got, "sums": gotSums} {
				for first, many := 0, 0; first < w.outputs; first += many {
					size := "16"
					many = block
					switch left := w.outputs - first; {
					case left < block:
						size = "8"
					case left >= 2*block && level == "AVX512" && name == "apply":
						size, many = "16Double", 2*block
					}
					e := functions[name+size+level]
					if e == nil {
						t.Fatalf("no function %s%s%s", name, size, level)
					}
					var at []int64
					for i, b := range [][]byte{to, src, ofDwords(table), weights, ofDwords(w.bias), ofDwords(w.shift)} {
						at = append(at, int64(2+i)<<region)
						e.memory[at[i]] = b
					}
					element := len(to) / len(want)
					e.run(at[0]+int64(first*element), at[1], at[2], int64(len(places.all)), at[3]+int64(first*rows*inputs),
						at[4]+int64(4*first), at[5]+int64(4*first), int64(rows), int64(inputs), int64(stride))
				}
			}
			if !slices.Equal(got, want) || !slices.Equal(dwords(gotSums), wantSums) {
				t.Fatalf("%s: %d places, %d rows of %d, %d outputs: %v and %v, want %v and %v", level, n, rows, inputs, outputs, got, dwords(gotSums), want, wantSums)
			}
		}
	}
	for k := range 40 {
		n, kernel, channels := 1+k%9, 2+k%2, Step*(1+rng.IntN(6))
		stride := kernel*channels + rng.IntN(50)
		places, lastIn, lastOut := scatter(rng, n, channels+1, 1+rng.IntN(100))
		src := make([]byte, lastIn+(kernel-1)*stride+kernel*channels)
		activations(rng, src)
		got, want := make([]byte, lastOut+channels), make([]byte, lastOut+channels)
		maximumGo(want, src, &places, kernel, channels, stride)
		var table []int32
		for _, p := range places.all {
			table = append(table, p.In, p.Out)
		}
		e := functions[fmt.Sprintf("maximum%dAVX2", kernel)]
		e.memory[2<<region], e.memory[3<<region], e.memory[4<<region] = got, src, ofDwords(table)
		e.run(2<<region, 3<<region, 4<<region, int64(n), int64(channels), int64(stride))
		if !slices.Equal(got, want) {
			t.Fatalf("maxima of %d by %d pixels of %d channels at %d places: %v, want %v", kernel, kernel, channels, n, got, want)
		}
	}
}
