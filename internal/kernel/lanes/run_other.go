//go:build (!(amd64 || arm64) || purego) && !(wasm && haarlemsimd)

package lanes

func (p *Program) run(m *Scratch, groups []Group, from, to int, tab []uint16, inv []float32) {
	p.runGo(m, groups, from, to, tab, inv)
}

// Vectors reports whether Run takes about as long for sixteen windows as for
// one.
func Vectors() bool { return false }

func (p *Program) sweep(_ *Scratch, n int, r *Rows) { p.sweepGo(n, r) }

// FastSweep reports whether Sweep is faster than Run.
func FastSweep() bool { return false }

func (p *Program) sweepStage(m *Scratch, from, to int, r *Rows) { p.stageByRun(m, from, to, r) }

// FastStage reports whether SweepStage is faster than Run.
func FastStage() bool { return false }

func (p *Program) sweepPatterns(m *Scratch, s int, r *Rows) { p.patternsByRun(m, s, r) }

// PatternSweep returns from how many groups of a row on SweepPatterns is faster than Run,
// and for how many stages of patterns behind the first that pays; 0 groups mean never.
func PatternSweep() (groups, stages int) { return 0, 0 }
