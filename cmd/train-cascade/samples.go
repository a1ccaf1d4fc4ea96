package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"github.com/urfave/cli/v3"
	"golang.org/x/term"

	"haarlem/picture"
	"haarlem/samples"
)

const samplesText = `Makes training windows and a contact sheet on which a person sees what will be
learned. Windows come from

   photographs with boxes or landmarks     -truth FILE (OpenCV's info.dat, CSV, Pascal
                                           VOC, COCO, YOLO, landmarks), or -info FILE
   pictures that each are one object       FOLDER|PICTURE... as arguments
   one picture, turned in space            -img PICTURE -bg LIST -num 1000

and go to a folder of PNG files (-out FOLDER) or OpenCV's format (-out FILE.vec, or
-vec FILE). With nothing but -vec FILE, a sheet of what is in that file is drawn.

   train-cascade samples -truth faces.csv -only pose=3 -variants 8 -mirror -jitter default -out faces.vec
   train-cascade samples -img logo.png -bg bg.txt -bgcolor 255 -num 500 -w 32 -h 32 -vec logo.vec
   train-cascade samples -vec faces.vec -sheet look.png

The flags of opencv_createsamples mean what they meant there. A .vec file is
replaced; a folder must be new or empty, unless -overwrite is given.`

// newSamples is the subcommand that makes training windows.
func newSamples(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:        "samples",
		Usage:       "make training windows: cut out, align, mirror, jitter, look at them",
		ArgsUsage:   "[FOLDER|PICTURE...]",
		Description: samplesText,
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "truth", Usage: "labelled photographs; may be repeated"},
			&cli.StringFlag{Name: "format", Value: "auto", Usage: "of -truth: auto, info, csv, voc, coco, yolo or landmarks"},
			&cli.StringFlag{Name: "info", Usage: "labelled photographs in OpenCV's format, info.dat"},
			&cli.StringSliceFlag{Name: "only", Aliases: []string{"where"}, Usage: "COLUMN=VALUE,VALUE... of the truth: take such objects only; may be repeated"},
			&cli.StringSliceFlag{Name: "flip", Usage: "COLUMN=VALUE,VALUE... of the truth: mirror such objects, so that all look the same way; may be repeated"},
			&cli.IntFlag{Name: "min-size", Usage: "leave out objects that are smaller than this, in pixels of the photograph"},
			&cli.StringFlag{Name: "template", Value: "frontalface", Usage: "where landmarks go in the window: frontalface, none (boxes are used), or \"x,y x,y ...\" in shares of the window"},
			&cli.FloatFlag{Name: "margin", Usage: "enlarge boxes by this share of their size on each side"},
			&cli.IntFlag{Name: "variants", Value: 1, Usage: "windows made of each object; the first is the plain one"},
			&cli.BoolFlag{Name: "mirror", Usage: "each of them mirrored too"},
			&cli.StringSliceFlag{Name: "jitter", Usage: "how variants differ: none, default, press (old newspapers), or NAME=NUMBER,..., also behind one of these, as in press,halftone=0; if repeated, the variants are dealt out to all in turn"},
			&cli.IntFlag{Name: "w", Aliases: []string{"width"}, Value: 24, Usage: "width of the window"},
			&cli.IntFlag{Name: "height", Value: 24, Usage: "height of the window; also written -h 24"},
			&cli.IntFlag{Name: "num", Usage: "windows to make: 1000 of -img, and of others at most so many; 0 means all"},
			&cli.Uint64Flag{Name: "seed", Aliases: []string{"rngseed"}, Value: defaultSeed, Usage: "of all that is random: train makes the same windows with the same seed"},
			&cli.IntFlag{Name: "workers", Usage: "photographs worked on at the same time; 0 means one a core. The result does not depend on it"},
			&cli.StringFlag{Name: "out", Usage: "FOLDER for PNG files, or FILE.vec"},
			&cli.StringFlag{Name: "vec", Usage: "file in OpenCV's format: written, or looked at if nothing else is given"},
			&cli.StringFlag{Name: "sheet", Usage: "contact sheet (PNG); beside the output if not given, and none if \"none\""},
			&cli.StringFlag{Name: "show", Usage: "how large the sheet shows a pixel; 4 if not given"},
			&cli.BoolFlag{Name: "overwrite", Usage: "write into a folder that is not empty"},
			&cli.StringFlag{Name: "img", Usage: "one picture, which is turned in space"},
			&cli.StringSliceFlag{Name: "bg", Usage: "with -img: folder, list or picture of backgrounds; may be repeated"},
			&cli.IntFlag{Name: "bgcolor", Usage: "with -img: grey level that is transparent, -1 for none"},
			&cli.IntFlag{Name: "bgthresh", Value: 80, Usage: "with -img: levels so near to -bgcolor are transparent too"},
			&cli.BoolFlag{Name: "inv", Usage: "with -img: invert"},
			&cli.BoolFlag{Name: "randinv", Usage: "with -img: invert half of the windows"},
			&cli.IntFlag{Name: "maxidev", Value: 40, Usage: "with -img: lighter or darker by so much at most"},
			&cli.FloatFlag{Name: "maxxangle", Value: 1.1, Usage: "with -img: tip back and forth at most, in radians"},
			&cli.FloatFlag{Name: "maxyangle", Value: 1.1, Usage: "with -img: turn to a side at most, in radians"},
			&cli.FloatFlag{Name: "maxzangle", Value: 0.5, Usage: "with -img: turn in the plane at most, in radians"},
		},
		OnUsageError: func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usageError{err} },
		Action: func(ctx context.Context, c *cli.Command) error {
			return makeSamples(ctx, c, stdout, stderr)
		},
	}
}

func makeSamples(ctx context.Context, c *cli.Command, stdout, stderr io.Writer) (err error) {
	photographs := c.IsSet("truth") || c.IsSet("info") || c.Args().Present()
	dest, err := newDestination(c, photographs || c.IsSet("img"))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			dest.made.remove()
		}
	}()
	var greys []*image.Gray
	switch {
	case photographs && c.IsSet("img"):
		return usagef("-img and photographs are two ways to make windows: give one of them (test pictures, which opencv_createsamples made of -img with -info, are not made)")
	case photographs:
		windows, err := fromPhotographs(ctx, c, stderr)
		if err != nil {
			return err
		}
		return dest.write(windows, stdout)
	case c.IsSet("img"):
		windows, err := fromOne(ctx, c, stderr)
		if err != nil {
			return err
		}
		return dest.write(windows, stdout)
	case c.IsSet("vec"):
		width, height := 0, 0
		if c.IsSet("w") || c.IsSet("height") {
			width, height = c.Int("w"), c.Int("height")
		}
		if greys, err = samples.ReadVec(c.String("vec"), width, height); err != nil {
			return err
		}
		return dest.draw(greys, stdout)
	}
	return usagef("nothing to make windows of: give -truth, -info, -img, or pictures as arguments")
}

// fromPhotographs makes windows of what -truth, -info and the arguments name.
func fromPhotographs(ctx context.Context, c *cli.Command, stderr io.Writer) ([]samples.Window, error) {
	maker, err := newWindowMaker(c, "only")
	if err != nil {
		return nil, err
	}
	if err := forLabels(c, "only", c.IsSet("truth") || c.IsSet("info")); err != nil {
		return nil, err
	}
	num := c.Int("num")
	if num < 0 {
		return nil, usagef("-num is %d, want 0 or more", num)
	}
	labelled, crops, err := readPhotographs(c)
	if err != nil {
		return nil, err
	}
	o := &maker.options
	check := &samples.CheckOptions{Width: o.Width, Height: o.Height, Workers: o.Workers}
	var windows []samples.Window
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
		more, err := maker.make(ctx, kept, set.labelled, stderr)
		if err != nil {
			return nil, err
		}
		windows = append(windows, more...)
	}
	if len(windows) == 0 {
		return nil, fmt.Errorf("no windows: %d photographs with %d objects were read, and -only, -min-size and what is to be ignored leave none of them", photos, objects)
	}
	if num > 0 && num < len(windows) {
		windows = windows[:num]
	} else if num > len(windows) {
		fmt.Fprintf(stderr, "train-cascade: -num is %d, and %d windows is all there is; -variants makes more\n", num, len(windows))
	}
	return windows, nil
}

// readPhotographs reads those that are labelled, and those that each are one
// object.
func readPhotographs(c *cli.Command) (labelled, crops []samples.Photo, err error) {
	format, err := samples.ParseFormat(c.String("format"))
	if err != nil {
		return nil, nil, usageError{fmt.Errorf("-format: %w", err)}
	}
	for _, path := range c.StringSlice("truth") {
		more, err := samples.ReadTruth(path, format)
		if err != nil {
			return nil, nil, err
		}
		labelled = append(labelled, more...)
	}
	if path := c.String("info"); path != "" {
		more, err := samples.ReadTruth(path, samples.InfoDat)
		if err != nil {
			return nil, nil, err
		}
		labelled = append(labelled, more...)
	}
	for _, path := range c.Args().Slice() {
		files, err := samples.ListPictures(path)
		if err != nil {
			return nil, nil, err
		}
		crops = append(crops, samples.Crops(files)...)
	}
	return labelled, crops, nil
}

// fromOne makes windows of -img.
func fromOne(ctx context.Context, c *cli.Command, stderr io.Writer) ([]samples.Window, error) {
	for _, flag := range []string{"variants", "mirror", "template", "margin", "only", "flip", "min-size", "format"} {
		if c.IsSet(flag) {
			return nil, usagef("-%s is for photographs, and means nothing with -img", flag)
		}
	}
	o := &samples.OneOptions{
		Width: c.Int("w"), Height: c.Int("height"),
		MaxX: c.Float("maxxangle"), MaxY: c.Float("maxyangle"), MaxZ: c.Float("maxzangle"),
		MaxDeviation: c.Int("maxidev"), Invert: c.Bool("inv"), InvertRandom: c.Bool("randinv"),
		Seed: c.Uint64("seed"), Workers: c.Int("workers"),
	}
	level, within := c.Int("bgcolor"), c.Int("bgthresh")
	if level < -1 || level > 255 || within < 0 || within > 255 {
		return nil, usagef("-bgcolor is %d and -bgthresh %d, want grey levels of 0 to 255, or -bgcolor -1", level, within)
	}
	if level >= 0 {
		o.Ground = &samples.Key{Level: uint8(level), Within: uint8(within)}
	}
	var err error
	switch jitters := c.StringSlice("jitter"); len(jitters) {
	case 0:
	case 1:
		if o.Jitter, err = samples.ParseJitter(jitters[0]); err != nil {
			return nil, usageError{fmt.Errorf("-jitter: %w", err)}
		}
	default:
		return nil, usagef("-jitter is given %d times, want one with -img", len(jitters))
	}
	n := c.Int("num")
	if n < 0 {
		return nil, usagef("-num is %d, want 1 or more", n)
	}
	if n == 0 {
		n = 1000
	}
	img, err := picture.Open(c.String("img"), nil)
	if err != nil {
		return nil, err
	}
	var backgrounds []samples.Background
	if paths := c.StringSlice("bg"); len(paths) > 0 {
		if backgrounds, err = samples.Backgrounds(paths, nil); err != nil {
			return nil, err
		}
		if len(backgrounds) == 0 {
			return nil, fmt.Errorf("no backgrounds: there is no picture in %s", strings.Join(paths, ", "))
		}
		var report *samples.Report
		backgrounds, report, err = samples.CheckBackgrounds(ctx, backgrounds, nil, &samples.CheckOptions{Width: o.Width, Height: o.Height, Workers: o.Workers})
		if err != nil {
			return nil, err
		}
		fmt.Fprint(stderr, report)
		if len(backgrounds) == 0 {
			return nil, fmt.Errorf("no backgrounds: of those in %s none is left", strings.Join(paths, ", "))
		}
	}
	var finish func()
	o.Progress, finish = makingProgress(stderr, "backgrounds")
	windows, err := samples.MakeFromOne(ctx, img.Image, backgrounds, n, o)
	finish()
	return windows, err
}

// A destination is where windows go.
type destination struct {
	folder, vec, sheet string // empty: none
	zoom               int
	made               madeFolders
}

// newDestination reads the flags, before any work is done. making says that
// windows are made, and not only looked at.
func newDestination(c *cli.Command, making bool) (*destination, error) {
	d := &destination{zoom: sheetZoom}
	if show := c.String("show"); show != "" {
		z, err := strconv.ParseFloat(show, 64)
		if err != nil || !(z >= 1 && z <= 32) {
			return nil, usagef("-show is %q, want how large the sheet shows a pixel, from 1 to 32", show)
		}
		d.zoom = int(z)
	}
	if making {
		d.vec = c.String("vec")
	}
	if w, h := c.Int("w"), c.Int("height"); w < 4 || w > 512 || h < 4 || h > 512 {
		return nil, usagef("-w is %d and -h %d, want windows of 4 to 512 pixels a side", w, h)
	}
	if out := c.String("out"); out != "" {
		switch {
		case !making:
			return nil, usagef("-out: nothing is made; give photographs or -img (-vec alone is looked at)")
		case strings.EqualFold(filepath.Ext(out), ".vec") && d.vec != "":
			return nil, usagef("-out and -vec name two .vec files: give one")
		case strings.EqualFold(filepath.Ext(out), ".vec"):
			d.vec = out
		default:
			d.folder = out
		}
	}
	d.sheet = c.String("sheet")
	if d.sheet == "" {
		beside := d.folder
		if beside == "" {
			beside = strings.TrimSuffix(c.String("vec"), filepath.Ext(c.String("vec")))
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
		return nil, usagef("nowhere to write to: give -out FOLDER, -out FILE.vec, or at least -sheet FILE.png")
	}
	if d.folder != "" {
		var err error
		if d.made, err = makeFolders(d.folder); err != nil {
			return nil, err
		}
		entries, err := os.ReadDir(d.folder)
		if err != nil {
			return nil, err
		}
		if len(entries) > 0 && !c.Bool("overwrite") {
			return nil, usagef("%s: not written to: the folder is not empty (-overwrite writes into it)", d.folder)
		}
	}
	return d, nil
}

// write stores windows, and says on stdout what was written.
func (d *destination) write(windows []samples.Window, stdout io.Writer) error {
	greys := samples.Greys(windows)
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

// origins is the file in a folder of windows that says which photograph each
// comes from: crops of one must not be on both sides of a split.
const origins = "origins.csv"

func (d *destination) writeFolder(windows []samples.Window) error {
	var list bytes.Buffer
	table := csv.NewWriter(&list)
	table.Write([]string{"file", "source", "object", "variant", "mirrored"}) // to memory: cannot fail
	for i, w := range windows {
		name := fmt.Sprintf("%06d.png", i+1)
		if err := writePNG(filepath.Join(d.folder, name), w.Grey); err != nil {
			return err
		}
		table.Write([]string{name, filepath.ToSlash(w.Source), strconv.Itoa(w.Object + 1), strconv.Itoa(w.Variant), strconv.FormatBool(w.Mirrored)})
	}
	table.Flush()
	return os.WriteFile(filepath.Join(d.folder, origins), list.Bytes(), 0o666)
}

// sheetColumns and mostOnSheet keep a sheet of 24x24 windows below 2000 by 1000
// pixels.
const (
	sheetColumns = 20
	mostOnSheet  = 199 // and the mean picture
	sheetZoom    = 4   // unless -show says another one
)

// windowSheet is a sheet of the mean of all windows, then windows from all over
// the list.
func windowSheet(greys []*image.Gray, zoom int) image.Image {
	shown := []*image.Gray{samples.Mean(greys)}
	n := min(len(greys), mostOnSheet)
	for i := range n {
		shown = append(shown, greys[i*len(greys)/n])
	}
	return samples.Sheet(shown, sheetColumns, zoom, "mean")
}

// draw makes the sheet.
func (d *destination) draw(greys []*image.Gray, stdout io.Writer) error {
	if d.sheet == "" {
		return nil
	}
	if len(greys) == 0 {
		return errors.New("no windows to draw")
	}
	if err := writePNG(d.sheet, windowSheet(greys, d.zoom)); err != nil {
		return err
	}
	fmt.Fprintf(stdout, "%s: their mean and %d of %d windows\n", d.sheet, min(len(greys), mostOnSheet), len(greys))
	return nil
}

func writePNG(path string, img image.Image) error {
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return os.WriteFile(path, b.Bytes(), 0o666)
}

// makingProgress draws a bar on a terminal, and a log line every ten seconds
// elsewhere.
func makingProgress(stderr io.Writer, what string) (progress func(done, total int), finish func()) {
	if f, ok := stderr.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		var bar *progressbar.ProgressBar
		return func(done, total int) {
				if bar == nil {
					bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(stderr),
						progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
						progressbar.OptionSetPredictTime(true), progressbar.OptionThrottle(100*time.Millisecond),
						progressbar.OptionClearOnFinish())
				}
				// A bar that cannot be drawn is no reason to stop.
				_ = bar.Set(done)
			}, func() {
				if bar != nil {
					_ = bar.Finish()
				}
			}
	}
	log := slog.New(slog.NewTextHandler(stderr, nil))
	last := time.Now()
	return func(done, total int) {
		if now := time.Now(); now.Sub(last) >= 10*time.Second {
			last = now
			log.Info("samples", "done", done, what, total)
		}
	}, func() {}
}
