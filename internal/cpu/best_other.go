//go:build !amd64 || purego

package cpu

func best() Level { return PureGo }
