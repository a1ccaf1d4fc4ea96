package detector_test

import (
	"context"
	"fmt"
	"image"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/haar"
)

// barCascade is a cascade of one stage that finds bright bars on dark ground.
func barCascade() *cascade.Cascade {
	return &cascade.Cascade{
		Name: "bar", Kind: cascade.Haar, Width: 24, Height: 24, MinStdDev: 10,
		Features: []haar.Feature{{Rects: [3]haar.Rect{
			{X: 3, Y: 3, W: 18, H: 18, Weight: -1}, {X: 9, Y: 3, W: 6, H: 18, Weight: 3}}}},
		Weak: []cascade.Weak{{
			Nodes:  []cascade.Node{{Feature: 0, Threshold: 0.5, Left: 0, Right: -1}},
			Leaves: []float32{-1, 1}}},
		Exits:      []cascade.Exit{{After: 1, Threshold: 0.75, Restart: true}},
		Provenance: cascade.Provenance{Note: "drawn by hand"},
	}
}

// drawBars draws two bright bars, 20 and 40 pixels wide, on dark ground.
func drawBars() *image.Gray {
	g := image.NewGray(image.Rect(0, 0, 320, 240))
	for i := range g.Pix {
		x, y := i%320, i/320
		g.Pix[i] = 40
		if x >= 60 && x < 80 && y >= 50 && y < 110 || x >= 200 && x < 240 && y >= 80 && y < 200 {
			g.Pix[i] = 220
		}
	}
	return g
}

func ExampleDetector_Detect() {
	c := barCascade() // or cascade.Open("model.cascade"), or OpenCV's XML
	d, err := detector.New(&detector.Options{MinNeighbors: 8}, c)
	if err != nil {
		fmt.Println(err)
		return
	}
	bars, err := d.Detect(context.Background(), drawBars())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range bars {
		x := (b.Box.Min.X + b.Box.Max.X) / 2
		fmt.Println("a bar near the left:", x > 60 && x < 80, "near the right:", x > 200 && x < 240)
	}
	// Unordered output:
	// a bar near the left: true near the right: false
	// a bar near the left: false near the right: true
}

// A soft cascade has an exit after every weak classifier and one running score.
// These weak classifiers are histograms: tables of outputs by feature value.
func Example_softCascade() {
	c := &cascade.Cascade{
		Name: "soft bar", Kind: cascade.Haar, Width: 24, Height: 24, MinStdDev: 10,
		Features: []haar.Feature{
			{Rects: [3]haar.Rect{{X: 3, Y: 3, W: 18, H: 18, Weight: -1}, {X: 9, Y: 3, W: 6, H: 18, Weight: 3}}},
			{Rects: [3]haar.Rect{{X: 3, Y: 3, W: 18, H: 18, Weight: -1}, {X: 3, Y: 3, W: 18, H: 9, Weight: 2}}},
		},
		Weak: []cascade.Weak{
			// The middle should be brighter than its surroundings.
			{Feature: 0, Low: 0, Scale: 8, Leaves: []float32{-4, -3, -2, -1, 0, 1, 2, 3}},
			// Upper and lower half should be alike.
			{Feature: 1, Low: -0.5, Scale: 8, Leaves: []float32{-2, -1, 0, 1, 1, 0, -1, -2}},
		},
		Exits: []cascade.Exit{{After: 1, Threshold: 0}, {After: 2, Threshold: 2}},
		// A score of 2 is a probability of 0.5.
		Calibration: &cascade.Calibration{Slope: 2, Offset: -4},
	}
	d, err := detector.New(&detector.Options{MinScore: 0.9}, c)
	if err != nil {
		fmt.Println(err)
		return
	}
	bars, err := d.Detect(context.Background(), drawBars())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range bars {
		fmt.Printf("%v, probability %.2f\n", b.Box, b.Score)
	}
	// Output:
	// (34,44)-(105,115), probability 1.00
	// (152,69)-(288,205), probability 0.99
}
