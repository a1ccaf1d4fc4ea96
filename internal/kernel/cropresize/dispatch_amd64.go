//go:build !purego

package cropresize

import "haarlem/internal/cpu"

func across(dst *Row, p []byte, t *Taps) {
	switch cpu.Current() {
	case cpu.AVX512, cpu.AVX2:
		if t.wide <= Wide/2 {
			acrossHalfAVX2(&dst[0], &p[0], &t.first[0], &t.parts[0][0], Side)
		} else {
			acrossAVX2(&dst[0], &p[0], &t.first[0], &t.parts[0][0], Side)
		}
	default:
		acrossGo(dst, p, t)
	}
}

func down(dst *[Side]int32, rows *[Wide]Row, first int, parts []int32, s Scale) {
	switch cpu.Current() {
	case cpu.AVX512, cpu.AVX2:
		downAVX2(&dst[0], &rows[0][0], first, &parts[0], len(parts), uint64(s.Factor), s.Shift)
	default:
		downGo(dst, rows, first, parts, s)
	}
}
