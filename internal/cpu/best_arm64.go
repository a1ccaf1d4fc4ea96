//go:build !purego

package cpu

// available needs to ask nobody: NEON is part of the architecture.
func available() []Level { return []Level{PureGo, NEON} }
