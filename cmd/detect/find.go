package main

import (
	"context"
	"fmt"
	"image"
	"math"
	"runtime"
	"strconv"
	"strings"

	"haarlem/cascade"
	"haarlem/cascade/detector"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/shard"
	"haarlem/landmarks"
	"haarlem/models"
	"haarlem/models/facebox"
	"haarlem/picture"
)

const findText = `
Finds faces, or what the model was trained for, in JPEG, PNG, GIF, BMP, TIFF,
WebP and PNM files, turned upright. A folder stands for its pictures, and - for
standard input. Boxes are in pixels of the upright picture, from its top left.
-model may be a cascade of pico or pigo too, whose -min-score is 5 if not given.
` + unreadText

// unreadText is for all commands that go through pictures.
const unreadText = `
A file that cannot be read is reported and skipped; the exit status is then 1.
It is also 1 if a folder holds HEIC, AVIF or RAW pictures, named pipes, links to
other folders, or folders that cannot be opened. A JPEG or PNG that ends too
early is searched as far as it goes, with a warning; -strict refuses it.`

// formats are those of the results.
var formats = []string{"text", "json", "jsonl", "csv"}

// findFlags are those of the command that everything is about.
type findFlags struct {
	format         string
	annotate, crop string
	landmarks, out string
	overwrite      bool
	shardFlags
	pictureFlags
	searchFlags
}

func findCommand() *cli.Command {
	return &cli.Command{
		Args: "FILE|DIR|GLOB|-...", Text: findText,
		Setup: func(f *cli.Flags, cs *cli.Streams) func(context.Context, []string) error {
			s, v := newStreams(cs), &findFlags{format: "text"}
			f.Group("Input and output")
			f.Choice(&v.format, "format", formats, "write results as `FORMAT`: text, json (one array), jsonl (an object a line) or csv (a face a line)")
			f.String(&v.landmarks, "points", "find points with `MODEL`: face5, face68 or a file")
			f.String(&v.annotate, "annotate", "write copies with boxes and scores into `DIR`")
			f.String(&v.crop, "crop", "write each face into `DIR`; -points levels its eyes")
			f.Bool(&v.overwrite, "overwrite", "let -annotate and -crop replace files")
			v.recursiveFlag(f)
			v.shardFlags.declare(f)
			f.String(&v.out, "out", "write the shard of -list into `DIR`")
			v.searchFlags.declare(f)
			f.Group("Limits")
			v.workersFlag(f)
			v.limitFlags(f)
			return func(ctx context.Context, args []string) error {
				if v.wanted() {
					return findShard(ctx, s, v, args)
				}
				if v.out != "" {
					return cli.Usagef("-out is for -list; -annotate and -crop write pictures")
				}
				return find(ctx, s, v, args)
			}
		},
	}
}

// searchFlags say how to search.
type searchFlags struct {
	model, pose, profile, box     string
	minSize, maxSize, rotate      string
	minScore, enlarge, scale, pad float64
	minNeighbors, workers         int
	points                        *landmarks.Model // nil: not wanted
	also                          []string         // models of what is hidden beside faces
	given                         func(string) bool
	strong                        float64 // from open: the score from which a detection is certain; 0 if scores are not calibrated

	live  bool // parts of frames are searched, for a window
	hides bool // what is found is hidden: what is doubtful counts too
	weak  bool // what is below strong is found too, to continue tracks
}

// declare declares all but -workers. Of a live search the command declares
// -model and -min-size.
func (v *searchFlags) declare(f *cli.Flags) {
	v.scale, v.enlarge, v.given = 1.1, 1, f.Given
	f.Group("Search")
	if !v.live {
		f.String(&v.model, "model", modelUsage+" (default "+models.Default+")")
		if v.hides {
			f.Strings(&v.also, "also", "also hide what `MODEL` finds, such as number plates; may be repeated")
		}
		f.String(&v.minSize, "min-size", "smallest face, `SIZE` in pixels: 40 or 40x60")
		f.Old("min-size", "min")
		v.box = facebox.Own.String()
		f.Choice(&v.box, "box", facebox.Names(), "frame this `BOX`: own, face, head or eyes")
	}
	f.String(&v.maxSize, "max-size", "largest face, `SIZE` in pixels")
	f.Old("max-size", "max")
	f.Float(&v.minScore, "min-score", "least `SCORE` of a face; the model's own if not given")
	f.Old("min-score", "score")
	f.Choice(&v.pose, "pose", []string{"frontal", "profile", "any"}, "find faces with the models of a `POSE`: frontal, profile (from either side) or any; the default model finds all")
	f.String(&v.rotate, "rotate", "search at `ANGLES` in degrees clockwise, or any")
	if !v.live {
		f.Float(&v.enlarge, "enlarge", "search enlarged by `F`, for faces smaller than the window; 2 takes four times as long")
	}
	f.Group("Advanced search")
	f.Float(&v.scale, "scale", "`FACTOR` between two levels of the image pyramid; a smaller one finds more and takes longer")
	f.Int(&v.minNeighbors, "min-neighbors", "a face needs more than `N` overlapping candidates; the model's own, or 3, if not given. 0 reports each candidate, -1 each group")
	f.Old("min-neighbors", "neighbors")
	if !v.live {
		f.Float(&v.pad, "pad", "let `P` per cent (at most 50) of a face be cut off")
	}
	f.String(&v.profile, "profile-model", "use `MODEL`, and its mirror image, for -pose profile and any (default "+models.ProfileName+")")
}

// modelUsage is what -model says.
var modelUsage = "use `MODEL`: a file, ours or OpenCV's, or one of " + builtinNames()

func (v *searchFlags) workersFlag(f *cli.Flags) {
	f.Int(&v.workers, "workers", "use `N` goroutines; by default one for each processor")
}

// pictureFlags say which pictures to read.
type pictureFlags struct {
	recursive, strict bool
	heic              bool
	maxPixels         string
}

func (v *pictureFlags) recursiveFlag(f *cli.Flags) {
	f.Bool(&v.recursive, "recursive", "search folders inside folders too")
	f.Bool(&v.heic, "heic", "read HEIC and AVIF too, by a program on the PATH")
}

func (v *pictureFlags) limitFlags(f *cli.Flags) {
	v.maxPixels = "100M"
	f.String(&v.maxPixels, "max-pixels", "refuse pictures with more than `N` pixels")
	f.Bool(&v.strict, "strict", "refuse a JPEG or PNG that ends too early")
}

// find is the whole command.
func find(ctx context.Context, s *streams, v *findFlags, args []string) error {
	var err error
	if v.points, err = openPoints(v.landmarks); err != nil {
		return err
	}
	job, err := newBatch(s, args, v.format, &v.pictureFlags, &v.searchFlags)
	if err != nil {
		return err
	}
	if r, ok := job.reporter.(*csvReporter); ok {
		r.angles = v.rotate != ""
		if v.points != nil {
			r.points = len(v.points.Mean)
		}
	}
	if job.annotate, err = newOutputs(v.annotate, v.overwrite, job.inputs); err != nil {
		return err
	}
	if job.crop, err = newOutputs(v.crop, v.overwrite, job.inputs); err != nil {
		return err
	}
	return job.run(ctx)
}

// findShard is the whole command for a shard of a list.
func findShard(ctx context.Context, s *streams, v *findFlags, args []string) error {
	if !v.given("format") {
		v.format = "jsonl"
	}
	var refused []string
	for _, name := range []string{"points", "annotate", "crop", "overwrite", "recursive"} {
		if v.given(name) {
			refused = append(refused, name)
		}
	}
	p, err := v.shardFlags.check(args, v.out, v.format, refused...)
	if err != nil {
		return err
	}
	d, err := newShardSearch(s, &v.pictureFlags, &v.searchFlags, v.format)
	if err != nil {
		return err
	}
	return v.run(ctx, s, p, shard.Folder(v.out), v.workers, d)
}

// newBatch reads the flags and checks everything that can be wrong before the
// first picture.
func newBatch(s *streams, args []string, format string, pictures *pictureFlags, how *searchFlags) (*batch, error) {
	job := &batch{streams: s, workers: how.workers}
	var err error
	if job.reporter, err = newReporter(format, s.out); err != nil {
		return nil, err
	}
	options, err := how.options()
	if err != nil {
		return nil, err
	}
	if job.limits.MaxPixels, err = parsePixels("-max-pixels", "pixels", pictures.maxPixels); err != nil {
		return nil, err
	}
	if len(args) == 0 {
		return nil, cli.Usagef("no pictures: give files, folders, patterns or - for stdin (detect -help says more)")
	}
	job.limits.Partial = !pictures.strict
	if pictures.heic {
		c := picture.FindConverter()
		if c == nil {
			return nil, cli.Usagef("-heic: there is no heif-dec, heif-convert, sips or magick on the PATH (Debian and Ubuntu: apt install libheif-examples)")
		}
		fmt.Fprintf(s.err, "detect: HEIC and AVIF pictures are decoded by %s\n", c.Program)
		job.limits.Converter = c
	}
	if job.selection, err = expand(args, pictures.recursive); err != nil {
		return nil, err
	}
	job.selection.convert(job.limits.Converter)
	if job.workers == 0 {
		job.workers = runtime.GOMAXPROCS(0)
	}
	// Whole pictures side by side need no agreement among workers; those
	// that are left over help inside a picture.
	options.Workers = max(1, job.workers/max(1, len(job.inputs)))

	if job.finder, _, err = how.finder(s, options); err != nil {
		return nil, err
	}
	if p, ok := options.Points.(*landmarks.Predictor); ok {
		job.points = p
	}
	job.object = job.finder.Object()
	return job, nil
}

// edit puts into a model's settings what flags say instead, as far as options
// does not say it.
func (v *searchFlags) edit(s *cascade.Search) {
	if !v.live && v.given("pad") {
		s.Pad = v.pad / 100
	}
	if v.given("min-score") {
		s.MinScore = 0
	}
	if v.given("min-neighbors") {
		s.MinCandidates = 1
	}
}

// options turns flags into the detector's options, without the workers.
func (v *searchFlags) options() (*detector.Options, error) {
	o := &detector.Options{Scale: v.scale, Enlarge: v.enlarge, MinScore: max(v.minScore, 0)}
	if n := v.minNeighbors; v.given("min-neighbors") {
		if n < -1 {
			return nil, cli.Usagef("-min-neighbors %d: want -1 or more", n)
		}
		o.MinNeighbors, o.Ungrouped = max(n, 0), n == 0
	}
	if p := v.pad; !v.live && v.given("pad") && !(p >= 0 && p <= 50) {
		return nil, cli.Usagef("-pad %v: want 0 to 50 per cent", p)
	}
	if o.Enlarge == 0 { // which the options would take for the default
		return nil, cli.Usagef("-enlarge 0: want 1 or more")
	}
	if v.workers < 0 {
		return nil, cli.Usagef("-workers %d is negative", v.workers)
	}
	if o.Scale == 0 { // which the options would take for the default
		return nil, cli.Usagef("-scale 0: want a factor above 1")
	}
	var err error
	if o.MinSize, err = parseSize("-min-size", v.minSize); err != nil {
		return nil, err
	}
	if o.MaxSize, err = parseSize("-max-size", v.maxSize); err != nil {
		return nil, err
	}
	if o.MaxSize != (image.Point{}) && (o.MinSize.X > o.MaxSize.X || o.MinSize.Y > o.MaxSize.Y) {
		return nil, cli.Usagef("-min-size %s is larger than -max-size %s", v.minSize, v.maxSize)
	}
	if text := v.rotate; text == anyAngle {
		o.Angles = detector.AllAngles()
	} else if text != "" {
		for word := range strings.SplitSeq(text, ",") {
			angle, err := strconv.ParseFloat(strings.TrimSpace(word), 64)
			if err != nil || math.IsNaN(angle) {
				return nil, cli.Usagef("-rotate %q: %q is not an angle; want degrees with commas between, such as 0,-20,20, or any", text, word)
			}
			o.Angles = append(o.Angles, angle)
		}
	}
	return o, nil
}

// anyAngle is the value of -rotate for all angles.
const anyAngle = "any"

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
		return image.Point{}, cli.Usagef("%s %q: want a size in pixels, such as 40 or 40x60", flag, text)
	}
	return image.Pt(int(width), int(height)), nil
}

// parsePixels reads a number of things, or of millions of them with M.
func parsePixels(flag, things, text string) (int64, error) {
	number, million := strings.CutSuffix(strings.ToUpper(text), "M")
	n, err := strconv.ParseFloat(number, 64)
	if million {
		n *= 1e6
	}
	if err != nil || !(n >= 1 && n <= 1<<40) {
		return 0, cli.Usagef("%s %q: want a number of %s, such as 5000000 or 5M", flag, text, things)
	}
	return int64(n), nil
}
