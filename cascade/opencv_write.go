package cascade

import (
	"errors"
	"fmt"
	"io"
	"math"
)

// ErrOpenCV is wrapped by errors about cascades that OpenCV's format cannot express.
var ErrOpenCV = errors.New("cascade: OpenCV's format cannot express this")

// EncodeOpenCV writes c in OpenCV's XML, of the form that opencv_traincascade
// writes. OpenCV finds the same rectangles with it.
//
// The format has classical stages only: trees, a score that restarts at every exit, a
// contrast gate of 10 grey levels, and OpenCV's stride. Anything else is an error that
// wraps [ErrOpenCV], and nothing is written. Object, provenance, calibration,
// MinCandidates and MinScore are omitted, and so is a name that is no name of an XML
// element.
//
// OpenCV subtracts 0.00001 in float32 from the thresholds of a file, so that is added
// here. A threshold that no such difference equals, which is close to zero, becomes the
// next lower one that a difference equals.
func (c *Cascade) EncodeOpenCV(w io.Writer) error {
	if err := c.Check(); err != nil {
		return err
	}
	if err := c.checkOpenCV(); err != nil {
		return fmt.Errorf("%w: %w", ErrOpenCV, err)
	}
	if _, err := w.Write(c.appendOpenCV(nil)); err != nil {
		return fmt.Errorf("cascade: writing a model: %w", err)
	}
	return nil
}

// checkOpenCV reports what OpenCV's format cannot express.
func (c *Cascade) checkOpenCV() error {
	if c.Verifier != nil {
		return errors.New("a verifier")
	}
	if c.Network != nil {
		return errors.New("a network")
	}
	for i := range searchFields {
		if f := &searchFields[i]; !f.opencv && f.is(&c.Search) {
			return fmt.Errorf("a search with %s", f.key)
		}
	}
	if c.Kind == Haar && c.MinStdDev != openCVMinStdDev {
		return fmt.Errorf("MinStdDev %v, want %d", c.MinStdDev, openCVMinStdDev)
	}
	for i := range c.Weak {
		if c.Weak[i].Histogram() {
			return fmt.Errorf("weak classifier %d is a histogram, want trees only", i)
		}
	}
	for i, e := range c.Exits[:len(c.Exits)-1] {
		if !e.Restart {
			return fmt.Errorf("behind exit %d the score does not restart, want stages only", i)
		}
	}
	return nil
}

func (c *Cascade) appendOpenCV(b []byte) []byte {
	kind, categories := "HAAR", 0
	if c.Kind == LBP {
		kind, categories = "LBP", 256
	}
	upper, stumps := 0, true
	for first, i := 0, 0; i < len(c.Exits); i++ {
		upper = max(upper, c.Exits[i].After-first)
		first = c.Exits[i].After
	}
	for i := range c.Weak {
		stumps = stumps && len(c.Weak[i].Nodes) == 1
	}
	name := c.openCVName()
	b = fmt.Appendf(b, `<?xml version="1.0"?>
<opencv_storage>
<%s type_id="opencv-cascade-classifier">
  <stageType>BOOST</stageType>
  <featureType>%s</featureType>
  <height>%d</height>
  <width>%d</width>
  <stageParams>
    <maxWeakCount>%d</maxWeakCount></stageParams>
  <featureParams>
    <maxCatCount>%d</maxCatCount></featureParams>
  <stageNum>%d</stageNum>
  <stages>`, name, kind, c.Height, c.Width, upper, categories, len(c.Exits))
	first := 0
	for i, e := range c.Exits {
		b = fmt.Appendf(b, `
    <!-- stage %d -->
    <_>
      <maxWeakCount>%d</maxWeakCount>
      <stageThreshold>`, i, e.After-first)
		b = appendFloat32(b, openCVThreshold(e.Threshold))
		b = append(b, `</stageThreshold>
      <weakClassifiers>`...)
		for ; first < e.After; first++ {
			b = c.appendOpenCVTree(b, &c.Weak[first], stumps)
		}
		b = append(b, "</weakClassifiers></_>"...)
	}
	b = append(b, "</stages>\n  <features>"...)
	for i := range c.Features {
		b = c.appendOpenCVFeature(b, i)
	}
	for _, r := range c.Cells {
		b = append(b, "\n    <_>\n      <rect>\n       "...)
		b = appendInts(b, r.Min.X, r.Min.Y, r.Dx(), r.Dy())
		b = append(b, "</rect></_>"...)
	}
	return fmt.Appendf(b, "</features></%s>\n</opencv_storage>\n", name)
}

// openCVName returns the name of the element. The reader takes any but "_" for the
// cascade's name; "cascade" means no name.
func (c *Cascade) openCVName() string {
	ok := c.Name != "" && c.Name != "_"
	for i := 0; i < len(c.Name); i++ {
		ch := c.Name[i]
		letter := 'a' <= ch && ch <= 'z' || 'A' <= ch && ch <= 'Z' || ch == '_'
		ok = ok && (letter || i > 0 && ('0' <= ch && ch <= '9' || ch == '-'))
	}
	if !ok {
		return "cascade"
	}
	return c.Name
}

func (c *Cascade) appendOpenCVTree(b []byte, w *Weak, stumps bool) []byte {
	b = append(b, "\n        <_>\n          <internalNodes>\n           "...)
	for i := range w.Nodes {
		n := &w.Nodes[i]
		left, right := int(n.Left), int(n.Right)
		if stumps {
			left, right = 0, -1 // OpenCV ignores them
		}
		if i > 0 {
			b = append(b, "\n           "...)
		}
		b = appendInts(b, left, right, int(n.Feature))
		if c.Kind == Haar {
			b = appendFloat32(append(b, ' '), n.Threshold)
			continue
		}
		for _, s := range n.Subset {
			b = appendInts(b, int(int32(s)))
		}
	}
	b = append(b, "</internalNodes>\n          <leafValues>\n           "...)
	for i := range w.Leaves {
		if stumps && w.Nodes[0].Left != 0 {
			i = 1 - i
		}
		b = appendFloat32(append(b, ' '), w.Leaves[i])
	}
	return append(b, "</leafValues></_>"...)
}

func (c *Cascade) appendOpenCVFeature(b []byte, i int) []byte {
	f := &c.Features[i]
	b = append(b, "\n    <_>\n      <rects>"...)
	for _, r := range f.Rects[:f.Count()] {
		b = append(b, "\n        <_>\n         "...)
		b = appendInts(b, int(r.X), int(r.Y), int(r.W), int(r.H))
		b = appendFloat32(append(b, ' '), r.Weight)
		b = append(b, "</_>"...)
	}
	b = append(b, "</rects>"...)
	if f.Tilted {
		b = append(b, "\n      <tilted>1</tilted>"...)
	}
	return append(b, "</_>"...)
}

// openCVThreshold returns the largest x with x - 1e-5 <= t in float32, by bisection:
// the difference is monotone in x.
func openCVThreshold(t float32) float32 {
	lo, hi := order(t), order(math.MaxFloat32)
	for lo < hi {
		mid := lo + (hi-lo+1)/2
		if value(mid)-openCVEpsilon <= t {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	return value(lo)
}

// order numbers the finite floats in ascending order.
func order(v float32) int64 {
	b := int64(math.Float32bits(v))
	if b >= 1<<31 {
		return 1<<31 - b
	}
	return b
}

// value returns the float with that number.
func value(n int64) float32 {
	if n < 0 {
		return math.Float32frombits(uint32(1<<31 - n))
	}
	return math.Float32frombits(uint32(n))
}
