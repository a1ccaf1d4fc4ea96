package boosting

import (
	"bufio"
	"context"
	"fmt"
	"go/token"
	"io"

	"haarlem/boost/interop"
	"haarlem/internal/app/cli"
)

func convertCommand() *cli.Command {
	return &cli.Command{
		Name: "convert", Summary: "make a model of another library one of ours, and the other way", Args: "MODEL",
		Text: "Reads a model of this program, of XGBoost (JSON or UBJSON), LightGBM (text), CatBoost\n(JSON), ONNX or Treelite. Models of trees can be written for all of these but CatBoost; what they\npredict is the same to six digits. A model can also become a program: one file of Go or\nC99 whose functions score a row without allocation, to the same bits.",
		Setup: func(f *cli.Flags, s *cli.Streams) func(context.Context, []string) error {
			to, out, name := "haarlem", "", "model"
			f.Group("Output")
			f.Choice(&to, "to", []string{"haarlem", "xgboost", "xgboost-ubjson", "lightgbm", "onnx", "treelite", "go", "c"}, "`LIBRARY` or language that the model is written for (haarlem)")
			f.String(&name, "name", "`NAME` of the Go package, and what the names of C begin with (model)")
			f.String(&out, "out", "`FILE` for the model; standard output if none is given")
			f.Also("out", "o")
			return func(_ context.Context, args []string) error {
				if len(args) != 1 {
					return cli.Usagef("%d models given, want one", len(args))
				}
				if !token.IsIdentifier(name) {
					return cli.Usagef("-name is %q, want an identifier", name)
				}
				m, err := loadModel(args[0])
				if err != nil {
					return err
				}
				if m.One != nil && m.One.Threshold != 0 && to != "haarlem" {
					fmt.Fprintf(s.Err, "note: the threshold of the model, %v, is not in what is written\n", m.One.Threshold)
				}
				write := map[string]func(io.Writer, *interop.Model) error{
					"haarlem": func(w io.Writer, m *interop.Model) error { return m.Save(w) },
					"xgboost": interop.WriteXGBoost, "xgboost-ubjson": interop.WriteXGBoostUBJSON, "lightgbm": interop.WriteLightGBM,
					"onnx": interop.WriteONNX, "treelite": interop.WriteTreelite,
					"go": func(w io.Writer, m *interop.Model) error { return interop.WriteGo(w, m, name) },
					"c":  func(w io.Writer, m *interop.Model) error { return interop.WriteC(w, m, name) },
				}[to]
				return create(out, s, func(w *bufio.Writer) error { return write(w, m.Model) })
			}
		},
	}
}
