package sampling

import (
	"context"
	"encoding/csv"
	"fmt"
	"image"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/samples"
	"haarlem/internal/samples/augment"
	"haarlem/internal/samples/mosaic"
)

const mosaicText = `Puts each object of -truth once, with its surroundings, as a tile of random size on a
picture of -bg. The folder -out gets the pictures and truth.csv: boxes, the columns of
-truth, the file that a tile came from, and whether an object is to be ignored.
Objects with landmarks and no box get a box from -template.

   train-cascade mosaic -truth faces/val.csv -bg backgrounds/ -out mosaics/
   train-cascade eval -model face-fast -truth mosaics/truth.csv

Without -truth there are no objects. The pictures of -bg are then degraded as -jitter
or -press says, for more negative images.

   train-cascade mosaic -bg backgrounds/ -press -smallest 24 -out degraded/
   train-cascade train -data out -truth faces.csv -bg backgrounds/ -bg degraded/`

// mosaicFlags are those of mosaic.
type mosaicFlags struct {
	truth, bg                     []string
	format, template, out, jitter string
	overwrite                     bool
	set                           mosaic.Options
}

func Mosaic() *cli.Command {
	return &cli.Command{
		Name: "mosaic", Summary: "make pictures to measure detectors on, of known objects and backgrounds", Text: mosaicText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &mosaicFlags{format: "auto", template: "frontalface", jitter: "none", set: mosaic.Options{MinSize: 24, MaxSize: 144, Faces: 12, Smallest: 400, Seed: 1}}
			o := &v.set
			f.Group("Input and output")
			f.Strings(&v.truth, "truth", "`FILE` of labelled objects; may be repeated")
			f.Strings(&v.bg, "bg", "`PATH` of negative images, without the object: a folder, list or picture; may be repeated")
			f.String(&v.format, "format", "`FORMAT` of -truth: "+samples.FormatNames())
			f.String(&v.template, "template", "`POINTS` at which landmarks stand in a box, for objects without one: frontalface, none (all have boxes), or X,Y pairs in shares of its width")
			f.String(&v.out, "out", "`FOLDER` for the pictures and truth.csv")
			f.Bool(&v.overwrite, "overwrite", "write into a folder that has a truth.csv")
			f.Group("Pictures")
			f.Int(&o.MinSize, "min-size", "smallest side of a box, in `PIXELS`")
			f.Int(&o.MaxSize, "max-size", "largest side of a box, in `PIXELS`")
			f.Int(&o.Faces, "faces", "put at most `N` tiles on a picture")
			f.Int(&o.Smallest, "smallest", "use backgrounds whose shorter side has these `PIXELS` or more")
			f.Float(&o.Cut, "cut", "`SHARE` of the tiles that the border of the picture cuts")
			f.Float(&o.Turn, "turn", "rotate photographs at random, by at most `DEGREES` either way")
			f.String(&v.jitter, "jitter", "degrade each tile and background by `EFFECTS`: NAME=NUMBER,... as in samples -jitter, of light, film, print and file")
			f.Bool(&o.PrintAndScan, "press", "degrade the pictures like scanned old newspapers")
			f.Bool(&o.Colour, "colour", "make pictures in colour, for train-cascade network")
			f.Group("Run")
			f.Uint64(&o.Seed, "seed", "`SEED` of the random numbers")
			f.Int(&o.Workers, "workers", "make `N` pictures at one time; one for each processor if not given. The pictures do not depend on it")
			return func(ctx context.Context, _ []string) error { return makeMosaics(ctx, v, s.Out) }
		},
	}
}

func makeMosaics(ctx context.Context, v *mosaicFlags, stdout io.Writer) error {
	o := v.set
	var err error
	if o.Effects, err = augment.Parse(v.jitter); err == nil {
		err = o.Effects.CheckDegradation()
	}
	if err != nil {
		return cli.Usage(fmt.Errorf("-jitter: %w", err))
	}
	switch {
	case len(v.truth) == 0 && o.Effects == (augment.Effects{}) && !o.PrintAndScan:
		return cli.Usagef("no objects given: name a file with -truth; or degrade the backgrounds alone, with -jitter or -press")
	case len(v.bg) == 0:
		return cli.Usagef("no backgrounds given: name a folder or a list with -bg")
	case v.out == "":
		return cli.Usagef("no folder given for the pictures: name one with -out")
	}
	photos, template, err := input.ReadBoxed(v.truth, v.format, v.template)
	if err != nil {
		return err
	}
	o.Template = template
	backgrounds, err := input.ListPictures(v.bg)
	if err != nil {
		return err
	}
	folder := v.out
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	index := filepath.Join(folder, "truth.csv")
	if _, err := os.Lstat(index); err == nil && !v.overwrite {
		return fmt.Errorf("%s exists: name another folder, or add -overwrite", index)
	}
	tags := mosaicTags(photos)
	rows := [][]string{slices.Concat(mosaicColumns, tags)}
	pictures, objects := 0, 0
	put := func(m *mosaic.Mosaic) error {
		pictures++
		name := fmt.Sprintf("%04d.png", pictures)
		var picture image.Image = m.Picture
		if m.Colour != nil {
			picture = m.Colour
		}
		if err := output.WritePNG(filepath.Join(folder, name), picture); err != nil {
			return err
		}
		for i := range m.Objects {
			rows = append(rows, mosaicRow(name, &m.Objects[i], tags))
			if !m.Objects[i].Ignore {
				objects++
			}
		}
		return nil
	}
	if len(v.truth) > 0 {
		err = mosaic.Mosaics(ctx, photos, backgrounds, &o, put)
	} else {
		err = mosaic.Degraded(ctx, backgrounds, &o, put)
	}
	if err != nil {
		return err
	}
	// Last, so that a folder with a truth is complete.
	if err := writeRows(index, rows); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d objects in %d pictures: %s\n", objects, pictures, index)
	return err
}

// mosaicColumns are those of truth.csv before the tags.
var mosaicColumns = []string{"file", "x", "y", "width", "height", "ignore", "source"}

// mosaicTags returns the columns of the objects' tags, in order.
func mosaicTags(photos []samples.Photo) []string {
	seen := map[string]bool{}
	for i := range photos {
		for k := range photos[i].Objects {
			for tag := range photos[i].Objects[k].Tags {
				seen[tag] = true
			}
		}
	}
	for _, own := range mosaicColumns {
		delete(seen, own)
	}
	return slices.Sorted(maps.Keys(seen))
}

// mosaicRow is an object in truth.csv.
func mosaicRow(name string, o *samples.Object, tags []string) []string {
	ignore := "0"
	if o.Ignore {
		ignore = "1"
	}
	row := []string{
		name, strconv.Itoa(o.Box.Min.X), strconv.Itoa(o.Box.Min.Y), strconv.Itoa(o.Box.Dx()), strconv.Itoa(o.Box.Dy()),
		ignore, filepath.Base(o.Tags["source"]),
	}
	for _, t := range tags {
		row = append(row, o.Tags[t])
	}
	return row
}

// writeRows writes a CSV file.
func writeRows(path string, rows [][]string) error {
	return samples.WriteAtomically(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}
