package sampling

import (
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"math/rand/v2"
	"runtime"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/input"
	"haarlem/internal/samples"
	"haarlem/internal/samples/synth/facemodel"
)

const facemodelText = `Makes a statistical model of faces from labelled photographs. train-cascade demo draws
synthetic faces with it. Each face needs five landmarks:
left eye, right eye, nose, left and right corner of the mouth, as seen in the picture.
Faces are aligned by them. Shape and grey levels are then each described by a mean and
principal components (go doc haarlem/internal/samples/synth/facemodel).

The model of this program was made with
   train-cascade facemodel -truth train.csv -where pose=2,3,4 -about TEXT \
      -out frontal.facemodel`

// facemodelFlags are those of facemodel.
type facemodelFlags struct {
	truth, format, out, about, sheet string
	where                            []string
	components, window               int
}

func Facemodel() *cli.Command {
	return &cli.Command{
		Name: "facemodel", Summary: "make the statistical face model that demo draws from", Text: facemodelText,
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			v := &facemodelFlags{format: "auto", components: 96, window: 40}
			f.Group("Input and output")
			f.String(&v.truth, "truth", "`FILE` of photographs with landmarks")
			f.String(&v.format, "format", "`FORMAT` of -truth: auto, csv or landmarks")
			f.Strings(&v.where, "where", "take only faces for which the truth says `COLUMN=VALUE,...`; may be repeated")
			f.String(&v.out, "out", "`FILE` to write")
			f.String(&v.about, "about", "keep a line of `TEXT` in the file: from which data it was made")
			f.String(&v.sheet, "sheet", "draw the mean face and random ones into `FILE`, a PNG")
			f.Group("Model")
			f.Int(&v.components, "components", "keep `N` components of the grey levels")
			f.Int(&v.window, "window", "side of a face's window, in `PIXELS` of the model")
			return func(ctx context.Context, args []string) error { return makeFacemodel(ctx, v, args, s.Out, s.Err) }
		},
	}
}

func makeFacemodel(ctx context.Context, v *facemodelFlags, args []string, stdout, stderr io.Writer) error {
	switch {
	case len(args) > 0:
		return cli.Usagef("facemodel takes flags only, not %q", args[0])
	case v.truth == "":
		return cli.Usagef("facemodel needs -truth")
	case v.out == "":
		return cli.Usagef("facemodel needs -out")
	}
	format, err := samples.ParseFormat(v.format)
	if err != nil {
		return cli.Usage(err)
	}
	where, err := input.NewConditions("where", v.where)
	if err != nil {
		return err
	}
	photos, err := samples.ReadTruth(v.truth, format)
	if err != nil {
		return err
	}
	examples, err := readExamples(ctx, photos, where)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "train-cascade: %d faces read, making the model\n", len(examples))
	m, report, err := facemodel.Make(ctx, examples, &facemodel.MakeOptions{
		About:      v.about,
		Window:     v.window,
		Components: v.components,
		Workers:    runtime.GOMAXPROCS(0),
	})
	if err != nil {
		return err
	}
	if err := samples.WriteAtomically(v.out, m.Encode); err != nil {
		return err
	}
	if v.sheet != "" {
		if err := samples.WriteAtomically(v.sheet, func(w io.Writer) error { return png.Encode(w, faceSheet(m)) }); err != nil {
			return err
		}
	}
	shape, texture := m.Components()
	_, err = fmt.Fprintf(stdout, `%d faces used; left out: %d with other marks than a frontal face's, %d small, %d cut off, %d without contrast
%d components of shape, %d of grey levels with %.1f per cent of the variance
`, report.Used, report.BadMarks, report.Small, report.CutOff, report.Flat, shape, texture, 100*report.Kept)
	return err
}

// readExamples reads the pictures of all selected faces.
func readExamples(ctx context.Context, photos []samples.Photo, where input.Conditions) ([]facemodel.Example, error) {
	var out []facemodel.Example
	for _, p := range photos {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var grey *image.Gray
		for i := range p.Objects {
			o := &p.Objects[i]
			if o.Ignore || !where.Holds(o) {
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

// faceSheet draws the mean face and random ones.
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
