package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"

	"haarlem/cascade"
)

const convertDescription = `
Reads the model FROM, in our format or OpenCV's, and writes it to TO: as XML for
OpenCV 3 and 4 if that ends in .xml, in our own format otherwise. What OpenCV's
format cannot express is an error that says what it is; nothing is written then.

OpenCV's models do not say what they find; -object tells it to one of ours.`

func newConvert(s *streams) *cli.Command {
	flags := []cli.Flag{
		&cli.StringFlag{Name: "object", Usage: "`NAME` of what the model finds, for messages: face, or with a\nplural of its own bus,buses; as in FROM if not given"},
		&cli.BoolFlag{Name: "overwrite", Usage: "replace TO if it exists"},
	}
	return command(s, "detect convert", "detect convert [flags] FROM TO", convertDescription, flags, func(_ context.Context, c *cli.Command) error {
		if c.Args().Len() != 2 {
			return usagef("convert: want two arguments, FROM and TO, not %d (detect convert -help says more)", c.Args().Len())
		}
		return convert(s, c)
	})
}

func convert(s *streams, c *cli.Command) error {
	from, to := c.Args().Get(0), c.Args().Get(1)
	if isSame(from, to) {
		return usagef("convert: %s and %s are one file", from, to)
	}
	model, err := openModel(from)
	if err != nil {
		return err
	}
	if text := c.String("object"); c.IsSet("object") {
		if model.Object, err = cascade.ParseObject(text); err != nil {
			return usagef("-object: %v", err)
		}
		if strings.EqualFold(filepath.Ext(to), ".xml") {
			return usagef("-object %s: OpenCV's format has no place for it", text)
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
	err = writeFile(to, c.Bool("overwrite"), func(w io.Writer) error {
		refused = encode(w)
		return refused
	})
	switch {
	case refused != nil && errors.Is(err, refused):
		return fmt.Errorf("convert: %s in %s: %w", from, format, refused)
	case err != nil:
		return err
	}
	_, err = fmt.Fprintf(s.out, "%s: %s, %s\n", to, format, summary(model))
	return err
}
