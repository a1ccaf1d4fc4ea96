package eval_test

import (
	"context"
	"fmt"
	"image"
	"log"
	"os"

	"haarlem/cascade"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
)

// The drawn group with eleven faces, and the detections of a program that finds
// two of them.
func Example() {
	photos, err := samples.ReadTruth("../../samples/group.csv", samples.Auto)
	if err != nil {
		log.Fatal(err)
	}
	truth, err := eval.Truth(photos, nil)
	if err != nil {
		log.Fatal(err)
	}
	guess := &eval.Contender{
		Name:  "guess",
		Sweep: eval.SweepScore,
		Find: func(context.Context, string, image.Image) ([]eval.Found, error) {
			return []eval.Found{
				{Box: image.Rect(245, 133, 279, 167), Rank: 3},
				{Box: image.Rect(250, 130, 282, 162), Rank: 2}, // the same face again
				{Box: image.Rect(0, 0, 30, 30), Rank: 1},       // a wall
				{Box: image.Rect(489, 129, 527, 167), Rank: 0},
			}, nil
		},
	}
	set, err := eval.Measure(context.Background(), truth, []*eval.Contender{guess}, nil)
	if err != nil {
		log.Fatal(err)
	}
	report := set.Report(eval.Centre{})
	for _, rate := range report.Lines[0].Rates[:3] {
		fmt.Printf("%d false positives: %d of %d found\n", rate.FalsePositives, rate.Found, report.Objects)
	}
	// Output:
	// 0 false positives: 1 of 11 found
	// 1 false positives: 1 of 11 found
	// 5 false positives: 2 of 11 found
}

// A cascade as a contender.
func ExampleDetector() {
	c, err := cascade.Open("../../cascade/detector/testdata/parity/upright-stumps.xml")
	if err != nil {
		log.Fatal(err)
	}
	d, err := eval.Detector("stumps", nil, c)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Fprintln(os.Stdout, d.Name, "by", d.Sweep)
	// Output: stumps by neighbours
}
