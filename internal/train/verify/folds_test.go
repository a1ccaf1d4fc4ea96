package verify

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"testing"

	"haarlem/internal/eval"
	"haarlem/internal/must"
)

// A verifier makes hardly a mistake on what it learned from. With folds a second one
// learns from mistakes on photographs that the first has not seen.
func TestFolds(t *testing.T) {
	photos := world(t, 1, 15)
	s := small
	s.Trees, s.Depth, s.Share, s.BoxTrees, s.Copies = 8, 4, 0.002, 3, 2
	one := must.Get(Train(context.Background(), blobs(), photos, &s))
	s.Second, s.Context, s.Loss = true, 2, 0.1
	plain := must.Get(Train(context.Background(), one.Cascade, photos, &s))
	s.Folds = 3
	apart := must.Get(Train(context.Background(), one.Cascade, photos, &s))
	if apart.Negatives < 5*plain.Negatives {
		t.Errorf("%d false positives with folds, %d without", apart.Negatives, plain.Negatives)
	}
	if a, b := apart.Cascade.Verifier, one.Cascade.Verifier; !reflect.DeepEqual(a.Boxes, b.Boxes) || !reflect.DeepEqual(a.Trees[1:], b.Trees[1:]) {
		t.Error("the first verifier is another one")
	}
	s.Workers = 1
	again := must.Get(Train(context.Background(), one.Cascade, photos, &s))
	if !reflect.DeepEqual(again, apart) {
		t.Error("another verifier with one worker")
	}

	for name, s := range map[string]Settings{"alone": {Folds: 3}, "one": {Second: true, Folds: 1}, "less": {Second: true, Folds: -2}} {
		if _, err := Train(context.Background(), one.Cascade, photos, &s); !errors.Is(err, ErrSettings) {
			t.Errorf("%s: error %v, want ErrSettings", name, err)
		}
	}
	s.Loss = 0.001
	three := must.Get(Train(context.Background(), apart.Cascade, photos, &s))
	s.Folds = 0
	plain = must.Get(Train(context.Background(), apart.Cascade, photos, &s))
	if three.Negatives <= plain.Negatives {
		t.Errorf("a third verifier has %d false positives with folds, %d without", three.Negatives, plain.Negatives)
	}
	s.Folds = 3
	few := slices.DeleteFunc(slices.Clone(photos), func(p eval.Photo) bool { return len(p.Objects) > 0 && p.File != photos[1].File })
	if _, err := Train(context.Background(), one.Cascade, few, &s); !errors.Is(err, ErrData) {
		t.Errorf("error %v with objects in one part only, want ErrData", err)
	}
}

// Photographs of a group are in one part, and both kinds are spread.
func TestParts(t *testing.T) {
	of := func(who string) eval.Photo {
		return eval.Photo{Objects: []eval.Object{{Tags: map[string]string{"who": who}}}}
	}
	tr := trainer{s: Settings{Folds: 2, Group: "who"}, photos: []eval.Photo{of("a"), {}, of("b"), of("a"), of("c"), {}, of("b"), of("d"), {}}}
	if got, want := tr.folds(), []int{0, 0, 1, 0, 0, 1, 1, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("parts %v, want %v", got, want)
	}
	tr.s.Group = ""
	if got, want := tr.folds(), []int{0, 0, 1, 0, 1, 1, 0, 1, 0}; !slices.Equal(got, want) {
		t.Errorf("without groups: parts %v, want %v", got, want)
	}
}
