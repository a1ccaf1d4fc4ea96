//go:build !(amd64 || arm64) || purego

package lanes

// There are no sweeps: Run is as fast.

func (p *Program) sweep(m *Scratch, n int, r *Rows) { p.sweepByRun(m, n, r) }

// FastSweep reports whether Sweep is faster than Run.
func FastSweep() bool { return false }

func (p *Program) sweepStage(m *Scratch, from, to int, r *Rows) { p.byRun(m, from, to, r, r.Start) }

// FastStage reports whether SweepStage is faster than Run.
func FastStage() bool { return false }

func (p *Program) sweepPatterns(m *Scratch, s int, r *Rows) { p.byRun(m, s, s+1, r, 0) }

// PatternSweep returns from how many groups of a row on SweepPatterns is faster than Run,
// and for how many stages of patterns behind the first that pays; 0 groups mean never.
func PatternSweep() (groups, stages int) { return 0, 0 }
