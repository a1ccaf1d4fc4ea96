//go:build !purego

package cpu

// available needs no detection: NEON is part of the architecture.
func available() []Level { return []Level{PureGo, NEON} }
