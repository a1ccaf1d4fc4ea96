package boost

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"haarlem/internal/must"
)

// TestCover: leaves have the weights of the rows that come to them, and files keep
// that, and the threshold, by which rows are of class +1.
func TestCover(t *testing.T) {
	d := mixture(300, 3)
	res := must.Get(Fit(context.Background(), d, &Newton{}, &Trees{Leaves: 5}, &Settings{Rounds: 8}))
	m, before := res.Model, saved(t, res.Model)
	d.Weights = make([]float64, d.Rows())
	for i := range d.Weights {
		d.Weights[i] = float64(i % 3)
	}
	must.Do(m.Cover(d))
	for k, term := range m.Terms {
		tree := term.Weak.(*Tree)
		want := make([]float64, len(tree.Leaves))
		for i, w := range d.Weights {
			want[tree.leaf(d.Row(nil, i))] += w
		}
		if !reflect.DeepEqual(tree.Covers, want) {
			t.Fatalf("term %d: covers %v, want %v", k, tree.Covers, want)
		}
	}
	wrong := must.Get(m.Error(d))
	m.Threshold = 0.9
	high := must.Get(m.Error(d))
	text := saved(t, m)
	got := must.Get(Load(strings.NewReader(text)))
	if !reflect.DeepEqual(got.Terms, m.Terms) || got.Threshold != 0.9 || saved(t, got) != text || text == before {
		t.Errorf("what is read is another model:\n%s", text)
	}
	sum := 0.0
	for i, w := range d.Weights {
		x := d.Row(nil, i)
		if c := got.Class(x); c > 0 != (got.Probability(x) >= 0.9) {
			t.Fatalf("row %d: class %d, probability %v", i, c, got.Probability(x))
		} else if c != d.Labels[i] {
			sum += w
		}
	}
	if high == wrong || high-sum/float64(d.Rows()) > 1e-9 || sum/float64(d.Rows())-high > 1e-9 {
		t.Errorf("error %v at 0.9, %v before, counted %v", high, wrong, sum/float64(d.Rows()))
	}
	for _, c := range [][2]string{{"threshold 0.9", "threshold 1.5"}, {"covered ", "tree "}, {"leaf ", "leaf x "}} {
		if _, err := Load(strings.NewReader(strings.Replace(text, c[0], c[1], 1))); !errors.Is(err, ErrFormat) {
			t.Errorf("%q for %q: %v", c[1], c[0], err)
		}
	}
}
