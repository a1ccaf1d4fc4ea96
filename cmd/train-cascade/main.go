// Train-cascade trains cascades of boosted weak learners, and measures what
// trains them.
//
//	train-cascade demo [flags]                train and detect with drawn faces
//	train-cascade samples [flags] [FOLDER...] make training windows
//	train-cascade train [flags]               train a cascade
//	train-cascade prune [flags]               make a model faster
//	train-cascade verifier [flags]            train a second look at what a model finds
//	train-cascade calibrate [flags]           make the scores of a model probabilities
//	train-cascade eval [flags]                measure detectors on labelled photographs
//	train-cascade mosaic [flags]              make pictures to measure them on
//	train-cascade inspect [flags] MODEL       look into a cascade
//	train-cascade page [flags]                write the page about a model
//	train-cascade compare [flags] TABLE...    compare boosters on tables
//	train-cascade facemodel [flags]           make the model that faces are drawn from
//	train-cascade landmarks [flags]           train a model that finds eyes, nose and mouth
//	train-cascade eval-landmarks [flags]      measure one
//	train-cascade mine [flags]                find hard negatives in a list of pictures
//	train-cascade mine-worker [flags] FOLDER  help trainings with -mine
//
// train-cascade -help tells the rest. Results go to stdout, everything else to
// stderr. The exit status is 0 when all went well, 1 when the work failed, 2
// when the command line is wrong, and 130 after Ctrl-C.
package main

import "haarlem/internal/cli"

func main() { program().Execute() }

// program is the whole program.
func program() *cli.Program {
	return &cli.Program{
		Name:    "train-cascade",
		Summary: "train cascades of boosted weak learners, and measure what trains them",
		Rewrite: func(args []string) []string { return openCVArgs(withCommand(args)) },
		Commands: []*cli.Command{
			demoCommand(), samplesCommand(), trainCommand(), pruneCommand(), verifierCommand(), calibrateCommand(),
			evalCommand(), mosaicCommand(), inspectCommand(), pageCommand(), compareCommand(), facemodelCommand(),
			landmarksCommand(), evalLandmarksCommand(), mineCommand(), mineWorkerCommand(),
		},
	}
}
