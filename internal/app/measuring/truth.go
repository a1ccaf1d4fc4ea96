package measuring

import (
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
)

// TruthFlags select the objects.
type TruthFlags struct {
	Truth, bg, ignore []string
	format, template  string
	ignoreBelow       int
}

func (v *TruthFlags) Declare(f *cli.Flags) {
	v.format, v.template = "auto", "frontalface"
	f.Group("Photographs")
	f.Strings(&v.Truth, "truth", "`FILE` of labelled photographs, with boxes or landmarks; may be repeated")
	f.Strings(&v.bg, "bg", "`PATH` of negative images, without the object: a folder, list or picture; may be repeated")
	f.String(&v.format, "format", "`FORMAT` of -truth: "+samples.FormatNames())
	f.Strings(&v.ignore, "ignore", "do not count objects for which the truth says `COLUMN=VALUE`, found or not; may be repeated")
	f.Int(&v.ignoreBelow, "ignore-below", "do not count objects smaller than `N` pixels, found or not")
	f.String(&v.template, "template", "`POINTS` at which landmarks stand in a box, for objects without one: frontalface, none (all have boxes), or X,Y pairs in shares of its width")
}

// Photos reads the truth and appends the backgrounds.
func (v *TruthFlags) Photos() ([]eval.Photo, error) {
	o := &eval.TruthOptions{MinSize: v.ignoreBelow, Ignore: map[string][]string{}}
	for _, s := range v.ignore {
		tag, value, ok := strings.Cut(s, "=")
		if !ok {
			return nil, cli.Usagef("-ignore is %q, want COLUMN=VALUE", s)
		}
		o.Ignore[tag] = append(o.Ignore[tag], value)
	}
	labelled, template, err := input.ReadBoxed(v.Truth, v.format, v.template)
	if err != nil {
		return nil, err
	}
	o.Template = template
	photos, err := eval.Truth(labelled, o)
	if err != nil {
		return nil, err
	}
	backgrounds, err := input.ListPictures(v.bg)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, p := range photos {
		seen[p.File] = true
	}
	for _, b := range backgrounds {
		if !seen[b] {
			photos = append(photos, eval.Photo{File: b})
		}
	}
	return photos, nil
}
