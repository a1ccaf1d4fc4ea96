// Package lanes evaluates a compiled cascade on sixteen adjacent windows, one
// per lane, and its beginning on sixty-four.
//
// Scores are integer sums of leaves in fixed point, so their order does not
// matter and every machine gets the same. They are bounds: a lane whose score
// is below a segment's limit is rejected with certainty, and the exact
// evaluator decides the survivors. Features and comparisons with node
// thresholds are exact.
//
// # What was measured
//
// On AMD EPYC (Zen 4), 1920x1080 images, OpenCV's frontal face cascades:
//
//   - 96 to 99 % of the features of OpenCV's cascades have values that fit 16
//     bits, so a table modulo 1<<16 gives them exactly, with half the bytes of
//     a 32-bit one, and 16 neighbours come with one load of 32 bytes.
//   - A record costs 2.5 to 4 ns for sixteen windows, whether one is alive or
//     all. A gather of 16 elements takes 7.2 ns, so a record of eight corners
//     over a list of survivors would take more than 3.6 ns a window: idle lanes
//     are cheaper than gathers.
//   - The same record for one window takes as long or longer in plain Go
//     (BenchmarkOne against BenchmarkRun: 1.1 to 2.7 times), and scalar
//     assembly made whole searches no faster.
//   - Records of half a group, for when eight lanes hold all survivors, take 10
//     to 15 % less; whole searches took 1 or 2 % less.
//   - What pays is compaction: copying survivors side by side into a table of
//     their own, so that all lanes work. It costs some 50 ns a window
//     (BenchmarkTogether in package sumtable). On photographs two windows of
//     sixteen are alive after sixty records of a soft cascade, and four fifths
//     of all evaluations come after the first twenty: whole searches take a
//     quarter less (see internal/engine/compact.go).
//   - A call costs 26 ns beside its records, as much as ten of them, and each
//     group 10 more, so one call takes all groups of a strip.
//   - Groups that continue from one strip to the next are 3 % fewer, and not
//     faster; nor are shorter or longer runs than sixteen records.
//   - Two offsets that come with one load gain 2 to 8 %.
//   - Loads that do not cross cache lines gain 10 %, not worth shifted copies
//     of the tables; computing one record's value before the last one is used
//     gains nothing.
//   - Runs of records of one operation matter, since each change of it is a
//     branch that is often mispredicted; so do shapes with few offsets.
//   - Soft cascades have a segment per record. A loop of their own (Soft), with
//     a third fewer instructions per segment, takes 8 % off whole searches.
//   - Where a group ends is mispredicted about once a group, and the processor
//     learns so only when all of a record is done: a group took 55 ns in a
//     smooth photograph, of which 20 were for mispredictions and calls. So rows
//     of 64 windows run the first records unconditionally (Sweep), 7 to 9 ns a
//     record, 17 to 20 with AVX2, and the survivors of sixteen rows go on with
//     one call: a smooth photograph takes 17 % less, one full of leaves 3; with
//     AVX2 4 and 2 for the first of these.
//
// On AMD EPYC (Zen 3), with AVX2 and a soft cascade of 1,300 histograms:
//
//   - A soft record takes 5.5 to 6 ns at best, and 8 in a search. Half of its
//     seventy instructions are vector instructions. Tables of two bytes an
//     entry instead of four, with a seventh fewer of them, took 5 to 20 % off
//     BenchmarkSoft and nothing off whole searches; nor did offsets with loads
//     of their own, or earlier compaction.
//   - Computing the values of one record before looking up the last one's takes
//     8 % off whole searches.
//
// On Intel Xeon (Sapphire Rapids class), OpenCV's frontal face cascades:
//
//   - A stump for 64 windows takes 10 to 14 ns by SweepStage with AVX-512 and 12 to
//     15 by Run: half of the operations on words, but loads of 64 bytes cross cache
//     lines. What a sweep saves is mispredictions. Searches with it take 6 to 12 % less.
//     With less than three groups of a row left, Run is faster.
//   - A pattern for 64 windows takes 8 to 9 ns by SweepPatterns, 10 to 11 where windows
//     are two rows apart and the height of cells is odd, and 30 by Run. It took 15 without
//     chains (see chains in _asm). Eight comparisons and their masks take half of it;
//     loads that cross cache lines are next.
//   - With AVX2 a pattern for 64 windows takes 16 to 17 ns by SweepPatterns, or 22, and 50
//     by Run. It took 25 without chains.
//   - Sweeping the survivors' groups, listed as rows without chains, takes 10 % longer
//     than Run: a strip has too few of them. More stages in a sweep, or OpenCV's order of
//     stages, change little.
//   - Patterns in Run are not bound by Intel's two vector units of 64 bytes: with
//     registers of 32 bytes only they take as long.
package lanes

// Width is the number of windows that are evaluated together.
const Width = 16

// A Shape defines how the value of a record's feature is computed. T(o) is the
// table's element at the window's position plus o, and o0, o1, ... are the
// record's Off. All sums are modulo 1<<16 and then taken as signed, unless
// another range is named. The value is converted to float32 and multiplied by
// the window's inv.
//
// Searches are bound by loads, so a shape has as few offsets as possible.
type Shape uint8

const (
	// Edge is two equal rectangles that touch, one subtracted: with
	// t = o0 and b = o0+o3, the two sides of the pair,
	// (T(t) + T(t+o2) - T(b) - T(b+o2)) - 2*(T(t+o1) - T(b+o1)).
	Edge Shape = iota

	// Line is Mul times a rectangle, less another that spans as much in one
	// direction: with t = o0 and b = o0+o4,
	// Mul*(T(t+o1) - T(t+o2) - T(b+o1) + T(b+o2)) -
	// (T(t) - T(t+o3) - T(b) + T(b+o3)).
	Line

	// Pair is the same for any two rectangles:
	// Mul*(T(o4)-T(o5)-T(o6)+T(o7)) - (T(o0)-T(o1)-T(o2)+T(o3)).
	Pair

	// Check is a checkerboard of four equal rectangles: with the rows
	// r = o0, s = o0+o3, t = o0+o4,
	// (T(r) + T(r+o2) + T(t) + T(t+o2)) -
	// 2*(T(r+o1) + T(s) + T(s+o2) + T(t+o1) - 2*T(s+o1)).
	Check

	// Wide is a sum in 32 bits over the pieces Aux to Aux+Count-1, at least
	// one; see Piece.
	Wide

	// Grid is the local binary pattern of a 3x3 block of cells, whose corner
	// in row r and column c is T(Off[r] + Off[4+c]). Cell sums are modulo
	// 1<<16 and unsigned. It has no float value.
	Grid

	shapes
)

// An Action defines what is done with a feature's value x.
type Action uint8

const (
	// Stump adds Left to the score where x < Threshold; for a Grid, where the
	// code's bit is set in subset Aux. Nodes make the same test.
	Stump Action = iota

	// Node is one node of a tree. It tests the lanes in reach[Self]. Those that
	// pass add Left and go to reach[YesSlot], the others add Right and go to
	// reach[NoSlot]. reach[0] holds all lanes and is never written; slot Sink
	// is for children that are leaves.
	Node

	// RootYes tests all lanes. Those that pass add Left and go to
	// reach[YesSlot].
	RootYes

	// RootNo tests all lanes. Those that fail add Left and go to
	// reach[YesSlot].
	RootNo

	// Last tests the lanes in reach[Self]. Those that pass add Left.
	Last

	// Bins adds entry b of table Left, with Threshold as Low and the bits of
	// Right as Scale: b = min(max((x-Low)*Scale, 0), 15) rounded down.
	Bins

	// Soft is Bins in a segment of one record without Reset or Hold. The
	// records and tables of consecutive Soft segments must be consecutive too.
	// Soft cascades consist of them, and the loop over them is short.
	Soft

	actions
)

const (
	// Slots is the number of sets of lanes that trees can use.
	Slots = 64
	// Sink is the slot that is never read.
	Sink = Slots - 1
)

// A Record is one weak classifier, or one node of one. It fills a cache line.
type Record struct {
	Off         [9]int32 // elements
	Mul         int32
	Threshold   float32
	Left, Right int32
	Self        uint8
	YesSlot     uint8
	NoSlot      uint8
	Count       uint8
	Aux         int32
	_           int32
}

// A Piece is one cut across a strip. With d the difference T(Top) - T(Bottom)
// at the cut, it adds Mul times the sum between this cut and the one before,
// which is the previous piece's d less this one's, modulo 1<<16 and unsigned. A
// strip begins with a piece whose Mul is 0.
type Piece struct {
	Top, Bottom, Mul int32
	_                int32
}

// A Segment is a run of N records of one shape and action, from record First
// on, followed by a limit: lanes whose score is below it are rejected. Reset
// zeroes the score before the run. With Hold, trees continue in the next
// segment: there is no limit and no return.
type Segment struct {
	First, N int32
	Op       int32
	Limit    int32
	Reset    int32
	Hold     int32
	table    int32 // number of its decision, counted from 1; see Tabulate
	_        int32
}

// Op returns the operation for a shape and an action.
func Op(s Shape, a Action) int32 { return int32(s)<<3 | int32(a) }

// Parts undoes Op.
func Parts(op int32) (Shape, Action) { return Shape(op >> 3), Action(op & 7) }

// A Program is a cascade compiled for one table layout.
type Program struct {
	Records  []Record
	Segments []Segment
	Subsets  [][8]uint32
	Pieces   []Piece

	decisions []decision

	tables [][16]int32
	planes [][4][16]uint8 // the same tables, the lowest bytes of all entries first

	// Reach is the largest offset that any record reads: from the first window
	// on, the table must hold at least Reach+Width elements.
	Reach int
}

// AddTable adds a table for Bins and Soft, and returns its number.
func (p *Program) AddTable(t [16]int32) int32 {
	var planes [4][16]uint8
	for i, v := range t {
		for b := range planes {
			planes[b][i] = uint8(v >> (8 * b))
		}
	}
	p.tables, p.planes = append(p.tables, t), append(p.planes, planes)
	return int32(len(p.tables) - 1)
}

// A Group is sixteen adjacent windows, one per lane.
type Group struct {
	X     int32        // the first window's element, counted from where Run is told
	I     int32        // and its contrast
	Alive uint32       // lanes that are not rejected
	Score [Width]int32 // scores, of the lanes that are alive
}

// A Scratch is the working memory of Run and of sweeps.
type Scratch struct {
	state
	strip [stripMemory]byte // the assembly's, of 64 windows of a row or of several
}

// A state is the progress of one group.
type state struct {
	segment int             // next segment
	alive   uint16          // lanes that are not rejected
	inv     *[Width]float32 // contrast of each window
	score   [Width]int32

	// reach holds the sets of lanes of trees.
	reach [Slots][Width]int32
}

// Run takes each group through segments from to to-1, or until all of its
// windows are rejected. Window l of a group is at element at+X+l of the table,
// and its contrast is inv[I+l]. Lanes that are not alive at the start may read
// anything, but stay dead. One call for many groups is cheaper than several
// calls.
func (p *Program) Run(m *Scratch, groups []Group, from, to int, tab []uint16, at int, inv []float32) {
	// The assembly reads without checks.
	_ = p.Segments[from:to]
	for i := range groups {
		x, k := int(groups[i].X), int(groups[i].I)
		_ = tab[at+x : at+x+p.Reach+Width]
		_ = inv[k : k+Width]
	}
	if len(groups) > 0 {
		p.run(m, groups, from, to, tab[at:], inv)
	}
}

// runEach is Run one group at a time: f takes a group, which is in m, to
// segment to.
func (p *Program) runEach(m *Scratch, groups []Group, from int, inv []float32, f func(x int)) {
	for i := range groups {
		g := &groups[i]
		m.segment, m.alive, m.score = from, uint16(g.Alive), g.Score
		m.inv = (*[Width]float32)(inv[g.I:])
		f(int(g.X))
		g.Alive, g.Score = uint32(m.alive), m.score
	}
}
