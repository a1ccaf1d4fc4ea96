// Detect finds faces, or whatever its model was trained for, in pictures.
//
//	detect [flags] FILE|DIR|GLOB|-...    find faces
//	detect webcam [flags]                show what a camera sees, with boxes
//	detect video [flags] IN              find faces in every frame
//	detect eval-tracks -truth T LINES    measure tracks against the truth
//	detect blur|pixelate -out OUT ...    write copies without recognisable faces
//	detect model MODEL                   say what a model is
//	detect convert FROM TO               write a model in another format
//	detect serve                         serve a page and an HTTP interface
//	detect merge DIR                     put the shards of -shard together
//
// detect -help tells the rest. Results go to stdout, everything else to
// stderr. The exit status is 0 when all went well, 1 when some picture could
// not be dealt with (all others were), 2 when nothing was begun because the
// command line, the model or a folder is wrong, and 130 after Ctrl-C.
package main

import "haarlem/internal/app/cli"

func main() { program().Execute() }

// program is the whole program. A picture that is called like one of the
// commands is ./model.
func program() *cli.Program {
	return &cli.Program{
		Name:    "detect",
		Summary: "find faces, or what a model was trained for, in pictures",
		Main:    findCommand(),
		Commands: []*cli.Command{
			webcamCommand(), videoCommand(), evalTracksCommand(), blurCommand(), pixelateCommand(),
			modelCommand(), convertCommand(), serveCommand(), mergeCommand(),
		},
	}
}
