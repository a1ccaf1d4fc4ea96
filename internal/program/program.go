package program

import (
	"math"

	"haarlem/cascade"
	"haarlem/internal/kernel/lanes"
)

// A Program is a cascade compiled for one layout: segments of records for vector lanes,
// and the exact evaluator.
//
// Lanes add leaves in fixed point. The error of a sum is at most half a unit for each
// weak classifier, and limits are lower than thresholds by as much. So lanes reject a
// window only when its exact score is below the threshold. Leaves that are multiples of
// the unit have no error.
//
// Such sums do not depend on the order of the weak classifiers between two exits. They
// are sorted into runs of one operation, the most influential first. Each run ends with
// a limit of its own: the exit's, less the most that later runs can add.
type Program struct {
	lanes.Program
	values  []compiled
	model   *cascade.Cascade
	sources []source // of the records
	stumps  []stump  // of the model, in its order; nil if it has other weak classifiers

	Ends      []int // segments up to each exit, in the order of lanes
	First     int   // segments up to the first exit
	FirstSure int32 // scores from here on certainly pass the first exit; MinInt32: all survivors do

	// Certain says that lanes are exact: no leaf is rounded and no weak classifier
	// is left out. So a window that survives has passed, and its score gives the
	// margin.
	Certain bool
	carried int64   // part of the final score that lanes leave out
	grain   float64 // value of a unit
	sure    lanes.Program

	Cost int   // of all weak classifiers for a window, see [cascade.Cascade.Work]
	UpTo []int // cost in lanes up to each segment
}

// A source is where a record has its offsets from.
type source struct {
	feature int32
	turned  bool // the feature is seen from its other side
}

// A stump is a weak classifier with one node, prepared for the exact evaluator.
type stump struct {
	record      lanes.Record
	shape       lanes.Shape
	threshold   float32
	left, right float64
}

// costs are the approximate costs of a record in lanes, by shape.
var costs = [...]float64{lanes.Edge: 3, lanes.Line: 4, lanes.Pair: 4, lanes.Check: 4, lanes.Wide: 8, lanes.Grid: 8}

// Margin returns the margin of a score in lanes above the last exit's threshold, if p
// is certain. Scores are whole numbers of units with less than 31 bits, so this equals
// the margin of [Program.Exact].
func (p *Program) Margin(score int32) float64 {
	return float64(float64(int64(score)+p.carried)*p.grain) - float64(p.model.Exits[len(p.model.Exits)-1].Threshold)
}

// Sure is Run through the whole program with limits so high that the windows that
// survive certainly pass every exit.
func (p *Program) Sure(m *lanes.Scratch, groups []lanes.Group, tab []uint16, at int, inv []float32) {
	p.sure.Run(m, groups, 0, len(p.sure.Segments), tab, at, inv)
}

// Start returns an initial score in units.
func (p *Program) Start(score float64) int32 { return int32(math.RoundToEven(score / p.grain)) }

// addUp sets p.UpTo.
func (p *Program) addUp() {
	p.UpTo = append(p.UpTo[:0], 0)
	sum := 0
	for i := range p.Segments {
		s := &p.Segments[i]
		for k := range p.Records[s.First:][:s.N] {
			sum += 2 + int(p.Records[int(s.First)+k].Count) // Count is 0 except for wide ones
		}
		p.UpTo = append(p.UpTo, sum)
	}
}

// StageCost returns the approximate cost in lanes of stage e, not the first.
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
	q.sure.Segments = make([]lanes.Segment, 0, len(p.Segments))
	for _, e := range order {
		from := 0
		if e > 0 {
			from = p.Ends[e-1]
		}
		q.Segments = append(q.Segments, p.Segments[from:p.Ends[e]]...)
		q.sure.Segments = append(q.sure.Segments, p.sure.Segments[from:p.Ends[e]]...)
		q.Ends = append(q.Ends, len(q.Segments))
	}
	q.addUp()
	return &q
}
