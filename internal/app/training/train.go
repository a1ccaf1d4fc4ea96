package training

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image/png"
	"io"
	"os"
	"runtime/debug"
	"strings"
	"time"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/output"
	"haarlem/internal/app/shard/mining"
	"haarlem/internal/app/watch"
	"haarlem/internal/train"
)

const trainText = `Trains a cascade. Objects come from

   -truth FILE, -info FILE   photographs with labelled boxes or landmarks (OpenCV's
                             info.dat, CSV, Pascal VOC, COCO, YOLO, imglab,
                             LabelMe, Label Studio)
   -pos FOLDER               pictures that are one object each
   -vec FILE                 windows of opencv_createsamples or of samples

and negatives from pictures without the object (-bg: folders, lists such as bg.txt,
pictures) and from photographs outside their boxes (-bg-truth, -use-rest).

   train-cascade train -data out -vec faces.vec -bg bg.txt -w 24 -h 24 -numStages 15
   train-cascade train -data out -truth faces.csv -variants 4 -mirror -jitter default \
       -validation 0.1 -bg photos/ -shape soft -bt RAB -weak histogram -mode CORE

Command lines of opencv_traincascade work with this program's name.

The folder -data then holds
   NAME.cascade, NAME.xml   the cascade so far, in our format and in OpenCV's, if that
                            can express it
   report.html              how the training goes, from the first stage on
   progress.json            the same in numbers, and how far it is
   settings.json            settings and data, and the command that repeats the training
   log.jsonl, result.json   events, and how it ended
   positives.png            some of the positives, and the mean of all
   hardest-negatives.png    some of the hardest negatives of the last stage
   state                    the checkpoint for -resume

Ctrl-C ends the training after the round and saves it. A second one ends it at once.`

func Train() *cli.Command {
	return &cli.Command{
		Name: "train", Summary: "train a cascade", Text: trainText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &trainFlags{}
			v.declare(f)
			return func(ctx context.Context, _ []string) error { return trainCascade(ctx, v, s.Out, s.Err) }
		},
	}
}

func trainCascade(ctx context.Context, v *trainFlags, stdout, stderr io.Writer) (err error) {
	if v.resume && len(v.truth)+len(v.pos)+len(v.vec)+len(v.info) == 0 {
		if err := v.restore(); err != nil {
			return err
		}
	}
	settings, err := v.settings()
	if err != nil {
		return err
	}
	source, err := newTrainSource(v)
	if err != nil {
		return err
	}
	dir, name := v.data, v.set.Name
	if dir == "" {
		return cli.Usagef("no folder for the cascade: give -data FOLDER")
	}
	if !IsFileName(name) {
		return cli.Usagef("-name is %q, want a name for files: letters, digits, and - _ . within", name)
	}
	out, err := openFolder(dir, name, v.overwrite, v.resume)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.close()) }()
	log, err := newTrainLog(out.file(logFile), stderr)
	if err != nil {
		return fmt.Errorf("-data: the folder cannot be written to: %w", err)
	}
	defer func() { err = errors.Join(err, log.close()) }()
	if len(v.opencv) > 0 {
		log.note("flags of OpenCV: without meaning here: " + strings.Join(v.opencv, ", "))
	}
	t := &training{v: v, settings: settings, folder: out, log: log}

	resume, err := t.saved()
	if err != nil {
		return err
	}
	memory := cmp.Or(settings.Memory, defaultMemory)
	// Garbage counts as memory in use. A thirty-second is for what the
	// collector does not count, or frees late.
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(memory - memory/32))
	// Most of the memory is one block without pointers, the codes of all
	// features, which costs the collector nothing. So it need not wait until
	// there is as much garbage.
	defer debug.SetGCPercent(debug.SetGCPercent(50))

	if t.data, err = source.read(ctx, log, stderr); err != nil {
		if ctx.Err() != nil {
			return errors.New("interrupted before there was anything to save")
		}
		return err
	}
	if settings.Time > 0 { // reading counts
		settings.Time = max(settings.Time-log.spent(), 1)
	}
	settings.Provenance = t.provenance()
	hooks := &train.Hooks{
		Event:   log.event,
		Stepped: t.stepped,
		Save:    t.save,
		Every:   v.checkpoint,
		Resume:  resume,
	}
	if v.mine != "" {
		miner, err := mining.NewTrainer(ctx, v.mine, t.data.backgrounds, t.data.heldOut, v.Workers)
		if err != nil {
			return fmt.Errorf("-mine: %w", err)
		}
		defer func() { err = errors.Join(err, miner.Close()) }()
		hooks.Mine = miner.Mine
	}
	log.begin(t.beginning())
	result, err := train.Run(ctx, t.data.forTraining(), settings, hooks)
	log.over()
	switch {
	case errors.Is(err, train.ErrState) && resume != nil:
		return fmt.Errorf("-resume: %s: %w: give the flags and the data of the training that is there (%s), or begin anew with -overwrite", out.file(StateFile), err, settingsFile)
	case err != nil:
		return err
	}
	return t.end(result, stdout)
}

// saved returns the checkpoint to resume from, if -resume is given and there is
// one.
func (t *training) saved() (*train.State, error) {
	if !t.v.resume {
		return nil, nil
	}
	if !t.folder.has(StateFile) {
		t.log.note("nothing was saved in " + t.folder.path + ": the training starts from the beginning")
		return nil, nil
	}
	in, err := os.Open(t.folder.file(StateFile))
	if err != nil {
		return nil, err
	}
	defer in.Close()
	s, err := train.DecodeState(in)
	if err != nil {
		return nil, fmt.Errorf("-resume: %s: %w", t.folder.file(StateFile), err)
	}
	t.last = s
	if now, err := t.settings.WithDefaults(); err == nil && s.Memory() != now.Memory {
		t.began = s.Memory()
	}
	return s, nil
}

// save writes a checkpoint, and the cascade so far.
func (t *training) save(s *train.State) error {
	if err := t.folder.write(StateFile, s.Encode); err != nil {
		return err
	}
	if err := t.begin(); err != nil {
		return err
	}
	grown := t.last == nil || len(s.Steps()) != len(t.last.Steps())
	t.last = s
	if h := s.Hardest(output.MaxOnSheet+1, t.data.width); len(h) > 0 { // there may be none
		t.hardest = h
	}
	if !grown {
		return nil
	}
	c, err := s.Cascade()
	if err != nil || c == nil {
		return err
	}
	return t.folder.write(t.folder.name+".cascade", c.Encode)
}

// begin replaces an older training in the folder, once there is a checkpoint:
// until then the older one is complete.
func (t *training) begin() error {
	if t.begun {
		return nil
	}
	old := []string{ReportFile, watch.StateFile, resultFile}
	if t.v.resume {
		old = old[2:]
	}
	for _, name := range old {
		if err := t.folder.remove(name); err != nil {
			return err
		}
	}
	if err := t.writeSettings(); err != nil {
		return err
	}
	if err := t.folder.write(learnedSheet, func(w io.Writer) error {
		return png.Encode(w, output.Sheet(greys(t.data.positives), output.SheetZoom))
	}); err != nil {
		return err
	}
	t.begun = true
	return nil
}

var ErrTooShort = errors.New("no cascade: the training ended before the first weak classifier")

// end writes the result.
func (t *training) end(r *train.Result, stdout io.Writer) error {
	stopped := r.Reason == train.Interrupted
	switch {
	case stopped && !t.begun:
		return errors.New("interrupted before there was anything to save")
	case r.Cascade == nil && !stopped:
		return fmt.Errorf("%w: %s", ErrTooShort, r.Reason)
	}
	if err := t.begin(); err != nil {
		return err
	}
	if r.Cascade != nil {
		if err := t.writeCascade(r.Cascade); err != nil {
			return err
		}
	}
	if err := t.writeSheet(hardestSheet, t.hardest); err != nil {
		return err
	}
	if err := t.writeReport(r); err != nil {
		return err
	}
	if stopped {
		return fmt.Errorf("interrupted, and saved in %s: the same command with -resume goes on", t.folder.path)
	}
	if err := t.writeResult(r); err != nil {
		return err
	}
	t.log.end(r)
	took := t.log.spent().Round(time.Second / 10).String()
	if t.log.pace.earlier > 0 {
		took += fmt.Sprintf(" (with earlier runs %v)", (t.log.pace.earlier + t.log.spent()).Round(time.Second/10))
	}
	warning := ""
	if n, all := r.LowContrast, len(t.data.positives); tooMany(n, all) {
		warning = fmt.Sprintf("; %d of %s had too little contrast", n, output.Count(all, "positive"))
	}
	_, err := fmt.Fprintf(stdout, "%s: %s, %s, in %s; %s%s\n", t.folder.file(t.folder.name+".cascade"),
		output.Count(len(r.Cascade.Weak), "weak classifier"), output.Count(len(r.Steps), "step"), took, r.Reason, warning)
	return err
}

// beginning is what the log says of the training.
func (t *training) beginning() *beginning {
	d := t.data
	t.settings.Negatives = cmp.Or(t.settings.Negatives, max(1000, len(d.positives)))
	b := &beginning{
		name: t.folder.name, settings: t.settings,
		positives: len(d.positives), validation: len(d.validation), backgrounds: len(d.backgrounds), heldOut: len(d.heldOut),
		earlier: t.earlierSteps(),
		save: func(s *watch.State) error {
			if !t.begun {
				return nil
			}
			return t.folder.renew(watch.StateFile, s.Write)
		},
	}
	if t.last != nil {
		b.spent = t.last.Spent()
	}
	return b
}
