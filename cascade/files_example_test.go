package cascade_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"

	"haarlem/cascade"
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

func ExampleCascade_Encode() {
	if err := barCascade().Encode(os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// haarlem-cascade 1
	// name "bar"
	// kind haar
	// window 24 24
	// min-std-dev 10
	// seed 0
	// note "drawn by hand"
	// features 1
	// up 3 3 18 18 -1 9 3 6 18 3
	// grid 2^-2
	// weak 1 exits 1
	// stump 0 0.5 -4 4
	// exit 3 restart
	// sha256 5499d8fe30716652cb5da74f26b865d79bf06d0905025e0a128bb020be3f0f97
}

func ExampleOpen() {
	file, err := os.CreateTemp("", "bar-*.xml")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.Remove(file.Name())
	if err := barCascade().EncodeOpenCV(file); err != nil {
		fmt.Println(err)
	}
	if err := file.Close(); err != nil {
		fmt.Println(err)
	}

	c, err := cascade.Open(file.Name())
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s: %dx%d, %d weak classifiers, %d stages\n", c.Name, c.Width, c.Height, len(c.Weak), len(c.Exits))
	// Output: bar: 24x24, 1 weak classifiers, 1 stages
}

func ExampleRead() {
	var b bytes.Buffer
	if err := barCascade().Encode(&b); err != nil {
		fmt.Println(err)
	}
	damaged := strings.Replace(b.String(), "up 3 3", "up 9 3", 1)

	_, err := cascade.Read(strings.NewReader(damaged), nil)
	fmt.Println(errors.Is(err, cascade.ErrFormat))
	fmt.Println(err)
	// Output:
	// true
	// cascade: bad model file: line 9: feature 0: rectangle 0: 9,3 18x18 is not inside the 24x24 window
}

func ExampleCascade_EncodeOpenCV() {
	soft := barCascade()
	soft.MinStdDev = 2
	err := soft.EncodeOpenCV(os.Stdout)
	fmt.Println(errors.Is(err, cascade.ErrOpenCV))
	fmt.Println(err)
	// Output:
	// true
	// cascade: OpenCV's format cannot express this: MinStdDev 2, want 10
}
