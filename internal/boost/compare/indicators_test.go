package compare

import (
	"math"
	"reflect"
	"testing"

	"haarlem/boost"
	"haarlem/internal/must"
)

func TestIndicators(t *testing.T) {
	nan := math.NaN()
	d := &boost.Data{
		Schema: boost.Schema{
			Names: []string{"x", "colour", "flag", "same", "colour=red"}, Levels: [][]string{nil, {"blue", "green", "red"}, {"no", "yes"}, {"one"}, nil},
			Classes: []string{"no", "yes"},
		},
		Columns: [][]float64{{0.5, nan, -2}, {0, 2, nan}, {1, 0, 1}, {0, 0, 0}, {1, 2, 3}},
		Labels:  []int8{-1, 1, 1}, Weights: []float64{1, 2, 0.5},
	}
	in := Indicators(d)
	must.Do(in.Check())
	if want := []string{"x", "colour=blue", "colour=green", "colour=red'", "flag=yes", "colour=red"}; !reflect.DeepEqual(in.Names, want) || in.Levels != nil {
		t.Errorf("columns %q with levels %q, want %q and none", in.Names, in.Levels, want)
	}
	for j, want := range [][]float64{{0.5, nan, -2}, {1, 0, nan}, {0, 0, nan}, {0, 1, nan}, {1, 0, 1}, {1, 2, 3}} {
		for i, v := range in.Columns[j] {
			if v != want[i] && !(math.IsNaN(v) && math.IsNaN(want[i])) {
				t.Errorf("column %s is %v, want %v", in.Names[j], in.Columns[j], want)
			}
		}
	}
}
