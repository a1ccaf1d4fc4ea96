package automatic

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/filelock"
	"haarlem/internal/app/training"
	"haarlem/internal/train/auto"
)

const autoText = `Makes a detector of labelled photographs, in one command:

   train-cascade auto -truth cups.csv -bg photos/ -out cup.cascade -object cup

It checks the data and divides them, chooses the size of the window, the augmentation
and the amounts, trains a soft cascade, prunes it, trains two verifiers that also
correct boxes, calibrates scores to probabilities, and measures all on photographs that
were held apart, against -baseline if that is given. Then there are
   cup.cascade          the model
   cup.xml              a cascade with stages for OpenCV, trained on the same data
   cup.md               a page about the model: data, commands, figures
   cup.html             a page about the run: figures, thresholds, errors, suspect labels
   cup.auto/            all that lies between: parts of the data, trainings, settings

If the labels have classes and -out is a folder, it gets a model of each class, CLASS.cascade,
which detect -model FOLDER searches for together. Each has an equal share of -time.

Each step is a command of this program, which is printed and can be run alone. After
an interruption -resume goes on; finished steps are kept. Settings are written to
cup.auto/settings, with what was chosen: -settings reads such a file, and flags come
before it. -resume may bring other flags: what depends on them is done again, and a
larger -numStages adds stages.`

// Auto is auto, whose steps are commands of the program: run runs one.
func Auto(run func(context.Context, []string, *cli.Streams) error) *cli.Command {
	return &cli.Command{
		Name: "auto", Summary: "make a detector of labelled photographs, from the check of the data to the measured model", Text: autoText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &autoFlags{flags: f, run: run, time: 30 * time.Minute, memory: "4GiB", opencv: true}
			f.Group("Data")
			v.declareData(f)
			f.String(&v.object, "object", "`NAME` of what is to be found, in any words: face, \"number plate\", or with a plural of its own bus,buses")
			f.Strings(&v.dataNames, "data-name", "keep the `NAME` of a data set and its terms in the model; may be repeated")
			f.Group("Output")
			f.String(&v.out, "out", "`FILE` for the model, which ends in .cascade; or a folder for a model of each class")
			f.Strings(&v.baselines, "baseline", "measure `[NAME=]MODEL` too, a file in our format or OpenCV's, or a built-in model; may be repeated")
			f.Bool(&v.opencv, "opencv", "also train a cascade with stages for OpenCV; -opencv=false does not (default true)")
			f.Group("Run")
			f.Duration(&v.time, "time", "take about `TIME` for all")
			f.Bool(&v.resume, "resume", "go on where a run was interrupted. Without -out, with the only one in this folder")
			f.Bool(&v.overwrite, "overwrite", "begin anew, even if there is a model or a run that was interrupted")
			f.String(&v.settings, "settings", "read settings from `FILE`, one NAME = VALUE a line, with the names of these flags")
			f.String(&v.memory, "memory", "use no more than about `SIZE`")
			f.Int(&v.workers, "workers", "use `N` goroutines; one for each processor if not given. The model does not depend on it")
			f.Uint64(&v.seed, "seed", "`SEED` of all that is random: the same seed gives the same model, unless -time cuts a step short")
			f.Group("Choices (made from the data and -time if not given)")
			f.Int(&v.plan.Width, "w", "width of the detection window in `PIXELS`")
			f.Int(&v.plan.Height, "height", "height of the detection window in `PIXELS`")
			f.Int(&v.minSize, "min-size", "smallest object to find, in `PIXELS`; the detection window if not given")
			f.Int(&v.plan.Variants, "variants", "make `N` windows of each object")
			f.String(&v.plan.Jitter, "jitter", "vary windows by `EFFECTS`, as in train")
			f.Choice(&v.plan.Mirror, "mirror", []string{"yes", "no"}, "`yes` to learn from mirror images too; no if not")
			f.Choice(&v.plan.Mosaics, "mosaics", []string{"yes", "no"}, "`yes` to put objects on backgrounds, for pictures that show one object and little else")
			f.Choice(&v.plan.Rest, "rest", []string{"yes", "no"}, "`yes` to learn photographs outside their boxes as background; no where they show objects without a box")
			f.Int(&v.plan.Features, "features", "let each round of the soft cascade choose from `N` features")
			f.Int(&v.plan.Rounds, "rounds", "train `N` weak classifiers of the soft cascade")
			f.Int(&v.plan.Stages, "numStages", "train `N` stages of the cascade for OpenCV")
			f.Int(&v.plan.Trees, "trees", "boost `N` trees of each verifier")
			f.Int(&v.plan.BoxTrees, "box-trees", "correct boxes by `N` trees an edge, in each verifier")
			f.Choice(&v.plan.Second, "second", []string{"yes", "no"}, "`yes` for a second verifier after the first, which sees more of the surroundings")
			f.Choice(&v.plan.Network, "network", []string{"yes", "no"}, "`yes` for a small convolutional network in place of the verifiers, however long it takes; no if not given")
			f.Int(&v.plan.Iterations, "iterations", "train each of the network's two steps in `N` iterations")
			return func(ctx context.Context, _ []string) error {
				if v.out != "" && !strings.HasSuffix(v.out, modelEnding) {
					return trainEach(ctx, v, s)
				}
				return autoTrain(ctx, v, s)
			}
		},
	}
}

func autoTrain(ctx context.Context, v *autoFlags, s *cli.Streams) (err error) {
	r := &autoRun{v: v, s: s, journal: &auto.Journal{}, chosen: map[string]bool{}, limits: map[string]int{}}
	if err := r.open(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, r.lock.Release()) }()
	train := func(ctx context.Context) error { return r.all(ctx, r.cascadeSteps()) }
	measure := func(ctx context.Context) error { return r.all(ctx, r.measureSteps()) }
	for _, step := range []func(context.Context) error{
		r.divide, r.choose, train, r.limit, r.verifiers, r.calibrate, r.crossvalidate, measure, r.handOver, r.writeReport, r.sum,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

// open finds the folder, and reads the settings and what is done.
func (r *autoRun) open() error {
	v := r.v
	if v.out == "" && v.resume {
		found, err := filepath.Glob("*" + autoEnding)
		if err != nil {
			return err
		}
		if len(found) != 1 {
			return cli.Usagef("-resume without -out goes on with the only run in this folder, and there are %d: name its model with -out", len(found))
		}
		v.out = strings.TrimSuffix(found[0], autoEnding) + modelEnding
	}
	if err := r.readSettings(v.settings, "-settings: "); err != nil {
		return err
	}
	stem := strings.TrimSuffix(v.out, modelEnding)
	switch {
	case v.out == "":
		return cli.Usagef("no file for the model: give -out NAME.cascade")
	case !training.IsFileName(filepath.Base(stem)):
		return cli.Usagef("-out is %q, want a file that ends in .cascade, of letters, digits, and - _ . within", v.out)
	case v.overwrite && v.resume:
		return cli.Usagef("-overwrite begins anew and -resume goes on: give one of them")
	}
	r.stem, r.work = filepath.ToSlash(stem), filepath.ToSlash(stem)+autoEnding
	for _, there := range []string{v.out, r.work} {
		if _, err := os.Lstat(there); err == nil && !v.resume && !v.overwrite {
			return fmt.Errorf("-out: %s is there already: go on with -resume, begin anew with -overwrite, or name another file", there)
		}
	}
	if v.overwrite {
		if err := os.RemoveAll(r.work); err != nil {
			return err
		}
	}
	if v.resume {
		if err := r.readSettings(r.in(autoSettings), ""); err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
	}
	if len(v.truth) == 0 {
		return cli.Usagef("nothing to find: give -truth FILE")
	}
	if v.time <= 0 {
		return cli.Usagef("-time is %v, want a time such as 30m", v.time)
	}
	if v.object != "" {
		if _, err := cascade.ParseObject(v.object); err != nil {
			return cli.Usagef("-object: %v", err)
		}
	}
	if _, err := training.ParseBytes(v.memory); err != nil {
		return cli.Usage(fmt.Errorf("-memory: %w", err))
	}
	if err := os.MkdirAll(r.work, 0o777); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	var err error
	r.lock, err = filelock.Take(r.in(training.LockFile))
	if held, ok := errors.AsType[*filelock.HeldError](err); ok {
		return fmt.Errorf("-out: another train-cascade%s works in %s: wait for it, or name another file", held.By, r.work)
	} else if err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	if err := r.writeSettings(); err != nil { // for -resume alone
		return err
	}
	r.times = auto.NewTimes(v.time)
	file, err := os.Open(r.in(autoJournal))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer file.Close()
	if r.journal, err = auto.ReadJournal(file); err != nil {
		return fmt.Errorf("%s: %w", r.in(autoJournal), err)
	}
	return nil
}

// choose fills the gaps of the plan in, and writes the settings.
func (r *autoRun) choose(context.Context) error {
	v := r.v
	before := v.plan
	v.plan = auto.NewPlan(v.plan, r.facts, v.time)
	switch p := &v.plan; {
	case p.Mosaics == "yes" && len(v.bg) == 0:
		return cli.Usagef("an object takes %.0f per cent of its picture: give pictures to put it on with -bg, or say -mosaics no", 100*r.facts.Share)
	case p.Rest == "no" && r.facts.Backgrounds == 0:
		return cli.Usagef("no negatives: give -bg with pictures that do not show it, or -rest yes")
	}
	read := time.Duration(r.journal.Seconds(dataStep) * float64(time.Second))
	if enough := auto.Enough(read); v.time < enough {
		fmt.Fprintf(r.s.Err, "train-cascade: -time %v is short: about %v would do, as reading the data took %v. The soft cascade gets %d weak classifiers, even if that takes longer, and finds less than a whole one\n",
			v.time, enough, read.Round(time.Second), min(auto.MinWeak, v.plan.Rounds))
	}
	if v.minSize == 0 {
		v.minSize = min(v.plan.Width, v.plan.Height)
		r.chosen["min-size"] = true
	}
	for name, empty := range map[string]bool{
		"w": before.Width == 0, "height": before.Height == 0, "variants": before.Variants == 0, "jitter": before.Jitter == "", "mirror": before.Mirror == "",
		"mosaics": before.Mosaics == "", "rest": before.Rest == "", "features": before.Features == 0, "rounds": before.Rounds == 0, "numStages": before.Stages == 0,
		"trees": before.Trees == 0, "box-trees": before.BoxTrees == 0, "second": before.Second == "",
		"network": before.Network == "", "iterations": before.Iterations == 0,
	} {
		if empty {
			r.chosen[name] = true
		}
	}
	return r.writeSettings()
}
