package train

// Shape is the placement of a cascade's exits.
type Shape uint8

const (
	// Staged has classical stages: an exit after each, where the score restarts
	// at zero. It is the only shape that OpenCV reads, and the default.
	Staged Shape = iota
	// Chain has stages without restarts.
	Chain
	// Soft has an exit after every weak classifier: a soft cascade.
	Soft
)

var shapeNames = [...]string{"staged", "chain", "soft"}

// String returns the name on the command line.
func (s Shape) String() string { return nameOf(shapeNames[:], int(s), "Shape") }

// ParseShape is the inverse of String.
func ParseShape(name string) (Shape, error) {
	i, err := parse(shapeNames[:], name, "shape")
	return Shape(i), err
}
