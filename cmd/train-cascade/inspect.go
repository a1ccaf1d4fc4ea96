package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v3"

	"haarlem/cascade"
	"haarlem/cascade/inspect"
	"haarlem/models"
	"haarlem/samples"
)

const inspectText = `Says what a cascade is made of and what it costs. MODEL is a file, ours or OpenCV's
XML, or the name of a built-in model.

With -out, pictures go to a folder:
   stage-01.png ...   weak learners of each stage, or
   first.png          the first 64 of a cascade with an exit behind every one
   coverage.png       where in the window they look
   template.png       what the object looks like to the cascade (Haar features)

In them orange is where light raises a feature's value and blue where it lowers it;
bars are a weak learner's answers, from low values to high, green above zero and red
below. With -positives, features are drawn over the mean of those.

With -image, pictures are searched, and the windows counted that pass each exit.`

// newInspect is the subcommand that looks into a cascade.
func newInspect(stdout io.Writer) *cli.Command {
	return &cli.Command{
		Name:        "inspect",
		Usage:       "draw a cascade's features, and count what it is made of and costs",
		ArgsUsage:   "MODEL",
		Description: inspectText,
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "folder for pictures"},
			&cli.BoolFlag{Name: "overwrite", Usage: "write into a folder that is not empty"},
			&cli.StringFlag{Name: "positives", Usage: "FILE.vec, or folder of pictures that each are one object: their mean is drawn below the features"},
			&cli.StringSliceFlag{Name: "image", Usage: "picture to measure the cost on; may be repeated"},
			&cli.StringFlag{Name: "format", Value: "text", Usage: "of what goes to stdout: text or json"},
		},
		OnUsageError: func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usageError{err} },
		Action: func(ctx context.Context, c *cli.Command) error {
			return inspectModel(ctx, c, stdout)
		},
	}
}

// inspected is what inspect says.
type inspected struct {
	Model string `json:"model"`
	*inspect.Summary
	Texture measured   `json:"texture"` // the cost on inspect.Texture
	Images  []measured `json:"images,omitempty"`
	Files   []string   `json:"files,omitempty"`
}

// measured is a picture and what it costs.
type measured struct {
	Name          string  `json:"name,omitempty"`
	Width         int     `json:"width"`
	Height        int     `json:"height"`
	Windows       int     `json:"windows"`
	Contrast      int     `json:"withContrast"`
	WeakPerWindow float64 `json:"weakLearnersPerWindow"` // of those with contrast
	Passed        []int   `json:"passed"`                // windows that pass each exit
}

func inspectModel(ctx context.Context, c *cli.Command, stdout io.Writer) error {
	if c.Args().Len() != 1 {
		return usagef("inspect: want one model, not %d", c.Args().Len())
	}
	format := c.String("format")
	if format != "text" && format != "json" {
		return usagef("-format is %q, want text or json", format)
	}
	name := c.Args().First()
	model, err := inspectedModel(name)
	if err != nil {
		return err
	}
	if c.String("out") == "" && c.String("positives") != "" {
		return usagef("-positives is for the pictures: give -out FOLDER too")
	}
	out := &inspected{Model: name}
	if out.Summary, err = inspect.Describe(model); err != nil {
		return err
	}
	detector, err := cascade.NewDetector(model, nil)
	if err != nil {
		return err
	}
	if out.Texture, err = measure(ctx, detector, inspect.Texture()); err != nil {
		return err
	}
	for _, path := range c.StringSlice("image") {
		g, err := samples.ReadGrey(path)
		if err != nil {
			return fmt.Errorf("-image: %w", err)
		}
		m, err := measure(ctx, detector, g)
		if err != nil {
			return err
		}
		m.Name = path
		out.Images = append(out.Images, m)
	}
	if dir := c.String("out"); dir != "" {
		base, err := meanOf(ctx, c.String("positives"), model)
		if err != nil {
			return err
		}
		if out.Files, err = drawModel(dir, c.Bool("overwrite"), model, out.Summary, base); err != nil {
			return err
		}
	}
	if format == "json" {
		e := json.NewEncoder(stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(out)
	}
	return writeInspected(stdout, out)
}

// inspectedModel opens a built-in model if name is the name of one, otherwise a
// file.
func inspectedModel(name string) (*cascade.Cascade, error) {
	if slices.Contains(models.Names(), name) {
		return models.Open(name)
	}
	c, err := cascade.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, usagef("model %s: there is no such file, and the built-in models are %s", name, strings.Join(models.Names(), ", "))
	}
	return c, err
}

func measure(ctx context.Context, d *cascade.Detector, g *image.Gray) (measured, error) {
	cost, passed, err := d.CostByExit(ctx, g)
	return measured{
		Width: g.Rect.Dx(), Height: g.Rect.Dy(),
		Windows: cost.Windows, Contrast: cost.Contrast, WeakPerWindow: cost.PerWindow(), Passed: passed,
	}, err
}

// meanOf returns the mean of the positives that path names, of the size of c's
// window; nil if it names none.
func meanOf(ctx context.Context, path string, c *cascade.Cascade) (*image.Gray, error) {
	if path == "" {
		return nil, nil
	}
	if strings.EqualFold(filepath.Ext(path), ".vec") {
		windows, err := samples.ReadVec(path, c.Width, c.Height)
		if err != nil {
			return nil, fmt.Errorf("-positives: %w", err)
		}
		return samples.Mean(windows), nil
	}
	files, err := samples.ListPictures(path)
	if err != nil {
		return nil, fmt.Errorf("-positives: %w", err)
	}
	windows, err := samples.Make(ctx, samples.Crops(files), &samples.MakeOptions{Width: c.Width, Height: c.Height})
	if err != nil {
		return nil, fmt.Errorf("-positives: %w", err)
	}
	if len(windows) == 0 {
		return nil, fmt.Errorf("-positives: %s has no picture that can be read", path)
	}
	return samples.Mean(samples.Greys(windows)), nil
}

// How much is drawn.
const (
	mostStages  = 100     // with a sheet each
	mostTiles   = 512     // weak learners
	sheetPixels = 1 << 25 // about, of a sheet
	mostFirst   = 64
)

// drawModel writes the pictures of a model and returns their paths.
func drawModel(dir string, overwrite bool, c *cascade.Cascade, s *inspect.Summary, base *image.Gray) ([]string, error) {
	switch entries, err := os.ReadDir(dir); {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, fmt.Errorf("-out: %w", err)
		}
	case err != nil:
		return nil, fmt.Errorf("-out: %w", err)
	case len(entries) > 0 && !overwrite:
		return nil, usagef("-out: %s is not empty: choose another folder, or give -overwrite", dir)
	}
	var files []string
	write := func(name string, img image.Image) error {
		path := filepath.Join(dir, name)
		files = append(files, path)
		return writeFeaturePNG(path, img)
	}
	// Trees have a tile for each node.
	room := max(8, min(mostTiles, sheetPixels/(max(c.Width, 100)*max(c.Height+50, 150))))
	fitting := func(from, to int) int {
		tiles := 0
		for i := from; i < to; i++ {
			if tiles += max(1, len(c.Weak[i].Nodes)); tiles > room && i > from {
				return i
			}
		}
		return to
	}
	if s.Shape == "soft" || len(s.Exits) > mostStages {
		if err := write("first.png", inspect.Sheet(c, 0, fitting(0, min(mostFirst, s.Weak)), base)); err != nil {
			return nil, err
		}
	} else {
		from := 0
		for i, e := range s.Exits {
			if err := write(fmt.Sprintf("stage-%02d.png", i+1), inspect.Sheet(c, from, fitting(from, e.After), base)); err != nil {
				return nil, err
			}
			from = e.After
		}
	}
	if err := write("coverage.png", inspect.Coverage(c, base)); err != nil {
		return nil, err
	}
	if t := inspect.Template(c); t != nil {
		if err := write("template.png", t); err != nil {
			return nil, err
		}
	}
	return files, nil
}

func writeFeaturePNG(path string, img image.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(png.Encode(f, img), f.Close())
}
