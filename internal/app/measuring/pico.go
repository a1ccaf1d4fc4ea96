package measuring

import (
	"context"
	"image"
	"math"

	"haarlem/cascade/pico"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/search"
	"haarlem/internal/eval"
)

// picoContender measures a cascade of pico, searched as in pigo's documentation.
func (v *evalFlags) picoContender(name, file string) (*eval.Contender, error) {
	for _, flag := range []string{"min-neighbors", "enlarge", "shard", "from"} {
		if v.flags.Given(flag) {
			return nil, cli.Usagef("-%s is not for a cascade of pico, which %s is", flag, name)
		}
	}
	if v.sweep == "neighbors" || v.sweep == "neighbours" {
		return nil, cli.Usagef("-sweep %s is not for a cascade of pico, which %s is: its detections are ranked by score", v.sweep, name)
	}
	m, err := pico.Open(file)
	if err != nil {
		return nil, err
	}
	f := &search.PicoFinder{Model: m, Options: pico.Options{Scale: v.scale, MinSize: v.minSize, MaxSize: v.maxSize}, MinScore: math.Inf(-1)}
	find := func(ctx context.Context, _ string, img image.Image) ([]eval.Found, error) {
		found, err := f.Detect(ctx, img)
		all := make([]eval.Found, len(found))
		for i, d := range found {
			all[i] = eval.Found{Box: d.Box, Rank: d.Score}
		}
		return all, err
	}
	return &eval.Contender{Name: name, Sweep: eval.SweepScore, Find: find}, nil
}
