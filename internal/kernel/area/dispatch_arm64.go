//go:build !purego

package area

import "haarlem/internal/cpu"

func down(dst []int16, p []byte, rows []int, weights *[Taps]int16) {
	if cpu.Current() != cpu.NEON || len(dst) < 8 {
		downGo(dst, p, rows, weights)
		return
	}
	downNEON(&dst[0], &p[0], &rows[0], len(rows), &weights[0], len(dst))
}

func across(dst []byte, src []int16, f *Filter, plane int) {
	if cpu.Current() != cpu.NEON || f.n < 4 {
		acrossGo(dst, src, f, plane)
		return
	}
	acrossNEON(&dst[0], &src[0], &f.first[0], &f.weights[0], f.n, 8*plane)
}

func near(dst, p []byte, from, stride, n int, rows *Rows, f *Filter, plane int) bool { return false }
