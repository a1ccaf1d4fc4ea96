//go:build !purego

package area

import "haarlem/internal/cpu"

func down(dst []int16, p []byte, rows []int, weights *[Taps]int16) {
	switch {
	case cpu.Current() == cpu.PureGo || len(dst) < 8:
		downGo(dst, p, rows, weights)
	case len(dst) < 16:
		down8AVX2(&dst[0], &p[0], &rows[0], len(rows), &weights[0], len(dst))
	default:
		down16AVX2(&dst[0], &p[0], &rows[0], len(rows), &weights[0], len(dst))
	}
}

func across(dst []byte, src []int16, f *Filter, plane int) {
	if cpu.Current() == cpu.PureGo || f.n < 8 {
		acrossGo(dst, src, f, plane)
		return
	}
	acrossAVX2(&dst[0], &src[0], &f.first[0], &f.weights[0], f.n, 8*plane)
}

func near(dst, p []byte, from, stride, n int, rows *Rows, f *Filter, plane int) bool {
	if cpu.Current() != cpu.AVX512 || !f.isNear() {
		return false
	}
	c, kernel := &f.near, near4AVX512
	if c.taps > 4 {
		kernel = near8AVX512
	}
	for i := 0; i < f.n; i += c.group {
		first := int(f.first[i])
		kernel(&dst[4*i], 4*f.n, &p[0], from+first, stride, min(n-first, MaxRow), &rows.Taps[0], &rows.Count[0], &rows.Weights[0],
			f.n, &c.at[0][i], &c.weights[0][i], min(f.n-i, c.group), 8*plane)
	}
	return true
}
