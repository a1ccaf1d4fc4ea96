package camera

import (
	"fmt"
	"image"
	"io"
	"strings"
	"time"
)

// A terminalInput is what a terminal sends: keys, and answers to questions.
type terminalInput struct {
	keys    chan int
	answers chan string // control sequences, without the escape that begins them
	ended   chan struct{}

	sequence []byte // the one that is coming in
}

func newTerminalInput() *terminalInput {
	return &terminalInput{keys: make(chan int, 16), answers: make(chan string, 16), ended: make(chan struct{})}
}

// longestSequence is that of an answer which is kept.
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
	switch {
	case len(t.sequence) == 0 && (c != escape || last):
		if c == 3 { // Ctrl-C, which is a key here
			c = 'q'
		}
		select {
		case t.keys <- int(c):
		default: // nobody listens
		}
	default:
		if len(t.sequence) < longestSequence {
			t.sequence = append(t.sequence, c)
		}
		if ends(t.sequence, c) {
			select {
			case t.answers <- string(t.sequence[1:]):
			default:
			}
			t.sequence = t.sequence[:0]
		}
	}
}

// ends tells whether a byte is the last of a control sequence (ECMA-48, section 5.4 and
// 5.6).
func ends(sequence []byte, c byte) bool {
	switch {
	case len(sequence) == 1: // the escape itself
		return false
	case len(sequence) == 2: // these begin something longer
		return !strings.ContainsRune("[O_P]^X", rune(c))
	case sequence[1] == '[':
		return c >= 0x40 && c <= 0x7e
	case sequence[1] == 'O':
		return true
	}
	return c == 7 || c == '\\' && sequence[len(sequence)-2] == escape || len(sequence) >= longestSequence
}

// What a terminal can do.
type terminalAbilities struct {
	kitty     bool        // kitty's graphics
	sixel     bool        // sixel graphics
	registers int         // of colours, for sixel
	cell      image.Point // pixels of a character; zero if it does not say
}

// questions are whether it knows kitty's graphics; the number of colour registers; the
// size of a character; and what kind of terminal it is, which all terminals answer, and
// after the others.
const questions = "\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\" + "\x1b[?1;1;0S" + "\x1b[16t" + "\x1b[c"

// ask asks the terminal what it can do. One that does not answer in time can do little.
func (t *terminalInput) ask(w io.Writer, wait time.Duration) (terminalAbilities, error) {
	a := terminalAbilities{registers: 256}
	if _, err := io.WriteString(w, questions); err != nil {
		return a, err
	}
	late := time.After(wait)
	for {
		select {
		case text := <-t.answers:
			if a.take(text) {
				return a, nil
			}
		case <-t.ended:
			return a, nil
		case <-late:
			return a, nil
		}
	}
}

// take takes an answer, and tells whether it is the last.
func (a *terminalAbilities) take(text string) (last bool) {
	var status, registers, w, h int
	switch {
	case strings.HasPrefix(text, "_Gi=31;OK"):
		a.kitty = true
	case strings.HasPrefix(text, "[?1;"):
		if n, _ := fmt.Sscanf(text, "[?1;%d;%dS", &status, &registers); n == 2 && status == 0 && registers > 1 {
			a.registers = registers
		}
	case strings.HasPrefix(text, "[6;"):
		if n, _ := fmt.Sscanf(text, "[6;%d;%dt", &h, &w); n == 2 && w > 0 && h > 0 && w < 1000 && h < 1000 {
			a.cell = image.Pt(w, h)
		}
	case strings.HasPrefix(text, "[?") && strings.HasSuffix(text, "c"):
		for _, part := range strings.Split(text[2:len(text)-1], ";")[1:] {
			a.sixel = a.sixel || part == "4"
		}
		return true
	}
	return false
}
