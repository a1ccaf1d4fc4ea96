//go:build !amd64 || purego

package gemm

func add(c, b *Matrix, a *left) { addGo(c, b, a) }
