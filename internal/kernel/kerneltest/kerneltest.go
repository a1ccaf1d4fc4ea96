// Package kerneltest has what tests of kernels share: a run for every level of
// instructions, random numbers that a failure can be repeated with, and memory that
// catches stray accesses: slices that end at an unreadable page, and slices between
// canaries. Neither Go nor its race detector sees what assembly reads and writes.
package kerneltest

import (
	"math/rand/v2"
	"testing"

	"haarlem/internal/cpu"
)

// EachLevel runs f as a subtest for every level of instructions that runs here.
func EachLevel(t *testing.T, f func(t *testing.T)) {
	for _, level := range cpu.Available() {
		t.Run(level.String(), func(t *testing.T) {
			cpu.ForTest(t, level)
			f(t)
		})
	}
}

// Rand returns a random source whose seed is in the test's log.
func Rand(t *testing.T) *rand.Rand {
	t.Helper()
	seed := rand.Uint64()
	t.Logf("seed %d", seed)
	return rand.New(rand.NewPCG(seed, 0))
}

// Often returns how often a test repeats what is random: n times, or short times where
// tests should be short, as under emulators and the race detector.
func Often(n, short int) int {
	if testing.Short() {
		return short
	}
	return n
}
