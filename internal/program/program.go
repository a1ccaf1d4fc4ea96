package program

import (
	"math"

	"haarlem/cascade"
	"haarlem/internal/kernel/lanes"
)

// A Program is a cascade compiled for one layout: segments of records that
// vector lanes run through, and the exact evaluator that has the last word.
//
// Lanes add leaves in fixed point. Each sum is off by at most half a unit a
// weak learner, and limits lie that much lower than thresholds, so a lane is
// only ever rejected when the exact score is below the threshold. Where leaves
// lie on a grid that the unit divides, nothing is off.
//
// Between two exits the order of weak learners does not matter to such sums.
// They are sorted into runs of one operation, those with the most to say
// first, and behind each run stands a limit of its own: the exit's, less the
// most that the rest can add.
type Program struct {
	lanes.Program
	values []compiled
	model  *cascade.Cascade
	stumps []stump // of the model, in its order, if lanes can do all it has

	Ends      []int // segments up to each exit, in the order in which lanes look at them
	First     int   // segments up to the first exit
	FirstSure int32 // a score of this or more surely passes the first exit; MinInt32: all that are alive do

	// Certain says that lanes leave nothing to decide: no leaf is rounded and
	// no weak learner left out, so a window that is alive in the end has
	// passed, and its score tells the margin.
	Certain bool
	carried int64   // what belongs to the score in the end but is not in lanes
	grain   float64 // of one unit of it

	Cost int   // of all weak learners for a window, see [cascade.Cascade.Work]
	UpTo []int // the same of segments, in lanes, up to each
}

// A stump is a weak learner with one node as the exact evaluator meets it most.
type stump struct {
	record      lanes.Record
	shape       lanes.Shape
	threshold   float32
	left, right float64
}

// costs are what records of a shape cost in lanes, about.
var costs = [...]float64{lanes.Edge: 3, lanes.Line: 4, lanes.Pair: 4, lanes.Check: 4, lanes.Wide: 8, lanes.Grid: 8}

// Margin returns how far a score in lanes is above the last exit's threshold,
// if p is certain. Scores are whole numbers of units with less than 31 bits,
// so this is what [Program.Exact] returns, to the bit.
func (p *Program) Margin(score int32) float64 {
	return float64(float64(int64(score)+p.carried)*p.grain) - float64(p.model.Exits[len(p.model.Exits)-1].Threshold)
}

// Start returns a score to begin with as lanes have it.
func (p *Program) Start(score float64) int32 { return int32(math.RoundToEven(score / p.grain)) }

// addUp sets p.UpTo.
func (p *Program) addUp() {
	p.UpTo = append(p.UpTo[:0], 0)
	sum := 0
	for i := range p.Segments {
		s := &p.Segments[i]
		for k := range p.Records[s.First:][:s.N] {
			sum += 2 + int(p.Records[int(s.First)+k].Count) // Count is 0 but for wide ones
		}
		p.UpTo = append(p.UpTo, sum)
	}
}

// StageCost returns about what stage e, not the first, costs in lanes.
func (p *Program) StageCost(e int) (sum float64) {
	for _, s := range p.Segments[p.Ends[e-1]:p.Ends[e]] {
		shape, _ := lanes.Parts(s.Op)
		sum += 2 + float64(s.N)*costs[shape]
	}
	return sum
}

// Reordered returns p with the stages' segments in another order.
func (p *Program) Reordered(order []int) *Program {
	q := *p
	q.Segments, q.Ends, q.UpTo = make([]lanes.Segment, 0, len(p.Segments)), make([]int, 0, len(p.Ends)), nil
	for _, e := range order {
		from := 0
		if e > 0 {
			from = p.Ends[e-1]
		}
		q.Segments = append(q.Segments, p.Segments[from:p.Ends[e]]...)
		q.Ends = append(q.Ends, len(q.Segments))
	}
	q.addUp()
	return &q
}
