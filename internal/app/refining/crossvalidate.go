package refining

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"math"
	"os"
	"path/filepath"
	"text/tabwriter"

	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/measuring"
	"haarlem/internal/app/output"
	"haarlem/internal/eval"
	"haarlem/internal/samples"
	"haarlem/internal/train/verify"
)

const crossText = `Says how well recall is known and whether more data would help, where labels are few. In
each of -folds parts of the photographs a verifier measures that learned from the other
parts: with all of them, a half and a quarter, which makes a learning curve. So every
object is measured, and not only those of a small test part.

   train-cascade crossvalidate -model pruned.cascade -truth cups.csv -bg photos/

The cascade of -model is not trained again, which would take much longer: where it has
learned from the same photographs, figures are a little too good. What comes after the
cascade of -model is left out.`

// Crossvalidate is crossvalidate.
func Crossvalidate() *cli.Command {
	return &cli.Command{
		Name: "crossvalidate", Summary: "measure with few labels, and say whether more would help", Text: crossText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &crossFlags{folds: 5, trees: 60, seed: 1}
			f.Group("Model")
			f.String(&v.model, "model", "`MODEL`, a file or a built-in model; what comes after its cascade is left out")
			v.TruthFlags.Declare(f)
			f.String(&v.group, "group", "photographs with the same value in `COLUMN` of the truth are in the same part")
			f.String(&v.copies, "copies", "pictures of one group of `FILE` are in the same part, as divide writes it to copies.csv")
			f.Group("Output")
			f.String(&v.json, "json", "write the figures to `FILE` too")
			f.Group("Run")
			f.Int(&v.folds, "folds", "divide the photographs into `N` parts")
			f.Int(&v.trees, "trees", "boost `N` trees of each verifier")
			f.Int(&v.minSize, "min-size", "smallest object to find, in `PIXELS`; the detection window if not given")
			f.Int(&v.workers, "workers", "search `N` photographs at one time; one for each processor if not given. Results do not depend on it")
			f.Uint64(&v.seed, "seed", "`SEED` of the random numbers")
			return func(ctx context.Context, _ []string) error { return v.measure(ctx, s.Out, s.Err) }
		},
	}
}

// crossFlags are those of crossvalidate.
type crossFlags struct {
	measuring.TruthFlags
	model, group, copies, json     string
	folds, trees, minSize, workers int
	seed                           uint64
}

// Crossvalidated are the figures of crossvalidate.
type Crossvalidated struct {
	Photographs int            `json:"photographs"`
	Objects     int            `json:"objects"`
	Folds       int            `json:"folds"`
	Curve       []LearningStep `json:"curve"`    // by growing share
	Estimate    string         `json:"estimate"` // of recall, with all; empty if there are many objects
	Twice       float64        `json:"twice"`    // average precision to expect with twice as many
}

// A LearningStep is what verifiers find that learned from a share of the photographs.
type LearningStep struct {
	Share            float64 `json:"share"`
	Objects          int     `json:"objects"` // to learn from, about
	Recall           float64 `json:"recall"`  // at 10 false positives
	AveragePrecision float64 `json:"averagePrecision"`
}

// More says what twice as many objects promise.
func (c *Crossvalidated) More() string {
	last := c.Curve[len(c.Curve)-1]
	said := fmt.Sprintf("With %d objects to learn from average precision is %.1f per cent", last.Objects, 100*last.AveragePrecision)
	if gain := c.Twice - last.AveragePrecision; gain >= 0.005 {
		return fmt.Sprintf("%s; twice as many promise about %.1f, as the curve goes.", said, 100*c.Twice)
	}
	return said + "; as the curve goes, more of the same kind would not help. Other kinds of pictures may."
}

func (v *crossFlags) measure(ctx context.Context, stdout, stderr io.Writer) error {
	if v.model == "" || len(v.Truth) == 0 {
		return cli.Usagef("give a model with -model, and labels with -truth FILE")
	}
	m, err := input.OpenModel(v.model)
	if err != nil {
		return err
	}
	photos, err := v.Photos()
	if err != nil {
		return err
	}
	const together = " together"
	if err := v.join(photos, together); err != nil {
		return err
	}
	progress, finish := output.Steps(stderr)
	shares := []float64{0.25, 0.5, 1}
	found, err := verify.Apart(ctx, m, photos, shares, &verify.Settings{
		Sides: 1.6, Trees: v.trees, Negatives: 10000, Copies: 2, Folds: v.folds, Group: together, Seed: v.seed, Workers: v.workers,
		Search:   detector.Options{MinSize: image.Pt(max(v.minSize, 1), max(v.minSize, 1))},
		Progress: progress,
	})
	finish()
	if err != nil {
		return err
	}
	set := &eval.Set{Photos: photos, Found: found}
	for _, share := range shares {
		set.Contenders = append(set.Contenders, &eval.Contender{Name: fmt.Sprint(share), Sweep: eval.SweepScore})
	}
	report := set.Report(eval.Centre{})
	out := &Crossvalidated{Photographs: report.Photos, Objects: report.Objects, Folds: v.folds, Estimate: report.Lines[len(shares)-1].Estimate()}
	for i, share := range shares {
		step := LearningStep{Share: share, Objects: int(math.Round(share * float64(report.Objects*(v.folds-1)) / float64(v.folds))), AveragePrecision: report.Lines[i].AveragePrecision}
		for _, rate := range report.Lines[i].Rates {
			if rate.FalsePositives == 10 {
				step.Recall = rate.Recall
			}
		}
		out.Curve = append(out.Curve, step)
	}
	out.Twice = twice(out.Curve)
	if v.json != "" {
		if err := samples.WriteAtomically(v.json, func(w io.Writer) error { return json.NewEncoder(w).Encode(out) }); err != nil {
			return err
		}
	}
	return out.write(stdout)
}

// twice is the average precision to expect with twice as many objects: what is missing
// to 1 falls by a power of the number of objects.
func twice(curve []LearningStep) float64 {
	var n, x, y, xx, xy float64
	for _, s := range curve {
		a, b := math.Log2(s.Share), math.Log2(max(1-s.AveragePrecision, 1e-3))
		n, x, y, xx, xy = n+1, x+a, y+b, xx+float64(a*a), xy+float64(a*b)
	}
	slope := (float64(n*xy) - float64(x*y)) / (float64(n*xx) - float64(x*x))
	return 1 - float64((1-curve[len(curve)-1].AveragePrecision)*math.Exp2(min(slope, 0)))
}

func (c *Crossvalidated) write(w io.Writer) error {
	fmt.Fprintf(w, "%d objects in %d photographs, each measured by a verifier that learned from others (%d parts)\n", c.Objects, c.Photographs, c.Folds)
	if c.Estimate != "" {
		fmt.Fprintf(w, "found: %s (95 per cent confidence)\n", c.Estimate)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "learned from\tfound at 10 false positives\taverage precision\t\n")
	for _, s := range c.Curve {
		fmt.Fprintf(t, "%d\t%.1f\t%.1f\t\n", s.Objects, 100*s.Recall, 100*s.AveragePrecision)
	}
	if err := t.Flush(); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, c.More())
	return err
}

// join gives photographs that must stay together the same value of a tag.
func (v *crossFlags) join(photos []eval.Photo, tag string) error {
	groups := map[string]string{}
	if v.copies != "" {
		in, err := os.Open(v.copies)
		if err != nil {
			return fmt.Errorf("-copies: %w", err)
		}
		defer in.Close()
		rows, err := csv.NewReader(in).ReadAll()
		if err != nil || len(rows) == 0 || len(rows[0]) < 2 || rows[0][0] != "file" || rows[0][1] != "group" {
			return fmt.Errorf("-copies: %s: no list of copies, as divide writes it (%v)", v.copies, err)
		}
		for _, row := range rows[1:] {
			groups[filepath.Join(filepath.Dir(v.copies), filepath.FromSlash(row[0]))] = "copies " + row[1]
		}
	}
	for i := range photos {
		value, ok := groups[filepath.Clean(photos[i].File)]
		for k := range photos[i].Objects {
			o := &photos[i].Objects[k]
			if given := o.Tags[v.group]; v.group != "" && given != "" {
				value, ok = "group "+given, true
			}
			if ok {
				o.Tags = map[string]string{tag: value}
			}
		}
	}
	return nil
}
