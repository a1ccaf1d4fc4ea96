// Train-cascade trains cascades of boosted weak classifiers, and measures them.
//
//	train-cascade demo [flags]                train and detect with drawn faces
//	train-cascade auto [flags]                make a detector of labelled photographs
//	train-cascade ui [flags] FOLDER           label photographs in a browser
//	train-cascade check [flags]               check labelled photographs
//	train-cascade divide [flags]              check photographs, and divide them
//	train-cascade samples [flags] [FOLDER...] make training windows
//	train-cascade train [flags]               train a cascade
//	train-cascade prune [flags]               make a model faster
//	train-cascade verifier [flags]            train a verifier of a model's detections
//	train-cascade network [flags]             train the network of a model
//	train-cascade calibrate [flags]           make the scores of a model probabilities
//	train-cascade eval [flags]                measure detectors on labelled photographs
//	train-cascade suspects [flags]            list labels that are probably wrong
//	train-cascade crossvalidate [flags]       measure with few labels
//	train-cascade mosaic [flags]              make pictures to measure them on
//	train-cascade inspect [flags] MODEL       describe a cascade
//	train-cascade export [flags]              write a cascade as C, JavaScript or tables
//	train-cascade page [flags]                write the page about a model
//	train-cascade landmarks [flags]           train a landmark model
//	train-cascade eval-landmarks [flags]      measure one
//	train-cascade mine [flags]                find hard negatives in a list of pictures
//	train-cascade mine-worker [flags] FOLDER  help trainings with -mine
//
// See train-cascade -help. Results go to stdout, everything else to stderr. The
// exit status is 0 for success, 1 for a failure, 2 for a wrong command line, and
// 130 after Ctrl-C.
package main

import (
	"context"

	"haarlem/internal/app/automatic"
	"haarlem/internal/app/cli"
	"haarlem/internal/app/demo"
	"haarlem/internal/app/exporting"
	"haarlem/internal/app/inspecting"
	"haarlem/internal/app/labelling"
	"haarlem/internal/app/landmarking"
	"haarlem/internal/app/measuring"
	"haarlem/internal/app/opencv"
	"haarlem/internal/app/refining"
	"haarlem/internal/app/sampling"
	"haarlem/internal/app/training"
)

func main() { program().Execute() }

// program is the whole program.
func program() *cli.Program {
	return &cli.Program{
		Name:    "train-cascade",
		Summary: "train cascades of boosted weak classifiers, and measure them",
		Rewrite: func(args []string) []string { return opencv.Rewrite(opencv.WithCommand(args)) },
		Commands: []*cli.Command{
			demo.Command(), automatic.Auto(runStep), labelling.Command(runStep), automatic.Check(), automatic.Divide(), sampling.Samples(), training.Train(), refining.Prune(), refining.Verifier(), refining.Network(), refining.Calibrate(), refining.Crossvalidate(),
			measuring.Eval(), measuring.Suspects(), sampling.Mosaic(), inspecting.Command(), measuring.Page(),
			landmarking.Train(), landmarking.Eval(), exporting.Command(), training.Mine(), training.MineWorker(),
		},
	}
}

// runStep runs a command for another one.
func runStep(ctx context.Context, args []string, s *cli.Streams) error {
	return program().Do(ctx, args, s)
}
