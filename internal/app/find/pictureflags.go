package find

import (
	"haarlem/internal/app/cli"
)

// PictureFlags say which pictures to read.
type PictureFlags struct {
	recursive, strict bool
	heic              bool
	maxPixels         string
}

func (v *PictureFlags) RecursiveFlag(f *cli.Flags) {
	f.Bool(&v.recursive, "recursive", "search folders inside folders too")
	f.Bool(&v.heic, "heic", "read HEIC and AVIF too, by a program on the PATH")
}

func (v *PictureFlags) LimitFlags(f *cli.Flags) {
	v.maxPixels = "100M"
	f.String(&v.maxPixels, "max-pixels", "refuse pictures with more than `N` pixels")
	f.Bool(&v.strict, "strict", "refuse a JPEG or PNG that ends too early")
}
