package modelfile

import (
	"context"

	"haarlem/internal/app/cli"
	"haarlem/internal/app/search"
	"haarlem/internal/inspect"
)

const modelText = `
Says what a model is: its detection window, features, exits and weak classifiers,
what it costs on a picture that the program draws, and where it comes from.
MODEL is a file in our format or OpenCV's, or the name of a built-in model.`

func ModelCommand() *cli.Command {
	return &cli.Command{
		Name: "model", Summary: "say what a model is", Args: "MODEL", Text: modelText,
		Setup: func(_ *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			return func(ctx context.Context, args []string) error {
				if len(args) != 1 {
					return cli.Usagef("model: want one model, not %d (detect model -help says more)", len(args))
				}
				m, err := search.OpenModel(args[0])
				if err != nil {
					return err
				}
				cost, err := costText(ctx, m)
				if err != nil {
					return err
				}
				about, err := inspect.Describe(m)
				if err != nil {
					return err
				}
				_, err = s.Out.Write(describe(args[0], about, cost))
				return err
			}
		},
	}
}
