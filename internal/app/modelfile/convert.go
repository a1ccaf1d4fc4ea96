package modelfile

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"haarlem/cascade"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/console"
	"haarlem/internal/app/search"
	"haarlem/internal/app/wholefile"
	"haarlem/internal/inspect"
)

const convertText = `
Reads the model FROM, in our format or OpenCV's, and writes it to TO: as XML for
OpenCV 3 and 4 if that ends in .xml, in our own format otherwise. What OpenCV's
format cannot express is an error that says what it is; nothing is written then.

OpenCV's models do not say what they find; -object tells it to one of ours.`

// convertFlags are those of convert.
type convertFlags struct {
	object    string
	overwrite bool
	given     func(string) bool
}

func ConvertCommand() *cli.Command {
	return &cli.Command{
		Name: "convert", Summary: "write a model in another format", Args: "FROM TO", Text: convertText,
		Setup: func(f *cli.Flags, cs *cli.Streams) func(context.Context, []string) error {
			s, v := console.New(cs), &convertFlags{given: f.Given}
			f.Group("Output")
			f.String(&v.object, "object", "`NAME` of what the model finds, for messages: face, or with a plural of its own bus,buses; as in FROM if not given")
			f.Bool(&v.overwrite, "overwrite", "replace TO if it exists")
			return func(_ context.Context, args []string) error {
				if len(args) != 2 {
					return cli.Usagef("convert: want two arguments, FROM and TO, not %d (detect convert -help says more)", len(args))
				}
				return convert(s, v, args[0], args[1])
			}
		},
	}
}

func convert(s *console.Streams, v *convertFlags, from, to string) error {
	if wholefile.IsSame(from, to) {
		return cli.Usagef("convert: %s and %s are one file", from, to)
	}
	model, err := search.OpenModel(from)
	if err != nil {
		return err
	}
	if text := v.object; v.given("object") {
		if model.Object, err = cascade.ParseObject(text); err != nil {
			return cli.Usagef("-object: %v", err)
		}
		if strings.EqualFold(filepath.Ext(to), ".xml") {
			return cli.Usagef("-object %s: OpenCV's format has no place for it", text)
		}
		// What repeats the training is to end in these bytes.
		if p := &model.Provenance; p.Command != "" {
			file := cmp.Or(model.Name, "model") + ".cascade"
			p.Command += fmt.Sprintf("\ndetect convert -object %s %s out/%s", text, file, file)
		}
	}
	encode, format := model.Encode, "our format"
	if strings.EqualFold(filepath.Ext(to), ".xml") {
		encode, format = model.EncodeOpenCV, "OpenCV's format"
	}
	var refused error // by the format, not by the disk
	err = wholefile.Write(to, v.overwrite, func(w io.Writer) error {
		refused = encode(w)
		return refused
	})
	switch {
	case refused != nil && errors.Is(err, refused):
		return fmt.Errorf("convert: %s in %s: %w", from, format, refused)
	case err != nil:
		return err
	}
	about, err := inspect.Describe(model)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(s.Out, "%s: %s, %s\n", to, format, about)
	return err
}
