package cascade_test

import (
	"cmp"
	"fmt"
	"image"
	"slices"
	"strings"
)

// sortRects orders rectangles by left, top, width, height.
func sortRects(rs []image.Rectangle) []image.Rectangle {
	return slices.SortedFunc(slices.Values(rs), func(a, b image.Rectangle) int {
		return cmp.Or(cmp.Compare(a.Min.X, b.Min.X), cmp.Compare(a.Min.Y, b.Min.Y), cmp.Compare(a.Dx(), b.Dx()), cmp.Compare(a.Dy(), b.Dy()))
	})
}

// difference compares two sets of rectangles in any order, each with its
// multiplicity. It returns "" if they are equal.
func difference(got, want []image.Rectangle) string {
	count := map[image.Rectangle]int{}
	for _, r := range got {
		count[r]++
	}
	for _, r := range want {
		count[r]--
	}
	var extra, missing []image.Rectangle
	for r, n := range count {
		for range n {
			extra = append(extra, r)
		}
		for range -n {
			missing = append(missing, r)
		}
	}
	if len(extra)+len(missing) == 0 {
		return ""
	}
	list := func(rs []image.Rectangle) string {
		var b strings.Builder
		for i, r := range sortRects(rs) {
			if i == 4 {
				b.WriteString(" ...")
				break
			}
			fmt.Fprintf(&b, " (%d,%d %dx%d)", r.Min.X, r.Min.Y, r.Dx(), r.Dy())
		}
		return b.String()
	}
	return fmt.Sprintf("got %d rectangles, want %d; %d too many%s; %d missing%s",
		len(got), len(want), len(extra), list(extra), len(missing), list(missing))
}
