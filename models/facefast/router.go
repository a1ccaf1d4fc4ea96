package facefast

import (
	_ "embed"

	"haarlem/cascade"
	"haarlem/models/internal/embedded"
)

// routerFile is the cascade with a verifier of trees, whose smallest score is the margin
// from which a place is worth a search. models/EXPERIMENTS.md says what others do.
//
//go:embed router.cascade
var routerFile string

// Router returns the cascade that says where faces may be, for Options.Router of package
// detector.
func Router() (*cascade.Cascade, error) { return embedded.Cascade(Name+"-router", routerFile) }
