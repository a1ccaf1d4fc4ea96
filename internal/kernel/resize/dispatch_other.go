//go:build !(amd64 || arm64) || purego

package resize

func row([]uint16, []byte, *Axis) int { return 0 }

func blend(dst []byte, top, bottom []uint16, n int, part uint16) { blendGo(dst, top, bottom, n, part) }

func halve(dst, top, bottom []byte) { halveGo(dst, top, bottom, 0) }
