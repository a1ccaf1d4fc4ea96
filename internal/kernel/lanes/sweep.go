package lanes

// Strip is how many windows of a row a Sweep looks at together.
const Strip = 64

// A Rows is a strip of windows in several rows, one under the other: all of
// them that a Sweep takes through the beginning of a program.
type Rows struct {
	Tab  []uint16
	At   int // the first window's element in it
	Next int // from one row to the next

	// Contrast of the windows, and the bits of those that have enough. Rows are
	// PerRow windows apart, a multiple of Strip, as is I, where the first
	// window's is.
	Inv    []float32
	Pass   []uint64
	I      int
	PerRow int

	Start int32 // the score of all to begin with

	// What comes out of each row: which windows are alive, and the scores of
	// those.
	Alive []uint64
	Score []int32
}

// Sweeps returns how many of the first n segments a Sweep can go through: soft
// ones at the beginning, of features with 16 bits.
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
// segments, one at least, for which Sweeps must say n. It comes to what
// Run comes to, but all windows go through all of the segments: that takes less
// time than to ask after each of them who is left.
func (p *Program) Sweep(m *Scratch, n int, r *Rows) {
	rows := len(r.Alive)
	if rows == 0 {
		return
	}
	// The assembly reads and writes without checks.
	if n < 1 || n > p.Sweeps(n) || r.PerRow%Strip != 0 || r.I%Strip != 0 {
		panic("lanes: sweep")
	}
	for _, row := range [...]int{0, rows - 1} { // those between lie between
		at, i := r.At+row*r.Next, r.I+row*r.PerRow
		_, _ = r.Tab[at], r.Tab[at+p.Reach+Strip-1]
		_, _, _ = r.Inv[i], r.Inv[i+Strip-1], r.Pass[i/Strip]
	}
	_ = r.Score[rows*Strip-1]
	p.sweep(m, n, r)
}

// sweepGo is the meaning of Sweep in plain Go.
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
