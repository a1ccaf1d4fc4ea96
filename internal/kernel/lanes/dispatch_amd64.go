//go:build !purego

package lanes

import "haarlem/internal/cpu"

func runVectors(level cpu.Level, f *byte) {
	if level == cpu.AVX512 {
		runAVX512(f)
	} else {
		runAVX2(f)
	}
}

func sweepVectors(level cpu.Level, f *byte) {
	if level == cpu.AVX512 {
		sweepAVX512(f)
	} else {
		sweepAVX2(f)
	}
}

func stagesVectors(level cpu.Level, f *byte) {
	if level == cpu.AVX512 {
		stagesAVX512(f)
	} else {
		stagesAVX2(f)
	}
}

func patternsVectors(level cpu.Level, f *byte) {
	if level == cpu.AVX512 {
		patternsAVX512(f)
	} else {
		patternsAVX2(f)
	}
}
