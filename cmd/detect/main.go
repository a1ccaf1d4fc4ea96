// Detect finds faces, or whatever its model was trained for, in pictures.
//
//	detect [flags] FILE|DIR|GLOB|-...    find faces
//	detect webcam [flags]                show what a camera sees, with boxes
//	detect video [flags] IN              find faces in every frame
//	detect blur|pixelate -out OUT ...    write copies without recognisable faces
//	detect model MODEL                   say what a model is
//	detect convert FROM TO               write a model in another format
//	detect serve                         serve a page and an HTTP interface
//
// detect -help tells the rest. Results go to stdout, everything else to
// stderr. The exit status is 0 when all went well, 1 when some picture could
// not be dealt with (all others were), 2 when nothing was begun because the
// command line, the model or a folder is wrong, and 130 after Ctrl-C.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
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
	os.Exit(run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// run is the whole program but for what belongs to the process.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	s := newStreams(stdin, stdout, stderr)
	build, name := newFind, "detect"
	if len(args) > 0 {
		if b, ok := subcommands[args[0]]; ok {
			build, name, args = b, "detect "+args[0], args[1:]
		}
	}
	err := build(s).Run(ctx, append([]string{name}, args...))
	var done exit
	switch {
	case err == nil:
		return statusOK
	case errors.As(err, &done): // it has said why
		return int(done)
	}
	fmt.Fprintf(stderr, "detect: %v\n", err)
	var usage usageError
	if errors.As(err, &usage) {
		return statusUsage
	}
	return statusFailed
}

// exit is an error without a message, for commands that have reported
// everything and only want to end with a status.
type exit int

func (e exit) Error() string { return fmt.Sprintf("exit status %d", int(e)) }

// usageError marks what is wrong with the call, as opposed to the pictures.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }
