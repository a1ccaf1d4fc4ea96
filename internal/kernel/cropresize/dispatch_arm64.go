//go:build !purego

package cropresize

import "haarlem/internal/cpu"

func across(dst *Row, p []byte, t *Taps) {
	switch {
	case cpu.Current() != cpu.NEON:
		acrossGo(dst, p, t)
	case t.wide <= Wide/2:
		acrossHalfNEON(&dst[0], &p[0], &t.first[0], &t.parts[0][0], Side)
	default:
		acrossNEON(&dst[0], &p[0], &t.first[0], &t.parts[0][0], Side)
	}
}

func down(dst *[Side]int32, rows *[Wide]Row, first int, parts []int32, s Scale) {
	if cpu.Current() != cpu.NEON {
		downGo(dst, rows, first, parts, s)
		return
	}
	downNEON(&dst[0], &rows[0][0], first, &parts[0], len(parts), uint64(s.Factor), s.Shift)
}
