package cascade

import (
	"crypto/sha256"
	"fmt"
	"io"
	"math"
	"math/bits"
	"strconv"

	"haarlem/haar"
)

// Encode writes c in the native format, which has all of it. Equal cascades
// give equal bytes. A cascade that does not pass [Cascade.Check] is an error,
// and nothing is written.
func (c *Cascade) Encode(w io.Writer) error {
	b, err := c.appendNative(nil)
	if err != nil {
		return err
	}
	if _, err := w.Write(b); err != nil {
		return fmt.Errorf("cascade: writing a model: %w", err)
	}
	return nil
}

func (c *Cascade) appendNative(b []byte) ([]byte, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	start := len(b)
	b = appendLines(b, headLines, c)
	b = fmt.Appendf(b, "features %d\n", c.features())
	for i := range c.Features {
		b = appendFeature(b, &c.Features[i])
	}
	for _, r := range c.Cells {
		b = append(b, "cell"...)
		b = appendInts(b, r.Min.X, r.Min.Y, r.Dx(), r.Dy())
		b = append(b, '\n')
	}
	b, score := gridOf(c.Weak, c.Exits).append(b)
	b = fmt.Appendf(b, "weak %d exits %d\n", len(c.Weak), len(c.Exits))
	exit := 0
	for i := range c.Weak {
		b = appendWeak(b, c.Kind, &c.Weak[i], score)
		if e := c.Exits[exit]; e.After == i+1 {
			b = score(append(b, "exit"...), e.Threshold)
			if e.Restart {
				b = append(b, " restart"...)
			}
			b = append(b, '\n')
			exit++
		}
	}
	b = c.Network.append(c.Verifier.append(b))
	return fmt.Appendf(b, nativeSum+"%x\n", sha256.Sum256(b[start:])), nil
}

func (v *Verifier) append(b []byte) []byte {
	if v == nil {
		return b
	}
	b = appendLines(b, verifierLines, v)
	b, score := gridOf(v.Trees, nil).append(b)
	b = fmt.Appendf(b, "trees %d\n", len(v.Trees))
	for i := range v.Trees {
		b = appendWeak(b, Haar, &v.Trees[i], score)
	}
	return v.Next.append(v.Boxes.append(b))
}

func (x *Boxes) append(b []byte) []byte {
	if x == nil {
		return b
	}
	b = append(b, "boxes"...)
	var all []Weak
	for _, trees := range x.edges() {
		b = appendInts(b, len(*trees))
		all = append(all, *trees...)
	}
	b, score := gridOf(all, nil).append(append(b, '\n'))
	for i := range all {
		b = appendWeak(b, Haar, &all[i], score)
	}
	return b
}

func appendWeak(b []byte, kind Kind, w *Weak, score func([]byte, float32) []byte) []byte {
	switch {
	case w.Histogram():
		b = append(b, "hist"...)
		b = appendInts(b, int(w.Feature))
		b = appendFloat32(append(b, ' '), w.Low)
		b = appendFloat32(append(b, ' '), w.Scale)
	case len(w.Nodes) == 1 && w.Nodes[0].Left == 0:
		b = append(b, "stump"...)
		b = appendQuestion(b, kind, &w.Nodes[0])
	default:
		b = append(b, "tree"...)
		b = appendInts(b, len(w.Nodes))
		for i := range w.Nodes {
			n := &w.Nodes[i]
			b = appendQuestion(b, kind, n)
			b = appendInts(b, int(n.Left), int(n.Right))
		}
	}
	for _, v := range w.Leaves {
		b = score(b, v)
	}
	return append(b, '\n')
}

func appendQuestion(b []byte, kind Kind, n *Node) []byte {
	b = appendInts(b, int(n.Feature))
	b = append(b, ' ')
	if kind == Haar {
		return appendFloat32(b, n.Threshold)
	}
	for _, w := range n.Subset {
		b = fmt.Appendf(b, "%08x", w)
	}
	return b
}

func appendFeature(b []byte, f *haar.Feature) []byte {
	if f.Tilted {
		b = append(b, "tilt"...)
	} else {
		b = append(b, "up"...)
	}
	for _, r := range f.Rects[:f.Count()] {
		b = appendInts(b, int(r.X), int(r.Y), int(r.W), int(r.H))
		b = appendFloat32(append(b, ' '), r.Weight)
	}
	return append(b, '\n')
}

// A grid is the smallest k with which every leaf and every threshold of an exit
// is a multiple of 2^-k; -1 if there is no useful one. On a grid, scores are sums of
// integers, exact in any order.
type grid int

// append appends the line with the grid, and returns a function that appends a score.
func (k grid) append(b []byte) ([]byte, func([]byte, float32) []byte) {
	if k < 0 {
		return b, func(b []byte, v float32) []byte { return appendFloat32(append(b, ' '), v) }
	}
	return fmt.Appendf(b, "grid 2^-%d\n", k), func(b []byte, v float32) []byte {
		return strconv.AppendInt(append(b, ' '), int64(math.Ldexp(float64(v), int(k))), 10)
	}
}

func gridOf(weak []Weak, exits []Exit) grid {
	k, largest := 0, 0.0
	see := func(v float32) {
		if v == 0 {
			return
		}
		b := math.Float32bits(v)
		exponent, mantissa := int(b>>23&0xff), b&(1<<23-1)
		if exponent == 0 {
			exponent = 1 // subnormal
		} else {
			mantissa |= 1 << 23
		}
		k = max(k, 150-exponent-bits.TrailingZeros32(mantissa))
		largest = max(largest, math.Abs(float64(v)))
	}
	for i := range weak {
		for _, v := range weak[i].Leaves {
			see(v)
		}
	}
	for _, e := range exits {
		see(e.Threshold)
	}
	if k > maxGrid || math.Ldexp(largest, k) > math.MaxInt32 {
		return -1
	}
	return grid(k)
}
