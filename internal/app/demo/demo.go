package demo

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"path/filepath"
	"time"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/haar"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/output"
	"haarlem/internal/nms"
	"haarlem/internal/samples"
	"haarlem/internal/samples/synth/facemodel"
	"haarlem/internal/samples/synth/scene"
	"haarlem/internal/train"
	"haarlem/picture"
)

const demoText = `Needs no data. Draws synthetic faces and pictures without faces, trains a small cascade
with them, and detects the faces of a synthetic group picture. The folder -out then
holds
   positives.png      some of the windows with a face, and their mean
   backgrounds.png    some of the pictures without faces
   hardest.png        the hardest negatives
   demo.cascade       the cascade
   demo.xml           the same for OpenCV
   group.png          the group picture
   group.csv          where its faces are
   found.png          the detections in it
The cascade is a toy: no photograph was used.`

// demoFlags are those of demo.
type demoFlags struct {
	out                                               string
	overwrite                                         bool
	seed                                              uint64
	positives, backgrounds, stages, features, workers int
}

func Command() *cli.Command {
	return &cli.Command{
		Name: "demo", Summary: "draw faces and backgrounds, train a small cascade with them, and detect with it", Text: demoText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &demoFlags{out: "demo", seed: 1, positives: 4000, backgrounds: 200, stages: 13, features: 6000}
			f.Group("Output")
			f.String(&v.out, "out", "write into `FOLDER`")
			f.Bool(&v.overwrite, "overwrite", "write into a folder that is not empty")
			f.Group("Training")
			f.Int(&v.positives, "positives", "learn from `N` windows with a face")
			f.Int(&v.backgrounds, "backgrounds", "learn from `N` pictures without faces, of 400x300 pixels")
			f.Int(&v.stages, "stages", "train `N` stages")
			f.Int(&v.features, "features", "use `N` features")
			f.Uint64(&v.seed, "seed", "`SEED` of the random numbers: the same seed gives the same files")
			f.Int(&v.workers, "workers", "use `N` goroutines; one for each processor if not given. Only times depend on it")
			return func(ctx context.Context, _ []string) error { return runDemo(ctx, v, s.Out, s.Err) }
		},
	}
}

const (
	demoSide                 = 24 // of the cascade's window
	demoWidth, demoHeight    = 400, 300
	groupWidth, groupHeight  = 800, 500
	groupFaces, groupMinSide = 14, 36
)

func runDemo(ctx context.Context, v *demoFlags, stdout, stderr io.Writer) error {
	for _, n := range []struct {
		name       string
		value, min int
	}{{"positives", v.positives, 50}, {"backgrounds", v.backgrounds, 1}, {"stages", v.stages, 1}, {"features", v.features, 100}} {
		if n.value < n.min || n.value > 100000 {
			return cli.Usagef("-%s is %d, want %d to 100000", n.name, n.value, n.min)
		}
	}
	d := demo{folder: v.out, seed: v.seed, stdout: stdout, stderr: stderr, start: time.Now()}
	if _, err := output.NewFolder(d.folder, v.overwrite); err != nil {
		return err
	}
	model := facemodel.Builtin()

	positives := scene.Windows(model, v.positives, demoSide, d.seed, v.workers)
	backgrounds := scene.Backgrounds(v.backgrounds, demoWidth, demoHeight, d.seed, v.workers)
	d.say("drew %d faces and %d pictures without faces", len(positives), len(backgrounds))
	shown := append([]*image.Gray{samples.Mean(positives)}, positives[:min(len(positives), 143)]...)
	if err := d.save("positives.png", samples.Sheet(shown, 16, 2)); err != nil {
		return err
	}
	if err := d.save("backgrounds.png", samples.Sheet(backgrounds[:min(len(backgrounds), 12)], 3, 1)); err != nil {
		return err
	}

	found, hardest, err := d.train(ctx, positives, backgrounds, &train.Settings{
		Name:   "demo",
		Object: cascade.Object{Singular: "face", Plural: "faces"},
		Width:  demoSide,
		Height: demoSide,
		Set:    haar.Basic,

		Stages:   train.StageGoals{Count: v.stages, HitRate: 0.995, FalsePositiveRate: 0.4, MaxWeak: 60},
		Features: v.features,
		Workers:  v.workers,
		Seed:     d.seed,
	})
	if err != nil {
		return err
	}
	if err := d.save("hardest.png", samples.Sheet(hardest, 16, 2)); err != nil {
		return err
	}
	if err := samples.WriteAtomically(d.path("demo.cascade"), found.Encode); err != nil {
		return err
	}
	if err := samples.WriteAtomically(d.path("demo.xml"), found.EncodeOpenCV); err != nil {
		return err
	}
	return d.show(ctx, found, model, v.workers)
}

// A demo is one run of the command.
type demo struct {
	folder         string
	seed           uint64
	stdout, stderr io.Writer
	start          time.Time
}

func (d *demo) path(name string) string { return filepath.Join(d.folder, name) }

// say reports progress.
func (d *demo) say(format string, args ...any) {
	fmt.Fprintf(d.stderr, "train-cascade: %5.1f s: %s\n", time.Since(d.start).Seconds(), fmt.Sprintf(format, args...))
}

func (d *demo) save(name string, img image.Image) error { return output.WritePNG(d.path(name), img) }

// train trains the cascade, and also returns some negatives of its last stage.
func (d *demo) train(ctx context.Context, positives, backgrounds []*image.Gray, s *train.Settings) (*cascade.Cascade, []*image.Gray, error) {
	data := &train.Data{Positives: positives}
	for _, g := range backgrounds {
		data.Backgrounds = append(data.Backgrounds, train.Plain{Gray: g})
	}
	var hardest []*image.Gray
	result, err := train.Run(ctx, data, s, &train.Hooks{
		Event: func(e train.Event) {
			switch e.Kind {
			case train.Mined:
				d.say("%d of %d background windows pass", e.Passed, e.Visited)
			case train.Stepped:
				d.say("stage %d of %d: %d weak classifiers so far, %.2f per cent of the faces pass, %.2f of the stage's negatives",
					e.Step, e.Goal, e.Weak, 100*e.HitRate, 100*e.FalsePositiveRate)
			}
		},
		Save: func(state *train.State) error {
			hardest = state.Hardest(144, demoSide)
			return nil
		},
	})
	if err != nil {
		return nil, nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, nil, err
	}
	if result.Cascade == nil {
		return nil, nil, errors.New("demo: no cascade was trained: " + result.Reason.String())
	}
	d.say("%d weak classifiers; the training ended: %v", len(result.Cascade.Weak), result.Reason)
	return result.Cascade, hardest, nil
}

// show detects the faces of a group picture.
func (d *demo) show(ctx context.Context, found *cascade.Cascade, model *facemodel.Model, workers int) error {
	group, truth := scene.Group(model, groupFaces, groupMinSide, groupWidth, groupHeight, d.seed)
	detector, err := detector.New(&detector.Options{Workers: workers}, found)
	if err != nil {
		return err
	}
	boxes, err := detector.Detect(ctx, group)
	if err != nil {
		return err
	}
	err = samples.WriteAtomically(d.path("group.csv"), func(w io.Writer) error {
		fmt.Fprintln(w, "file,x,y,width,height")
		for _, b := range truth {
			fmt.Fprintf(w, "group.png,%d,%d,%d,%d\n", b.Min.X, b.Min.Y, b.Dx(), b.Dy())
		}
		return nil // w keeps its error
	})
	if err != nil {
		return err
	}
	if err := d.save("group.png", group); err != nil {
		return err
	}
	marks := make([]picture.Mark, len(boxes))
	for i, b := range boxes {
		marks[i].Box = b.Box
	}
	if err := d.save("found.png", picture.Annotate(group, marks)); err != nil {
		return err
	}
	hits, alarms := match(truth, boxes)
	d.say("done")
	_, err = fmt.Fprintf(d.stdout, `%d of %d faces found, %d missed, %d false positives
see %s
`, hits, len(truth), len(truth)-hits, alarms, d.path("found.png"))
	return err
}

// match counts the boxes of truth with a detection, and the false positives,
// duplicates among them: an intersection over union of 0.4 or more counts. The
// best detections choose first.
func match(truth []image.Rectangle, found []detector.Detection) (hits, alarms int) {
	taken := make([]bool, len(truth))
	for _, f := range found {
		best, at := 0.4, -1
		for i, t := range truth {
			if v := nms.Overlap(t, f.Box); v >= best && !taken[i] {
				best, at = v, i
			}
		}
		if at < 0 {
			alarms++
			continue
		}
		taken[at] = true
		hits++
	}
	return hits, alarms
}
