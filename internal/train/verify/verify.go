package verify

import (
	"cmp"
	"context"
	"fmt"

	"haarlem/cascade"
	"haarlem/internal/eval"
)

// chain prepares to train another verifier after those of the cascade: it
// gathers their detections, and has the last one reject as many as possible
// while it loses the fraction Loss of the true positives.
func (t *trainer) chain(ctx context.Context) error {
	gather := t.searchAll
	if t.s.Folds > 0 {
		gather = t.searchFolds
	}
	if err := gather(ctx); err != nil {
		return err
	}
	return t.narrow(t.c)
}

// Train returns a copy of c with a new verifier in place of its own. Equal
// cascades, photographs and settings give equal results.
func Train(ctx context.Context, c *cascade.Cascade, photos []eval.Photo, settings *Settings) (*Result, error) {
	s, err := settings.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := c.Check(); err != nil {
		return nil, err
	}
	t := &trainer{s: s, photos: photos}
	gather := t.gather
	switch {
	case s.Second && c.Verifier == nil:
		return nil, fmt.Errorf("%w: Second, but the cascade has no verifier", ErrSettings)
	case s.Second:
		t.c, gather = withCopies(c), t.chain
	default:
		if t.c = c.Cut(cmp.Or(s.Keep, len(c.Weak))); t.c == nil {
			return nil, fmt.Errorf("%w: Keep %d, but the first exit is after %d weak classifiers", ErrSettings, s.Keep, c.Exits[0].After)
		}
	}
	if err := gather(ctx); err != nil {
		return nil, err
	}
	positives := len(t.right)
	v, err := t.verifier(ctx)
	if err != nil {
		return nil, err
	}
	out := *t.c
	if s.Second {
		last(&out).Next = v
	} else {
		out.Verifier = v
	}
	if err := out.Check(); err != nil {
		return nil, err
	}
	return &Result{Cascade: &out, Trees: len(v.Trees), Positives: positives, Negatives: len(t.wrong), Looser: t.looser}, nil
}
