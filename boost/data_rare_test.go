package boost

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"haarlem/internal/must"
)

// TestMergeRare: of many levels the frequent ones stay themselves; a model takes levels
// that it has not seen for rare ones.
func TestMergeRare(t *testing.T) {
	d := &Data{Schema: Schema{Names: []string{"zip", "x"}, Levels: [][]string{nil, nil}, Classes: []string{"no", "yes"}}, Columns: make([][]float64, 2)}
	for k := range 400 {
		d.Levels[0] = append(d.Levels[0], fmt.Sprintf("z%03d", k))
	}
	names := slices.Clone(d.Levels[0])
	var was []string
	for k := range 400 { // the odd ones are frequent, and positive
		for i := range 1 + 2*(k%2) {
			d.Columns[0], d.Columns[1] = append(d.Columns[0], float64(k)), append(d.Columns[1], float64(i))
			d.Labels, was = append(d.Labels, int8(2*(k%2)-1)), append(was, names[k])
		}
	}
	if merged := d.MergeRare(); len(merged) != 1 || len(d.Levels[0]) != 255 || d.Levels[0][254] != RareLevel {
		t.Fatalf("merged %v, levels %v", merged, d.Levels[0])
	}
	for i, v := range d.Columns[0] {
		if got := d.Levels[0][int(v)]; got != was[i] && (got != RareLevel || d.Labels[i] > 0) {
			t.Fatalf("row %d: level %q, was %q", i, got, was[i])
		}
	}
	if again := d.MergeRare(); again != nil {
		t.Errorf("merged again: %v", again)
	}
	m := must.Get(Fit(context.Background(), d, &Newton{}, &Trees{}, &Settings{Rounds: 20})).Model
	fresh := &Data{Schema: Schema{Names: d.Names, Levels: [][]string{{"unheard of", "z399"}, nil}}, Columns: [][]float64{{0, 1}, {0, 0}}}
	if n := m.ForgetUnknown(fresh); n != 0 {
		t.Errorf("%d unknown levels", n)
	}
	a := must.Get(m.Align(fresh))
	if got := a.Levels[0][int(a.Columns[0][0])]; got != RareLevel || m.Class(a.Row(nil, 0)) != -1 || m.Class(a.Row(nil, 1)) != 1 {
		t.Errorf("an unknown level becomes %q; scores %v", got, must.Get(m.Scores(a)))
	}
}
