package compare

import (
	"context"
	"testing"

	"haarlem/boost"
	"haarlem/internal/boost/catalogue"
	"haarlem/internal/must"
)

// TestInfiniteAnswersDrownOthers shows why AdaBoostR's default outputs are
// means. The pure sides of monomials on the first of the monks problems are
// small; with infinite outputs there, everything else keeps the score 0, which
// counts as +1: an error of one half.
func TestInfiniteAnswersDrownOthers(t *testing.T) {
	recipe, err := catalogue.ParseRecipe("monks1")
	if err != nil {
		t.Fatal(err)
	}
	table, err := recipe.Table()
	if err != nil {
		t.Fatal(err)
	}
	d := Indicators(table)
	fit := func(b boost.Booster) (wrong float64, unanswered int) {
		res, err := boost.Fit(context.Background(), d, b, &boost.Monomials{}, &boost.Settings{Rounds: 50})
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range must.Get(res.Model.Scores(d)) {
			if s == 0 {
				unanswered++
			}
		}
		return must.Get(res.Model.Error(d)), unanswered
	}
	if e, n := fit(&boost.AdaBoostR{}); !(e < 0.3) || n > 0 {
		t.Errorf("default: error %.3f, %d rows of score 0; want less than 0.3 and none", e, n)
	}
	if e, n := fit(&boost.AdaBoostR{Leaf: boost.Leaf{Kind: boost.Logit}}); !(e > 0.4) || n < d.Rows()/3 {
		t.Errorf("infinite answers: error %.3f, %d rows of score 0; the comment says one half", e, n)
	}
	if e, n := fit(&boost.AdaBoostR{Leaf: boost.Leaf{Kind: boost.Logit, Smooth: 1. / 432}}); !(e < 0.3) || n > 0 {
		t.Errorf("smoothed: error %.3f, %d rows of score 0; want less than 0.3 and none", e, n)
	}
}
