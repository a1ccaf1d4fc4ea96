// Package wasm writes the loop of package lanes as a WebAssembly module with
// vectors of 128 bits, since Go's compiler has none for WebAssembly. The module
// shares the memory of the Go program that calls it: it imports go.mem and
// exports run, whose parameters are addresses there.
//
//	run(segments, records, tables, subsets, pieces, state, tab, end)
//
// It computes what lanes.Program.Run does, to the bit. The sixteen windows are
// four vectors of scores, inverse contrasts and masks, and two of table
// elements. Each shape and action has its own loop over records, so that
// nothing is decided per record.
package wasm

// Module returns the module's bytes, always the same.
func Module() []byte {
	m := []byte("\x00asm\x01\x00\x00\x00")
	function := []byte{1, typeFunc, byte(pEnd) + 1}
	for range pEnd + 1 {
		function = append(function, typeI32)
	}
	m = section(m, secType, append(function, 0))
	memory := name(name([]byte{1}, "go"), "mem")
	m = section(m, secImport, append(memory, kindMemory, 0, 1)) // at least one page
	m = section(m, secFunction, []byte{1, 0})
	m = section(m, secExport, append(name([]byte{1}, "run"), kindFunc, 0))

	var c code
	c.run()
	c.end()
	body := []byte{2}
	body = append(unsigned(body, uint32(vScore-pEnd-1)), typeI32)
	body = append(unsigned(body, uint32(vEnd-vScore)), typeV128)
	body = append(body, c.b...)
	return section(m, secCode, append(unsigned([]byte{1}, uint32(len(body))), body...))
}
