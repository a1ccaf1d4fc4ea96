package lanes

// Strip is how many windows of a row a Sweep evaluates together.
const Strip = 64

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
	for _, row := range [...]int{0, rows - 1} { // the others lie between
		at, i := r.At+row*r.Next, r.I+row*r.PerRow
		_, _ = r.Tab[at], r.Tab[at+p.Reach+Strip-1]
		_, _, _ = r.Inv[i], r.Inv[i+Strip-1], r.Pass[i/Strip]
	}
	_ = r.Score[rows*Strip-1]
	p.sweep(m, n, r)
}

// sweepGo is Sweep in plain Go.
func (p *Program) sweepGo(n int, r *Rows) {
	for row := range r.Alive {
		i := r.I + row*r.PerRow
		alive := r.Pass[i/Strip]
		for k := range Strip {
			if alive>>k&1 == 0 {
				continue
			}
			t := r.Tab[r.At+row*r.Next+k:]
			score := r.Start
			for s := range n {
				shape, _ := Parts(p.Segments[s].Op)
				score += p.step(&p.Records[s], shape, Soft, t, r.Inv[i+k], nil)
				if score < p.Segments[s].Limit {
					alive &^= 1 << k
					break
				}
			}
			r.Score[row*Strip+k] = score
		}
		r.Alive[row] = alive
	}
}
