package task

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/cloud/storage"
	"haarlem/internal/app/shard"
	"haarlem/internal/app/shard/mining"
	"haarlem/internal/app/shard/operation"
	"haarlem/internal/eval"
	"haarlem/internal/searchopts"
	"haarlem/models"
	"haarlem/picture"
)

// Modes are the operations.
var Modes = []string{"detect", "blur", "pixelate", "eval", "mine"}

// Settings are the flags, also as they travel to other machines.
type Settings struct {
	Mode   string
	List   string // where the names are
	Output string // where the shards go
	Shards int

	Model      string
	Format     string
	MinSize    string
	MaxSize    string
	Scale      float64
	MinScore   float64 // 0 means the model's
	MaxPixels  int64
	Strict     bool
	Margin     float64
	Seed       uint64
	MaxWindows int
	Workers    int // 0 means GOMAXPROCS
}

// Declare declares the flags, with their defaults.
func (s *Settings) Declare(f *flag.FlagSet) {
	f.StringVar(&s.Mode, "mode", "detect", "what to do: "+strings.Join(Modes, ", "))
	f.StringVar(&s.List, "list", "", "`FILE` of names, one a line, where all workers see it: a path, s3://BUCKET/KEY or gs://BUCKET/KEY")
	f.StringVar(&s.Output, "output", "", "`PLACE` of the shards: a folder, s3://BUCKET/PREFIX or gs://BUCKET/PREFIX")
	f.IntVar(&s.Shards, "shards", 1, "number of shards")
	f.StringVar(&s.Model, "model", models.Default, "a built-in model, or a file")
	f.StringVar(&s.Format, "format", "jsonl", "jsonl or csv")
	f.StringVar(&s.MinSize, "min-size", "", "smallest object, 40 or 40x60 pixels")
	f.StringVar(&s.MaxSize, "max-size", "", "largest object")
	f.Float64Var(&s.Scale, "scale", 0, "factor between levels of the image pyramid; 0 for the model's, or 1.1")
	f.Float64Var(&s.MinScore, "min-score", 0, "smallest score; the model's own if not given")
	f.Int64Var(&s.MaxPixels, "max-pixels", 100e6, "refuse pictures with more pixels")
	f.BoolVar(&s.Strict, "strict", false, "refuse a JPEG or PNG that ends too early")
	f.Float64Var(&s.Margin, "margin", picture.UsualMargin, "also hide so much of a box's size around it")
	f.Uint64Var(&s.Seed, "seed", 0, "by which -mode mine chooses windows")
	f.IntVar(&s.MaxWindows, "max", 100, "windows of a picture that -mode mine takes at most")
	f.IntVar(&s.Workers, "workers", 0, "goroutines; one for each processor if not given")
}

// A Task is settings made ready.
type Task struct {
	Settings
	Job       *shard.Job
	Store     shard.Store
	operation shard.Operation
	places    *storage.Places
}

// ErrSettings is what errors about settings wrap.
var ErrSettings = errors.New("wrong flags")

// Exit ends a program: with the status 2 where its flags are wrong, and with 1 after
// another error, which it prints.
func Exit(program string, err error) {
	if err == nil || errors.Is(err, flag.ErrHelp) {
		os.Exit(0)
	}
	fmt.Fprintf(os.Stderr, "%s: %v\n", program, err)
	if errors.Is(err, ErrSettings) {
		os.Exit(2)
	}
	os.Exit(1)
}

// Open makes everything that is needed for shards.
func Open(s Settings) (*Task, error) {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("%w: %s", ErrSettings, fmt.Sprintf(format, args...))
	}
	if s.List == "" || s.Output == "" {
		return nil, bad("-list and -output are needed")
	}
	if s.Shards < 1 || s.Shards > shard.MaxShards {
		return nil, bad("-shards %d: want 1 to %d", s.Shards, shard.MaxShards)
	}
	if !slices.Contains(Modes, s.Mode) {
		return nil, bad("-mode %q: want one of %s", s.Mode, strings.Join(Modes, ", "))
	}
	t := &Task{Settings: s, places: &storage.Places{}}
	var err error
	if t.Store, err = t.places.Store(s.Output); err != nil {
		return nil, bad("-output: %v", err)
	}
	if t.operation, err = s.operation(t.places, t.Store); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrSettings, err)
	}
	t.Job, err = t.operation.Job(s.Shards)
	return t, err
}

// Run does one shard.
func (t *Task) Run(ctx context.Context, index int) (*shard.Outcome, error) {
	list, err := t.places.Open(ctx, t.List)
	if err != nil {
		return nil, fmt.Errorf("-list: %w", err)
	}
	defer list.Close()
	return shard.Run(ctx, t.Job, index, list, t.Store, t.Workers, t.operation.Work)
}

// Merge checks that all shards are there, and writes their results and failures in the
// order of a list, if its location is not empty, otherwise shard by shard.
func Merge(ctx context.Context, place, list string, results, failures io.Writer) (*shard.Finished, error) {
	places := &storage.Places{}
	store, err := places.Store(place)
	if err != nil {
		return nil, err
	}
	f, err := shard.Check(ctx, store)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", place, err)
	}
	if list == "" {
		return f, errors.Join(f.Results(ctx, results), f.Failures(ctx, failures))
	}
	names, err := places.Open(ctx, list)
	if err != nil {
		return nil, fmt.Errorf("-list: %w", err)
	}
	return f, errors.Join(f.InOrder(ctx, names, results, failures), names.Close())
}

func (s *Settings) operation(source operation.Source, out shard.Store) (shard.Operation, error) {
	c, err := openModel(s.Model)
	if err != nil {
		return nil, err
	}
	if s.Mode == "mine" {
		return mining.NewMine(source, c, s.Seed, s.MaxWindows)
	}
	o := detector.Options{Scale: s.Scale, Enlarge: 1, MinScore: s.MinScore}
	for _, size := range []struct {
		flag, text string
		into       *image.Point
	}{{"-min-size", s.MinSize, &o.MinSize}, {"-max-size", s.MaxSize, &o.MaxSize}} {
		if size.text == "" {
			continue
		}
		if *size.into, err = searchopts.Size(size.text); err != nil {
			return nil, fmt.Errorf("%s %q: %w", size.flag, size.text, err)
		}
	}
	if s.MinScore < 0 || math.IsNaN(s.MinScore) {
		return nil, fmt.Errorf("-min-score %v: want 0 or more", s.MinScore)
	}
	if s.Mode == "eval" {
		contender, err := eval.Detector(s.Model, &eval.DetectorOptions{Search: o}, c)
		if err != nil {
			return nil, err
		}
		return operation.NewEvaluate(source, []*eval.Contender{contender}, []*cascade.Cascade{c}, struct {
			Scale   float64 `json:"scale"`
			MinSize string  `json:"minSize"`
			MaxSize string  `json:"maxSize"`
		}{s.Scale, s.MinSize, s.MaxSize})
	}
	changed := *c
	switch {
	case s.MinScore > 0:
		changed.Search.MinScore = 0
	case s.Mode != "detect": // what is doubtful is hidden too, as detect blur does
		changed.Search.MinScore = min(changed.Search.MinScore, 0.1)
	}
	d, err := operation.NewDetect(source, picture.Options{MaxPixels: s.MaxPixels, Partial: !s.Strict}, o, &changed, s.Format)
	if err != nil || s.Mode == "detect" {
		return d, err
	}
	return operation.NewBlur(d, out, s.Margin, s.Mode == "blur")
}

func openModel(name string) (*cascade.Cascade, error) {
	if slices.Contains(models.Names(), name) {
		return models.Open(name)
	}
	c, err := cascade.Open(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("-model %s: there is no such file, and %s", name, models.Instead(name))
	}
	return c, err
}
