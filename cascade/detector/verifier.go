package detector

import "haarlem/cascade"

// A verifier is a compiled [cascade.Verifier].
type verifier struct {
	sides, weight float64
	context       float64 // side of the second square; 0 means none
	multiCrop     cascade.MultiCrop
	trees         []verifierTree
	boxes         *boxFit   // nil: none
	next          *verifier // nil: none
}

// compile compiles v, which is unfolded and may be nil.
func compile(v *cascade.Verifier) *verifier {
	if v == nil {
		return nil
	}
	return &verifier{
		sides: v.Sides, weight: v.Weight, context: v.Context, multiCrop: v.MultiCrop,
		trees: compileTrees(v.Trees), boxes: compileBoxes(v.Boxes), next: compile(v.Next),
	}
}
