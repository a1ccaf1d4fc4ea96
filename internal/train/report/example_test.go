package report_test

import (
	"bytes"
	"fmt"
	"strings"

	"haarlem/internal/train"
	"haarlem/internal/train/report"
)

// A report shows what is known so far.
func ExampleWrite() {
	var page bytes.Buffer
	err := report.Write(&page, &report.Run{
		Name:    "logos",
		Ended:   train.Interrupted.String(),
		Steps:   []train.Step{{Weak: 3, HitRate: 0.998, Validation: 0.99, FalsePositiveRate: 0.5, Visited: 2000, Passed: 2000, Negatives: 2000}},
		Command: "train-cascade train -data out -vec logos.vec -bg bg.txt",
	})
	if err != nil {
		panic(err)
	}
	for line := range strings.Lines(page.String()) {
		if strings.Contains(line, "<dd>") || strings.Contains(line, "ended") {
			fmt.Print(line)
		}
	}
	// Output:
	// <p>The training ended because: interrupted.</p>
	// <div><dt>Positives that pass</dt><dd>99.80%</dd></div>
	// <div><dt>Validation that passes</dt><dd>99.0%</dd></div>
	// <div><dt>False positives, about</dt><dd>1 in 2 windows</dd></div>
	// <div><dt>Steps</dt><dd>1</dd></div>
}
