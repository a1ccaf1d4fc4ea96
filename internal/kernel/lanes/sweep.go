package lanes

import "haarlem/internal/cpu"

// Strip is how many windows of a row a Sweep evaluates together.
const Strip = 64

// stripMemory is more than the assembly of sweeps needs: with AVX2 ten bytes for a window
// and a set of lanes, two bytes for a window, for each slot; with AVX-512 a set of lanes
// for each slot, or patternMemo bytes for each row.
const stripMemory = 64 + 10*Strip + 2*Strip*Slots

// A Rows is a strip of windows in several rows, one below the other, which a
// Sweep takes through the beginning of a program.
type Rows struct {
	Tab  []uint16
	At   int // the first window's element in it
	Next int // from one row to the next

	// Contrast of the windows, and the bits of those that pass the gate. Rows
	// are PerRow windows apart, a multiple of Strip, as is I, the index of the
	// first window.
	Inv    []float32
	Pass   []uint64
	I      int
	PerRow int

	Start int32 // the score of all to begin with

	// The results of each row: which windows are alive, and their scores.
	Alive []uint64
	Score []int32
}

// check panics if the assembly would leave the tables, the contrasts or the scores.
func (r *Rows) check(reach int) {
	for _, row := range [...]int{0, len(r.Alive) - 1} { // the others lie between
		at, i := r.At+row*r.Next, r.I+row*r.PerRow
		_, _, _, _ = r.Tab[at], r.Tab[at+reach+Strip-1], r.Inv[i], r.Inv[i+Strip-1]
	}
	_ = r.Score[len(r.Alive)*Strip-1]
}

// Sweeps returns how many of the first n segments a Sweep can evaluate: leading
// Soft segments of features with 16 bits.
func (p *Program) Sweeps(n int) int {
	n = min(n, len(p.Segments))
	for i, s := range p.Segments[:n] {
		if shape, action := Parts(s.Op); action != Soft || shape >= Wide || int(s.First) != i {
			return i
		}
	}
	return n
}

// Sweep takes each row of r, as many as r.Alive has, through the first n
// segments, at least one, where Sweeps(n) must be n. The results are those of
// Run, but no window leaves early: for the first segments that is cheaper than
// testing for survivors.
func (p *Program) Sweep(m *Scratch, n int, r *Rows) {
	rows := len(r.Alive)
	if rows == 0 {
		return
	}
	// The assembly has no bounds checks.
	if n < 1 || n > p.Sweeps(n) || r.PerRow%Strip != 0 || r.I%Strip != 0 {
		panic("lanes: Sweep with arguments out of range")
	}
	_, _ = r.Pass[r.I/Strip], r.Pass[(r.I+(rows-1)*r.PerRow)/Strip]
	r.check(p.Reach)
	p.sweep(m, n, r)
}

// StageSweeps returns the end of the segments that SweepStage can evaluate, from from on
// and before to: stumps and trees of two nodes, with features of 16 bits. Trees are
// whole. Only the first segment may reset the score.
func (p *Program) StageSweeps(from, to int) int {
	end := from
	for s := from; s < to; s++ {
		g := &p.Segments[s]
		shape, action := Parts(g.Op)
		ok := action == Stump && shape < Wide ||
			(action == RootYes || action == Last) && (shape == Edge || shape == Line || shape == Check)
		if !ok || g.N < 1 || s > from && g.Reset != 0 {
			break
		}
		if g.Hold == 0 {
			end = s + 1
		}
	}
	return end
}

// SweepStage takes each row of r through the segments from from to to-1, at least one,
// where StageSweeps(from, to) must be to. r.Alive says which windows are alive to begin
// with; r.Pass is not used. The results are those of Run, but no window leaves early.
func (p *Program) SweepStage(m *Scratch, from, to int, r *Rows) {
	if len(r.Alive) == 0 {
		return
	}
	// The assembly has no bounds checks.
	if from >= to || from > 0 && p.Segments[from-1].Hold != 0 || p.StageSweeps(from, to) != to {
		panic("lanes: SweepStage with segments out of range")
	}
	r.check(p.Reach)
	p.sweepStage(m, from, to, r)
}

// byRun takes the windows of r.Alive through the segments from from to to-1 by Run, from
// a score. Without r.Inv or r.Score there is no contrast, and no scores are kept.
func (p *Program) byRun(m *Scratch, from, to int, r *Rows, score int32) {
	var none [Strip]float32
	for row := range r.Alive {
		var groups [Strip / Width]Group
		for k := range groups {
			g := &groups[k]
			g.X, g.I, g.Alive = int32(k*Width), int32(k*Width), uint32(uint16(r.Alive[row]>>(k*Width)))
			for l := range g.Score {
				g.Score[l] = score
			}
		}
		inv := none[:]
		if len(r.Inv) > 0 {
			inv = r.Inv[r.I+row*r.PerRow:]
		}
		p.Run(m, groups[:], from, to, r.Tab, r.At+row*r.Next, inv)
		r.Alive[row] = 0
		for k := range groups {
			r.Alive[row] |= uint64(groups[k].Alive) << (k * Width)
			if len(r.Score) > 0 {
				copy(r.Score[row*Strip+k*Width:], groups[k].Score[:])
			}
		}
	}
}

// sweepByRun is Sweep by Run.
func (p *Program) sweepByRun(m *Scratch, n int, r *Rows) {
	for row := range r.Alive {
		r.Alive[row] = r.Pass[(r.I+row*r.PerRow)/Strip]
	}
	p.byRun(m, 0, n, r, r.Start)
}

// FastSweep reports whether Sweep is faster than Run.
func FastSweep() bool { return cpu.Current() != cpu.PureGo }

// FastStage reports whether SweepStage is faster than Run.
func FastStage() bool { return cpu.Current() == cpu.AVX512 || cpu.Current() == cpu.AVX2 }
