package export

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"haarlem/cascade"
)

// WriteOpenMV writes a cascade for OpenMV's image.HaarCascade, with the layout of
// OpenMV's tools/haar2c.py: numbers little-endian, window width and height, number of
// stages, weak classifiers of each stage (bytes, padded to four), thresholds of stages
// (1/256), thresholds of features (1/4096), left and right outputs (1/256), rectangles of
// each feature, weights, rectangles.
//
// The format has stages of stumps with upright Haar features only. OpenMV's numbers are
// rounded and its search is another, so it does not find the same windows.
func WriteOpenMV(w io.Writer, c *cascade.Cascade) error {
	if err := c.Check(); err != nil {
		return err
	}
	refuse := func(format string, args ...any) error {
		return fmt.Errorf("%w: OpenMV's format has no %s", ErrExport, fmt.Sprintf(format, args...))
	}
	if c.Kind != cascade.Haar {
		return refuse("LBP features")
	}
	var counts, limits, thresholds, lefts, rights, rectangles, weights, boxes bytes.Buffer
	var fail error
	put := func(b *bytes.Buffer, v float64, scale float64, what string, i int) {
		if v = math.Trunc(v * scale); math.Abs(v) > math.MaxInt16 {
			fail = refuse("room for %s of %s %d", what, "number", i)
		}
		binary.Write(b, binary.LittleEndian, int16(v))
	}
	from := 0
	for i, x := range c.Exits {
		if !x.Restart && i < len(c.Exits)-1 {
			return refuse("score that runs on through stages, as after stage %d", i)
		}
		if x.After-from > math.MaxUint8 {
			return refuse("stage of %d weak classifiers, as stage %d", x.After-from, i)
		}
		counts.WriteByte(byte(x.After - from))
		from = x.After
		put(&limits, float64(x.Threshold), 256, "the threshold of a stage", i)
	}
	for i := range c.Weak {
		k := &c.Weak[i]
		if len(k.Nodes) != 1 {
			return refuse("trees and histograms, as weak classifier %d", i)
		}
		n := &k.Nodes[0]
		f := &c.Features[n.Feature]
		if f.Tilted || c.Width > math.MaxInt8 || c.Height > math.MaxInt8 {
			return refuse("tilted features and windows above 127 pixels, as weak classifier %d", i)
		}
		put(&thresholds, float64(n.Threshold), 4096, "the threshold of a weak classifier", i)
		put(&lefts, float64(k.Leaves[-n.Left]), 256, "an output of a weak classifier", i)
		put(&rights, float64(k.Leaves[-n.Right]), 256, "an output of a weak classifier", i)
		rectangles.WriteByte(byte(f.Count()))
		for _, r := range f.Rects[:f.Count()] {
			if r.Weight != float32(int8(r.Weight)) {
				return refuse("weight %v, as of weak classifier %d", r.Weight, i)
			}
			weights.WriteByte(byte(int8(r.Weight)))
			boxes.Write([]byte{byte(r.X), byte(r.Y), byte(r.W), byte(r.H)})
		}
	}
	if fail != nil {
		return fail
	}
	var out bytes.Buffer
	for _, v := range []int{c.Width, c.Height, len(c.Exits)} {
		binary.Write(&out, binary.LittleEndian, int32(v))
	}
	for counts.Len()%4 != 0 {
		counts.WriteByte(0)
	}
	for _, b := range []*bytes.Buffer{&counts, &limits, &thresholds, &lefts, &rights, &rectangles, &weights, &boxes} {
		out.Write(b.Bytes())
	}
	_, err := w.Write(out.Bytes())
	return err
}
