package dataset

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"haarlem/boost"
	"haarlem/internal/quote"
)

// ErrClasses is wrapped by the error of a reader whose file does not have two
// classes.
var ErrClasses = errors.New("not two classes")

// classes collects the class names of a file, and turns them into labels at its
// end.
type classes struct {
	positive []string // from the options, or empty
	names    []string
	index    map[string]int
	declared bool // the file's header declares names
	rows     []int

	target  Target
	number  func(string) (float64, bool) // parses a target
	numbers []float64
}

func newClasses(o *Options) *classes {
	c := &classes{positive: o.Positive, target: o.Target, number: parseNumber, index: map[string]int{}}
	if len(o.Positive) == 0 && len(o.Classes) >= 2 && (o.Target == SeveralClasses || len(o.Classes) == 2) {
		c.set(o.Classes)
	}
	return c
}

func (c *classes) set(names []string) {
	c.names, c.declared = names, true
	for i, n := range names {
		c.index[n] = i
	}
}

// declare fixes the names and their order.
func (c *classes) declare(names []string) error {
	if c.declared { // those of a model
		return nil
	}
	if c.target == TwoClasses && len(c.positive) == 0 && len(names) != 2 {
		return fmt.Errorf("%w: the class has %d names, %s: say which are positive", ErrClasses, len(names), quote.Some(names))
	}
	c.set(names)
	return nil
}

// add records the class of the next row.
func (c *classes) add(name string) error {
	switch c.target {
	case Numbers:
		v, ok := c.number(name)
		if !ok {
			return syntax("the target %q is no finite number", name)
		}
		c.numbers = append(c.numbers, v)
		fallthrough
	case NoTarget:
		c.rows = append(c.rows, 0)
		return nil
	}
	i, ok := c.index[name]
	if !ok {
		if c.declared {
			return syntax("class %q is not declared, want one of %s", name, quote.Some(c.names))
		}
		i = len(c.names)
		c.names = append(c.names, name)
		c.index[name] = i
		if c.target == TwoClasses && len(c.positive) == 0 && len(c.names) > 2 {
			return fmt.Errorf("%w: %q is the third class after %s: say which are positive", ErrClasses, name, quote.Some(c.names[:2]))
		}
	}
	c.rows = append(c.rows, i)
	return nil
}

// finish sets the labels or the targets.
func (c *classes) finish(d *boost.Data) error {
	switch c.target {
	case Numbers:
		d.Targets = c.numbers
		return nil
	case NoTarget:
		return nil
	case SeveralClasses:
		if len(c.names) < 2 {
			return fmt.Errorf("dataset: %w: found %d, %s", ErrClasses, len(c.names), quote.Some(c.names))
		}
		d.Classes = slices.Clone(c.names)
		if !c.declared {
			slices.SortFunc(d.Classes, compareNames)
		}
		to := make(map[string]float64, len(d.Classes))
		for i, n := range d.Classes {
			to[n] = float64(i)
		}
		d.Targets = make([]float64, len(c.rows))
		for i, r := range c.rows {
			d.Targets[i] = to[c.names[r]]
		}
		return nil
	}
	var err error
	d.Labels, d.Classes, err = c.labels()
	return err
}

// labels returns the labels, and the names of -1 and +1.
func (c *classes) labels() ([]int8, []string, error) {
	var names []string
	sign := make([]int8, len(c.names))
	if len(c.positive) > 0 {
		for _, p := range c.positive {
			i, ok := c.index[p]
			if !ok {
				return nil, names, fmt.Errorf("dataset: %w: no row has the positive class %q; found %s", ErrClasses, p, quote.Some(c.names))
			}
			sign[i] = 1
		}
		var rest []string
		for i, n := range c.names {
			if sign[i] == 0 {
				rest = append(rest, n)
				sign[i] = -1
			}
		}
		if len(rest) == 0 {
			return nil, names, fmt.Errorf("dataset: %w: every class is positive", ErrClasses)
		}
		slices.SortFunc(rest, compareNames)
		names = []string{strings.Join(rest, "|"), strings.Join(c.positive, "|")}
	} else {
		if len(c.names) != 2 {
			return nil, names, fmt.Errorf("dataset: %w: found %d, %s", ErrClasses, len(c.names), quote.Some(c.names))
		}
		sign[0], sign[1] = -1, 1
		names = []string{c.names[0], c.names[1]}
		if !c.declared && compareNames(c.names[0], c.names[1]) > 0 {
			sign[0], sign[1] = 1, -1
			names[0], names[1] = names[1], names[0]
		}
	}
	labels := make([]int8, len(c.rows))
	for i, r := range c.rows {
		labels[i] = sign[r]
	}
	return labels, names, nil
}

// compareNames orders names as numbers if both are, otherwise as bytes.
func compareNames(a, b string) int {
	x, okX := parseNumber(a)
	y, okY := parseNumber(b)
	if okX && okY && x != y {
		return cmp.Compare(x, y)
	}
	return cmp.Compare(a, b)
}
