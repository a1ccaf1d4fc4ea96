// Package console is what detect's commands write for people: streams, progress, and words.
package console

import (
	"io"
	"os"

	"golang.org/x/term"

	"haarlem/internal/app/cli"
)

// Streams are where a command reads and writes, and what is at the other end.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	outTerm  bool // out is a terminal
	errTerm  bool // err is a terminal
}

func New(s *cli.Streams) *Streams {
	return &Streams{In: s.In, Out: s.Out, Err: s.Err, outTerm: IsTerminal(s.Out), errTerm: IsTerminal(s.Err)}
}

// IsTerminal is another function in tests, which have no terminal.
var IsTerminal = func(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
