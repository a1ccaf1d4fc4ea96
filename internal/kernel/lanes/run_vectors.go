//go:build (amd64 || arm64) && !purego

package lanes

import (
	"runtime"
	"unsafe"

	"haarlem/internal/cpu"
)

// frame holds the arguments of the assembly, which knows the fields' offsets.
// Segments are plain numbers, since no Go pointer may point behind the last.
type frame struct {
	tab     *uint16
	segment uintptr // the first
	end     uintptr // behind the last
	records *Record
	tables  unsafe.Pointer // the program's with AVX-512, otherwise its planes
	subsets *[8]uint32
	pieces  *Piece
	reach   *[Slots][Width]int32
	inv     *float32
	groups  *Group
	left    int     // groups to do, at least one
	group   uintptr // the assembly's: the one at hand

	// Memory of the assembly: with AVX-512 sets of lanes, for trees; with AVX2
	// and NEON, which keep those in reach, the windows' contrasts.
	sets [Slots]uint16
}

func (p *Program) run(m *Scratch, groups []Group, from, to int, tab []uint16, inv []float32) {
	level := cpu.Current()
	if level == cpu.PureGo {
		p.runGo(m, groups, from, to, tab, inv)
		return
	}
	segments := uintptr(unsafe.Pointer(unsafe.SliceData(p.Segments)))
	f := frame{
		tab:     unsafe.SliceData(tab),
		segment: segments + uintptr(from)*unsafe.Sizeof(Segment{}),
		end:     segments + uintptr(to)*unsafe.Sizeof(Segment{}),
		records: unsafe.SliceData(p.Records),
		tables:  unsafe.Pointer(unsafe.SliceData(p.tables)),
		subsets: unsafe.SliceData(p.Subsets),
		pieces:  unsafe.SliceData(p.Pieces),
		reach:   &m.reach,
		inv:     unsafe.SliceData(inv),
		groups:  unsafe.SliceData(groups),
		left:    len(groups),
	}
	if level != cpu.AVX512 {
		f.tables = unsafe.Pointer(unsafe.SliceData(p.planes))
	}
	runVectors(level, (*byte)(unsafe.Pointer(&f)))
	runtime.KeepAlive(p)
}

// sweepFrame holds the arguments of the assembly of sweeps.
type sweepFrame struct {
	tab      *uint16
	segment  uintptr // the first
	end      uintptr // behind the last
	record   *Record // the first segment's
	table    unsafe.Pointer
	inv      *float32
	pass     *uint64
	alive    *uint64
	score    *int32
	next     int // bytes from one row to the next
	invNext  int
	passNext int
	left     int // rows to do, at least one
	start    int32
	memory   unsafe.Pointer
}

// frame returns the arguments for the segments from from to to-1 that all sweeps have.
func (r *Rows) frame(p *Program, m *Scratch, from, to int) sweepFrame {
	segments := uintptr(unsafe.Pointer(unsafe.SliceData(p.Segments)))
	return sweepFrame{
		tab:     &r.Tab[r.At],
		segment: segments + uintptr(from)*unsafe.Sizeof(Segment{}),
		end:     segments + uintptr(to)*unsafe.Sizeof(Segment{}),
		record:  &p.Records[0],
		inv:     &r.Inv[r.I],
		alive:   &r.Alive[0],
		score:   &r.Score[0],
		next:    r.Next * int(unsafe.Sizeof(uint16(0))),
		invNext: r.PerRow * int(unsafe.Sizeof(float32(0))),
		left:    len(r.Alive),
		memory:  unsafe.Pointer(&m.strip),
	}
}

func (p *Program) sweep(m *Scratch, n int, r *Rows) {
	level := cpu.Current()
	if level == cpu.PureGo {
		p.sweepByRun(m, n, r)
		return
	}
	f := r.frame(p, m, 0, n)
	f.pass, f.passNext, f.start = &r.Pass[r.I/Strip], r.PerRow/Strip*int(unsafe.Sizeof(uint64(0))), r.Start
	first := p.Records[0].Left
	if level == cpu.AVX512 {
		f.table = unsafe.Pointer(&p.tables[first])
	} else {
		f.table = unsafe.Pointer(&p.planes[first])
	}
	sweepVectors(level, (*byte)(unsafe.Pointer(&f)))
	runtime.KeepAlive(p)
}

func (p *Program) sweepStage(m *Scratch, from, to int, r *Rows) {
	if !FastStage() {
		p.byRun(m, from, to, r, r.Start)
		return
	}
	f := r.frame(p, m, from, to)
	f.pass, f.passNext = &r.Alive[0], int(unsafe.Sizeof(uint64(0)))
	f.table = unsafe.Pointer(unsafe.SliceData(p.Subsets))
	if p.Segments[from].Reset == 0 {
		f.start = r.Start
	}
	stagesVectors(cpu.Current(), (*byte)(unsafe.Pointer(&f)))
	runtime.KeepAlive(p)
}

// patternFrame holds the arguments of the assembly of stages of patterns, for at most
// patternRows rows.
type patternFrame struct {
	tab      *uint16
	record   *Record
	left     int // patterns
	subsets  *[8]uint32
	decision *decision
	alive    *uint64
	rows     int
	next     int            // bytes from one row to the next
	memory   unsafe.Pointer // patternMemo bytes for each row
	at       uintptr        // the assembly's, as the next two
	end      uintptr
	bit      uint64
	chains   [maxPatterns]chain
}

const (
	patternRows = 32
	patternMemo = 256
)

var _ [stripMemory - (patternRows*patternMemo + 63)]struct{}

// A chain says which rows of windows share rows of a pattern's cells: those that lie
// distance/patternMemo rows apart. From one to the next, skip rows of cells are passed by.
type chain struct{ distance, skip int32 }

// chainOf returns the chain of a pattern, whose cells are of one height, for rows of
// windows that are next elements apart.
func (r *Record) chainOf(next int) (c chain, ok bool) {
	height := r.Off[1] - r.Off[0]
	if r.Off[2]-r.Off[1] != height || r.Off[3]-r.Off[2] != height {
		return chain{}, false
	}
	for skip := range 2 {
		all := (1 + skip) * int(height)
		if n := all / max(next, 1); n*next == all && all > 0 {
			return chain{int32(min(n, patternRows) * patternMemo), int32(skip)}, true
		}
	}
	return chain{patternRows * patternMemo, 0}, true // no two rows
}

func (p *Program) sweepPatterns(m *Scratch, s int, r *Rows) {
	level := cpu.Current()
	if groups, _ := PatternSweep(); groups == 0 {
		p.byRun(m, s, s+1, r, 0)
		return
	}
	g := &p.Segments[s]
	f := patternFrame{
		subsets: unsafe.SliceData(p.Subsets), decision: &p.decisions[g.table-1],
		next: r.Next * int(unsafe.Sizeof(uint16(0))), memory: unsafe.Pointer(&m.strip),
	}
	for i := range g.N {
		var ok bool
		if f.chains[i], ok = p.Records[g.First+i].chainOf(r.Next); !ok {
			p.byRun(m, s, s+1, r, 0)
			return
		}
	}
	for row := 0; row < len(r.Alive); row += f.rows {
		if f.rows = 1; r.Alive[row] == 0 {
			continue
		}
		for n, alive := range r.Alive[row:min(row+patternRows, len(r.Alive))] {
			if alive != 0 {
				f.rows = n + 1
			}
		}
		f.tab, f.record, f.left, f.alive = &r.Tab[r.At+row*r.Next], &p.Records[g.First], int(g.N), &r.Alive[row]
		patternsVectors(level, (*byte)(unsafe.Pointer(&f)))
	}
	runtime.KeepAlive(p)
}

// Vectors reports whether Run takes about as long for sixteen windows as for
// one.
func Vectors() bool { return cpu.Current() != cpu.PureGo }
