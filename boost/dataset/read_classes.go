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

// names number names in the order in which they come.
type names struct {
	list  []string
	index map[string]int
}

// add returns the number of a name.
func (n *names) add(name string) int {
	i, ok := n.index[name]
	if !ok {
		if n.index == nil {
			n.index = map[string]int{}
		}
		i = len(n.list)
		n.list, n.index[name] = append(n.list, name), i
	}
	return i
}

// classes collects the class names of a file, and turns them into labels at its
// end.
type classes struct {
	names
	positive []string // from the options, or empty
	declared bool     // the file's header declares names
	rows     []int

	target  Target
	number  func(string) (float64, bool) // parses a target
	numbers []float64
}

func newClasses(o *Options) *classes {
	c := &classes{positive: o.Positive, target: o.Target, number: parseNumber}
	if len(o.Positive) == 0 && len(o.Classes) >= 2 && (o.Target == SeveralClasses || len(o.Classes) == 2) {
		c.set(o.Classes)
	}
	return c
}

func (c *classes) set(list []string) {
	c.declared = true
	for _, n := range list {
		c.add(n)
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

// row records the class of the next row.
func (c *classes) row(name string) error {
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
	if _, ok := c.index[name]; !ok && c.declared {
		return syntax("class %q is not declared, want one of %s", name, quote.Some(c.list))
	}
	c.rows = append(c.rows, c.add(name))
	if !c.declared && c.target == TwoClasses && len(c.positive) == 0 && len(c.list) > 2 {
		return fmt.Errorf("%w: %q is the third class after %s: say which are positive", ErrClasses, name, quote.Some(c.list[:2]))
	}
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
		if len(c.list) < 2 {
			return fmt.Errorf("dataset: %w: found %d, %s", ErrClasses, len(c.list), quote.Some(c.list))
		}
		d.Classes = c.ordered()
		to := make(map[string]float64, len(d.Classes))
		for i, n := range d.Classes {
			to[n] = float64(i)
		}
		d.Targets = make([]float64, len(c.rows))
		for i, r := range c.rows {
			d.Targets[i] = to[c.list[r]]
		}
		return nil
	}
	sign := slices.Repeat([]int8{-1}, len(c.list))
	switch {
	case len(c.positive) > 0:
		for _, p := range c.positive {
			i, ok := c.index[p]
			if !ok {
				return fmt.Errorf("dataset: %w: no row has the positive class %q; found %s", ErrClasses, p, quote.Some(c.list))
			}
			sign[i] = 1
		}
		var rest []string
		for i, n := range c.list {
			if sign[i] < 0 {
				rest = append(rest, n)
			}
		}
		if len(rest) == 0 {
			return fmt.Errorf("dataset: %w: every class is positive", ErrClasses)
		}
		slices.SortFunc(rest, compareNames)
		d.Classes = []string{strings.Join(rest, "|"), strings.Join(c.positive, "|")}
	case len(c.list) != 2:
		return fmt.Errorf("dataset: %w: found %d, %s", ErrClasses, len(c.list), quote.Some(c.list))
	default:
		d.Classes = c.ordered()
		sign[c.index[d.Classes[1]]] = 1
	}
	for _, r := range c.rows {
		d.Labels = append(d.Labels, sign[r])
	}
	return nil
}

// ordered returns the names as they were declared, or sorted.
func (c *classes) ordered() []string {
	list := slices.Clone(c.list)
	if !c.declared {
		slices.SortFunc(list, compareNames)
	}
	return list
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
