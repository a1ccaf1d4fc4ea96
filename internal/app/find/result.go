package find

import (
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/picture"
)

// A result is what became of one input.
type result struct {
	index         int
	name          string
	object        cascade.Object
	width, height int
	took          time.Duration // by the detector alone
	faces         []detector.Detection
	objects       []string                // of faces; nil if there is one model
	truncated     *picture.TruncatedError // of a file that ends too early

	// err is why there is nothing above; problems are what else went wrong.
	err      error
	problems []error
}

func (r *result) note(err error) {
	if err != nil {
		r.problems = append(r.problems, err)
	}
}
