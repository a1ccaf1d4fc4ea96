package train

// Shape says where a cascade's exits are.
type Shape uint8

const (
	// Staged has classical stages: an exit after each, and a score that starts
	// again at zero. It is the only shape that OpenCV reads, and the default.
	Staged Shape = iota
	// Chain has stages whose score goes on from stage to stage.
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
