package camera

import (
	"io"
	"strings"
)

// A terminalInput is what a terminal sends: keys. Control sequences, such as those of
// arrows, are passed over.
type terminalInput struct {
	keys  chan int
	ended chan struct{}

	sequence []byte // the one that is coming in
}

func newTerminalInput() *terminalInput {
	return &terminalInput{keys: make(chan int, 16), ended: make(chan struct{})}
}

// longestSequence is the length after which a control sequence is taken to be at its end.
const longestSequence = 256

// read passes on what comes. It ends with the process: a read cannot be called back.
func (t *terminalInput) read(r io.Reader) {
	defer close(t.ended)
	b := make([]byte, 64)
	for {
		n, err := r.Read(b)
		if err != nil {
			return
		}
		for i, c := range b[:n] {
			t.take(c, i == n-1)
		}
	}
}

// take takes the next byte. last says that no other came with it: an escape that comes
// alone is a key, and another one begins a control sequence.
func (t *terminalInput) take(c byte, last bool) {
	if len(t.sequence) > 0 || c == escape && !last {
		t.sequence = append(t.sequence, c)
		if ends(t.sequence, c) {
			t.sequence = t.sequence[:0]
		}
		return
	}
	if c == 3 { // Ctrl-C, which is a key here
		c = 'q'
	}
	select {
	case t.keys <- int(c):
	default: // nobody listens
	}
}

// ends tells whether a byte is the last of a control sequence (ECMA-48, section 5.4 and
// 5.6).
func ends(sequence []byte, c byte) bool {
	switch {
	case len(sequence) == 1: // the escape itself
		return false
	case len(sequence) >= longestSequence:
		return true
	case len(sequence) == 2: // these begin something longer
		return !strings.ContainsRune("[O_P]^X", rune(c))
	case sequence[1] == '[':
		return c >= 0x40 && c <= 0x7e
	case sequence[1] == 'O':
		return true
	}
	return c == 7 || c == '\\' && sequence[len(sequence)-2] == escape
}
