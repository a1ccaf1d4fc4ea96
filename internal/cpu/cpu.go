// Package cpu says which vector instructions the kernels may use.
package cpu

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"sync/atomic"
)

// A Level is a set of instructions. Every level gives the same results.
type Level uint32

const (
	PureGo Level = iota // no assembly
	AVX2                // AVX2, BMI2 and POPCNT
	AVX512              // AVX2's, and AVX-512 F, BW, DQ, VL, VBMI and VNNI, and GFNI
	NEON                // arm64's Advanced SIMD, which all of them have
)

// Variable is the environment variable that forces a level.
const Variable = "HAARLEM_CPU"

var names = [...]string{PureGo: "purego", AVX2: "avx2", AVX512: "avx512", NEON: "neon"}

func (l Level) String() string { return names[l] }

// levels are those that can run here, PureGo first and the best last.
var levels = available()

func best() Level { return levels[len(levels)-1] }

var current atomic.Uint32

func init() {
	current.Store(uint32(best()))
	name := os.Getenv(Variable)
	if name == "" {
		return
	}
	if err := force(name); err != nil {
		// A level that was asked for and does not run would be measured or
		// tested under a wrong name, so the program ends.
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
}

func force(name string) error {
	for l, n := range names {
		if n == name {
			if !slices.Contains(levels, Level(l)) {
				return fmt.Errorf("%s=%s: this build on this CPU runs %s at most", Variable, name, best())
			}
			current.Store(uint32(l))
			return nil
		}
	}
	return fmt.Errorf("%s=%s: unknown level, want one of %s", Variable, name, strings.Join(names[:], ", "))
}

// Current returns the level in force.
func Current() Level { return Level(current.Load()) }

// Available returns the levels that can run here, PureGo first.
func Available() []Level { return slices.Clone(levels) }

// TB is the part of testing.TB that ForTest needs, so that programs do not
// carry the testing package.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// ForTest forces level l until the test ends. Tests that use it must not run
// in parallel with others.
func ForTest(t TB, l Level) {
	t.Helper()
	if !slices.Contains(levels, l) {
		t.Fatalf("level %v cannot run here", l)
	}
	old := current.Swap(uint32(l))
	t.Cleanup(func() { current.Store(old) })
}
