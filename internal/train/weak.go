package train

// Weak is a family of weak classifiers.
type Weak uint8

const (
	// Trees of depth Settings.Depth; 1 are stumps. The default.
	Trees Weak = iota
	// Histograms have an output for each of Settings.Bins bins of a feature.
	Histograms
)

var weakNames = [...]string{"tree", "histogram"}

// String returns the name on the command line.
func (w Weak) String() string { return nameOf(weakNames[:], int(w), "Weak") }
