//go:build amd64 && !purego

package cpu

import "golang.org/x/sys/cpu"

func available() []Level {
	x := &cpu.X86
	switch {
	case !(x.HasAVX2 && x.HasBMI1 && x.HasBMI2 && x.HasPOPCNT):
		return []Level{PureGo}
	case x.HasAVX512F && x.HasAVX512BW && x.HasAVX512DQ && x.HasAVX512VL && x.HasAVX512VBMI && x.HasAVX512GFNI && x.HasAVX512VNNI:
		return []Level{PureGo, AVX2, AVX512}
	}
	return []Level{PureGo, AVX2}
}
