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

// A description of a network names its layers as the trainer's flag does.
func TestDescribeNetwork(t *testing.T) {
	n := &cascade.Network{Overlap: 0.5, Steps: []cascade.NetworkStep{{Side: 24, Sides: 1.2, Layers: []cascade.NetworkLayer{
		{Kind: cascade.Conv, Outputs: 8, Weights: make([]int8, 216)}, {Kind: cascade.MaxPool}, {Kind: cascade.Dense, Outputs: 5, Weights: make([]int8, 100)},
	}}}}
	const want = "windows that overlap by more than 0.5 are suppressed; then 316 weights (conv8 max dense5) on 24x24 pixels of a square of 1.2 times the window"
	if got := DescribeNetwork(n).String(); got != want {
		t.Errorf("described as %q, want %q", got, want)
	}
	if DescribeNetwork(nil) != nil {
		t.Error("no network is described")
	}
}
