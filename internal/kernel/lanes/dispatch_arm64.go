//go:build !purego

package lanes

import "haarlem/internal/cpu"

func runVectors(_ cpu.Level, f *byte) { runNEON(f) }

func sweepVectors(_ cpu.Level, f *byte) { sweepNEON(f) }

// stagesVectors has no NEON: FastStage is false.
func stagesVectors(cpu.Level, *byte) { panic("lanes: no stages with NEON") }

// patternsVectors has no NEON: PatternSweep returns 0.
func patternsVectors(cpu.Level, *byte) { panic("lanes: no patterns with NEON") }
