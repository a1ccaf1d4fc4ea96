package pico

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// Errors of Read.
var (
	ErrFormat = errors.New("pico: not a cascade of pico")
	ErrLimit  = errors.New("pico: over the limit")
)

// Limits of a file. facefinder has 468 trees of depth 6 in 234 kB.
const (
	maxBytes = 64 << 20
	maxDepth = 12
	maxTests = 1 << 16 // comparisons in a window
	headSize = 16
	version  = 3
)

// A Model is a cascade. It never changes, and many goroutines may use it.
type Model struct {
	box        [4]int8 // of the object in the window; neither pico nor pigo uses it
	depth      int
	tests      [][4]int8 // row and column of two pixels, in 1/256 of the window: 1<<depth for each tree, the first unused
	leaves     []float32 // 1<<depth for each tree
	thresholds []float32 // on the score after each tree
}

// Trees returns the number of trees.
func (m *Model) Trees() int { return len(m.thresholds) }

// Is reports whether a file that begins so is a cascade of pico. 16 bytes decide.
func Is(head []byte) bool {
	if len(head) < headSize || binary.LittleEndian.Uint32(head) != version {
		return false
	}
	depth, trees := binary.LittleEndian.Uint32(head[8:]), binary.LittleEndian.Uint32(head[12:])
	return depth >= 1 && depth <= maxDepth && trees >= 1 && trees <= maxTests
}

// IsFile reports whether a file begins as a cascade of pico.
func IsFile(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	var head [headSize]byte
	_, err = io.ReadFull(f, head[:])
	return err == nil && Is(head[:])
}

// Open reads a file.
func Open(path string) (*Model, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("pico: %w", err)
	}
	defer f.Close()
	m, err := Read(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// Read reads a cascade. Errors wrap [ErrFormat] or [ErrLimit], or are r's own.
func Read(r io.Reader) (*Model, error) {
	data, err := io.ReadAll(io.LimitReader(r, maxBytes+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("pico: reading a cascade: %w", err)
	case len(data) > maxBytes:
		return nil, fmt.Errorf("%w: more than %d bytes", ErrLimit, maxBytes)
	case len(data) < headSize:
		return nil, fmt.Errorf("%w: %d bytes, want %d at least", ErrFormat, len(data), headSize)
	}
	word := func(at int) uint32 { return binary.LittleEndian.Uint32(data[at:]) }
	if v := word(0); v != version {
		return nil, fmt.Errorf("%w: version %d at byte 0, want %d", ErrFormat, v, version)
	}
	depth, trees := word(8), word(12)
	if depth < 1 || depth > maxDepth {
		return nil, fmt.Errorf("%w: trees of depth %d at byte 8, want 1 to %d", ErrFormat, depth, maxDepth)
	}
	n := 1 << depth
	if need := headSize + int64(trees)*int64(4*(n-1)+4*n+4); trees < 1 || int64(len(data)) != need {
		return nil, fmt.Errorf("%w: %d bytes, but %d trees of depth %d need %d", ErrFormat, len(data), trees, depth, need)
	}
	if tests := int64(trees) * int64(depth); tests > maxTests {
		return nil, fmt.Errorf("%w: %d trees of depth %d compare %d times in a window, want at most %d", ErrLimit, trees, depth, tests, maxTests)
	}
	m := &Model{
		depth:      int(depth),
		tests:      make([][4]int8, int(trees)*n),
		leaves:     make([]float32, 0, int(trees)*n),
		thresholds: make([]float32, 0, trees),
	}
	for i := range m.box {
		m.box[i] = int8(data[4+i])
	}
	at := headSize
	number := func() (float32, error) {
		v := math.Float32frombits(word(at))
		if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
			return 0, fmt.Errorf("%w: %v at byte %d, want a number", ErrFormat, v, at)
		}
		at += 4
		return v, nil
	}
	for t := range int(trees) {
		for i := 1; i < n; i++ {
			for k := range 4 {
				m.tests[t*n+i][k] = int8(data[at+k])
			}
			at += 4
		}
		for range n {
			v, err := number()
			if err != nil {
				return nil, err
			}
			m.leaves = append(m.leaves, v)
		}
		v, err := number()
		if err != nil {
			return nil, err
		}
		m.thresholds = append(m.thresholds, v)
	}
	return m, nil
}

// WriteTo writes the cascade: the bytes of the file from which it was read.
func (m *Model) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	word := func(v uint32) { b.Write(binary.LittleEndian.AppendUint32(nil, v)) }
	word(version)
	for _, v := range m.box {
		b.WriteByte(byte(v))
	}
	word(uint32(m.depth))
	word(uint32(m.Trees()))
	n := 1 << m.depth
	for t, threshold := range m.thresholds {
		for _, test := range m.tests[t*n+1 : (t+1)*n] {
			for _, v := range test {
				b.WriteByte(byte(v))
			}
		}
		for _, v := range m.leaves[t*n : (t+1)*n] {
			word(math.Float32bits(v))
		}
		word(math.Float32bits(threshold))
	}
	return b.WriteTo(w)
}
