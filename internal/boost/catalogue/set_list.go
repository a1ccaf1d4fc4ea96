package catalogue

import (
	"fmt"
	"slices"
	"strings"
)

// sets is the registry, in the order of lists: finite domains first, then
// generators, each group from old to new.
var sets = []Set{
	ticTacToe, monks1, monks2, monks3, monks3Noisy, balance, balanceEven,
	parity, majority, multiplexer,
	led, led24, waveform21, waveform40, xd6,
	twonorm, threenorm, ringnorm, spheres, nonadditive,
	dnf, cnf, kingRookKing,
	hyperplane, checkerboard, xor, spirals, moons,
}

// Sets lists the built-in problems.
func Sets() []Set { return slices.Clone(sets) }

// Find returns the built-in problem of that name.
func Find(name string) (Set, error) {
	names := make([]string, len(sets))
	for i, s := range sets {
		if names[i] = s.Name; s.Name == name {
			return s, nil
		}
	}
	return Set{}, fmt.Errorf("no built-in set is called %q; there are %s", name, strings.Join(names, ", "))
}
