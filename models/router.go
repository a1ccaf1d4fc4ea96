package models

import (
	"sync"

	"haarlem/cascade"
	"haarlem/models/face"
	"haarlem/models/facefast"
)

var router = sync.OnceValues(facefast.Router)

// Router returns the cascade that makes searches at any angle fast, for Options.Router of
// package detector. The caller must not change it. It is nil for models that have none:
// all but face and face-fast.
func Router(c *cascade.Cascade) (*cascade.Cascade, error) {
	if c.Name != face.Name && c.Name != facefast.Name {
		return nil, nil
	}
	return router()
}
