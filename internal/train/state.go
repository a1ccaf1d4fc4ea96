package train

import (
	"bytes"
	"cmp"
	"encoding/gob"
	"errors"
	"fmt"
	"image"
	"io"
	"slices"
	"time"

	"haarlem/cascade"
)

// A State is a checkpoint of a training. With the same data and settings,
// Hooks.Resume continues from it as if there had been no interruption.
type State struct {
	v state
}

// state is what is written.
type state struct {
	Fingerprint string // of data and settings
	Cascade     []byte // native; empty without a weak classifier
	Steps       []Step
	Step        Step
	From        int
	Mined       bool
	Rate        float64
	Cursor      int
	Alive       []bool
	Negatives   [][]byte // empty in a file: Windows of them follow, in parts
	Fails       []bool
	Run         []byte // boost.Checkpoint
	Spent       time.Duration
	Before      []byte  // trainer.before
	Memory      int64   // trainer.memory
	Origins     []int32 // of Negatives, five each
	Windows     int
}

// ErrState is wrapped by errors about checkpoints that do not fit.
var ErrState = errors.New("train: the saved state does not fit")

const stateMagic = "haarlem-train-state 1\n"

// partOf is how many windows are in a part: an encoder holds a part in memory.
const partOf = 4096

// Encode writes the state.
func (s *State) Encode(w io.Writer) error {
	if _, err := io.WriteString(w, stateMagic); err != nil {
		return err
	}
	e, v := gob.NewEncoder(w), s.v
	v.Negatives, v.Windows = nil, len(s.v.Negatives)
	if err := e.Encode(&v); err != nil {
		return err
	}
	for part := range slices.Chunk(s.v.Negatives, partOf) {
		if err := e.Encode(part); err != nil {
			return err
		}
	}
	return nil
}

// DecodeState reads what Encode wrote.
func DecodeState(r io.Reader) (*State, error) {
	head := make([]byte, len(stateMagic))
	if _, err := io.ReadFull(r, head); err != nil || string(head) != stateMagic {
		return nil, fmt.Errorf("%w: it does not begin with %q", ErrState, stateMagic)
	}
	s, d := &State{}, gob.NewDecoder(r)
	if err := d.Decode(&s.v); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrState, err)
	}
	for len(s.v.Negatives) < s.v.Windows {
		var part [][]byte
		if err := d.Decode(&part); err != nil || len(part) == 0 {
			return nil, fmt.Errorf("%w: it has %d of %d windows: %w", ErrState, len(s.v.Negatives), s.v.Windows, cmp.Or(err, io.ErrUnexpectedEOF))
		}
		s.v.Negatives = append(s.v.Negatives, part...)
	}
	return s, nil
}

// Cascade returns the cascade so far; nil if it has no weak classifier.
func (s *State) Cascade() (*cascade.Cascade, error) {
	if len(s.v.Cascade) == 0 {
		return nil, nil
	}
	return cascade.Read(bytes.NewReader(s.v.Cascade), nil)
}

// Spent is the time that the training has taken so far, in all runs.
func (s *State) Spent() time.Duration { return s.v.Spent }

// Memory is the [Settings.Memory] of the first run, which determines the number
// of features.
func (s *State) Memory() int64 { return s.v.Memory }

// Steps returns the steps so far.
func (s *State) Steps() []Step { return s.v.Steps }

// Hardest returns up to n of the current negatives that the cascade passes.
func (s *State) Hardest(n, width int) []*image.Gray {
	var out []*image.Gray
	for i, g := range s.Negatives(width) {
		if len(out) < n && !s.v.Fails[i] {
			out = append(out, g.Window)
		}
	}
	return out
}

// Negatives returns all windows that the last step learned from, including
// those that the cascade now rejects.
func (s *State) Negatives(width int) []Negative {
	origins := unpacked(s.v.Origins)
	out := make([]Negative, len(s.v.Negatives))
	for i, p := range s.v.Negatives {
		out[i] = Negative{&image.Gray{Pix: p, Stride: width, Rect: image.Rect(0, 0, width, len(p)/width)}, origins[i]}
	}
	return out
}
