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

// reach returns how far v sees beyond a box, in sides of the box.
func (v *verifier) reach() float64 {
	square := max(v.sides, v.context) * (1 + math.Abs(v.multiCrop.Grow))
	return square/2 - 0.5 + math.Abs(v.multiCrop.Shift)
}
