package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// streams are where a command reads and writes, and what is at the other end.
type streams struct {
	in       io.Reader
	out, err io.Writer
	outTerm  bool // out is a terminal
	errTerm  bool // err is a terminal
}

func newStreams(in io.Reader, out, err io.Writer) *streams {
	return &streams{in: in, out: out, err: err, outTerm: isTerminal(out), errTerm: isTerminal(err)}
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
