package input

import (
	"context"
	"fmt"
	"io"
	"slices"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/output"
	"haarlem/internal/samples"
	"haarlem/internal/samples/augment"
)

// A Maker makes windows of photographs, for samples and for train: the
// same flags give the same windows, so that samples shows what train learns.
type Maker struct {
	Options  augment.MakeOptions // of all
	variants int
	jitters  []augment.Effects

	// Of labelled photographs only.
	margin  float64
	only    Conditions
	minSize int
}

// DefaultSeed is the seed of samples and train.
const DefaultSeed = 1

// WindowFlags are those of making windows.
type WindowFlags struct {
	Where, flip, Jitters []string
	MinSize, Variants    int
	template             string
	Margin               float64
	mirror               bool

	Width, Height int
	Seed          uint64
	Workers       int
}

// DeclareObjects declares the flags that select objects.
func (v *WindowFlags) DeclareObjects(f *cli.Flags) {
	v.template = "frontalface"
	f.Strings(&v.Where, "where", "take only objects for which the truth says `COLUMN=VALUE,...`; may be repeated")
	f.Int(&v.MinSize, "min-size", "leave out objects smaller than `N` pixels of the photograph")
	f.String(&v.template, "template", "align landmarks with these `POINTS` of the window: frontalface, none (use boxes), or \"x,y x,y ...\" as fractions of the window")
	f.Float(&v.Margin, "margin", "enlarge boxes by `SHARE` of their size on each side")
	f.Strings(&v.flip, "flip", "mirror objects for which the truth says `COLUMN=VALUE,...`, so that all face the same way; may be repeated")
}

// DeclareAugmentation declares the flags of augmentation.
func (v *WindowFlags) DeclareAugmentation(f *cli.Flags) {
	v.Variants = 1
	f.Group("Augmentation")
	f.Int(&v.Variants, "variants", "make `N` windows of each object; the first is the plain one")
	f.Strings(&v.Jitters, "jitter", "vary windows by `EFFECTS`: none, default, press (old newspapers) or NAME=NUMBER,..., or both, as in press,halftone=0; if repeated, each gets its share of the variants")
	f.Bool(&v.mirror, "mirror", "add the mirror image of each window")
}

// DeclareSize declares the size of the window.
func (v *WindowFlags) DeclareSize(f *cli.Flags) {
	v.Width, v.Height = 24, 24
	f.Int(&v.Width, "w", "width of the detection window in `PIXELS`")
	f.Also("w", "width")
	f.Int(&v.Height, "height", "height of the detection window in `PIXELS`; also written -h PIXELS")
}

// DeclareSeed declares the seed.
func (v *WindowFlags) DeclareSeed(f *cli.Flags) {
	v.Seed = DefaultSeed
	f.Uint64(&v.Seed, "seed", "`SEED` of the random numbers: the same seed gives the same result")
}

// Maker parses the flags.
func (v *WindowFlags) Maker() (*Maker, error) {
	m := &Maker{
		Options:  augment.MakeOptions{Width: v.Width, Height: v.Height, Mirror: v.mirror, Seed: v.Seed, Workers: v.Workers},
		variants: v.Variants, margin: v.Margin, minSize: v.MinSize,
	}
	var err error
	if m.only, err = NewConditions("where", v.Where); err != nil {
		return nil, err
	}
	if m.variants < 1 {
		return nil, cli.Usagef("-variants is %d, want 1 or more", m.variants)
	}
	for _, text := range v.Jitters {
		j, err := augment.Parse(text)
		if err != nil {
			return nil, cli.Usage(fmt.Errorf("-jitter: %w", err))
		}
		m.jitters = append(m.jitters, j)
	}
	switch n := len(m.jitters); {
	case n == 0:
		if m.variants > 1 {
			return nil, cli.Usagef("-variants is %d, and without -jitter all would be the same: give one, such as -jitter default", m.variants)
		}
		m.jitters = []augment.Effects{{}}
	case n > m.variants:
		return nil, cli.Usagef("-jitter is given %d times, and -variants is %d: want one variant for each at least", n, m.variants)
	case m.variants == 1 && m.jitters[0] != (augment.Effects{}) && !m.jitters[0].All:
		return nil, cli.Usagef("-jitter changes all variants but the first, and -variants is 1: give more of them, or all=1 in -jitter")
	}
	if m.Options.Flip, err = flips(v.flip); err != nil {
		return nil, err
	}
	m.Options.Template, err = Template(v.template)
	return m, err
}

// ForLabels reports a flag for labelled photographs if there are none.
func ForLabels(given func(string) bool, labelled bool) error {
	for _, name := range []string{"margin", "where", "min-size", "flip"} {
		if given(name) && !labelled {
			return cli.Usagef("-%s is for objects in labelled photographs, and there are none: give -truth or -info", name)
		}
	}
	return nil
}

// Make makes windows of photographs. Several -jitter share the variants; only
// the first leaves one plain.
func (m *Maker) Make(ctx context.Context, photos []samples.Photo, labelled bool, stderr io.Writer) ([]augment.Window, error) {
	if len(photos) == 0 {
		return nil, nil
	}
	n := len(m.jitters)
	var all []augment.Window
	for k, j := range m.jitters {
		o := m.Options
		o.Effects = j
		o.Variants = (m.variants - k + n - 1) / n
		if k > 0 {
			o.Effects.All = true
			o.Seed += uint64(k) * 0x9e3779b97f4a7c15
		}
		if labelled {
			o.Margin = m.margin
			o.Filter = func(ob *samples.Object) bool {
				e := ob.Extent()
				return m.only.Holds(ob) && (e.Empty() || max(e.Dx(), e.Dy()) >= m.minSize)
			}
		}
		var finish func()
		o.Progress, finish = output.Progress(stderr, "photographs")
		windows, err := augment.Make(ctx, photos, &o)
		finish()
		if err != nil {
			return nil, err
		}
		all = slices.Concat(all, windows)
	}
	return all, nil
}
