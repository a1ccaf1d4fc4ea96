package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"image/png"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/urfave/cli/v3"

	"haarlem/samples"
	"haarlem/samples/augment"
	"haarlem/samples/mosaic"
)

const mosaicText = `Each object of -truth is put once, with what is around it, as a tile of some size
on a picture of -bg. The folder -out gets the pictures, PNG, and truth.csv: boxes,
the columns of -truth, the file that a tile came from, and whether an object is to
be ignored. Objects that have landmarks and no box are framed as the project
frames faces.

   train-cascade mosaic -truth faces/val.csv -bg backgrounds/ -out mosaics/
   train-cascade eval -model frontalface -truth mosaics/truth.csv

Without -truth there are no objects: each picture of -bg becomes a picture that is
spoilt as -jitter or -press says, for more to tell objects from.

   train-cascade mosaic -bg backgrounds/ -press -smallest 24 -out spoilt/
   train-cascade train -data out -truth faces.csv -bg backgrounds/ -bg spoilt/`

// newMosaic is the subcommand that makes pictures to measure detectors on.
func newMosaic(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:        "mosaic",
		Usage:       "make pictures to measure detectors on, of known objects and backgrounds",
		Description: mosaicText,
		Flags: []cli.Flag{
			&cli.StringSliceFlag{Name: "truth", Usage: "file of labelled objects; may be repeated"},
			&cli.StringFlag{Name: "format", Value: "auto", Usage: "of -truth: auto, info, csv, voc, coco, yolo or landmarks"},
			&cli.StringFlag{Name: "template", Value: "frontalface", Usage: "where landmarks stand in a box, for objects without one: frontalface, or X,Y pairs in shares of its width"},
			&cli.StringSliceFlag{Name: "bg", Usage: "folder, list or picture of backgrounds without objects; may be repeated"},
			&cli.StringFlag{Name: "out", Usage: "folder for the pictures and truth.csv"},
			&cli.BoolFlag{Name: "overwrite", Usage: "write into a folder that has a truth.csv"},
			&cli.IntFlag{Name: "min-size", Value: 24, Usage: "smallest side of a box, in pixels"},
			&cli.IntFlag{Name: "max-size", Value: 144, Usage: "largest side of a box"},
			&cli.IntFlag{Name: "faces", Value: 12, Usage: "tiles on a background, at most"},
			&cli.IntFlag{Name: "smallest", Value: 400, Usage: "shorter side that a background must have"},
			&cli.FloatFlag{Name: "cut", Usage: "share of the tiles that the border of the picture cuts through"},
			&cli.FloatFlag{Name: "turn", Usage: "degrees by which photographs are turned at most, either way, each by as much as a lot says"},
			&cli.StringFlag{Name: "jitter", Value: "none", Usage: "how each tile and each background is spoilt: NAME=NUMBER,... as in samples -jitter,\nof light, film, print and file"},
			&cli.BoolFlag{Name: "press", Usage: "spoil the pictures as old newspapers and their scans are"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "of all that is drawn by lot"},
			&cli.IntFlag{Name: "workers", Usage: "pictures at the same time; 0 means one a core. The pictures do not depend on it"},
		},
		OnUsageError: func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usageError{err} },
		Action: func(ctx context.Context, c *cli.Command) error {
			return makeMosaics(ctx, c, stdout)
		},
	}
}

func makeMosaics(ctx context.Context, c *cli.Command, stdout io.Writer) error {
	jitter, err := augment.Parse(c.String("jitter"))
	if err == nil {
		err = jitter.CheckDegradation()
	}
	if err != nil {
		return usageError{fmt.Errorf("-jitter: %w", err)}
	}
	truth := c.StringSlice("truth")
	switch {
	case c.Args().Present():
		return usagef("mosaic takes flags only, not %q", c.Args().First())
	case len(truth) == 0 && jitter == (augment.Effects{}) && !c.Bool("press"):
		return usagef("no objects given: name a file with -truth; or spoil the backgrounds alone, with -jitter or -press")
	case len(c.StringSlice("bg")) == 0:
		return usagef("no backgrounds given: name a folder or a list with -bg")
	case c.String("out") == "":
		return usagef("no folder given for the pictures: name one with -out")
	}
	template, err := templateOf(c)
	if err != nil {
		return err
	}
	var photos []samples.Photo
	if len(truth) > 0 {
		if photos, err = readTruth(truth, c.String("format")); err != nil {
			return err
		}
	}
	backgrounds, err := listPictures(c.StringSlice("bg"))
	if err != nil {
		return err
	}
	folder := c.String("out")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	index := filepath.Join(folder, "truth.csv")
	if _, err := os.Lstat(index); err == nil && !c.Bool("overwrite") {
		return fmt.Errorf("%s is there already: name another folder, or add -overwrite", index)
	}
	rows := mosaicRows{tags: mosaicTags(photos)}
	rows.header()
	pictures, objects := 0, 0
	o := &mosaic.Options{
		Template: template,
		MinSize:  c.Int("min-size"), MaxSize: c.Int("max-size"), Faces: c.Int("faces"), Smallest: c.Int("smallest"),
		Cut: c.Float("cut"), Turn: c.Float("turn"), Effects: jitter, PrintAndScan: c.Bool("press"), Seed: c.Uint64("seed"), Workers: c.Int("workers"),
	}
	put := func(m *mosaic.Mosaic) error {
		pictures++
		name := fmt.Sprintf("%04d.png", pictures)
		var b bytes.Buffer
		if err := png.Encode(&b, m.Picture); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(folder, name), b.Bytes(), 0o666); err != nil {
			return err
		}
		for i := range m.Objects {
			rows.object(name, &m.Objects[i])
			if !m.Objects[i].Ignore {
				objects++
			}
		}
		return nil
	}
	if len(truth) > 0 {
		err = mosaic.Mosaics(ctx, photos, backgrounds, o, put)
	} else {
		err = mosaic.Degraded(ctx, backgrounds, o, put)
	}
	if err != nil {
		return err
	}
	rows.w.Flush()
	// Last, so that a folder with a truth is complete.
	if err := os.WriteFile(index, rows.b.Bytes(), 0o666); err != nil {
		return err
	}
	_, err = fmt.Fprintf(stdout, "%d objects in %d pictures: %s\n", objects, pictures, index)
	return err
}

// mosaicRows collects truth.csv.
type mosaicRows struct {
	b    bytes.Buffer
	w    *csv.Writer
	tags []string
}

// mosaicTags names the columns that the objects bring with them, in order.
func mosaicTags(photos []samples.Photo) []string {
	seen := map[string]bool{}
	for i := range photos {
		for k := range photos[i].Objects {
			for tag := range photos[i].Objects[k].Tags {
				seen[tag] = true
			}
		}
	}
	for _, own := range []string{"file", "x", "y", "width", "height", "ignore", "source"} {
		delete(seen, own)
	}
	return slices.Sorted(maps.Keys(seen))
}

func (r *mosaicRows) header() {
	r.w = csv.NewWriter(&r.b)
	r.w.Write(append([]string{"file", "x", "y", "width", "height", "ignore", "source"}, r.tags...))
}

func (r *mosaicRows) object(name string, o *samples.Object) {
	ignore := "0"
	if o.Ignore {
		ignore = "1"
	}
	row := []string{
		name, strconv.Itoa(o.Box.Min.X), strconv.Itoa(o.Box.Min.Y), strconv.Itoa(o.Box.Dx()), strconv.Itoa(o.Box.Dy()),
		ignore, filepath.Base(o.Tags["source"]),
	}
	for _, t := range r.tags {
		row = append(row, o.Tags[t])
	}
	r.w.Write(row) // into memory
}

// readTruth reads all files of labelled photographs. Photographs that several
// of them name have the objects of all.
func readTruth(paths []string, format string) ([]samples.Photo, error) {
	f := samples.Auto
	if format != "auto" {
		var err error
		if f, err = samples.ParseFormat(format); err != nil {
			return nil, usageError{fmt.Errorf("-format: %w", err)}
		}
	}
	var all []samples.Photo
	index := map[string]int{}
	for _, path := range paths {
		photos, err := samples.ReadTruth(path, f)
		if err != nil {
			return nil, err
		}
		for _, p := range photos {
			key := p.File
			if abs, err := filepath.Abs(key); err == nil {
				key = abs
			}
			i, ok := index[key]
			if !ok {
				i = len(all)
				index[key] = i
				all = append(all, samples.Photo{File: p.File})
			}
			all[i].Objects = append(all[i].Objects, p.Objects...)
		}
	}
	if len(all) == 0 {
		return nil, errors.New("-truth: no photograph in it")
	}
	return all, nil
}

// listPictures lists the pictures of folders, lists and files, each once.
func listPictures(paths []string) ([]string, error) {
	var all []string
	seen := map[string]bool{}
	for _, path := range paths {
		files, err := samples.ListPictures(path)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			if !seen[f] {
				seen[f] = true
				all = append(all, f)
			}
		}
	}
	return all, nil
}
