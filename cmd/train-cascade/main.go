// Train-cascade trains cascades of boosted weak learners, and measures what
// trains them.
//
//	train-cascade demo [flags]                train and detect with drawn faces
//	train-cascade samples [flags] [FOLDER...] make training windows
//	train-cascade facemodel [flags]           make the model that faces are drawn from
//	train-cascade compare [flags] TABLE...    compare boosters on tables
//	train-cascade inspect [flags] MODEL       look into a cascade
//	train-cascade eval [flags]                measure detectors on labelled photographs
//	train-cascade mosaic [flags]              make pictures to measure them on
//	train-cascade prune [flags]               make a model faster
//	train-cascade verifier [flags]            train a second look at what a model finds
//	train-cascade calibrate [flags]           make the scores of a model probabilities
//	train-cascade page [flags]                write the page about a model
//	train-cascade landmarks [flags]           train a model that finds eyes, nose and mouth
//	train-cascade eval-landmarks [flags]      measure one
//
// train-cascade -help tells the rest. Results go to stdout, everything else to
// stderr. The exit status is 0 when all went well, 1 when the work failed, 2
// when the command line is wrong, and 130 after Ctrl-C.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"

	"github.com/urfave/cli/v3"
)

// The exit statuses.
const (
	statusOK          = 0
	statusFailed      = 1
	statusUsage       = 2
	statusInterrupted = 130 // as shells count: 128 and the signal's number
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	// After the first Ctrl-C the second one ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the whole program but for what belongs to the process.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := newRoot(stdout, stderr).Run(ctx, append([]string{"train-cascade"}, openCVArgs(withCommand(args))...))
	if err == nil {
		return statusOK
	}
	fmt.Fprintf(stderr, "train-cascade: %v\n", err)
	var usage usageError
	switch {
	case errors.As(err, &usage):
		return statusUsage
	case ctx.Err() != nil:
		return statusInterrupted
	}
	return statusFailed
}

// newRoot is the command that has all others. Flags that may be repeated take
// each value as it stands in all of them: commas belong to conditions, jitters,
// names and paths.
func newRoot(stdout, stderr io.Writer) *cli.Command {
	root := &cli.Command{
		Name:            "train-cascade",
		Usage:           "train cascades of boosted weak learners, and measure what trains them",
		Writer:          stdout,
		ErrWriter:       stderr,
		HideHelpCommand: true,
		HideVersion:     true,
		Commands: []*cli.Command{
			newDemo(stdout, stderr),
			newTrain(stdout, stderr),
			newSamples(stdout, stderr),
			newFacemodel(stdout, stderr),
			newCompare(stdout, stderr),
			newEval(stdout, stderr),
			newMosaic(stdout, stderr),
			newInspect(stdout),
			newPrune(stdout, stderr),
			newVerifier(stdout, stderr),
			newCalibrate(stdout, stderr),
			newPage(stderr),
			newLandmarks(stdout, stderr),
			newEvalLandmarks(stdout, stderr),
		},
		Action: func(_ context.Context, c *cli.Command) error {
			if c.Args().Present() {
				return usagef("no command is called %q: see train-cascade -help", c.Args().First())
			}
			return usagef("no command given: see train-cascade -help")
		},
		OnUsageError:   func(_ context.Context, _ *cli.Command, err error, _ bool) error { return usageError{err} },
		ExitErrHandler: func(context.Context, *cli.Command, error) {},
	}
	for _, c := range root.Commands {
		c.DisableSliceFlagSeparator = true
	}
	return root
}

// usageError marks what is wrong with the call, as opposed to the work.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
