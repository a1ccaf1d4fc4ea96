package main

import (
	"context"
	"fmt"
	"image"
	"math"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/urfave/cli/v3"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/models"
)

const findUsage = `detect [flags] FILE|DIR|GLOB|-...
detect webcam [flags]
detect video [flags] IN
detect blur|pixelate [flags] -out OUT FILE|DIR|GLOB|-...
detect model MODEL
detect convert FROM TO
detect serve [flags]
detect help COMMAND`

const findDescription = `
Finds faces in pictures, or what the model was trained for: JPEG, PNG, GIF (its
first frame), BMP, TIFF, WebP and PNM (PBM, PGM, PPM, PAM), turned as the camera
noted. A folder stands for the pictures in it, by name or content, a pattern
like 'trip/*.jpg' for the files it matches, and - for a picture on stdin.
Boxes are in pixels of the upright picture, from its upper left corner.
` + unreadDescription

// unreadDescription is for all commands that go through pictures.
const unreadDescription = `
A file that cannot be read is reported and skipped; the exit status is then 1.
So it is if a folder holds pictures of other kinds, such as HEIC, AVIF and RAW
(they are counted at the end, with what converts them), named pipes called like
pictures, links out of it to other folders, or folders that cannot be opened.
Videos are mentioned. Text and other files that are no pictures are not, and
names that begin with a dot are hidden.

Of a JPEG or PNG that ends too early what there is is searched, with a warning;
the rest of it is grey. -strict refuses it.`

// newFind is the command that everything is about.
func newFind(s *streams) *cli.Command {
	flags := slices.Concat([]cli.Flag{
		&cli.StringFlag{Name: "format", Value: "text", Usage: "`FORMAT` of the results: text, json (one array), jsonl (an object\na line) or csv (a face a line); text if not given"},
		&cli.StringFlag{Name: "annotate", Usage: "write copies with boxes and scores into `DIR`"},
		&cli.StringFlag{Name: "crop", Usage: "write the faces, each as a picture, into `DIR`"},
		&cli.BoolFlag{Name: "overwrite", Usage: "let -annotate and -crop replace files of an earlier run"},
	}, searchFlags(), pictureFlags())
	return command(s, "detect", findUsage, findDescription, flags, func(ctx context.Context, c *cli.Command) error {
		return find(ctx, s, c)
	})
}

// searchFlags are those about how to search, which findOptions and openPose
// read.
func searchFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "model", Usage: "`MODEL` to use: a file, ours or OpenCV's XML, or the name of a\nbuilt-in one (" + builtinNames() + "); " + models.Default + " if not given"},
		&cli.StringFlag{Name: "pose", Value: "frontal", Usage: "`POSE` of the faces: frontal, profile (from either side) or any;\nfrontal if not given"},
		&cli.StringFlag{Name: "profile-model", Usage: "`MODEL` for profiles that look to one side, for -pose; its mirror\nimage looks for the others. " + models.ProfileName + " if not given"},
		&cli.StringFlag{Name: "min", Usage: "smallest face, `SIZE` in pixels: 40 or 40x60"},
		&cli.StringFlag{Name: "max", Usage: "largest face, `SIZE` in pixels"},
		&cli.FloatFlag{Name: "enlarge", Value: 1, Usage: "search the picture up to `F` times as large, for faces smaller than\nthe model's window; 1 if not given. 2 takes four times as long"},
		&cli.FloatFlag{Name: "scale", Value: 1.1, Usage: "`FACTOR` from one searched size to the next; 1.1 if not given.\nSmaller finds more and takes longer"},
		&cli.IntFlag{Name: "neighbors", Usage: "a face needs more than `N` hits side by side; if not given, what the\nmodel says, or 3. 0 reports every hit for itself, -1 every group of hits", HideDefault: true},
		&cli.FloatFlag{Name: "pad", Usage: "how much of a face may be missing beyond each edge of the picture, `P`\nper cent, at most 50; if not given, what the model says, or 0"},
		&cli.FloatFlag{Name: "score", Usage: "leave out faces whose score is below `S`; if not given, what the\nmodel says, or none"},
		&cli.StringFlag{Name: "rotate", Usage: "search at these `ANGLES`, in degrees clockwise: 0,-20,20"},
		&cli.IntFlag{Name: "workers", Usage: "`N` goroutines in all; one for each processor if not given.\nResults do not depend on it"},
	}
}

// pictureFlags are those about which pictures to read.
func pictureFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "recursive", Usage: "go into folders inside folders"},
		&cli.BoolFlag{Name: "strict", Usage: "refuse a JPEG or PNG that ends too early; if not given, what there\nis of it is searched, with a warning"},
		&cli.StringFlag{Name: "max-pixels", Value: "100M", Usage: "refuse pictures with more than `N` pixels, such as 5000000 or 5M;\n100M if not given"},
	}
}

// find is the whole command.
func find(ctx context.Context, s *streams, c *cli.Command) error {
	job, err := newBatch(s, c)
	if err != nil {
		return err
	}
	if job.annotate, err = newOutputs(c.String("annotate"), c.Bool("overwrite"), job.inputs); err != nil {
		return err
	}
	if job.crop, err = newOutputs(c.String("crop"), c.Bool("overwrite"), job.inputs); err != nil {
		return err
	}
	return job.run(ctx)
}

// newBatch reads the flags and checks everything that can be wrong before the
// first picture.
func newBatch(s *streams, c *cli.Command) (*batch, error) {
	job := &batch{streams: s, workers: c.Int("workers")}
	var err error
	if job.reporter, err = newReporter(c.String("format"), s.out); err != nil {
		return nil, err
	}
	options, err := findOptions(c)
	if err != nil {
		return nil, err
	}
	if job.limits.MaxPixels, err = parsePixels(c.String("max-pixels")); err != nil {
		return nil, err
	}
	if c.Args().Len() == 0 {
		return nil, usagef("no pictures: give files, folders, patterns or - for stdin (detect -help says more)")
	}
	job.limits.Partial = !c.Bool("strict")
	if job.selection, err = expand(c.Args().Slice(), c.Bool("recursive")); err != nil {
		return nil, err
	}
	if job.workers == 0 {
		job.workers = runtime.GOMAXPROCS(0)
	}
	// Whole pictures side by side need no agreement among workers; those
	// that are left over help inside a picture.
	options.Workers = max(1, job.workers/max(1, len(job.inputs)))

	cascades, err := openPose(c, c.String("model"))
	if err != nil {
		return nil, err
	}
	if job.detector, err = detector.New(options, cascades...); err != nil {
		return nil, usageError{err}
	}
	job.object = job.detector.Object()
	s.tellOfWindow(job.detector)
	return job, nil
}

// tellOfWindow says so if smaller objects are wanted than are looked for, and what
// would look for them: nothing else would tell that they were not.
func (s *streams) tellOfWindow(t *detector.Detector) {
	if smallest, wanted, enlarge := t.Smallest(); wanted < smallest {
		fmt.Fprintf(s.err, "detect: no %s of less than %d pixels is looked for; -enlarge %g would look for those of %d and more\n", t.Object().Singular, smallest, enlarge, wanted)
	}
}

// editSearch puts into a model's settings what flags say instead, as far as
// findOptions does not say it.
func editSearch(c *cli.Command, s *cascade.Search) {
	if c.IsSet("pad") {
		s.Pad = c.Float("pad") / 100
	}
	if c.IsSet("score") {
		s.MinScore = 0
	}
	if c.IsSet("neighbors") {
		s.MinCandidates = 1
	}
}

// findOptions turns flags into the detector's options, without the workers.
func findOptions(c *cli.Command) (*detector.Options, error) {
	o := &detector.Options{
		Scale:    c.Float("scale"),
		Enlarge:  c.Float("enlarge"),
		MinScore: max(c.Float("score"), 0),
	}
	if c.IsSet("neighbors") {
		n := c.Int("neighbors")
		if n < -1 {
			return nil, usagef("-neighbors %d: want -1 or more", n)
		}
		o.MinNeighbors, o.Ungrouped = max(n, 0), n == 0
	}
	if p := c.Float("pad"); c.IsSet("pad") && !(p >= 0 && p <= 50) {
		return nil, usagef("-pad %v: want 0 to 50 per cent", p)
	}
	if c.IsSet("enlarge") && o.Enlarge == 0 { // which the options would take for the default
		return nil, usagef("-enlarge 0: want 1 or more")
	}
	if c.Int("workers") < 0 {
		return nil, usagef("-workers %d is negative", c.Int("workers"))
	}
	if o.Scale == 0 { // which the options would take for the default
		return nil, usagef("-scale 0: want a factor above 1")
	}
	var err error
	if o.MinSize, err = parseSize("-min", c.String("min")); err != nil {
		return nil, err
	}
	if o.MaxSize, err = parseSize("-max", c.String("max")); err != nil {
		return nil, err
	}
	if o.MaxSize != (image.Point{}) && (o.MinSize.X > o.MaxSize.X || o.MinSize.Y > o.MaxSize.Y) {
		return nil, usagef("-min %s is larger than -max %s", c.String("min"), c.String("max"))
	}
	if text := c.String("rotate"); text != "" {
		for word := range strings.SplitSeq(text, ",") {
			angle, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
			if err != nil || math.IsNaN(angle) {
				return nil, usagef("-rotate %q: %q is not an angle; want degrees with commas between, such as 0,-20,20", text, word)
			}
			o.Angles = append(o.Angles, angle)
		}
	}
	return o, nil
}

// parseSize reads "40" or "40x60". Nothing means no bound.
func parseSize(flag, text string) (image.Point, error) {
	if text == "" {
		return image.Point{}, nil
	}
	first, second, two := strings.Cut(strings.ToLower(text), "x")
	if !two {
		second = first
	}
	width, err1 := strconv.ParseUint(first, 10, 31)
	height, err2 := strconv.ParseUint(second, 10, 31)
	if err1 != nil || err2 != nil || width == 0 || height == 0 {
		return image.Point{}, usagef("%s %q: want a size in pixels, such as 40 or 40x60", flag, text)
	}
	return image.Pt(int(width), int(height)), nil
}

// parsePixels reads a number of pixels, or of millions of them with M.
func parsePixels(text string) (int64, error) {
	number, million := strings.CutSuffix(strings.ToUpper(text), "M")
	n, err := strconv.ParseFloat(number, 64)
	if million {
		n *= 1e6
	}
	if err != nil || !(n >= 1 && n <= 1<<40) {
		return 0, usagef("-max-pixels %q: want a number of pixels, such as 5000000 or 5M", text)
	}
	return int64(n), nil
}
