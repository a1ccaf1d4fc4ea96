package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/urfave/cli/v3"

	"haarlem/samples"
)

// A windowMaker makes windows of photographs, for samples and for train: the
// same flags give the same windows, so that the sheet of one shows what the
// other learns.
type windowMaker struct {
	options  samples.MakeOptions // of all
	variants int
	jitters  []samples.Jitter

	// Of labelled photographs only.
	margin  float64
	only    conditions
	minSize int
}

// defaultSeed is of all that is random, in samples and in train.
const defaultSeed = 1

// newWindowMaker reads the flags that both have. only is the name of the one
// with conditions.
func newWindowMaker(c *cli.Command, only string) (*windowMaker, error) {
	m := &windowMaker{
		options: samples.MakeOptions{
			Width: c.Int("w"), Height: c.Int("height"), Mirror: c.Bool("mirror"), Seed: c.Uint64("seed"), Workers: c.Int("workers"),
		},
		variants: c.Int("variants"), margin: c.Float("margin"), minSize: c.Int("min-size"),
	}
	var err error
	if m.only, err = newConditions(only, c.StringSlice(only)); err != nil {
		return nil, err
	}
	if m.variants < 1 {
		return nil, usagef("-variants is %d, want 1 or more", m.variants)
	}
	for _, text := range c.StringSlice("jitter") {
		j, err := samples.ParseJitter(text)
		if err != nil {
			return nil, usageError{fmt.Errorf("-jitter: %w", err)}
		}
		m.jitters = append(m.jitters, j)
	}
	switch n := len(m.jitters); {
	case n == 0:
		if m.variants > 1 {
			return nil, usagef("-variants is %d, and without -jitter all would be the same: give one, such as -jitter default", m.variants)
		}
		m.jitters = []samples.Jitter{{}}
	case n > m.variants:
		return nil, usagef("-jitter is given %d times, and -variants is %d: want one variant for each at least", n, m.variants)
	case m.variants == 1 && m.jitters[0] != (samples.Jitter{}) && !m.jitters[0].All:
		return nil, usagef("-jitter changes all variants but the first, and -variants is 1: give more of them, or all=1 in -jitter")
	}
	if m.options.Flip, err = flips(c); err != nil {
		return nil, err
	}
	if t := c.String("template"); t != "none" {
		if m.options.Template, err = samples.ParseTemplate(t); err != nil {
			return nil, usageError{fmt.Errorf("-template: %w", err)}
		}
	}
	return m, nil
}

// forLabels says that a flag is for objects in labelled photographs if there are
// none of these.
func forLabels(c *cli.Command, only string, labelled bool) error {
	for _, name := range []string{"margin", only, "min-size", "flip"} {
		if c.IsSet(name) && !labelled {
			return usagef("-%s is for objects in labelled photographs, and there are none: give -truth or -info", name)
		}
	}
	return nil
}

// make makes windows of photographs. Of several jitters each makes its share of
// the variants; only the first leaves one as it is.
func (m *windowMaker) make(ctx context.Context, photos []samples.Photo, labelled bool, stderr io.Writer) ([]samples.Window, error) {
	if len(photos) == 0 {
		return nil, nil
	}
	n := len(m.jitters)
	var all []samples.Window
	for k, j := range m.jitters {
		o := m.options
		o.Jitter = j
		o.Variants = (m.variants - k + n - 1) / n
		if k > 0 {
			o.Jitter.All = true
			o.Seed += uint64(k) * 0x9e3779b97f4a7c15
		}
		if labelled {
			o.Margin = m.margin
			o.Filter = func(ob *samples.Object) bool {
				e := ob.Extent()
				return m.only.holds(ob) && (e.Empty() || max(e.Dx(), e.Dy()) >= m.minSize)
			}
		}
		var finish func()
		o.Progress, finish = makingProgress(stderr, "photographs")
		windows, err := samples.Make(ctx, photos, &o)
		finish()
		if err != nil {
			return nil, err
		}
		all = slices.Concat(all, windows)
	}
	return all, nil
}
