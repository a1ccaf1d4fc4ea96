//go:build amd64 && !purego

package cpu

import "golang.org/x/sys/cpu"

func best() Level {
	x := &cpu.X86
	switch {
	case !(x.HasAVX2 && x.HasBMI1 && x.HasBMI2 && x.HasPOPCNT):
		return PureGo
	case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VBMI:
		return AVX512
	}
	return AVX2
}
