package inspect

import (
	"testing"

	"haarlem/cascade"
)

// A description counts all of a chain of verifiers.
func TestDescribeVerifiers(t *testing.T) {
	tree := cascade.Weak{Nodes: []cascade.Node{{Left: 0, Right: -1}}, Leaves: []float32{1, 2}}
	some := []cascade.Weak{tree, tree}
	v := &cascade.Verifier{
		Sides: 1.5, Weight: 3, Context: 2.5, Mirror: true, Trees: some, Boxes: &cascade.Boxes{Left: some, Bottom: some[:1]},
		Next: &cascade.Verifier{Sides: 1.4, Weight: 3, Trees: some[:1]},
	}
	const want = "2 trees of 2 nodes verify each detection, on a square of 1.5 times its side, with a weight of 3; " +
		"a second square is 2.5 times the side; the mean of the detection and its mirror image counts; 3 trees of 3 nodes correct the boxes; then " +
		"1 trees of 1 nodes verify each detection, on a square of 1.4 times its side, with a weight of 3"
	if got := DescribeVerifier(v).String(); got != want {
		t.Errorf("described as %q, want %q", got, want)
	}
	if DescribeVerifier(nil) != nil {
		t.Error("no verifier is described")
	}
}
