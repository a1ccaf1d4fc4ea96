package detector

import (
	"haarlem/cascade"
	"haarlem/internal/channels/columns"
)

// A verifier is a compiled [cascade.Verifier].
type verifier struct {
	sides, weight float64
	context       float64 // side of the second square; 0 means none
	mirror        []int32 // the columns in the order of the mirror image; nil: that does not count
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
	s := &verifier{
		sides: v.Sides, weight: v.Weight, context: v.Context, multiCrop: v.MultiCrop,
		trees: compileTrees(v.Trees), boxes: compileBoxes(v.Boxes), next: compile(v.Next),
	}
	if v.Mirror {
		s.mirror = mirrorOrder(v.Context != 0)
	}
	return s
}

// mirrorOrder returns the columns of one or two squares in the order of the mirror image.
func mirrorOrder(two bool) []int32 {
	var order []int32
	for i := range columns.Count {
		order = append(order, int32(columns.Mirror(i)))
	}
	if two {
		for _, i := range order[:columns.Count] {
			order = append(order, columns.Count+i)
		}
	}
	return order
}
