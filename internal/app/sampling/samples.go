package sampling

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/samples"
	"haarlem/internal/samples/augment"
	"haarlem/picture"
)

const samplesText = `Makes training windows, and a contact sheet of them. Windows come from

   -truth FILE, -info FILE     photographs with labelled boxes or landmarks (OpenCV's
                               info.dat, CSV, Pascal VOC, COCO, YOLO, imglab,
                               LabelMe, Label Studio)
   FOLDER|PICTURE...           pictures that are one object each
   -img PICTURE -bg LIST       one picture, rotated in space

and go to a folder of PNG files (-out FOLDER) or to OpenCV's format (-out FILE.vec or
-vec FILE). With -vec FILE alone, a contact sheet of that file is drawn.

   train-cascade samples -truth faces.csv -where pose=3 -variants 8 -mirror \
      -jitter default -out faces.vec
   train-cascade samples -img logo.png -bg bg.txt -bgcolor 255 -num 500 -w 32 -h 32 \
      -vec logo.vec
   train-cascade samples -vec faces.vec -sheet look.png

-img with -bg, -info and no -vec makes test pictures instead: each background with the
object on it once, and FILE of -info, which names them and the boxes.

   train-cascade samples -img logo.png -bg bg.txt -num 100 -info test/info.dat

train with the same flags and seed learns exactly these windows. The flags of
opencv_createsamples have the same meaning. A .vec file is replaced; a folder must
be new or empty, unless -overwrite is given.`

func Samples() *cli.Command {
	return &cli.Command{
		Name: "samples", Summary: "make training windows: crop, align, mirror, augment, inspect", Args: "[FOLDER|PICTURE...]", Text: samplesText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &samplesFlags{flags: f, format: "auto", bgThresh: 80, maxDeviation: 40, maxX: 1.1, maxY: 1.1, maxZ: 0.5}
			f.Group("Data")
			f.Strings(&v.truth, "truth", "`FILE` of labelled photographs, with boxes or landmarks; may be repeated")
			f.String(&v.format, "format", "`FORMAT` of -truth: "+samples.FormatNames())
			v.DeclareObjects(f)
			f.Group("Output")
			f.String(&v.out, "out", "write PNG files into the folder `OUT`, or OpenCV's format if it ends in .vec")
			f.String(&v.sheet, "sheet", "draw a contact sheet into `FILE`, a PNG; beside the output if not given, and none if \"none\"")
			f.Bool(&v.overwrite, "overwrite", "write into a folder that is not empty")
			v.DeclareSize(f)
			v.DeclareSeed(f)
			f.Also("seed", "rngseed")
			f.Int(&v.Workers, "workers", "use `N` goroutines; one for each processor if not given. The result does not depend on it")
			v.DeclareAugmentation(f)
			f.Group("Accepted for opencv_createsamples")
			f.String(&v.vec, "vec", "`FILE` in OpenCV's format: written, or shown if there is no other input")
			f.String(&v.info, "info", "`FILE` of labelled photographs in OpenCV's format, such as info.dat")
			f.Int(&v.num, "num", "make `N` windows: 1000 of -img, and of others at most so many; 0 for all")
			f.String(&v.show, "show", "enlarge the windows of the contact sheet `N` times; 4 if not given")
			f.String(&v.img, "img", "make windows of one `PICTURE`, rotated in space")
			f.Strings(&v.bg, "bg", "with -img: `PATH` of backgrounds, a folder, list or picture; may be repeated")
			f.Int(&v.bgColor, "bgcolor", "with -img: `LEVEL` of grey that is transparent, -1 for none")
			f.Int(&v.bgThresh, "bgthresh", "with -img: levels within `N` of -bgcolor are transparent too")
			f.Bool(&v.invert, "inv", "with -img: invert")
			f.Bool(&v.invertRandom, "randinv", "with -img: invert half of the windows")
			f.Int(&v.maxDeviation, "maxidev", "with -img: lighter or darker by at most `N` levels")
			f.Float(&v.maxX, "maxxangle", "with -img: rotate up and down by at most `RADIANS`")
			f.Float(&v.maxY, "maxyangle", "with -img: rotate to a side by at most `RADIANS`")
			f.Float(&v.maxZ, "maxzangle", "with -img: rotate in the plane by at most `RADIANS`")
			f.Float(&v.maxScale, "maxscale", "with -img and -info: paste it at no more than `N` times the window's size; what fits into seven tenths of the background if not given")
			f.String(&v.pngOutput, "pngoutput", "with -img and -info: put pictures into the folder pos, with a file for each in the folder annotations; as in OpenCV, a `WORD` after it has no meaning")
			return func(ctx context.Context, args []string) error { return makeSamples(ctx, v, args, s.Out, s.Err) }
		},
	}
}

func makeSamples(ctx context.Context, v *samplesFlags, args []string, stdout, stderr io.Writer) (err error) {
	given := v.flags.Given
	if given("img") && given("info") && !given("vec") && !given("out") {
		return v.makeScenes(ctx, args, stdout, stderr)
	}
	for _, name := range []string{"maxscale", "pngoutput"} {
		if given(name) {
			return cli.Usagef("-%s is for test pictures: give -img, -bg and -info, without -vec and -out", name)
		}
	}
	photographs := given("truth") || given("info") || len(args) > 0
	dest, err := v.destination(photographs || given("img"))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			dest.made.Remove()
		}
	}()
	var windows []augment.Window
	switch {
	case photographs && given("img"):
		return cli.Usagef("-img and photographs are two ways to make windows: give one of them (-img with -info alone makes test pictures)")
	case photographs:
		windows, err = v.fromPhotographs(ctx, args, stderr)
	case given("img"):
		windows, err = v.fromOne(ctx, stderr)
	case given("vec"):
		width, height := 0, 0
		if given("w") || given("height") {
			width, height = v.Width, v.Height
		}
		greys, err := samples.ReadVec(v.vec, width, height)
		if err != nil {
			return err
		}
		return dest.draw(greys, stdout)
	default:
		return cli.Usagef("nothing to make windows of: give -truth, -info, -img, or pictures as arguments")
	}
	if err != nil {
		return err
	}
	return dest.write(windows, stdout)
}

// fromPhotographs makes windows of the pictures of -truth, -info and the
// arguments.
func (v *samplesFlags) fromPhotographs(ctx context.Context, args []string, stderr io.Writer) ([]augment.Window, error) {
	maker, err := v.Maker()
	if err != nil {
		return nil, err
	}
	if err := input.ForLabels(v.flags.Given, v.flags.Given("truth") || v.flags.Given("info")); err != nil {
		return nil, err
	}
	num := v.num
	if num < 0 {
		return nil, cli.Usagef("-num is %d, want 0 or more", num)
	}
	labelled, crops, err := v.photographs(args)
	if err != nil {
		return nil, err
	}
	o := &maker.Options
	check := &samples.CheckOptions{Width: o.Width, Height: o.Height, Workers: o.Workers}
	var windows []augment.Window
	photos, objects := 0, 0
	for _, set := range []struct {
		photos   []samples.Photo
		labelled bool
	}{{labelled, true}, {crops, false}} {
		if len(set.photos) == 0 {
			continue
		}
		kept, report, err := samples.CheckPositives(ctx, set.photos, check)
		if err != nil {
			return nil, err
		}
		fmt.Fprint(stderr, report)
		photos += len(kept)
		for i := range kept {
			objects += len(kept[i].Objects)
		}
		more, err := maker.Make(ctx, kept, set.labelled, stderr)
		if err != nil {
			return nil, err
		}
		windows = append(windows, more...)
	}
	if len(windows) == 0 {
		return nil, fmt.Errorf("no windows: %d photographs with %d objects were read, and -where, -min-size and what is to be ignored leave none of them", photos, objects)
	}
	if num > 0 && num < len(windows) {
		windows = windows[:num]
	} else if num > len(windows) {
		fmt.Fprintf(stderr, "train-cascade: -num is %d, and %d windows is all there is; -variants makes more\n", num, len(windows))
	}
	return windows, nil
}

// photographs reads labelled photographs, and crops of single objects.
func (v *samplesFlags) photographs(args []string) (labelled, crops []samples.Photo, err error) {
	format, err := samples.ParseFormat(v.format)
	if err != nil {
		return nil, nil, cli.Usage(fmt.Errorf("-format: %w", err))
	}
	if labelled, err = input.Labelled("", v.truth, format, v.info); err != nil {
		return nil, nil, err
	}
	crops, err = input.Crops("", args)
	return labelled, crops, err
}

// fromOne makes windows of -img.
func (v *samplesFlags) fromOne(ctx context.Context, stderr io.Writer) ([]augment.Window, error) {
	o, err := v.oneOptions()
	if err != nil {
		return nil, err
	}
	switch jitters := v.Jitters; len(jitters) {
	case 0:
	case 1:
		if o.Effects, err = augment.Parse(jitters[0]); err != nil {
			return nil, cli.Usage(fmt.Errorf("-jitter: %w", err))
		}
	default:
		return nil, cli.Usagef("-jitter is given %d times, want one with -img", len(jitters))
	}
	img, err := picture.Open(v.img, nil)
	if err != nil {
		return nil, err
	}
	backgrounds, err := v.backgrounds(ctx, stderr)
	if err != nil {
		return nil, err
	}
	var finish func()
	o.Progress, finish = output.Progress(stderr, "backgrounds")
	windows, err := augment.MakeFromOne(ctx, img.Image, backgrounds, cmp.Or(v.num, 1000), o)
	finish()
	return windows, err
}
