package program

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"

	"haarlem/cascade"
	"haarlem/internal/kernel/lanes"
	"haarlem/internal/must"
)

// TestIn compares programs placed in another layout with those compiled for it: of
// cascades of all kinds.
func TestIn(t *testing.T) {
	ctx := context.Background()
	shapes, turned := map[lanes.Shape]int{}, 0
	files := must.Get(filepath.Glob("../../cascade/detector/testdata/parity/*.xml"))
	files = append(files, must.Get(filepath.Glob("../../models/frontalfacetiny/*.cascade"))...)
	for seed := range 3 * len(files) {
		file := files[seed%len(files)]
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		c := must.Get(cascade.Open(file))
		for i := 0; i < len(c.Features) && seed%2 == 0; i += 9 {
			c.Features[i].Rects[1].Weight = 1.25 // which lanes cannot hold
		}
		layouts := []Layout{
			{Step: c.Width + 1, Plane: lanes.Width, Stride: (c.Width + 1) * lanes.Width},
			NewLayout(c, 100+r.IntN(2000), 1, 50),
			NewLayout(c, 100+r.IntN(2000), 2, 99),
			NewLayout(c, 100+r.IntN(2000), 3, 70),
		}
		layouts = append(layouts, layouts[2])
		layouts[4].Right = 1
		for i, from := range layouts {
			p := must.Get(Compile(ctx, c, from))
			for j, to := range layouts {
				want := must.Get(Compile(ctx, c, to))
				got := must.Get(p.In(ctx, to))
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("%s: from layout %d to %d: %s", file, i, j, difference(got, want))
				}
			}
			for _, s := range p.sources {
				shapes[p.values[s.feature].shape]++
				if s.turned {
					turned++
				}
			}
		}
	}
	if len(shapes) != 6 || turned == 0 {
		t.Errorf("of shapes %v, %d turned: not all are tested", shapes, turned)
	}
}

// difference names the first field that differs.
func difference(a, b *Program) string {
	x, y := reflect.ValueOf(a).Elem(), reflect.ValueOf(b).Elem()
	for i := range x.NumField() {
		if f, g := fmt.Sprint(x.Field(i)), fmt.Sprint(y.Field(i)); f != g {
			return x.Type().Field(i).Name
		}
	}
	return "none"
}
