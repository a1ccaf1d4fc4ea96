package boosting

import (
	"bufio"
	"context"

	"haarlem/boost/interop"
	"haarlem/internal/app/cli"
)

func convertCommand() *cli.Command {
	return &cli.Command{
		Name: "convert", Summary: "make a model of XGBoost or LightGBM one of ours, and the other way", Args: "MODEL",
		Text: "Reads a model of this program, of XGBoost (JSON) or of LightGBM (text), and writes\nit for one of the three. Models of trees can be written for the others; what they\npredict is the same to six digits.",
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			to, out := "haarlem", ""
			f.Group("Output")
			f.Choice(&to, "to", []string{"haarlem", "xgboost", "lightgbm"}, "`LIBRARY` that the model is written for (haarlem)")
			f.String(&out, "out", "`FILE` for the model; standard output if none is given")
			f.Also("out", "o")
			return func(_ context.Context, args []string) error {
				if len(args) != 1 {
					return cli.Usagef("%d models given, want one", len(args))
				}
				m, err := loadModel(args[0])
				if err != nil {
					return err
				}
				return create(out, s, func(w *bufio.Writer) error {
					theirs := &interop.Model{One: m.one, Several: m.several}
					switch to {
					case "xgboost":
						return interop.WriteXGBoost(w, theirs)
					case "lightgbm":
						return interop.WriteLightGBM(w, theirs)
					}
					return m.save(w)
				})
			}
		},
	}
}
