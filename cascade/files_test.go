package cascade

import (
	"bytes"
	"image"
	"testing"

	"haarlem/haar"
	"haarlem/internal/must"
)

// fileCascades returns small cascades that together use everything that a file
// can hold. Those that OpenCV's format can express are named xml-...
func fileCascades() map[string]*Cascade {
	up := haar.Feature{Rects: [3]haar.Rect{
		{X: 2, Y: 3, W: 8, H: 6, Weight: -1}, {X: 2, Y: 5, W: 8, H: 2, Weight: 3}}}
	tilted := haar.Feature{Tilted: true, Rects: [3]haar.Rect{
		{X: 10, Y: 1, W: 6, H: 3, Weight: -1}, {X: 12, Y: 3, W: 2, H: 3, Weight: 3}}}
	three := haar.Feature{Rects: [3]haar.Rect{
		{X: 0, Y: 0, W: 24, H: 20, Weight: -1}, {X: 0, Y: 0, W: 12, H: 10, Weight: 2}, {X: 12, Y: 10, W: 12, H: 10, Weight: 2.25}}}
	cells := []image.Rectangle{image.Rect(0, 0, 8, 6), image.Rect(3, 4, 4, 5), image.Rect(21, 17, 22, 18)}
	stump := func(feature int32, threshold, left, right float32) Weak {
		return Weak{Nodes: []Node{{Feature: feature, Threshold: threshold, Left: 0, Right: -1}}, Leaves: []float32{left, right}}
	}
	subset := [8]uint32{1, 0xffffffff, 0x80000000, 7, 0, 0xdeadbeef, 12345, 0}
	// The thresholds of stages are values that OpenCV's format can express.
	stages := func(after ...int) []Exit {
		var exits []Exit
		for i, a := range after {
			exits = append(exits, Exit{After: a, Threshold: float32(i)/3 - 1.1 - openCVEpsilon, Restart: true})
		}
		return exits
	}
	bins := func(n int, step float32) []float32 {
		b := make([]float32, n)
		for i := range b {
			b[i] = (float32(i) - float32(n)/2) * step
		}
		return b
	}
	return map[string]*Cascade{
		"xml-stumps": {
			Kind: Haar, Width: 24, Height: 20, MinStdDev: openCVMinStdDev,
			Features: []haar.Feature{up, tilted, three},
			Weak:     []Weak{stump(0, 0.0169156, -0.95547718, 0.8912914), stump(2, -1e-7, 0.25, -3), stump(1, 0, 0.1, 0.2)},
			Exits:    stages(1, 3),
		},
		"xml-trees": {
			Name: "haar_trees-2", Kind: Haar, Width: 24, Height: 20, MinStdDev: openCVMinStdDev,
			Features: []haar.Feature{three, up, tilted},
			Weak: []Weak{
				{Nodes: []Node{
					{Feature: 0, Threshold: -0.027, Left: 2, Right: 1},
					{Feature: 1, Threshold: 0.05, Left: 0, Right: -1},
					{Feature: 2, Threshold: -0.129, Left: -2, Right: -3},
				}, Leaves: []float32{-0.8, 0.6, 0.9, 0.044}},
				{Nodes: []Node{{Feature: 1, Threshold: 0.5, Left: -1, Right: 0}}, Leaves: []float32{1, -1}},
			},
			Exits: stages(2),
		},
		"xml-lbp": {
			Kind: LBP, Width: 24, Height: 20, Cells: cells,
			Weak: []Weak{
				{Nodes: []Node{{Feature: 2, Left: 0, Right: -1, Subset: subset}}, Leaves: []float32{-0.99, 0.5}},
				{Nodes: []Node{{Feature: 1, Left: 1, Right: 0, Subset: subset}, {Feature: 0, Left: -2, Right: -1}}, Leaves: []float32{-0.7, 0.2, 0.3}},
			},
			Exits: stages(1, 2),
		},
		"soft": {
			Name: "Gesicht, weich", Kind: Haar, Width: 24, Height: 20, MinStdDev: 0.5,
			Features: []haar.Feature{up, tilted, three},
			Weak: []Weak{
				{Feature: 2, Low: -0.25, Scale: 32, Leaves: bins(8, 0.125)},
				{Feature: 0, Low: -1e-3, Scale: 1234.5, Leaves: bins(16, -0.0625)},
				stump(1, 0.1, -1.5, 2),
			},
			Exits:       []Exit{{After: 1, Threshold: -2}, {After: 2, Threshold: -1.0625}, {After: 3, Threshold: 0.5}},
			Calibration: &Calibration{Slope: 1.75, Offset: -3.0000000000000004},
			Provenance: Provenance{
				Program: "train-cascade 0.1", Command: `train-cascade -seed 7 "my data"`, Seed: 1<<64 - 1,
				Data: []string{"drawn faces, CC0", ""}, Note: "zwei Zeilen:\n\ttab, \\ und \x01\x7f äöü",
			},
		},
		"verified": {
			Name: "seen twice", Kind: LBP, Width: 24, Height: 20, Cells: cells,
			Weak:  []Weak{{Nodes: []Node{{Feature: 2, Left: 0, Right: -1, Subset: subset}}, Leaves: []float32{-0.99, 0.5}}},
			Exits: stages(1),
			Verifier: &Verifier{Sides: 1.4, Weight: 2.75, Trees: []Weak{
				stump(1798, -12, 0.25, -0.5),
				{Nodes: []Node{
					{Feature: 772, Threshold: 800, Left: 1, Right: 2},
					{Feature: 0, Threshold: 3.5, Left: 0, Right: -1},
					{Feature: 1500, Threshold: 200, Left: -2, Right: -3},
				}, Leaves: []float32{-0.75, 0.5, 0.125, 1}},
			}},
		},
		"network": {
			Kind: LBP, Width: 24, Height: 20, Cells: cells,
			Weak:    []Weak{{Nodes: []Node{{Feature: 2, Left: 0, Right: -1, Subset: subset}}, Leaves: []float32{-0.99, 0.5}}},
			Exits:   stages(1),
			Network: network(),
		},
		"ahead": {
			Kind: LBP, Width: 24, Height: 20, Cells: cells,
			Search: Search{Stride: 2, RefineX: 1, RefineY: 2, InterLevel: 1, DenseFrom: 1.6, Pad: 0.25,
				ScaleBias: ScaleBias{PerOctave: 0.7, From: 1.3, Max: 1e-3}, PrefilterFrom: 1.75},
			Weak: []Weak{
				{Nodes: []Node{{Feature: 2, Left: 0, Right: -1, Subset: subset}}, Leaves: []float32{-0.99, 0.5}},
				{Nodes: []Node{{Feature: 0, Left: -1, Right: 0, Subset: subset}}, Leaves: []float32{-0.5, 0.25}},
			},
			Exits: []Exit{{After: 1, Threshold: -1}, {After: 2, Threshold: 0.25, Restart: true}},
			Verifier: &Verifier{Sides: 1.4, Weight: 3, MultiCrop: MultiCrop{Low: -2, High: 12.5, Grow: 0.12}, Trees: []Weak{
				stump(7, -12, 0.25, -0.5),
			}},
		},
		"boxed": {
			Kind: LBP, Width: 24, Height: 20, Cells: cells,
			Weak:  []Weak{{Nodes: []Node{{Feature: 2, Left: 0, Right: -1, Subset: subset}}, Leaves: []float32{-0.99, 0.5}}},
			Exits: stages(1),
			Verifier: &Verifier{
				Sides: 1.5, Weight: 2, Context: 2.5, Trees: []Weak{stump(3597, -12, 0.25, -0.5)},
				Boxes: &Boxes{Left: []Weak{stump(1, 5, 0.125, -0.25), stump(3000, 6, 0.5, 0.25)}, Bottom: []Weak{stump(2, 7, 0, 0.0625)}},
				Next: &Verifier{
					Sides: 1.4, Weight: 3, MultiCrop: MultiCrop{Low: -2, High: 12.5, Grow: 0.12}, Trees: []Weak{stump(7, -12, 0.25, -0.5)},
					Boxes: &Boxes{Top: []Weak{stump(1798, -8, 0.1, -0.5)}},
				},
			},
		},
		"mirrored": {
			Kind: LBP, Width: 24, Height: 20, Cells: cells,
			Weak:  []Weak{{Nodes: []Node{{Feature: 2, Left: 0, Right: -1, Subset: subset}}, Leaves: []float32{-0.99, 0.5}}},
			Exits: stages(1),
			Verifier: &Verifier{
				Sides: 1.5, Weight: 2, Trees: []Weak{stump(1, -12, 0.25, -0.5)},
				Next: &Verifier{
					Sides: 1.4, Weight: 3, MultiCrop: MultiCrop{Low: -2, High: 12.5, Grow: 0.12}, Context: 2.5, Mirror: true,
					Trees: []Weak{stump(7, -12, 0.25, -0.5)}, Boxes: &Boxes{Top: []Weak{stump(1798, -8, 0.1, -0.5)}},
				},
			},
		},
		"mixed": {
			Object: Object{"bus", "buses"}, Kind: Haar, Width: 24, Height: 20, MinStdDev: 7.25, Search: Search{Stride: 3, MinCandidates: 12, MinScore: 0.625},
			Features: []haar.Feature{up, tilted},
			Weak: []Weak{
				stump(0, 1e-45, 3.4e-38, -0.3),
				{Feature: 1, Low: 0.1, Scale: 1e-30, Leaves: bins(8, 0.1)},
				{Nodes: []Node{{Feature: 1, Left: -1, Right: 0}}, Leaves: []float32{1, 1 << 30}},
			},
			Exits: []Exit{{After: 2, Threshold: -3e38, Restart: true}, {After: 3, Threshold: 1}},
		},
	}
}

func encode(t testing.TB, c *Cascade) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(c.Encode(&b))
	return b.Bytes()
}

func encodeOpenCV(t testing.TB, c *Cascade) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(c.EncodeOpenCV(&b))
	return b.Bytes()
}
