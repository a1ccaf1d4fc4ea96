// Package wasm writes inner loops as a WebAssembly module with vectors of 128 bits,
// since Go's compiler has none for WebAssembly. The module shares the memory of the Go
// program that calls it: it imports go.mem and exports functions whose parameters are
// addresses and numbers.
//
//	run(segments, records, tables, subsets, pieces, state, tab, end)
//	conv(dst, src, places, n, weights, bias, shift, rows, row, gap, step, keep)
//	down(dst, src, rows, count, weights, n)
//	across(dst, src, first, weights, n, bits)
//	grey(pixels, n, dst) opaque
//	yCbCr(pixels, n, y, cb, cr) opaque
//
// They are lanes.Program.Run, conv8.Weights.Apply, Maxima and Sums, area.Down and
// area.Filter.Across, and colour.Grey and YCbCr, to the bit.
package wasm

// A function is one of the module: its name, the numbers of its parameters, of its other
// local variables that are i32 and of those that are v128, the instructions, and how many
// numbers it returns.
type function struct {
	name                         string
	parameters, numbers, vectors local
	write                        func(c *code)
	results                      int
}

// Module returns the module's bytes, always the same.
func Module() []byte {
	functions := []function{
		{"run", pEnd + 1, vScore - pEnd - 1, vEnd - vScore, (*code).run, 0},
		{"conv", cKeep + 1, cSum - cKeep - 1, cEnd - cSum, (*code).conv, 0},
		{"down", dN + 1, dSum - dN - 1, dEnd - dSum, (*code).down, 0},
		{"across", aBits + 1, aSum - aBits - 1, aEnd - aSum, (*code).across, 0},
		{"grey", rPlanes + 1, rAll - rPlanes - 1, rEnd - rAll, (*code).grey, 1},
		{"yCbCr", rPlanes + 3, rAll - rPlanes - 3, rEnd - rAll, (*code).yCbCr, 1},
	}
	n := byte(len(functions))
	types, indices, exports, bodies := []byte{n}, []byte{n}, []byte{n}, []byte{n}
	for i, f := range functions {
		types = append(types, typeFunc, byte(f.parameters))
		for range f.parameters {
			types = append(types, typeI32)
		}
		types = append(types, byte(f.results))
		for range f.results {
			types = append(types, typeI32)
		}
		indices = append(indices, byte(i))
		exports = append(name(exports, f.name), kindFunc, byte(i))
		c := code{[]byte{2}}
		c.b = append(unsigned(c.b, uint32(f.numbers)), typeI32)
		c.b = append(unsigned(c.b, uint32(f.vectors)), typeV128)
		f.write(&c)
		c.end()
		bodies = append(unsigned(bodies, uint32(len(c.b))), c.b...)
	}
	m := []byte("\x00asm\x01\x00\x00\x00")
	m = section(m, secType, types)
	memory := name(name([]byte{1}, "go"), "mem")
	m = section(m, secImport, append(memory, kindMemory, 0, 1)) // at least one page
	m = section(m, secFunction, indices)
	m = section(m, secExport, exports)
	return section(m, secCode, bodies)
}
