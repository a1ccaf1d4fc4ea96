package facefast

import "haarlem/cascade"

// routerMargin is the margin after the first verifier from which a place is worth a
// search. models/EXPERIMENTS.md says what others do.
const routerMargin = 3.2

// Router returns the part of the model that says where faces may be, for Options.Router
// of package detector: the cascade and its first verifier.
func Router() (*cascade.Cascade, error) {
	c, err := Cascade()
	if err != nil {
		return nil, err
	}
	c.Name, c.Calibration, c.Verifier.Next = Name+"-router", nil, nil
	c.Search.MinScore = routerMargin
	return c, nil
}
