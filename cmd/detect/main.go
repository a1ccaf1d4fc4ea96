package main

import (
	"haarlem/internal/app/camera"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/find"
	"haarlem/internal/app/hide"
	"haarlem/internal/app/modelfile"
	"haarlem/internal/app/serving"
	"haarlem/internal/app/video"
)

func main() { program().Execute() }

// program is the whole program. A picture that is called like one of the
// commands is ./model.
func program() *cli.Program {
	return &cli.Program{
		Name:    "detect",
		Summary: "find faces, or what a model was trained for, in pictures",
		Main:    find.Command(),
		Commands: []*cli.Command{
			camera.Command(), video.Command(), video.EvalTracksCommand(), hide.BlurCommand(), hide.PixelateCommand(),
			modelfile.ModelCommand(), modelfile.ConvertCommand(), serving.Command(), find.MergeCommand(),
		},
	}
}
