package samples

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
)

// namedMarks are the landmarks of one object by name.
type namedMarks map[string]Point

// set adds a landmark.
func (m *namedMarks) set(name string, p Point) error {
	if _, twice := (*m)[name]; twice {
		return fmt.Errorf("two points of one object are called %q", clip(name))
	}
	if len(*m) >= maxColumns {
		return fmt.Errorf("more than %d points of one object: %w", maxColumns, ErrLimit)
	}
	if *m == nil {
		*m = namedMarks{}
	}
	(*m)[name] = p
	return nil
}

// partGather collects objects with named landmarks, and orders these by name
// when all names are known.
type partGather struct {
	gather
	names map[string]bool
	named [][]namedMarks // by photograph and object
}

func (g *partGather) addMarked(photo int, o Object, m namedMarks) error {
	for len(g.named) <= photo {
		g.named = append(g.named, nil)
	}
	g.named[photo] = append(g.named[photo], m)
	if g.names == nil {
		g.names = map[string]bool{}
	}
	for name := range m {
		g.names[name] = true
	}
	if len(g.names) > maxColumns {
		return fmt.Errorf("points of more than %d names: %w", maxColumns, ErrLimit)
	}
	return g.object(photo, o)
}

// settled returns the photographs. Landmarks are in the order of their names, or
// of their numbers if all names are numbers. An object that lacks one which
// another has gets none: [Object.Marks] are told apart by position.
func (g *partGather) settled() []Photo {
	names := slices.Sorted(maps.Keys(g.names))
	numbers := map[string]int{}
	for _, name := range names {
		if n, err := strconv.Atoi(name); err == nil {
			numbers[name] = n
		}
	}
	if len(numbers) == len(names) {
		slices.SortStableFunc(names, func(a, b string) int { return numbers[a] - numbers[b] })
	}
	for p := range g.named {
		for i, m := range g.named[p] {
			if len(m) < len(names) {
				continue
			}
			for _, name := range names {
				g.photos[p].Objects[i].Marks = append(g.photos[p].Objects[i].Marks, m[name])
			}
		}
	}
	return g.photos
}
