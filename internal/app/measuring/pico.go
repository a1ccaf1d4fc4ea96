package measuring

import (
	"context"
	"image"

	"haarlem/cascade/pico"
	"haarlem/internal/app/cli"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
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
	o := &pico.Options{Scale: v.scale, MinSize: v.minSize, MaxSize: v.maxSize}
	find := func(ctx context.Context, _ string, img image.Image) ([]eval.Found, error) {
		windows, err := m.Search(ctx, nil, samples.Grey(img), o)
		if err != nil {
			return nil, err
		}
		clusters, err := pico.Cluster(ctx, windows, pico.UsualOverlap)
		if err != nil {
			return nil, err
		}
		var all []eval.Found
		for _, c := range clusters {
			all = append(all, eval.Found{Box: c.Box(), Rank: float64(c.Q)})
		}
		return all, nil
	}
	return &eval.Contender{Name: name, Sweep: eval.SweepScore, Find: find}, nil
}
