package automatic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/app/refining"
	"haarlem/internal/app/training"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
	"haarlem/internal/train"
	"haarlem/internal/train/auto"
	"haarlem/internal/train/network"
	"haarlem/internal/train/verify"
)

// divide divides the data, which all that follows depends on.
func (r *autoRun) divide(ctx context.Context) error {
	v := r.v
	given := v.flags.Repeat([]string{"truth", "bg", "format", "where", "template", "split", "group", "skip-unreadable", "seed"}, nil, nil)
	if err := r.do(ctx, &auto.Step{Name: dataStep, Args: slices.Concat([]string{"divide"}, given, []string{"-out", r.in(dataStep), "-overwrite"})}); err != nil {
		return err
	}
	r.facts = &auto.Facts{}
	return input.ReadJSON(r.in(dataStep+"/"+factsFile), r.facts)
}

// part is where a part's labelled photographs are: mosaics, where these are made.
func (r *autoRun) part(name string) string {
	if r.v.plan.Mosaics == "yes" {
		return r.in("mosaics-" + name + "/truth.csv")
	}
	return r.in(dataStep + "/" + name + ".csv")
}

// backgrounds are the flags that name a part's, fewer where time is short.
func (r *autoRun) backgrounds(list string) []string {
	file := r.in(dataStep + "/" + list + "-bg.txt")
	if r.limits[list] > 0 {
		file = r.in(dataStep + "/" + list + "-bg-fewer.txt")
	}
	if !hasPictures(file) {
		return nil
	}
	return []string{"-bg", file}
}

// hasPictures reports whether a list has any: divide says in a comment that there are
// none.
func hasPictures(list string) bool {
	files, err := samples.ListPictures(list)
	return err == nil && len(files) > 0
}

func (r *autoRun) seed() []string { return []string{"-seed", strconv.FormatUint(r.v.seed, 10)} }

func (r *autoRun) smallest() []string { return []string{"-min-size", strconv.Itoa(r.v.minSize)} }

// running are the flags that have no say in the result.
func (r *autoRun) running(memory bool) []string {
	var args []string
	if memory {
		args = append(args, "-memory", r.v.memory)
	}
	if r.v.workers > 0 {
		args = append(args, "-workers", strconv.Itoa(r.v.workers))
	}
	return args
}

func words(parts ...any) []string {
	var args []string
	for _, p := range parts {
		switch p := p.(type) {
		case string:
			args = append(args, p)
		case int:
			args = append(args, strconv.Itoa(p))
		case []string:
			args = append(args, p...)
		case time.Duration:
			args = append(args, p.Round(time.Second).String())
		default:
			panic(fmt.Sprintf("words: %T", p))
		}
	}
	return args
}

// cascadeSteps make pictures and train the cascades.
func (r *autoRun) cascadeSteps() []auto.Step {
	v, p := r.v, &r.v.plan
	var steps []auto.Step
	after := []string{dataStep}
	if p.Mosaics == "yes" {
		for i, part := range auto.PartNames {
			largest := max(8*v.minSize, int(r.facts.Size))
			steps = append(steps, auto.Step{Name: "mosaics-" + part, After: []string{dataStep}, Args: words(
				"mosaic", "-truth", r.in(dataStep+"/"+part+".csv"), "-bg", r.in(dataStep+"/"+part+"-bg.txt"), "-out", r.in("mosaics-"+part), "-overwrite",
				"-min-size", max(p.Width, p.Height), "-max-size", largest, "-smallest", 2*max(p.Width, p.Height), "-seed", strconv.FormatUint(v.seed+uint64(i), 10), r.running(false))})
			after = append(after, "mosaics-"+part)
		}
	}
	objects := words("-truth", r.in(dataStep+"/train.csv"), "-template", "none", "-min-size", 3*max(p.Width, p.Height)/4)
	var rest []string
	if p.Rest == "yes" {
		rest = []string{"-use-rest"}
	}
	window := words("-w", p.Width, "-h", p.Height, "-variants", p.Variants)
	if p.Mirror == "yes" {
		window = append(window, "-mirror")
	}
	name := filepath.Base(r.stem)
	about := []string{"-name", name}
	if v.object != "" {
		about = append(about, "-object", v.object)
	}
	for _, d := range v.dataNames {
		about = append(about, "-data-name", d)
	}
	apart := words("-val-report", "-val-truth", r.in(dataStep+"/dev.csv"))
	if list := r.in(dataStep + "/dev-bg.txt"); hasPictures(list) {
		apart = append(apart, "-val-bg", list)
	}
	soft := words("train", objects, r.backgrounds("train"), rest, apart, window, "-jitter", p.Jitter, "-shape", "soft", "-bt", "RAB", "-weak", "histogram", "-mode", "CORE",
		"-rounds", p.Rounds, "-features", p.Features, "-loss", "0.1", "-prefilter-from", 2, "-acceptanceRatioBreakValue", "1e-06", "-numNeg", r.negatives(), "-turn-bg", 2, "-time", r.times.Cascade, "-min-weak", min(auto.MinWeak, p.Rounds), about, r.seed(), r.running(true), "-data", r.in(cascadeStep))
	steps = append(steps, auto.Step{Name: cascadeStep, Args: soft, After: []string{dataStep}})
	if v.opencv {
		staged := words("train", objects, r.backgrounds("train"), rest, apart, window, "-jitter", p.Jitter, "-shape", "staged", "-bt", "GAB", "-weak", "tree", "-maxDepth", 3, "-mode", "CORE",
			"-numStages", p.Stages, "-minHitRate", "0.99", "-maxFalseAlarmRate", fmt.Sprint(openCVFalseAlarm), "-maxWeakCount", 150, "-features", p.Features, "-share", "0.2", "-numNeg", r.negatives(), "-cost", 6, "-turn-bg", 2,
			"-time", r.times.OpenCV, about, r.seed(), r.running(true), "-data", r.in(openCVStep))
		steps = append(steps, auto.Step{Name: openCVStep, Args: staged, After: []string{dataStep}})
	}
	return append(steps, auto.Step{Name: pruneStep, After: append(after, cascadeStep), Args: words(
		"prune", "-model", r.in(cascadeStep+"/"+name+modelEnding), "-truth", r.part("train"), "-loss", "0.01", "-min-candidates", 1, "-pad", 25, r.smallest(), r.running(false), "-out", r.in(pruneStep+modelEnding), "-overwrite")})
}

// negatives is how many negatives each step of a training learns from.
func (r *autoRun) negatives() int {
	n := r.facts.Objects * r.v.plan.Variants
	if r.v.plan.Mirror == "yes" {
		n *= 2
	}
	return min(max(n, 1000), 40000)
}

// verifiers trains the verifiers, each after the one before, or a network, and notes
// which model is the last. A cascade that makes no mistake on what it learned from has
// nothing to teach them.
func (r *autoRun) verifiers(ctx context.Context) error {
	p := &r.v.plan
	data := words("-truth", r.part("train"), r.backgrounds("train"))
	if r.limits["verify"] > 0 {
		data = words("-truth", r.part("train"), r.backgrounds("verify"))
	}
	r.last = pruneStep
	if p.Network == "yes" {
		if p.Mirror == "no" {
			data = append(data, "-one-way")
		}
		made, err := r.try(ctx, network.ErrData, &auto.Step{Name: networkStep, After: []string{pruneStep}, Args: words(
			"network", "-model", r.in(pruneStep+modelEnding), data, "-iterations", p.Iterations, r.smallest(), r.seed(), r.running(false), "-data", r.in(networkStep), "-out", r.in(networkStep+modelEnding), "-overwrite")})
		if made {
			r.last = networkStep
		}
		return err
	}
	if p.Mirror == "yes" {
		data = append(data, "-mirror")
	}
	how := words("-trees", p.Trees, "-depth", 4, "-box-trees", p.BoxTrees, "-copies", 4, r.smallest(), r.seed(), r.running(false))
	all := []struct {
		name string
		args []string
	}{{firstStep, words("-sides", "1.6")}, {secondStep, words("-second", "-context", "2.5", "-loss", "0.02", "-folds", 3)}}
	if r.v.group != "" && p.Mosaics == "no" {
		all[1].args = append(all[1].args, "-group", r.v.group)
	}
	if p.Second == "no" {
		all = all[:1]
	}
	for _, one := range all {
		made, err := r.try(ctx, verify.ErrData, &auto.Step{Name: one.name, After: []string{r.last}, Args: words(
			"verifier", "-model", r.in(r.last+modelEnding), data, one.args, how, "-out", r.in(one.name+modelEnding), "-overwrite")})
		if err != nil || !made {
			return err
		}
		r.last = one.name
	}
	return nil
}

// calibrate makes scores probabilities. A detector that makes no mistake on the part
// to calibrate with has no scores to learn that from, and stays as it is.
func (r *autoRun) calibrate(ctx context.Context) error {
	from := r.in(r.last + modelEnding)
	made, err := r.try(ctx, eval.ErrCalibration, &auto.Step{Name: calibrateStep, After: []string{r.last}, Args: words(
		"calibrate", "-model", from, "-truth", r.part("dev"), r.backgrounds("dev"), r.smallest(), r.running(false), "-out", r.v.out, "-overwrite")})
	if err != nil || made {
		return err
	}
	r.uncalibrated = true
	return copyWhole(from, r.v.out)
}

// measureSteps measure on what was held apart, and write the page.
func (r *autoRun) measureSteps() []auto.Step {
	v := r.v
	data := words("-truth", r.part("test"), r.backgrounds("test"), r.running(false))
	contenders := []string{"-model", v.out}
	after := []string{calibrateStep}
	if r.opencv {
		contenders = append(contenders, "-model", r.openCVName()+"="+r.openCVFile())
		after = append(after, openCVStep)
	}
	for _, b := range v.baselines {
		contenders = append(contenders, "-model", b)
	}
	steps := []auto.Step{{Name: testStep, After: after, Out: r.in(testStep + ".txt"), Args: words(
		"eval", contenders, data, r.smallest(), "-precision", "-json", r.in(testStep+".json"), "-plot", r.in(testStep+".png"), "-misses", r.in(missesFolder), "-at", missesAt)}}
	steps = append(steps, auto.Step{Name: thresholdStep, After: []string{calibrateStep}, Out: r.in(thresholdStep + ".txt"), Args: words(
		"eval", "-model", v.out, "-truth", r.part("dev"), r.backgrounds("dev"), r.running(false), r.smallest(), "-json", r.in(thresholdStep+".json"))}, r.suspectStep())
	page := auto.Step{Name: pageStep, After: []string{testStep}, Args: words(
		"page", "-model", v.out, "-out", r.stem+".md", "-eval", "Photographs that were held apart="+r.in(testStep+".json"))}
	if !r.uncalibrated {
		steps = append(steps, auto.Step{Name: checkStep, After: []string{calibrateStep}, Out: r.in(checkStep + ".json"), Args: words(
			"calibrate", "-check", "-output", "json", "-model", v.out, data, r.smallest())})
		page.After, page.Args = append(page.After, checkStep), append(page.Args, "-reliability", r.in(checkStep+".json"))
	}
	return append(steps, page)
}

// fewObjects is below how many objects to learn from the run says how sure its figures
// are, and whether more would help.
const fewObjects = 210

// crossvalidate measures with verifiers, the cheapest step, on all photographs of a small
// set. Mosaics show an object more than once, which would be on both sides.
func (r *autoRun) crossvalidate(ctx context.Context) error {
	if r.facts.Objects >= fewObjects || r.v.plan.Mosaics == "yes" || r.v.plan.Network == "yes" {
		return nil
	}
	args := words("crossvalidate", "-model", r.in(pruneStep+modelEnding), "-trees", min(60, r.v.plan.Trees), r.smallest(), r.seed(), r.running(false), "-copies", r.in(dataStep+"/"+copiesFile), "-json", r.in(crossStep+".json"))
	for _, part := range auto.PartNames {
		args = append(append(args, "-truth", r.part(part)), r.backgrounds(part)...)
	}
	if r.v.group != "" {
		args = append(args, "-group", r.v.group)
	}
	_, err := r.try(ctx, verify.ErrData, &auto.Step{Name: crossStep, After: []string{pruneStep}, Args: args})
	return err
}

// suspectStep lists labels that the model doubts. It searches what was given, with objects
// of other classes, unless there are files to leave out; and the pictures without a box,
// one of which may have lost its only one, as far as the time lets other steps search them.
func (r *autoRun) suspectStep() auto.Step {
	v := r.v
	args := words("suspects", "-model", v.out, r.smallest(), r.running(false), "-out", r.in(suspectFile))
	if v.skipUnreadable {
		for _, part := range auto.PartNames {
			args = append(args, "-truth", r.in(dataStep+"/"+part+".csv"))
		}
	} else {
		args = append(args, v.flags.Repeat([]string{"truth", "format", "where", "template"}, nil, nil)...)
	}
	for _, part := range []string{"train", "dev", "test"} {
		if part == "train" && r.limits["verify"] > 0 {
			part = "verify"
		}
		args = append(args, r.backgrounds(part)...)
	}
	return auto.Step{Name: suspectStep, After: []string{calibrateStep}, Args: args}
}

// all runs steps. Where the time is too short for a cascade for OpenCV there is none.
func (r *autoRun) all(ctx context.Context, steps []auto.Step) error {
	for i := range steps {
		if steps[i].Name == openCVStep {
			r.addUnspent(&steps[i])
			var err error
			if r.opencv, err = r.try(ctx, training.ErrTooShort, &steps[i]); err != nil {
				return err
			}
			continue
		}
		if err := r.do(ctx, &steps[i]); err != nil {
			return err
		}
	}
	return nil
}

// addUnspent gives the training for OpenCV the time that the one before it had left.
func (r *autoRun) addUnspent(step *auto.Step) {
	left := r.times.Cascade - time.Duration(r.journal.Seconds(cascadeStep)*float64(time.Second))
	if at := slices.Index(step.Args, "-time"); at >= 0 && left > 0 {
		step.Args[at+1] = (r.times.OpenCV + left).Round(time.Second).String()
	}
}

// try runs a step that may come to nothing, with a certain error.
func (r *autoRun) try(ctx context.Context, nothing error, step *auto.Step) (made bool, err error) {
	err = r.do(ctx, step)
	if errors.Is(err, nothing) {
		why := errors.Unwrap(err).Error()
		fmt.Fprintf(r.s.Err, "skipped: %s: %s\n", step.Name, why)
		return false, r.done(auto.Done{Name: step.Name, Args: step.Args, Skipped: why})
	}
	return err == nil && r.journal.Skipped(step.Name) == "", err
}

// done notes a step as done.
func (r *autoRun) done(d auto.Done) error {
	r.journal.Add(d)
	return samples.WriteAtomically(r.in(autoJournal), r.journal.Write)
}

// do runs a step, unless it is done.
func (r *autoRun) do(ctx context.Context, step *auto.Step) error {
	if r.journal.Has(step) {
		return nil
	}
	args := step.Args
	line := output.CommandLine(args)
	if step.Out != "" {
		line += " > " + step.Out
	}
	fmt.Fprintln(r.s.Err, line)
	begin := time.Now()
	var out bytes.Buffer
	stdout := io.Writer(&out)
	if step.Out == "" {
		stdout = io.MultiWriter(&out, r.s.Err)
	}
	run := func(more ...string) error {
		return r.v.run(ctx, slices.Concat(args, more), &cli.Streams{In: strings.NewReader(""), Out: stdout, Err: r.s.Err})
	}
	state := map[string]string{"train": training.StateFile, "network": refining.StateFile(0)}[args[0]]
	var err error
	if _, none := os.Lstat(r.in(step.Name + "/" + state)); state != "" && none == nil {
		if err = run("-resume"); errors.Is(err, train.ErrState) || errors.Is(err, network.ErrState) { // of other data or settings
			if err = os.RemoveAll(r.in(step.Name)); err == nil {
				err = run()
			}
		}
	} else {
		err = run()
	}
	if err != nil {
		return fmt.Errorf("%s: %w (train-cascade auto -resume -out %s goes on there)", step.Name, err, r.v.out)
	}
	if step.Out != "" {
		if err := samples.WriteAtomically(step.Out, func(w io.Writer) error { _, err := w.Write(out.Bytes()); return err }); err != nil {
			return err
		}
	}
	if step.Name == openCVStep {
		if err := r.cutOpenCV(); err != nil {
			return err
		}
	}
	return r.done(auto.Done{Name: step.Name, Args: step.Args, Seconds: time.Since(begin).Seconds()})
}

// Searching for a verifier takes more than one search of each picture: the cascade
// searches it again with fewer weak classifiers, which lets more pass, and the second
// verifier wants the detections of the first, too.
const verifierSearches = 5

// limit chooses how many backgrounds the steps to come search, from how long pruning
// took to search the labelled photographs. Settings keep what was chosen.
func (r *autoRun) limit(context.Context) error {
	seconds := r.journal.Seconds(pruneStep)
	searched := r.facts.Megapixels[auto.Train]
	if seconds == 0 || searched == 0 {
		return nil
	}
	contenders := 2 + len(r.v.baselines)
	changed := false
	for _, l := range []struct {
		list, from string
		part       int
		times      float64
		within     time.Duration
	}{
		{"verify", "train", auto.Train, verifierSearches, r.times.Verify},
		{"dev", "dev", auto.Dev, 1, r.times.Measure},
		{"test", "test", auto.Test, float64(contenders), r.times.Measure},
	} {
		if r.limits[l.list] > 0 {
			continue
		}
		files, err := samples.ListPictures(r.in(dataStep + "/" + l.from + "-bg.txt"))
		if err != nil || len(files) == 0 {
			continue
		}
		if n := auto.Affordable(len(files), r.facts.Megapixels[l.part], l.times*seconds/searched, l.within); n < len(files) {
			r.limits[l.list] = n
			changed = true
		}
	}
	if changed {
		if err := r.writeSettings(); err != nil {
			return err
		}
	}
	for list, n := range r.limits {
		from := list
		if list == "verify" {
			from = "train"
		}
		files, err := samples.ListPictures(r.in(dataStep + "/" + from + "-bg.txt"))
		if err != nil {
			return err
		}
		if err := samples.WriteAtomically(r.in(dataStep+"/"+list+"-bg-fewer.txt"), func(w io.Writer) error {
			return writeList(w, auto.Thin(files, n), r.in(dataStep))
		}); err != nil {
			return err
		}
	}
	return nil
}
