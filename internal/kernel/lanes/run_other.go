//go:build (!amd64 || purego) && !(wasm && haarlemsimd)

package lanes

func (p *Program) run(s *State, tab []uint16, at, end, few int) { p.runGo(s, tab, at, end, few) }

// Vectors reports whether Run looks at sixteen windows in about the time that
// it takes for one.
func Vectors() bool { return false }
