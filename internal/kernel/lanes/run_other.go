//go:build (!(amd64 || arm64) || purego) && !(wasm && haarlemsimd)

package lanes

func (p *Program) run(m *Scratch, groups []Group, from, to int, tab []uint16, inv []float32) {
	p.runGo(m, groups, from, to, tab, inv)
}

// Vectors reports whether Run takes about as long for sixteen windows as for
// one.
func Vectors() bool { return false }
