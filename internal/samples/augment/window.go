package augment

import "image"

// A Window is one training window.
type Window struct {
	Grey     *image.Gray // its bounds begin at (0, 0)
	Source   string      // the photograph's file, so that sets can be split by photograph
	Object   int         // number of the object in the photograph
	Variant  int         // 0 is the plain one, unless Effects.All was set
	Mirrored bool
}

// Greys returns the windows' pictures, for [samples.Sheet], [samples.Mean] and
// [samples.WriteVec].
func Greys(windows []Window) []*image.Gray {
	greys := make([]*image.Gray, len(windows))
	for i := range windows {
		greys[i] = windows[i].Grey
	}
	return greys
}
