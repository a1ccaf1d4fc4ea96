package network

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/gob"
	"fmt"
	"io"
	"slices"
)

// A State is a checkpoint of a training.
type State struct{ v state }

// state is what is written; field names are those in files.
type state struct {
	Fingerprint    string // of photographs and settings
	Iteration      int    // how many are done
	Parameters     []float32
	Mean, Square   []float32 // the optimizer's
	Ranges         [][]float32
	Hardness       []float32
	Mined          int
	Float, Rounded Measure
}

func (v *state) clone() state {
	c := *v
	c.Parameters, c.Mean, c.Square = slices.Clone(v.Parameters), slices.Clone(v.Mean), slices.Clone(v.Square)
	return c // the rest is replaced and not changed
}

// fingerprint is a hash of the photographs, of some of their pixels, and of the
// settings that change the result.
func (t *trainer) fingerprint() string {
	h := sha256.New()
	s := t.s
	s.Workers, s.Save = 0, 0
	fmt.Fprintf(h, "%+v\n", s)
	const side = 32
	c := newCropper(side)
	for _, p := range t.e.photos {
		for _, at := range []Box{{0, 0, 512, 512}, {512, 512, 512, 512}} {
			c.plain(p.Planes, at, 1, side)
			h.Write(c.pixels)
		}
		fmt.Fprintln(h, len(p.Objects), len(p.Candidates))
		_ = binary.Write(h, binary.LittleEndian, p.Candidates) // a hash has no errors
		for _, o := range p.Objects {
			fmt.Fprintln(h, o)
		}
	}
	return fmt.Sprintf("%x", h.Sum(nil))
}

const stateMagic = "haarlem-network-state 1\n"

// Encode writes the state.
func (s *State) Encode(w io.Writer) error {
	if _, err := io.WriteString(w, stateMagic); err != nil {
		return err
	}
	return gob.NewEncoder(w).Encode(&s.v)
}

// DecodeState reads what Encode wrote.
func DecodeState(r io.Reader) (*State, error) {
	head := make([]byte, len(stateMagic))
	if _, err := io.ReadFull(r, head); err != nil || string(head) != stateMagic {
		return nil, fmt.Errorf("%w: it does not begin with %q", ErrState, stateMagic)
	}
	s := &State{}
	if err := gob.NewDecoder(r).Decode(&s.v); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrState, err)
	}
	return s, nil
}

// restore resumes a training.
func (t *trainer) restore(s *State) error {
	v := s.v.clone()
	if v.Fingerprint != t.now.Fingerprint {
		return fmt.Errorf("%w: it belongs to other photographs or settings", ErrState)
	}
	n := t.v.parameters
	ok := len(v.Parameters) == n && len(v.Mean) == n && len(v.Square) == n && v.Iteration >= 0 && v.Iteration <= t.s.Iterations &&
		(len(v.Hardness) == 0 || len(v.Hardness) == len(t.e.background)) && (v.Ranges == nil || len(v.Ranges) == len(t.v.layers))
	for i := range v.Ranges {
		ok = ok && len(v.Ranges[i]) == t.v.layers[i].toChannels
	}
	if !ok {
		return fmt.Errorf("%w: it is damaged", ErrState)
	}
	t.now = v
	t.attach()
	return nil
}
