package main

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"haarlem/samples"
	"haarlem/samples/synth/facemodel"
)

const facemodelText = `Makes a statistical model of faces, from which any number of faces of nobody can
be drawn (train-cascade demo does), out of labelled photographs. Each face needs
five landmarks: left eye, right eye, nose, left and right corner of the mouth, as
seen in the picture. Faces are aligned by them; shape and grey levels are then
each described by a mean and principal components (go doc haarlem/samples/synth/facemodel).

The model of this program was made with
   train-cascade facemodel -truth train.csv -keep pose=2,3,4 -about TEXT -out frontal.facemodel`

// newFacemodel is the subcommand that makes models of faces.
func newFacemodel(stdout, stderr io.Writer) *cli.Command {
	return &cli.Command{
		Name:        "facemodel",
		Usage:       "make the statistical face model that demo draws from",
		Description: facemodelText,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "truth", Usage: "file of photographs and landmarks"},
			&cli.StringFlag{Name: "format", Value: "auto", Usage: "of -truth"},
			&cli.StringFlag{Name: "keep", Usage: "only faces of which a column has one of some values, as in pose=2,3,4"},
			&cli.StringFlag{Name: "out", Usage: "file to write"},
			&cli.StringFlag{Name: "about", Usage: "line of text that the file keeps: from which data it was made"},
			&cli.IntFlag{Name: "components", Value: 96, Usage: "of the grey levels, that are kept"},
			&cli.IntFlag{Name: "window", Value: 40, Usage: "side of a face's window, in pixels of the model"},
			&cli.StringFlag{Name: "sheet", Usage: "PNG to write: the mean face and drawn ones"},
		},
		OnUsageError: func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usageError{err} },
		Action: func(ctx context.Context, c *cli.Command) error {
			return makeFacemodel(ctx, c, stdout, stderr)
		},
	}
}

func makeFacemodel(ctx context.Context, c *cli.Command, stdout, stderr io.Writer) error {
	if c.Args().Present() {
		return usagef("%q is too much: facemodel takes flags only", c.Args().First())
	}
	for _, name := range []string{"truth", "out"} {
		if c.String(name) == "" {
			return usagef("facemodel needs -%s", name)
		}
	}
	format, err := samples.ParseFormat(c.String("format"))
	if err != nil {
		return usageError{err}
	}
	keep, err := parseKeep(c.String("keep"))
	if err != nil {
		return err
	}
	photos, err := samples.ReadTruth(c.String("truth"), format)
	if err != nil {
		return err
	}
	examples, err := readExamples(ctx, photos, keep)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "train-cascade: %d faces read, making the model\n", len(examples))
	m, report, err := facemodel.Make(ctx, examples, &facemodel.MakeOptions{
		About:      c.String("about"),
		Window:     c.Int("window"),
		Components: c.Int("components"),
		Workers:    runtime.GOMAXPROCS(0),
	})
	if err != nil {
		return err
	}
	if err := writeWhole(c.String("out"), m.Encode); err != nil {
		return err
	}
	if path := c.String("sheet"); path != "" {
		if err := writeWhole(path, func(w io.Writer) error { return png.Encode(w, faceSheet(m)) }); err != nil {
			return err
		}
	}
	shape, texture := m.Components()
	_, err = fmt.Fprintf(stdout, `%d faces used; left out: %d with other marks than a frontal face's, %d small, %d cut off, %d without contrast
%d components of shape, %d of grey levels with %.1f per cent of the variance
`, report.Used, report.BadMarks, report.Small, report.CutOff, report.Flat, shape, texture, 100*report.Kept)
	return err
}

// parseKeep returns what says whether an object is wanted.
func parseKeep(s string) (func(*samples.Object) bool, error) {
	if s == "" {
		return func(o *samples.Object) bool { return !o.Ignore }, nil
	}
	column, list, ok := strings.Cut(s, "=")
	if !ok || column == "" || list == "" {
		return nil, usagef("-keep is %q, want a column and values, as in pose=2,3,4", s)
	}
	values := strings.Split(list, ",")
	return func(o *samples.Object) bool { return !o.Ignore && slices.Contains(values, o.Tags[column]) }, nil
}

// readExamples reads the pictures of all faces that are wanted.
func readExamples(ctx context.Context, photos []samples.Photo, keep func(*samples.Object) bool) ([]facemodel.Example, error) {
	var out []facemodel.Example
	for _, p := range photos {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var grey *image.Gray
		for i := range p.Objects {
			o := &p.Objects[i]
			if !keep(o) {
				continue
			}
			if len(o.Marks) != facemodel.NumMarks {
				return nil, fmt.Errorf("%s: object %d has %d landmarks, want %d: eyes, nose, corners of the mouth", p.File, i+1, len(o.Marks), facemodel.NumMarks)
			}
			if grey == nil {
				g, err := samples.ReadGrey(p.File)
				if err != nil {
					return nil, err
				}
				grey = g
			}
			out = append(out, facemodel.Example{Grey: grey, Marks: [facemodel.NumMarks]samples.Point(o.Marks)})
		}
	}
	return out, nil
}

// faceSheet shows the mean face and drawn ones.
func faceSheet(m *facemodel.Model) image.Image {
	rng := rand.New(rand.NewPCG(1, 1))
	tile := func(f *facemodel.Face) *image.Gray {
		g := image.NewGray(image.Rect(0, 0, 72, 80))
		for i := range g.Pix {
			g.Pix[i] = 96
		}
		f.Paint(g, image.Rect(11, 18, 61, 68))
		return g
	}
	tiles := []*image.Gray{tile(m.MeanFace())}
	for range 95 {
		tiles = append(tiles, tile(m.Draw(rng)))
	}
	return samples.Sheet(tiles, 12, 1)
}
