//go:build !purego

package lanes

import (
	"runtime"
	"unsafe"

	"haarlem/internal/cpu"
)

// frame is what the assembly gets; it knows the fields by their offsets.
// Segments are plain numbers, since the one behind the last is no object that
// a pointer may point to.
type frame struct {
	tab     *uint16
	segment uintptr // the next one; also a result
	end     uintptr // behind the last one
	records *Record
	tables  *[16]int32
	subsets *[8]uint32
	pieces  *Piece
	reach   *[Slots][Width]int32
	score   *[Width]int32
	inv     *[Width]float32
	alive   uint64 // also a result
	few     int64
}

func (p *Program) run(s *State, tab []uint16, at, end, few int) {
	level := cpu.Current()
	if level == cpu.PureGo {
		p.runGo(s, tab, at, end, few)
		return
	}
	const size = unsafe.Sizeof(Segment{})
	first := uintptr(unsafe.Pointer(unsafe.SliceData(p.Segments)))
	f := frame{
		tab:     &tab[at],
		segment: first + uintptr(s.Segment)*size,
		end:     first + uintptr(end)*size,
		records: unsafe.SliceData(p.Records),
		tables:  unsafe.SliceData(p.Tables),
		subsets: unsafe.SliceData(p.Subsets),
		pieces:  unsafe.SliceData(p.Pieces),
		reach:   &s.reach,
		score:   &s.Score,
		inv:     s.Inv,
		alive:   uint64(s.Alive),
		few:     int64(few),
	}
	if level == cpu.AVX512 {
		runAVX512((*byte)(unsafe.Pointer(&f)))
	} else {
		runAVX2((*byte)(unsafe.Pointer(&f)))
	}
	runtime.KeepAlive(p)
	s.Alive = uint16(f.alive)
	s.Segment = int((f.segment - first) / size)
}

// Vectors reports whether Run looks at sixteen windows in about the time that
// it takes for one.
func Vectors() bool { return cpu.Current() != cpu.PureGo }
