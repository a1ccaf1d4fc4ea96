//go:build !(amd64 || arm64) || purego

package lanes

// There are no sweeps: Run is as fast.

func (p *Program) sweep(m *Scratch, n int, r *Rows) { p.sweepByRun(m, n, r) }

func (p *Program) sweepStage(m *Scratch, from, to int, r *Rows) { p.byRun(m, from, to, r, r.Start) }

func (p *Program) sweepPatterns(m *Scratch, s int, r *Rows) { p.byRun(m, s, s+1, r, 0) }
