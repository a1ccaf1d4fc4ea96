package compare

import (
	"reflect"
	"testing"

	"haarlem/internal/must"
)

func TestFoldsAreStratified(t *testing.T) {
	tab := table(t, "balance-even")
	for _, k := range []int{2, 3, 10, 49} {
		folds := must.Get(stratified(tab.Labels, k, 4))
		size, positives := make([]int, k), make([]int, k)
		for row, f := range folds {
			size[f]++
			if tab.Labels[row] > 0 {
				positives[f]++
			}
		}
		for f := range k {
			if size[f] < 625/k || size[f] > 625/k+1 || positives[f] < 49/k || positives[f] > 49/k+1 {
				t.Errorf("%d folds: fold %d has %d rows, %d positive", k, f, size[f], positives[f])
			}
			train, test := split(folds, f)
			if len(test) != size[f] || len(train)+len(test) != 625 {
				t.Errorf("%d folds: fold %d is split %d to %d", k, f, len(train), len(test))
			}
		}
		again, _ := stratified(tab.Labels, k, 4)
		other, _ := stratified(tab.Labels, k, 5)
		if !reflect.DeepEqual(again, folds) || reflect.DeepEqual(other, folds) {
			t.Errorf("%d folds: the seed does not decide", k)
		}
	}
	if _, err := stratified(tab.Labels, 50, 0); err == nil {
		t.Error("50 folds of 49 positives were made")
	}
	if _, err := stratified(tab.Labels, 1, 0); err == nil {
		t.Error("one fold was made")
	}
}
