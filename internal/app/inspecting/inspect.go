package inspecting

import (
	"context"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"path/filepath"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/app/output"
	"haarlem/internal/engine"
	"haarlem/internal/inspect"
	"haarlem/internal/samples"
	"haarlem/internal/samples/augment"
)

const inspectText = `Describes the parts of a cascade and its cost. MODEL is a file, in our format or
OpenCV's, or a built-in model.

With -out, pictures go to a folder:
   stage-01.png ...   weak classifiers of each stage, or
   first.png          the first 64 of a soft cascade
   coverage.png       how much they use each pixel of the window
   template.png       the object as the cascade sees it (Haar features)

Orange is where light raises a feature's value, and blue where it lowers it. Bars are
a weak classifier's outputs, from low values to high, green above zero and red below.
With -positives, features are drawn over the mean of those.

With -image, pictures are searched, and the windows counted that pass each exit.`

// inspectFlags are those of inspect.
type inspectFlags struct {
	out, positives, format string
	overwrite              bool
	images                 []string
}

func Command() *cli.Command {
	return &cli.Command{
		Name: "inspect", Summary: "draw a cascade's features, and list its parts and cost", Args: "MODEL", Text: inspectText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &inspectFlags{format: "text"}
			f.Group("Output")
			f.Choice(&v.format, "format", []string{"text", "json"}, "print `FORMAT` to stdout: text or json")
			f.String(&v.out, "out", "draw pictures into `FOLDER`")
			f.Bool(&v.overwrite, "overwrite", "write into a folder that is not empty")
			f.Group("Input")
			f.Strings(&v.images, "image", "search `PICTURE`, and count what that costs; may be repeated")
			f.String(&v.positives, "positives", "draw features over the mean of the windows in `PATH`: a .vec file, or a folder of pictures that each are one object")
			return func(ctx context.Context, args []string) error { return inspectModel(ctx, v, args, s.Out) }
		},
	}
}

func inspectModel(ctx context.Context, v *inspectFlags, args []string, stdout io.Writer) error {
	if len(args) != 1 {
		return cli.Usagef("inspect: want one model, not %d", len(args))
	}
	name := args[0]
	model, err := input.OpenModel(name)
	if err != nil {
		return err
	}
	if v.out == "" && v.positives != "" {
		return cli.Usagef("-positives is for drawings: give -out FOLDER too")
	}
	out := &Description{Model: name}
	if out.Summary, err = inspect.Describe(model); err != nil {
		return err
	}
	e, err := engine.New(model, nil)
	if err != nil {
		return err
	}
	if out.Texture, err = measure(ctx, e, inspect.Texture()); err != nil {
		return err
	}
	for _, path := range v.images {
		g, err := samples.ReadGrey(path)
		if err != nil {
			return fmt.Errorf("-image: %w", err)
		}
		m, err := measure(ctx, e, g)
		if err != nil {
			return err
		}
		m.Name = path
		out.Images = append(out.Images, m)
	}
	if v.out != "" {
		base, err := meanOf(ctx, v.positives, model)
		if err != nil {
			return err
		}
		if out.Files, err = drawModel(v.out, v.overwrite, model, out.Summary, base); err != nil {
			return err
		}
	}
	if v.format == "json" {
		e := json.NewEncoder(stdout)
		e.SetEscapeHTML(false)
		e.SetIndent("", "  ")
		return e.Encode(out)
	}
	return writeInspected(stdout, out)
}

func measure(ctx context.Context, e *engine.Engine, g *image.Gray) (measured, error) {
	cost, passed, err := e.Cost(ctx, g)
	return measured{
		Width: g.Rect.Dx(), Height: g.Rect.Dy(),
		Windows: cost.Windows, Contrast: cost.Contrast, WeakPerWindow: cost.PerWindow(), Passed: passed,
	}, err
}

// meanOf returns the mean of the positives at path, at the size of c's window;
// nil if there are none.
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
	windows, err := augment.Make(ctx, samples.Crops(files), &augment.MakeOptions{Width: c.Width, Height: c.Height})
	if err != nil {
		return nil, fmt.Errorf("-positives: %w", err)
	}
	if len(windows) == 0 {
		return nil, fmt.Errorf("-positives: %s has no picture that can be read", path)
	}
	return samples.Mean(augment.Greys(windows)), nil
}

// Limits of what is drawn.
const (
	maxStages   = 100     // with a sheet each
	maxTiles    = 512     // weak classifiers
	sheetPixels = 1 << 25 // about, of a sheet
	maxFirst    = 64
)

// drawModel writes the pictures of a model and returns their paths.
func drawModel(dir string, overwrite bool, c *cascade.Cascade, s *inspect.Summary, base *image.Gray) ([]string, error) {
	if _, err := output.NewFolder(dir, overwrite); err != nil {
		return nil, err
	}
	var files []string
	write := func(name string, img image.Image) error {
		path := filepath.Join(dir, name)
		files = append(files, path)
		return output.WritePNG(path, img)
	}
	// Trees have a tile for each node.
	room := max(8, min(maxTiles, sheetPixels/(max(c.Width, 100)*max(c.Height+50, 150))))
	fitting := func(from, to int) int {
		tiles := 0
		for i := from; i < to; i++ {
			if tiles += max(1, len(c.Weak[i].Nodes)); tiles > room && i > from {
				return i
			}
		}
		return to
	}
	if s.Shape == "soft" || len(s.Exits) > maxStages {
		if err := write("first.png", inspect.Sheet(c, 0, fitting(0, min(maxFirst, s.Weak)), base)); err != nil {
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
