package sampling

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

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

// samplesFlags are those of samples. Those of opencv_createsamples have its
// names.
type samplesFlags struct {
	flags        *cli.Flags
	truth        []string
	format, info string
	out, vec     string
	sheet, show  string
	overwrite    bool
	num          int
	pngOutput    string
	maxScale     float64
	input.WindowFlags

	img                             string
	bg                              []string
	bgColor, bgThresh, maxDeviation int
	invert, invertRandom            bool
	maxX, maxY, maxZ                float64
}

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
			f.String(&v.pngOutput, "pngoutput", "with -img and -info: put pictures into the folder pos, with a file for each in the folder annotations; as in OpenCV, a `WORD` behind it has no meaning")
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
	var greys []*image.Gray
	switch {
	case photographs && given("img"):
		return cli.Usagef("-img and photographs are two ways to make windows: give one of them (-img with -info alone makes test pictures)")
	case photographs:
		windows, err := v.fromPhotographs(ctx, args, stderr)
		if err != nil {
			return err
		}
		return dest.write(windows, stdout)
	case given("img"):
		windows, err := v.fromOne(ctx, stderr)
		if err != nil {
			return err
		}
		return dest.write(windows, stdout)
	case given("vec"):
		width, height := 0, 0
		if given("w") || given("height") {
			width, height = v.Width, v.Height
		}
		if greys, err = samples.ReadVec(v.vec, width, height); err != nil {
			return err
		}
		return dest.draw(greys, stdout)
	}
	return cli.Usagef("nothing to make windows of: give -truth, -info, -img, or pictures as arguments")
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
	for _, path := range v.truth {
		more, err := samples.ReadTruth(path, format)
		if err != nil {
			return nil, nil, err
		}
		labelled = append(labelled, more...)
	}
	if v.info != "" {
		more, err := samples.ReadTruth(v.info, samples.InfoDat)
		if err != nil {
			return nil, nil, err
		}
		labelled = append(labelled, more...)
	}
	for _, path := range args {
		files, err := samples.ListPictures(path)
		if err != nil {
			return nil, nil, err
		}
		crops = append(crops, samples.Crops(files)...)
	}
	return labelled, crops, nil
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

// oneOptions parses the flags about -img.
func (v *samplesFlags) oneOptions() (*augment.OneOptions, error) {
	for _, flag := range []string{"variants", "mirror", "template", "margin", "where", "flip", "min-size", "format"} {
		if v.flags.Given(flag) {
			return nil, cli.Usagef("-%s is for photographs, and means nothing with -img", flag)
		}
	}
	o := &augment.OneOptions{
		Width: v.Width, Height: v.Height,
		MaxX: v.maxX, MaxY: v.maxY, MaxZ: v.maxZ,
		MaxDeviation: v.maxDeviation, Invert: v.invert, InvertRandom: v.invertRandom,
		Seed: v.Seed, Workers: v.Workers,
	}
	level, within := v.bgColor, v.bgThresh
	if level < -1 || level > 255 || within < 0 || within > 255 {
		return nil, cli.Usagef("-bgcolor is %d and -bgthresh %d, want grey levels of 0 to 255, or -bgcolor -1", level, within)
	}
	if level >= 0 {
		o.Ground = &augment.Key{Level: uint8(level), Within: uint8(within)}
	}
	if v.num < 0 {
		return nil, cli.Usagef("-num is %d, want 1 or more", v.num)
	}
	return o, nil
}

// backgrounds reads and checks those of -bg; nil without the flag.
func (v *samplesFlags) backgrounds(ctx context.Context, stderr io.Writer) ([]samples.Background, error) {
	paths := v.bg
	if len(paths) == 0 {
		return nil, nil
	}
	all, err := samples.Backgrounds(paths, nil)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no backgrounds: there is no picture in %s", strings.Join(paths, ", "))
	}
	all, report, err := samples.CheckBackgrounds(ctx, all, nil, &samples.CheckOptions{Width: v.Width, Height: v.Height, Workers: v.Workers})
	if err != nil {
		return nil, err
	}
	fmt.Fprint(stderr, report)
	if len(all) == 0 {
		return nil, fmt.Errorf("no backgrounds: of those in %s none is left", strings.Join(paths, ", "))
	}
	return all, nil
}

// A destination is the output of windows.
type destination struct {
	folder, vec, sheet string // empty: none
	zoom               int
	made               output.MadeFolders
}

// destination parses the flags, before any work is done. making says that
// windows are made, and not only shown.
func (v *samplesFlags) destination(making bool) (*destination, error) {
	d := &destination{}
	var err error
	if d.zoom, err = v.shown(); err != nil {
		return nil, err
	}
	if making {
		d.vec = v.vec
	}
	if out := v.out; out != "" {
		switch {
		case !making:
			return nil, cli.Usagef("-out: nothing is made; give photographs or -img (-vec alone is only shown)")
		case strings.EqualFold(filepath.Ext(out), ".vec") && d.vec != "":
			return nil, cli.Usagef("-out and -vec name two .vec files: give one")
		case strings.EqualFold(filepath.Ext(out), ".vec"):
			d.vec = out
		default:
			d.folder = out
		}
	}
	d.sheet = v.sheet
	if d.sheet == "" {
		beside := d.folder
		if beside == "" {
			beside = strings.TrimSuffix(v.vec, filepath.Ext(v.vec))
		}
		if beside == "" {
			beside = strings.TrimSuffix(d.vec, filepath.Ext(d.vec))
		}
		if beside != "" {
			d.sheet = filepath.Clean(beside) + "-sheet.png"
		}
	}
	if d.sheet == "none" {
		d.sheet = ""
	}
	if making && d.folder == "" && d.vec == "" && d.sheet == "" {
		return nil, cli.Usagef("nowhere to write to: give -out FOLDER, -out FILE.vec, or at least -sheet FILE.png")
	}
	if d.folder != "" {
		if d.made, err = output.MakeFolders(d.folder); err != nil {
			return nil, err
		}
		entries, err := os.ReadDir(d.folder)
		if err != nil {
			return nil, err
		}
		if len(entries) > 0 && !v.overwrite {
			return nil, cli.Usagef("%s: not written to: the folder is not empty (-overwrite writes into it)", d.folder)
		}
	}
	return d, nil
}

// shown returns how large sheets show a pixel. It checks the window's size too.
func (v *samplesFlags) shown() (zoom int, err error) {
	if w, h := v.Width, v.Height; w < 4 || w > 512 || h < 4 || h > 512 {
		return 0, cli.Usagef("-w is %d and -h %d, want windows of 4 to 512 pixels a side", w, h)
	}
	if v.show == "" {
		return output.SheetZoom, nil
	}
	z, err := strconv.ParseFloat(v.show, 64)
	if err != nil || !(z >= 1 && z <= 32) {
		return 0, cli.Usagef("-show is %q, want how large the sheet shows a pixel, from 1 to 32", v.show)
	}
	return int(z), nil
}

// write stores windows, and reports on stdout what was written.
func (d *destination) write(windows []augment.Window, stdout io.Writer) error {
	greys := augment.Greys(windows)
	size := greys[0].Rect.Size()
	if d.vec != "" {
		if err := samples.WriteVec(d.vec, greys); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s: %d windows of %dx%d\n", d.vec, len(greys), size.X, size.Y)
	}
	if d.folder != "" {
		if err := d.writeFolder(windows); err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s: %d windows of %dx%d\n", d.folder, len(greys), size.X, size.Y)
	}
	return d.draw(greys, stdout)
}

// origins is the file in a folder of windows that names the photograph of each:
// crops of one must not be on both sides of a split.
const origins = "origins.csv"

func (d *destination) writeFolder(windows []augment.Window) error {
	var list bytes.Buffer
	table := csv.NewWriter(&list)
	table.Write([]string{"file", "source", "object", "variant", "mirrored"}) // to memory: cannot fail
	for i, w := range windows {
		name := fmt.Sprintf("%06d.png", i+1)
		if err := output.WritePNG(filepath.Join(d.folder, name), w.Grey); err != nil {
			return err
		}
		table.Write([]string{name, filepath.ToSlash(w.Source), strconv.Itoa(w.Object + 1), strconv.Itoa(w.Variant), strconv.FormatBool(w.Mirrored)})
	}
	table.Flush()
	return os.WriteFile(filepath.Join(d.folder, origins), list.Bytes(), 0o666)
}

// draw draws the sheet.
func (d *destination) draw(greys []*image.Gray, stdout io.Writer) error {
	if d.sheet == "" {
		return nil
	}
	if len(greys) == 0 {
		return errors.New("no windows to draw")
	}
	if err := output.WritePNG(d.sheet, output.Sheet(greys, d.zoom)); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: their mean and %d of %d windows\n", d.sheet, min(len(greys), output.MaxOnSheet), len(greys))
	return nil
}
