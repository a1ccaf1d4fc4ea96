package cascade

import (
	"errors"
	"fmt"
	"slices"
)

// ErrMirror is wrapped by the error about a cascade without a mirror image.
var ErrMirror = errors.New("cascade: no mirror image")

// Mirror returns the cascade that computes for mirror images what c computes for images.
// A cascade for left profiles becomes one for right profiles. Scores of mirrored windows
// are equal to the last bit. In a whole image, windows are mirrored too on levels that a
// whole number of strides fits, without OpenCV's rule of windows. Elsewhere scaling
// rounds, and margins may differ a little.
//
// A tilted feature that touches the window's left border has no mirror image:
// tilted rectangles cannot reach the last column, as in OpenCV. The error then wraps
// [ErrMirror] and names the feature. Upright features and local binary
// patterns always have one.
func (c *Cascade) Mirror() (*Cascade, error) {
	m := c.Clone()
	width := int32(c.Width)
	for i := range m.Features {
		f := &m.Features[i]
		for k := range f.Rects[:f.Count()] {
			r := &f.Rects[k]
			if !f.Tilted {
				r.X = width - r.X - r.W
				continue
			}
			// The pixels of a tilted rectangle have x+y from X+Y-1 on, 2W values,
			// and y-x from Y-X+1 on, 2H values. Mirroring swaps sums and
			// differences.
			r.X, r.W, r.H = width-r.X+1, r.H, r.W
		}
		if err := f.Check(c.Width, c.Height); err != nil {
			return nil, fmt.Errorf("%w: feature %d, tilted, touches the window's left border; train with another set of features", ErrMirror, i)
		}
	}
	for i := range m.Cells {
		r := &m.Cells[i]
		left := c.Width - r.Min.X - 3*r.Dx()
		r.Min.X, r.Max.X = left, left+r.Dx()
	}
	if c.Kind == LBP {
		for i := range m.Weak {
			for k := range m.Weak[i].Nodes {
				n := &m.Weak[i].Nodes[k]
				n.Subset = mirrorSubset(n.Subset)
			}
		}
	}
	m.Verifier = m.Verifier.mirror()
	var err error
	if m.Network, err = m.Network.mirror(); err != nil {
		return nil, err
	}
	return m, nil
}

// mirrorSubset swaps left and right in all codes of a set. From 128 down to 1
// the bits of a code go round the middle cell, from the top left clockwise.
func mirrorSubset(s [8]uint32) [8]uint32 {
	var out [8]uint32
	for code := range 256 {
		if s[code>>5]>>(code&31)&1 == 0 {
			continue
		}
		swapped := code & (64 | 4) // top and bottom stay
		for _, pair := range [][2]int{{128, 32}, {1, 16}, {2, 8}} {
			if code&pair[0] != 0 {
				swapped |= pair[1]
			}
			if code&pair[1] != 0 {
				swapped |= pair[0]
			}
		}
		out[swapped>>5] |= 1 << (swapped & 31)
	}
	return out
}

// mirror returns the network that computes for a mirror image what n computes. Layers
// that leave out the last column have none.
func (n *Network) mirror() (*Network, error) {
	m := n.clone()
	if m == nil {
		return nil, nil
	}
	for i := range m.Steps {
		s := &m.Steps[i]
		side, channels := s.Side, networkPlanes
		for k := range s.Layers {
			l := &s.Layers[k]
			if l.Kind != Dense && (side+2*l.Pad-l.Kernel)%l.Stride != 0 {
				return nil, fmt.Errorf("%w: step %d of the network, layer %d, leaves out the last column", ErrMirror, i, k)
			}
			width := l.Kernel
			if l.Kind == Dense {
				width = side
			}
			for row := range slices.Chunk(l.Weights, max(width*channels, 1)) {
				for a, b := 0, width-1; a < b; a, b = a+1, b-1 {
					for c := range channels {
						row[a*channels+c], row[b*channels+c] = row[b*channels+c], row[a*channels+c]
					}
				}
			}
			side, channels = l.Shape(side, channels)
		}
		if len(s.Scales) > 1 { // the shift to the right
			l := &s.Layers[len(s.Layers)-1]
			n := len(l.Weights) / l.Outputs
			for j, w := range l.Weights[n : 2*n] {
				l.Weights[n+j] = -w
			}
			l.Bias[1] = -l.Bias[1]
		}
	}
	return m, nil
}
