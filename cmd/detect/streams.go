package main

import (
	"io"
	"os"

	"golang.org/x/term"

	"haarlem/internal/app/cli"
)

// streams are where a command reads and writes, and what is at the other end.
type streams struct {
	in       io.Reader
	out, err io.Writer
	outTerm  bool // out is a terminal
	errTerm  bool // err is a terminal
}

func newStreams(s *cli.Streams) *streams {
	return &streams{in: s.In, out: s.Out, err: s.Err, outTerm: isTerminal(s.Out), errTerm: isTerminal(s.Err)}
}

// isTerminal is another function in tests, which have no terminal.
var isTerminal = func(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
