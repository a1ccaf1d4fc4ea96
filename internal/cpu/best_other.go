//go:build !(amd64 || arm64) || purego

package cpu

func available() []Level { return []Level{PureGo} }
