package verify

import (
	"context"
	"fmt"
	"image"
	"math"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/eval"
)

// passAll is added to margins, so that a verifier rejects nothing.
const passAll = 1000

// Apart returns what is found in each photograph by c with a verifier that learned from
// others, by cross-validation in Folds parts: once for each share of the photographs to
// learn from, which makes a learning curve. Detections have margins of any value. The
// cascade itself is not trained again.
func Apart(ctx context.Context, c *cascade.Cascade, photos []eval.Photo, shares []float64, settings *Settings) ([][][]eval.Found, error) {
	v := *settings
	v.Folds = 0
	s, err := v.withDefaults()
	if err != nil {
		return nil, err
	}
	if s.Folds = settings.Folds; s.Folds < 2 || s.Second {
		return nil, fmt.Errorf("%w: Folds %d, want at least 2, without Second", ErrSettings, s.Folds)
	}
	bare := bareOf(c)
	all := &trainer{s: s, c: &bare, photos: photos}
	if err := all.gather(ctx); err != nil {
		return nil, err
	}
	found := make([][][]eval.Found, len(shares))
	fold := all.folds()
	for n, share := range shares {
		found[n] = make([][]eval.Found, len(photos))
		for k := range s.Folds {
			others := all.without(fold, k).only(share)
			if len(others.right) == 0 || len(others.wrong) == 0 {
				return nil, fmt.Errorf("%w: without part %d of %d there are %d true positives and %d false positives in %g of the photographs, want some of both", ErrData, k+1, s.Folds, len(others.right), len(others.wrong), share)
			}
			of := bare
			if of.Verifier, err = others.verifier(ctx); err != nil {
				return nil, err
			}
			for i, leaves := 0, of.Verifier.Trees[0].Leaves; i < len(leaves); i++ {
				leaves[i] += float32(passAll / s.Weight)
			}
			search := s.Search
			search.Overlapping = false
			d, err := detector.New(&search, &of)
			if err != nil {
				return nil, err
			}
			err = all.each(ctx, "searching", func(i int) bool { return fold[i] == k }, func(ctx context.Context, i int, g *image.Gray) error {
				ds, err := d.AppendDetect(ctx, nil, g)
				for _, f := range ds {
					found[n][i] = append(found[n][i], eval.Found{Box: f.Box, Rank: f.Score - passAll})
				}
				return err
			})
			if err != nil {
				return nil, err
			}
		}
	}
	return found, nil
}

// bareOf returns a cascade without what comes after it.
func bareOf(c *cascade.Cascade) cascade.Cascade {
	bare := *c
	bare.Verifier, bare.Network, bare.Calibration, bare.Search.MinScore = nil, nil, nil, 0
	return bare
}

// only returns a trainer with the candidates of a share of the photographs with objects,
// evenly.
func (t *trainer) only(share float64) *trainer {
	kept, n := map[int]bool{}, 0.0
	for i := range t.photos {
		if len(t.photos[i].Objects) > 0 {
			n++
			kept[i] = math.Floor(n*share) > math.Floor((n-1)*share)
		}
	}
	return t.where(func(photo int) bool {
		in, counts := kept[photo]
		return in || !counts
	})
}
