//go:build (!(amd64 || arm64) || purego) && !(wasm && haarlemsimd)

package area

func down(dst []int16, p []byte, rows []int, weights *[Taps]int16) { downGo(dst, p, rows, weights) }

func across(dst []byte, src []int16, f *Filter, plane int) { acrossGo(dst, src, f, plane) }

func near(dst, p []byte, from, stride, n int, rows *Rows, f *Filter, plane int) bool { return false }
