package train

// Booster is an algorithm of the boosting family, by OpenCV's name where it has
// one.
type Booster uint8

const (
	GAB   Booster = iota // GentleBoost. The default
	DAB                  // Discrete AdaBoost
	RAB                  // Real AdaBoost
	LB                   // LogitBoost
	ADR                  // AdaBoost_R
	FLOAT                // FloatBoost on Real AdaBoost's steps
)

var boosterNames = [...]string{"GAB", "DAB", "RAB", "LB", "ADR", "FLOAT"}

// String returns the name on the command line.
func (b Booster) String() string { return nameOf(boosterNames[:], int(b), "Booster") }

// ParseBooster is the inverse of String.
func ParseBooster(name string) (Booster, error) {
	i, err := parse(boosterNames[:], name, "booster")
	return Booster(i), err
}
