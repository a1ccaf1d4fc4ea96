package landmarks

import (
	"errors"
	"fmt"
	"math"
)

// Unit is the number of parts of a pixel in which a model's shapes are
// measured.
const Unit = 1 << unitBits

const unitBits = 10

// Limits of a model. The sums of a level's leaves have 16 bits, which bounds
// the number of trees.
const (
	maxPoints     = 500
	maxSide       = 160
	maxLevels     = 64
	maxTrees      = 256 // of a level
	maxDepth      = 8
	maxFeatures   = 256 // of a level
	maxComponents = 64  // of a level
	maxName       = 100
	maxNotes      = 100
	maxNote       = 10_000
)

// ErrModel is wrapped by errors about inconsistent models.
var ErrModel = errors.New("landmarks: not a usable model")

// A Model finds the points of one kind of object.
type Model struct {
	Name  string
	Notes []string // origin: data and their terms, commands

	// Box is the position of the points in the boxes of the model's detector.
	Box Convention

	// Eyes are the two points that are level in an upright object, the left one
	// in the image first. Errors are measured in their distance.
	Eyes [2]int

	// Side is the width and height of the patch in pixels, and Reach its size
	// in sides of the frame.
	Side  int
	Reach float64

	// Mean is the mean shape, in Unit of a pixel of the patch from its centre.
	Mean []Vec

	Levels []Level

	// Coarse are the levels that find the frame in rough boxes. Without them Levels
	// do.
	Coarse []Level
}

// A Vec is a position or a displacement in the patch.
type Vec struct{ X, Y int32 }

// A Level moves the points once.
type Level struct {
	Features []Feature

	// Depth is that of each tree. A tree has 1<<Depth - 1 nodes in level order:
	// the children of node n are 2n+1, if the comparison fails, and 2n+2, if it
	// holds. After them come the leaves.
	Depth int
	Nodes []Node

	// Components is the number of values of a leaf. Leaves are in the order of
	// their trees.
	Components int
	Leaves     []int8

	// Basis is the displacement of the points for each 1 of a component's sum,
	// in Unit>>16 of a pixel, in the orientation and scale of the mean shape.
	Basis []int32 // x and y of each point, for the first component first
}

// Trees returns the number of trees.
func (l *Level) Trees() int { return len(l.Nodes) / (1<<l.Depth - 1) }

// A Feature is a pixel of the patch: at an offset from a point that rotates and
// scales with the shape.
type Feature struct {
	Point  int
	Offset Vec
}

// A Node compares two features: A must be brighter than B by more than Above.
type Node struct {
	A, B  uint8
	Above int8
}

// Check reports an error in a model.
func (m *Model) Check() error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrModel, fmt.Sprintf(format, args...))
	}
	n := len(m.Mean)
	switch {
	case len(m.Name) > maxName:
		return bad("a name of %d bytes, want at most %d", len(m.Name), maxName)
	case len(m.Notes) > maxNotes:
		return bad("%d notes, want at most %d", len(m.Notes), maxNotes)
	case n < 2 || n > maxPoints:
		return bad("%d points, want 2 to %d", n, maxPoints)
	case m.Side < 8 || m.Side > maxSide:
		return bad("a patch of %d pixels, want 8 to %d", m.Side, maxSide)
	case !(m.Reach >= 0.1 && m.Reach <= 10):
		return bad("a reach of %v sides, want 0.1 to 10", m.Reach)
	case len(m.Levels) > maxLevels || len(m.Coarse) > maxLevels:
		return bad("%d levels and %d coarse ones, want at most %d", len(m.Levels), len(m.Coarse), maxLevels)
	case m.Eyes[0] < 0 || m.Eyes[1] < 0 || m.Eyes[0] >= n || m.Eyes[1] >= n || m.Eyes[0] == m.Eyes[1]:
		return bad("eyes are points %d and %d, want two of the %d", m.Eyes[0], m.Eyes[1], n)
	}
	if err := m.Box.check(); err != nil {
		return bad("%v", err)
	}
	for i, note := range m.Notes {
		if len(note) > maxNote {
			return bad("note %d has %d bytes, want at most %d", i, len(note), maxNote)
		}
	}
	for i, v := range m.Mean {
		if largest := int32(m.Side * Unit); abs32(v.X) > largest || abs32(v.Y) > largest {
			return bad("point %d of the mean shape is at %d,%d, want at most %d", i, v.X, v.Y, largest)
		}
	}
	if spread(m.Mean) < Unit*Unit {
		return bad("all points of the mean shape are at one place")
	}
	for i := range m.Levels {
		if err := m.Levels[i].check(n, m.Side); err != nil {
			return bad("level %d: %v", i, err)
		}
	}
	for i := range m.Coarse {
		if err := m.Coarse[i].check(n, m.Side); err != nil {
			return bad("coarse level %d: %v", i, err)
		}
	}
	return nil
}

func (l *Level) check(points, side int) error {
	switch {
	case len(l.Features) < 1 || len(l.Features) > maxFeatures:
		return fmt.Errorf("%d features, want 1 to %d", len(l.Features), maxFeatures)
	case l.Depth < 1 || l.Depth > maxDepth:
		return fmt.Errorf("a depth of %d, want 1 to %d", l.Depth, maxDepth)
	case l.Components < 1 || l.Components > maxComponents:
		return fmt.Errorf("%d components, want 1 to %d", l.Components, maxComponents)
	}
	trees := l.Trees()
	switch {
	case trees > maxTrees:
		return fmt.Errorf("%d trees, want at most %d", trees, maxTrees)
	case len(l.Nodes) != trees*(1<<l.Depth-1):
		return fmt.Errorf("%d nodes, want %d a tree", len(l.Nodes), 1<<l.Depth-1)
	case len(l.Leaves) != trees<<l.Depth*l.Components:
		return fmt.Errorf("%d numbers in leaves, want %d", len(l.Leaves), trees<<l.Depth*l.Components)
	case len(l.Basis) != 2*points*l.Components:
		return fmt.Errorf("%d numbers in the basis, want %d", len(l.Basis), 2*points*l.Components)
	}
	for i, f := range l.Features {
		if f.Point < 0 || f.Point >= points {
			return fmt.Errorf("feature %d is beside point %d, want one of the %d", i, f.Point, points)
		}
		if largest := int32(side * Unit); abs32(f.Offset.X) > largest || abs32(f.Offset.Y) > largest {
			return fmt.Errorf("feature %d is at %d,%d from its point, want at most %d", i, f.Offset.X, f.Offset.Y, largest)
		}
	}
	for i, n := range l.Nodes {
		if int(max(n.A, n.B)) >= len(l.Features) {
			return fmt.Errorf("node %d compares features %d and %d, want some of the %d", i, n.A, n.B, len(l.Features))
		}
	}
	for i, w := range l.Basis {
		if abs32(w) > 1<<30 {
			return fmt.Errorf("basis %d is %d, want at most %d", i, w, 1<<30)
		}
	}
	return nil
}

func abs32(v int32) int32 {
	if v == math.MinInt32 {
		return math.MaxInt32
	}
	return max(v, -v)
}
