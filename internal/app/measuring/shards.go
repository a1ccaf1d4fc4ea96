package measuring

import (
	"context"
	"fmt"
	"io"
	"strings"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/output"
	"haarlem/internal/app/shard"
	"haarlem/internal/app/shard/operation"
	"haarlem/internal/eval"
)

// evalSettings are what a shard's results depend on, but the models.
type evalSettings struct {
	Scale        float64 `json:"scale"`
	Enlarge      float64 `json:"enlarge"`
	MinSize      int     `json:"minSize"`
	MaxSize      int     `json:"maxSize"`
	MinNeighbors int     `json:"minNeighbors"`
	EveryGroup   bool    `json:"everyGroup,omitempty"`
	Sweep        string  `json:"sweep"`
}

// operation is what a shard does with a photograph.
func (v *evalFlags) operation(contenders []*eval.Contender) (*operation.Evaluate, error) {
	if len(v.detections) > 0 {
		return nil, cli.Usagef("-detections is not for -shard and -from: its file is measured without a search")
	}
	return operation.NewEvaluate(operation.Files{}, contenders, v.cascades, evalSettings{
		v.scale, v.enlarge, v.minSize, v.maxSize, v.minNeighbors, v.flags.Given("min-neighbors"), v.sweep,
	})
}

// photoNames is the list of which the shards are parts.
func photoNames(photos []eval.Photo) (io.Reader, error) {
	var b strings.Builder
	for _, p := range photos {
		if strings.ContainsAny(p.File, "\r\n\x00") {
			return nil, fmt.Errorf("%q: shards cannot have photographs with such names", p.File)
		}
		b.WriteString(p.File + "\n")
	}
	return strings.NewReader(b.String()), nil
}

// search does one shard.
func (v *evalFlags) search(ctx context.Context, photos []eval.Photo, contenders []*eval.Contender, stdout io.Writer) error {
	if v.out == "" {
		return cli.Usagef("-shard: -out is missing: where shall the shards go?")
	}
	p, err := shard.ParsePart(v.shard)
	if err != nil {
		return cli.Usagef("-shard %v", err)
	}
	o, err := v.operation(contenders)
	if err != nil {
		return err
	}
	names, err := photoNames(photos)
	if err != nil {
		return err
	}
	done, err := shard.Do(ctx, o, p, names, shard.Folder(v.out), v.workers)
	if err != nil {
		return fmt.Errorf("shard %v: %w", p, err)
	}
	how := ""
	if done.Skipped {
		how = ", skipped: it was finished"
	}
	_, err = fmt.Fprintf(stdout, "shard %v: %s of %d, %d failed%s\n", p, output.Count(int(done.Names), "photograph"), done.List.Names, done.Failed, how)
	return err
}

// gather puts all shards together.
func (v *evalFlags) gather(ctx context.Context, photos []eval.Photo, contenders []*eval.Contender) (*eval.Set, error) {
	o, err := v.operation(contenders)
	if err != nil {
		return nil, err
	}
	f, err := shard.Check(ctx, shard.Folder(v.from))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", v.from, err)
	}
	job, err := o.Job(f.Job.Shards)
	if err != nil {
		return nil, err
	}
	want, err := job.Fingerprint()
	if err != nil {
		return nil, err
	}
	if have, err := f.Job.Fingerprint(); err != nil || have != want {
		return nil, fmt.Errorf("%s: %w: give the flags of the shards", v.from, shard.ErrOtherJob)
	}
	return o.Set(ctx, f, photos)
}
