//go:build !amd64 || purego

package lanes

func (p *Program) run(s *State, tab []uint16, at, end, few int) { p.runGo(s, tab, at, end, few) }
