package cascade

import (
	"errors"
	"fmt"
	"image"
	"math"
	"unicode"
	"unicode/utf8"

	"haarlem/haar"
	"haarlem/internal/channels"
)

// ErrModel is what errors about invalid models wrap.
var ErrModel = errors.New("cascade: bad model")

// Bounds of every model, whatever the limits of a reader. Numbers are bounded
// so that no score and no feature value overflows in float32.
const (
	maxWindow   = 1024
	maxHaarArea = math.MaxUint32 / (255 * 255) // of the window inside a border of one pixel
	maxWeight   = 1 << 16
	maxLeaf     = 1 << 30
	maxName     = 100     // bytes
	maxText     = 1 << 16 // bytes of one string of the provenance
	maxData     = 1000    // data sets
	maxSupport  = 1000000 // windows of a detection
)

// Check reports why c cannot be used, or nil. The error wraps [ErrModel] and
// names the place. A cascade that passes is complete (every index points at
// something, every tree is one, the last exit stands behind the last weak
// learner), finite, and free of leftovers: fields that its kind does not use
// are zero. So whatever passes survives [Cascade.Encode] and [Read] unchanged.
//
// The bounds are: a window of at most 1024x1024 pixels and at least 3x3, of a
// Haar cascade one whose (Width-2)*(Height-2)*255*255 fits in 32 bits, since
// sums of squares do then; every rectangle with its true extent inside the
// window; weights within 2^16 and leaves within 2^30.
func (c *Cascade) Check() error {
	err := c.checkHead()
	for i := 0; err == nil && i < c.features(); i++ {
		err = c.checkFeature(i)
	}
	var seen marks
	for i := 0; err == nil && i < len(c.Weak); i++ {
		err = c.checkWeak(i, &seen)
	}
	for i := 0; err == nil && i < len(c.Exits); i++ {
		err = c.checkExit(i)
	}
	if err == nil {
		err = c.checkWhole()
	}
	if err == nil && c.Verifier != nil {
		err = c.Verifier.check(&seen)
	}
	if err != nil {
		return fmt.Errorf("%w: %w", ErrModel, err)
	}
	return nil
}

// features returns how many features nodes may refer to.
func (c *Cascade) features() int { return len(c.Features) + len(c.Cells) }

// checkHead checks everything but features, weak learners and exits.
func (c *Cascade) checkHead() error {
	if err := checkName(c.Name); err != nil {
		return fmt.Errorf("name: %w", err)
	}
	if err := c.Object.Check(); err != nil {
		return fmt.Errorf("object: %w", err)
	}
	if c.Kind != Haar && c.Kind != LBP {
		return fmt.Errorf("kind %d is unknown", c.Kind)
	}
	if c.Width < 3 || c.Height < 3 || c.Width > maxWindow || c.Height > maxWindow {
		return fmt.Errorf("window %dx%d, want 3x3 to %dx%d", c.Width, c.Height, maxWindow, maxWindow)
	}
	if area := (c.Width - 2) * (c.Height - 2); c.Kind == Haar && area > maxHaarArea {
		return fmt.Errorf("window %dx%d has %d pixels inside its border, want at most %d", c.Width, c.Height, area, maxHaarArea)
	}
	switch dev := c.MinStdDev; {
	case c.Kind == Haar && !(dev >= 0 && dev < 127.5): // the largest that 8 bits allow
		return fmt.Errorf("MinStdDev %v, want 0 to less than 127.5", dev)
	case c.Kind == LBP && dev != 0:
		return fmt.Errorf("MinStdDev %v, want 0: an LBP cascade has no contrast gate", dev)
	}
	if c.Stride < 0 || c.Stride > min(c.Width, c.Height) {
		return fmt.Errorf("stride %d, want 0 to the window's %d", c.Stride, min(c.Width, c.Height))
	}
	if !(c.Pad >= 0 && c.Pad <= maxPad) {
		return fmt.Errorf("pad %v, want 0 to %v", c.Pad, maxPad)
	}
	if h := c.HeadStart; h != (HeadStart{}) && !(h.PerOctave > 0 && isFinite(h.PerOctave) && h.From > 0 && isFinite(h.From) && h.Most > 0 && h.Most <= maxLeaf) {
		return fmt.Errorf("a head start of %v an octave from a factor of %v on, %v at most: want three numbers above 0, and at most %d", h.PerOctave, h.From, h.Most, maxLeaf)
	}
	if c.Halve != 0 && !(c.Halve > 1 && isFinite(c.Halve)) {
		return fmt.Errorf("levels of a factor of %v and more are made of halved pictures: want more than 1, or 0", c.Halve)
	}
	if c.Support < 0 || c.Support > maxSupport {
		return fmt.Errorf("support %d, want 0 to %d", c.Support, maxSupport)
	}
	if !(c.MinScore >= 0 && isFinite(c.MinScore)) {
		return fmt.Errorf("score %v for a detection, want a finite number, 0 or more", c.MinScore)
	}
	if cal := c.Calibration; cal != nil {
		if !(cal.Slope > 0 && isFinite(cal.Slope) && isFinite(cal.Offset)) {
			return fmt.Errorf("calibration %v, %v, want finite numbers and a positive slope", cal.Slope, cal.Offset)
		}
	}
	return c.Provenance.check()
}

func (p *Provenance) check() error {
	if len(p.Data) > maxData {
		return fmt.Errorf("provenance: %d data sets, want at most %d", len(p.Data), maxData)
	}
	for i, s := range append([]string{p.Program, p.Command, p.Note}, p.Data...) {
		if len(s) > maxText || !utf8.ValidString(s) {
			what := fmt.Sprintf("data set %d", i-3)
			if i < 3 {
				what = [...]string{"program", "command", "note"}[i]
			}
			return fmt.Errorf("provenance: %s: want at most %d bytes of UTF-8", what, maxText)
		}
	}
	return nil
}

func checkName(name string) error {
	if len(name) > maxName {
		return fmt.Errorf("%d bytes, want at most %d", len(name), maxName)
	}
	for _, r := range name {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return fmt.Errorf("%q is not printable", name)
		}
	}
	return nil
}

// checkFeature checks feature i, which is a cell if c is of kind LBP.
func (c *Cascade) checkFeature(i int) error {
	if err := c.checkFeatureAlone(i); err != nil {
		return fmt.Errorf("feature %d: %w", i, err)
	}
	return nil
}

func (c *Cascade) checkFeatureAlone(i int) error {
	switch {
	case len(c.Features) > 0 && len(c.Cells) > 0:
		return errors.New("both Features and Cells are used")
	case (c.Kind == Haar) != (len(c.Features) > 0):
		return errors.New("want Features in a Haar cascade and Cells in an LBP cascade")
	case c.Kind == LBP:
		return checkCell(c.Cells[i], c.Width, c.Height)
	}
	f := &c.Features[i]
	if err := f.Check(c.Width, c.Height); err != nil {
		return err
	}
	for k, r := range f.Rects {
		switch {
		case math.Abs(float64(r.Weight)) > maxWeight:
			return fmt.Errorf("rectangle %d: weight %v, want at most %d", k, r.Weight, maxWeight)
		case r.Weight == 0 && r != (haar.Rect{}):
			return fmt.Errorf("rectangle %d has weight 0, want it empty", k)
		}
	}
	return nil
}

// checkCell checks that nine cells, of which r is the top-left, lie inside.
func checkCell(r image.Rectangle, width, height int) error {
	inside := r.Min.X >= 0 && r.Min.Y >= 0 && r.Max.X <= width && r.Max.Y <= height
	if !inside || r.Min.X >= r.Max.X || r.Min.Y >= r.Max.Y ||
		r.Min.X+3*r.Dx() > width || r.Min.Y+3*r.Dy() > height {
		return fmt.Errorf("3x3 cells of %d,%d %dx%d are not inside the %dx%d window", r.Min.X, r.Min.Y, r.Dx(), r.Dy(), width, height)
	}
	return nil
}

// checkWeak checks weak learner i; the features must be there.
func (c *Cascade) checkWeak(i int, seen *marks) error {
	if err := c.Weak[i].check(c.questions(), seen); err != nil {
		return fmt.Errorf("weak learner %d: %w", i, err)
	}
	return nil
}

// questions are what weak learners may ask: how many features there are, and
// of which kind.
type questions struct {
	kind     Kind // Haar for whatever is compared to a threshold
	features int
}

func (c *Cascade) questions() questions { return questions{c.Kind, c.features()} }

// channelQuestions are what the trees of a verifier may ask.
var channelQuestions = questions{Haar, channels.Count}

func (w *Weak) check(q questions, seen *marks) error {
	for k, v := range w.Leaves {
		if !(math.Abs(float64(v)) <= maxLeaf) {
			return fmt.Errorf("leaf %d is %v, want a number within %d", k, v, maxLeaf)
		}
	}
	if w.Histogram() {
		return q.checkHistogram(w)
	}
	return q.checkTree(w, seen)
}

func (q questions) checkIndex(f int32) error {
	if f < 0 || int(f) >= q.features {
		return fmt.Errorf("feature %d, want 0 to %d", f, q.features-1)
	}
	return nil
}

func (q questions) checkHistogram(w *Weak) error {
	if q.kind != Haar {
		return errors.New("a histogram, want trees only in an LBP cascade")
	}
	if n := len(w.Leaves); n != 8 && n != 16 {
		return fmt.Errorf("a histogram of %d leaves, want 8 or 16", n)
	}
	if !isFinite(float64(w.Low)) || !isFinite(float64(w.Scale)) || w.Scale <= 0 {
		return fmt.Errorf("histogram with Low %v and Scale %v, want finite numbers and a positive Scale", w.Low, w.Scale)
	}
	return q.checkIndex(w.Feature)
}

// checkTree walks from the root and demands that it comes to every node and
// every leaf once. Then there is no cycle, and no leaf is shared.
func (q questions) checkTree(w *Weak, seen *marks) error {
	n := len(w.Nodes)
	if len(w.Leaves) != n+1 {
		return fmt.Errorf("%d leaves, want %d for a tree of %d nodes", len(w.Leaves), n+1, n)
	}
	if w.Feature != 0 || w.Low != 0 || w.Scale != 0 {
		return errors.New("a tree with a histogram's Feature, Low or Scale, want them zero")
	}
	seen.reset(n)
	seen.todo = append(seen.todo, 0)
	reached := 0
	for len(seen.todo) > 0 {
		at := seen.todo[len(seen.todo)-1]
		seen.todo = seen.todo[:len(seen.todo)-1]
		reached++
		node := &w.Nodes[at]
		if err := q.checkNode(node); err != nil {
			return fmt.Errorf("node %d: %w", at, err)
		}
		for _, child := range [...]int32{node.Left, node.Right} {
			switch {
			case child >= int32(n) || child < -int32(n):
				return fmt.Errorf("node %d: child %d, want nodes 1 to %d or leaves 0 to -%d", at, child, n-1, n)
			case child > 0 && seen.node[child] || child <= 0 && seen.leaf[-child]:
				return fmt.Errorf("node %d: child %d has another parent, so this is not a tree", at, child)
			case child > 0:
				seen.node[child] = true
				seen.todo = append(seen.todo, child)
			default:
				seen.leaf[-child] = true
			}
		}
	}
	if reached < n {
		return fmt.Errorf("%d of %d nodes cannot be reached from node 0", n-reached, n)
	}
	return nil
}

func (q questions) checkNode(n *Node) error {
	switch {
	case !isFinite(float64(n.Threshold)):
		return fmt.Errorf("threshold %v is not a finite number", n.Threshold)
	case q.kind == Haar && n.Subset != ([8]uint32{}):
		return errors.New("a subset, want none in a Haar cascade")
	case q.kind == LBP && n.Threshold != 0:
		return fmt.Errorf("threshold %v, want none in an LBP cascade", n.Threshold)
	}
	return q.checkIndex(n.Feature)
}

// marks is what checkTree remembers of one tree, kept from tree to tree.
type marks struct {
	node, leaf []bool
	todo       []int32
}

func (m *marks) reset(nodes int) {
	if cap(m.leaf) < nodes+1 {
		m.node, m.leaf = make([]bool, nodes+1), make([]bool, nodes+1)
	}
	m.node, m.leaf = m.node[:nodes+1], m.leaf[:nodes+1]
	clear(m.node)
	clear(m.leaf)
	m.todo = m.todo[:0]
}

// checkExit checks exit i; the weak learners must be there.
func (c *Cascade) checkExit(i int) error {
	e := c.Exits[i]
	before := 0
	if i > 0 {
		before = c.Exits[i-1].After
	}
	switch {
	case e.After <= before || e.After > len(c.Weak):
		return fmt.Errorf("exit %d stands after %d weak learners, want %d to %d", i, e.After, before+1, len(c.Weak))
	case !isFinite(float64(e.Threshold)):
		return fmt.Errorf("exit %d: threshold %v is not a finite number", i, e.Threshold)
	}
	return nil
}

// checkWhole checks that nothing is missing.
func (c *Cascade) checkWhole() error {
	switch {
	case c.features() == 0:
		return errors.New("no features")
	case len(c.Weak) == 0:
		return errors.New("no weak learners")
	case len(c.Exits) == 0:
		return errors.New("no exits")
	}
	if last := c.Exits[len(c.Exits)-1].After; last != len(c.Weak) {
		return fmt.Errorf("the last exit stands after %d weak learners, want it after all %d", last, len(c.Weak))
	}
	for _, n := range []struct {
		name  string
		exits int
	}{{"nearby", c.Nearby}, {"around", c.Around}, {"between", c.Between}} {
		if n.exits < 0 || n.exits > len(c.Exits) {
			return fmt.Errorf("%s is %d, want 0 to the %d exits", n.name, n.exits, len(c.Exits))
		}
	}
	if b := c.BetweenBelow; !(b >= 0 && isFinite(b)) || b > 0 && c.Between == 0 {
		return fmt.Errorf("between below a factor of %v, want none below 0, and none without between", b)
	}
	if c.HeadStart != (HeadStart{}) {
		for i, e := range c.Exits[:len(c.Exits)-1] {
			if e.Restart {
				return fmt.Errorf("a head start, but behind exit %d the score restarts", i)
			}
		}
	}
	return nil
}

func isFinite(x float64) bool { return x-x == 0 }
