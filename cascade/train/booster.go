package train

import "haarlem/boost"

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

// booster returns the algorithm.
func (s *Settings) booster() boost.Booster {
	switch s.Booster {
	case DAB:
		return &boost.Discrete{}
	case RAB:
		return &boost.Real{Smooth: s.Smooth}
	case LB:
		return &boost.LogitBoost{}
	case ADR:
		return &boost.AdaBoostR{}
	case FLOAT:
		return &boost.Float{Real: true}
	}
	return &boost.Gentle{}
}
