//go:build !purego

package lanes

import "haarlem/internal/cpu"

func runVectors(_ cpu.Level, f *byte) { runNEON(f) }

func sweepVectors(_ cpu.Level, f *byte) { sweepNEON(f) }
