package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v3"
)

const convertDescription = `
Reads the model FROM, in our format or OpenCV's, and writes it to TO: as XML for
OpenCV 3 and 4 if that ends in .xml, in our own format otherwise. What OpenCV's
format cannot express is an error that says what it is; nothing is written then.`

func newConvert(s *streams) *cli.Command {
	flags := []cli.Flag{
		&cli.BoolFlag{Name: "overwrite", Usage: "replace TO if it exists"},
	}
	return command(s, "detect convert", "detect convert [flags] FROM TO", convertDescription, flags, func(_ context.Context, c *cli.Command) error {
		if c.Args().Len() != 2 {
			return usagef("convert: want two arguments, FROM and TO, not %d (detect convert -help says more)", c.Args().Len())
		}
		return convert(s, c.Args().Get(0), c.Args().Get(1), c.Bool("overwrite"))
	})
}

func convert(s *streams, from, to string, overwrite bool) error {
	if isSame(from, to) {
		return usagef("convert: %s and %s are one file", from, to)
	}
	model, err := openModel(from)
	if err != nil {
		return err
	}
	encode, format := model.Encode, "our format"
	if strings.EqualFold(filepath.Ext(to), ".xml") {
		encode, format = model.EncodeOpenCV, "OpenCV's format"
	}
	var refused error // by the format, not by the disk
	err = writeFile(to, overwrite, func(w io.Writer) error {
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
