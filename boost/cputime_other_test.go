//go:build !unix

package boost

func cpuSeconds() float64 { return 0 }
