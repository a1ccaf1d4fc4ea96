package find

import (
	"haarlem/internal/app/cli"
)

// PictureFlags say which pictures to read.
type PictureFlags struct {
	recursive, heic bool
	strict, partial bool // read no picture that ends too early; write a copy of it
	maxPixels       string
}

func (v *PictureFlags) RecursiveFlag(f *cli.Flags) {
	f.Bool(&v.recursive, "recursive", "search folders inside folders too")
	f.Bool(&v.heic, "heic", "read HEIC and AVIF too, by a program on the PATH")
}

// LimitFlags declares limits. Where copies are written in which things are hidden, a
// picture that ends too early is one only if that is asked for: what the detector does not
// find at the edge of what is there can still be seen.
func (v *PictureFlags) LimitFlags(f *cli.Flags, hides bool) {
	v.maxPixels = "100M"
	f.String(&v.maxPixels, "max-pixels", "refuse pictures with more than `N` pixels")
	if hides {
		v.strict = true
		f.Bool(&v.partial, "partial", "also copy what there is of a JPEG or PNG that ends too early; objects at its edge may stay visible")
	} else {
		f.Bool(&v.strict, "strict", "refuse a JPEG or PNG that ends too early")
	}
}

// readsPart reports whether pictures that end too early are read as far as they go.
func (v *PictureFlags) readsPart() bool { return !v.strict || v.partial }
