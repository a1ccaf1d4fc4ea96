package detector

import (
	"math"

	"haarlem/cascade"
)

// A verifier is a compiled [cascade.Verifier].
type verifier struct {
	sides, weight float64
	context       float64 // side of the second square; 0 means none
	multiCrop     cascade.MultiCrop
	trees         []verifierTree
	boxes         *boxFit   // nil: none
	next          *verifier // nil: none
}

// compile compiles v, which may be nil.
func compile(v *cascade.Verifier) *verifier {
	if v == nil {
		return nil
	}
	return &verifier{
		sides: v.Sides, weight: v.Weight, context: v.Context, multiCrop: v.MultiCrop,
		trees: compileTrees(v.Trees), boxes: compileBoxes(v.Boxes), next: compile(v.Next),
	}
}

// reach returns how far v and those after it see beyond a box, in sides of the box, and
// a quarter more, for boxes that are corrected between two verifiers.
func (v *verifier) reach() (most float64) {
	for ; v != nil; v = v.next {
		square := max(v.sides, v.context) * (1 + math.Abs(v.multiCrop.Grow))
		most = max(most, square/2-0.5+math.Abs(v.multiCrop.Shift)+0.25)
	}
	return most
}
